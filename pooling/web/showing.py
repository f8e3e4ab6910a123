"""What the pool's page shows: the pool that there is, the choice of another, and what that would cost."""

from collections.abc import Sequence
from datetime import date
from typing import Any

import numpy as np
from django.http import HttpResponse
from django.urls import reverse
from django.utils import timezone

from accounts.access import why_not
from accounts.pages import UserRequest
from campaigns.from_above import progress_of
from campaigns.models.campaign import Campaign
from campaigns.models.moments import named_day
from campaigns.models.people import Role
from campaigns.web.frame import page, sentences
from collection.models.texts import Topic
from jobs.models import Job
from pictures.parts import part_bar
from pictures.picture import Picture
from pooling import access, tasks
from pooling.core.pictures import alike, documents_by_topic, size_by_depth
from pooling.core.statistics import PoolSizes, Workload, most_documents, schedule, workload
from pooling.models import Contributor, Forecast, Pool, shares_of
from pooling.web.forms import PoolForm
from trec.arrays import Floats
from trec.words import counted

SHOWN_DEPTHS = (1, 5, 10, 20, 30, 50, 100)


def pool_page(
    request: UserRequest, campaign: Campaign, *, form: PoolForm | None = None, refusal: str = ""
) -> HttpResponse:
    """Show the pool and, until it is frozen, the choice of another; above them why something was refused."""
    # Read the job before the pool: if it ends in between, the page still shows it as running and loads itself again.
    job = Job.objects.recent(campaign).filter(kind=tasks.build_pool.name).first()
    current = Pool.objects.for_summary().current_of(campaign)
    context: dict[str, Any] = {
        "pool": current,
        "job": job,
        "refusal": refusal,
        "why_not_build": why_not(access.check_can_build, request.user, campaign),
    }
    pictures: dict[str, Picture | None] = {}
    if current:
        context |= summary(request, current)
        pictures |= context["pictures"]
    if not context["why_not_build"]:
        data = request.GET if "depth" in request.GET else None
        form = form or PoolForm(data, campaign=campaign, current=current)
        context |= {"form": form, **forecast_of(form, campaign)}
    pictures |= context.get("pictures", {})
    context["pictures"] = pictures
    return page(request, "pooling/pool.html", campaign, "pool", **context)


def summary(request: UserRequest, pool: Pool) -> dict[str, Any]:
    """Return what the pool holds and what it takes to judge it."""
    assessors = pool.campaign.membership_set.filter(role=Role.ASSESSOR)
    n_assessors = assessors.count()
    check = access.check_can_freeze
    is_frozen = pool.state == Pool.State.FROZEN
    per_topic = pool.entries.by_topic(pool.campaign)
    contributors = sorted(pool.contributors.all(), key=lambda each: -each.n_unique)
    among = shares_of(contributors)
    most = max((each.n_contributed for each in contributors), default=0)
    return {
        "contributors": [
            (each, _bar(each, most), nearest)
            for each, nearest in zip(contributors, _nearest(contributors, among), strict=True)
        ],
        "pictures": _pictures(pool, per_topic, contributors, among),
        "lost": [each for each in pool.contributors.all() if not each.is_valid],
        "per_topic": per_topic,
        "n_judged": sum(each.n_judged for each in progress_of(pool.campaign).values())
        if is_frozen
        else 0,
        "plan": plan(pool.campaign, pool.n_entries, pool.second_percent, n_assessors),
        "n_assessors": n_assessors,
        "n_without_document": pool.entries.without_document().n_docnos(),
        "why_not_freeze": "" if is_frozen else why_not(check, request.user, pool),
        "why_not_unfreeze": why_not(access.check_can_unfreeze, request.user, pool),
    }


def _pictures(
    pool: Pool,
    per_topic: list[tuple[Topic, int]],
    contributors: Sequence[Contributor],
    among: Floats,
) -> dict[str, Picture | None]:
    return {
        "topics": _by_topic(pool.campaign, per_topic) if per_topic else None,
        "alike": alike(
            [each.run.tag for each in contributors],
            [each.run.team.name for each in contributors],
            among.tolist(),
        )
        if pool.sha256 and len(contributors) > 2
        else None,
    }


