"""What the pool's page shows: the current pool, the choice of another, its forecast."""

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
    """Show the pool and, until it is frozen, the choice of another."""
    # Read before the pool: if the job ends in between, the page shows it running and reloads.
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
    n_assessors = pool.campaign.membership_set.filter(role=Role.ASSESSOR).count()
    check = access.check_can_freeze
    is_frozen = pool.state == Pool.State.FROZEN
    per_topic = pool.entries.by_topic(pool.campaign)
    contributors = sorted(pool.contributors.all(), key=lambda each: -each.n_unique)
    common = shares_of(contributors)
    bars, nearest = _bars(contributors), _nearest(contributors, common)
    progress = progress_of(pool.campaign).values() if is_frozen else []
    return {
        "contributors": list(zip(contributors, bars, nearest, strict=True)),
        "pictures": _pictures(pool, per_topic, contributors, common),
        "lost": [each for each in pool.contributors.all() if not each.is_valid],
        "per_topic": per_topic,
        "n_judged": sum(each.n_judged for each in progress),
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
    common: Floats,
) -> dict[str, Picture | None]:
    pictures: dict[str, Picture | None] = {"topics": None, "alike": None}
    if per_topic:
        pictures["topics"] = _by_topic(pool.campaign, per_topic)
    if pool.sha256 and len(contributors) > 2:
        runs = [each.run for each in contributors]
        tags, teams = [run.tag for run in runs], [run.team.name for run in runs]
        pictures["alike"] = alike(tags, teams, common.tolist())
    return pictures


def _nearest(
    contributors: Sequence[Contributor], common: Floats
) -> list[tuple[Contributor, int] | None]:
    """Return for each run the one with most in common, and its share in percent; None without."""
    others = np.nan_to_num(common)
    np.fill_diagonal(others, 0)
    places = others.argmax(axis=1).tolist()
    return [
        (contributors[place], round(100 * row[place])) if row[place] else None
        for row, place in zip(others.tolist(), places, strict=True)
    ]


def _bars(contributors: Sequence[Contributor]) -> list[Picture]:
    """Draw each run's unique documents as a part of all that it contributed."""
    counts = [(each.n_unique, each.n_contributed) for each in contributors]
    most = max((n for _, n in counts), default=0)
    sentence = "{:,} contributed, {:,} of them by no other run"
    return [part_bar(own, n, most=most, sentence=sentence.format(n, own)) for own, n in counts]


def _by_topic(campaign: Campaign, per_topic: list[tuple[Topic, int]]) -> Picture:
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
    """Return the figures for the form's choice or, until they are computed, the job."""
    chosen = form.chosen()
    if chosen is None:
        return {"faults": sentences(form) or "Choose at least one run."}
    topics = list(campaign.topic_set.values_list("number", flat=True))
    forecast = Forecast.objects.of(campaign, chosen["runs"], topics)
    if forecast and forecast.is_computed:
        return _figures(campaign, forecast.sizes, topics, chosen)
    job = Job.objects.about(tasks.forecast_pool.name, forecast.pk) if forecast else None
    return {"forecast_job": job, "n_runs": len(chosen["runs"])}


def _figures(
    campaign: Campaign, sizes: PoolSizes, topics: list[str], chosen: dict[str, Any]
) -> dict[str, Any]:
    """Return the figures at the chosen depth and at others; topics in the order given."""
    depth, n_assessors = chosen["depth"], chosen["n_assessors"]
    per_topic = dict(zip(sizes.topics, sizes.by_topic[:, depth - 1].tolist(), strict=True))
    rows = [
        (k, sizes.at(k), plan(campaign, sizes.at(k), chosen["second_percent"], n_assessors))
        for k in sorted({*SHOWN_DEPTHS, depth})
    ]
    at_depth = next(row for row in rows if row[0] == depth)
    begins, deadline = _window(campaign)
    hours_each, weekly = at_depth[2].hours_each or 0, chosen["hours_a_week"]
    most = _most(campaign, chosen, begins, deadline)
    by_topic = [per_topic[topic] for topic in topics]
    return {
        "pictures": {
            "size_by_depth": size_by_depth(sizes, depth, most=most),
            "forecast_topics": documents_by_topic(topics, by_topic) if topics else None,
        },
        "schedule": schedule(hours_each, weekly, begins, deadline),
        "hours_a_week": weekly,
        "depth": depth,
        "by_depth": rows,
        "at_depth": at_depth,
        "forecast_assessors": n_assessors,
    }


def _window(campaign: Campaign) -> tuple[date, date | None]:
    """Return the first day of judging, from today on, and the last, by the campaign's clock."""
    now = timezone.now()
    opens = campaign.judging_opens_at
    begins = max(opens, now) if opens else now
    return campaign.day_of(begins), campaign.last_day_of_judging


def _most(
    campaign: Campaign, chosen: dict[str, Any], begins: date, deadline: date | None
) -> tuple[int, str] | None:
    """Return how many documents can be judged by the deadline, with a label; None if it is past."""
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