def _nearest(
    contributors: Sequence[Contributor], among: Floats
) -> list[tuple[Contributor, int] | None]:
    """Return for each run the one that has most in common with it, and how much, in percent; None where there is none."""
    others = np.nan_to_num(among)
    np.fill_diagonal(others, 0)
    places = others.argmax(axis=1).tolist()
    return [
        (contributors[place], round(100 * row[place])) if row[place] else None
        for row, place in zip(others.tolist(), places, strict=True)
    ]


def _bar(contributor: Contributor, most: int) -> Picture:
    """Draw what a run alone brought, strong, on all that it brought."""
    own, n = contributor.n_unique, contributor.n_contributed
    return part_bar(
        own, n, most=most, sentence=f"{n:,} contributed, {own:,} of them by no other run"
    )


def _by_topic(campaign: Campaign, per_topic: list[tuple[Topic, int]]) -> Picture:
    """Draw the documents of each topic; a bar leads to the topic."""
    names = [topic.number for topic, _ in per_topic]
    hrefs = [reverse("collection:topic", args=[campaign.slug, topic.pk]) for topic, _ in per_topic]
    return documents_by_topic(names, [n for _, n in per_topic], hrefs=hrefs)


def plan(campaign: Campaign, n_documents: int, second_percent: int, n_assessors: int) -> Workload:
    return workload(
        n_documents,
        second_percent=second_percent,
        seconds_per_judgment=campaign.seconds_per_judgment,
        n_assessors=n_assessors,
    )


def forecast_of(form: PoolForm, campaign: Campaign) -> dict[str, Any]:
    """Return the figures for the choice in the form or, until a worker has them, the job that computes them."""
    chosen = form.chosen()
    if chosen is None:
        return {"faults": sentences(form) or "Choose at least one run."}
    topics = list(campaign.topic_set.values_list("number", flat=True))
    found = Forecast.objects.of(campaign, chosen["runs"], topics)
    if found and found.is_computed:
        return _figures(campaign, found.sizes, topics, chosen)
    about = Job.objects.about(tasks.forecast_pool.name, found.pk) if found else None
    return {"forecast_job": about, "n_runs": len(chosen["runs"])}


def _figures(
    campaign: Campaign, sizes: PoolSizes, topics: list[str], chosen: dict[str, Any]
) -> dict[str, Any]:
    """Return the figures at the chosen depth and at others; topics in the order given."""
    depth, assessors = chosen["depth"], chosen["n_assessors"]
    second_percent = chosen["second_percent"]
    per_topic = dict(zip(sizes.topics, sizes.by_topic[:, depth - 1].tolist(), strict=True))
    rows = [
        (k, sizes.at(k), plan(campaign, sizes.at(k), second_percent, assessors))
        for k in sorted({*SHOWN_DEPTHS, depth})
    ]
    at_depth = next(row for row in rows if row[0] == depth)
    begins, deadline = _window(campaign)
    weekly = chosen["hours_a_week"]
    found = schedule(at_depth[2].hours_each or 0, weekly, begins, deadline)
    return {
        "pictures": {
            "size_by_depth": size_by_depth(
                sizes, depth, most=_most(campaign, chosen, begins, deadline)
            ),
            "forecast_topics": documents_by_topic(topics, [per_topic[topic] for topic in topics])
            if topics
            else None,
        },
        "schedule": found,
        "hours_a_week": weekly,
        "depth": depth,
        "by_depth": rows,
        "at_depth": at_depth,
        "forecast_assessors": assessors,
    }


def _window(campaign: Campaign) -> tuple[date, date | None]:
    """Return when judging can begin, today at the earliest, and its deadline, both in the campaign's zone."""
    now = timezone.now()
    opens = campaign.judging_opens_at
    begins = max(opens, now) if opens else now
    return campaign.day_of(begins), campaign.last_day_of_judging


def _most(
    campaign: Campaign, chosen: dict[str, Any], begins: date, deadline: date | None
) -> tuple[int, str] | None:
    """Return how many documents can be judged by the deadline, with a label; None without one ahead."""
    if deadline is None or deadline <= begins:
        return None
    hours = chosen["n_assessors"] * chosen["hours_a_week"] * (deadline - begins).days / 7
    most = most_documents(
        hours,
        second_percent=chosen["second_percent"],
        seconds_per_judgment=campaign.seconds_per_judgment,
    )
    who = counted(chosen["n_assessors"], "assessor")
    return most, f"{who} until {named_day(deadline)}"
