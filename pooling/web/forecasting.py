"""The figures of the forecast: what a choice of runs and strategy would give."""

from collections.abc import Mapping
from datetime import date
from functools import partial
from typing import Any

from django.utils import timezone

from campaigns.from_above import progress_of
from campaigns.models.campaign import Campaign
from campaigns.models.moments import named_day
from campaigns.web.frame import sentences
from jobs.models import Job
from pooling import tasks
from pooling.core.forecast import Forecasted, forecast
from pooling.core.lists import Contributors
from pooling.core.statistics import PoolSizes, Workload, most_documents, schedule
from pooling.core.strategy.depths import DEPTH
from pooling.from_above import existing_judgments
from pooling.models.contributors import facts_of
from pooling.models.forecasts import Forecast
from pooling.models.pools import Pool
from pooling.web.figures import plan_of
from pooling.web.forms import BatchForm
from trec.arrays import Integers
from trec.words import counted

SHOWN_DEPTHS = (1, 5, 10, 20, 30, 50, 100)


def forecast_job(campaign: Campaign) -> Job | None:
    """Return the job of what forecasts are counted from."""
    kept = Forecast.objects.filter(campaign=campaign).values("pk")
    about = Job.objects.filter(kind=tasks.forecast_pool.name, subject_id__in=kept)
    return about.order_by("-pk").first()


def forecast_figures(campaign: Campaign, form: BatchForm) -> dict[str, Any]:
    """Return the figures for a choice or, until they can be counted, the job."""
    if not form.chosen_strategy.reads_runs:
        return {}
    chosen = form.chosen()
    if chosen is None:
        return {"faults": sentences(form) or "Choose at least one run."}
    row = Forecast.objects.current_of(campaign, existing_judgments(campaign))
    if row is None:
        job = forecast_job(campaign)
        return {"forecast_job": job if job and job.state != Job.State.DONE else None}
    try:
        return _counted(campaign, row, form, chosen)
    except ValueError as error:
        return {"faults": str(error)}


def _counted(
    campaign: Campaign, row: Forecast, form: BatchForm, chosen: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the figures of a choice; ValueError for parameters that do not fit the runs."""
    numbered, strategy = row.numbered, form.chosen_strategy
    parameters = {each.name: chosen[each.name] for each in strategy.parameters}
    contributors = Contributors.of(facts_of(chosen["runs"]), campaign.seed)
    topics = chosen["topics"] or numbered.topics
    without = row.without(chosen.get("existing_sha256"))
    depths = strategy.depths(
        contributors, n_topics=len(topics), n_known=numbered.most_known(without), **parameters
    )
    runs = row.places_of([run.key for run in contributors.runs])
    count = partial(forecast, numbered, runs, contributors.teams.tolist(), without=without)
    rows = numbered.places_of(topics)
    found = count(depths, rows)
    by_rank = found.counts[rows]
    n_by_topic = strategy.size(by_rank, **parameters)
    _tell_alone(form, contributors, found, n_by_topic)
    figures = _effort(campaign, int(n_by_topic.sum()), chosen) | {
        "existing": chosen.get("existing_sha256"),
        "topics": list(topics),
        "by_topic": n_by_topic.tolist(),
        "bound": strategy.bound,
        # A topic has all that was counted, and runs are to be read deeper.
        "is_shallow": max(depths) > numbered.depth and (n_by_topic == by_rank.sum(axis=1)).any(),
        "numbered_depth": numbered.depth,
    }
    if strategy is not DEPTH:
        return figures
    depth = min(parameters["depth"], numbered.depth)
    deepest = max(depth, min(SHOWN_DEPTHS[-1], numbered.depth))
    deep = found if deepest == depth else count([deepest] * len(runs))
    sizes = PoolSizes(tuple(topics), deep.counts[rows, :deepest].cumsum(axis=1))
    return figures | _by_depth(campaign, sizes, depth, chosen)


def _tell_alone(
    form: BatchForm, contributors: Contributors, found: Forecasted, sizes: Integers
) -> None:
    """Have the form say beside runs and teams what they alone would add, if all that is chosen."""
    if not sizes.any() or sizes.sum() != found.counts.sum():
        return
    form.alone = {run.key: n for run, n in zip(contributors.runs, found.alone, strict=True)}
    numbers = contributors.teams.tolist()
    form.alone_by_team = {
        run.team: found.alone_by_team[number]
        for run, number in zip(contributors.runs, numbers, strict=True)
    }


def _by_depth(
    campaign: Campaign, sizes: PoolSizes, depth: int, chosen: Mapping[str, Any]
) -> dict[str, Any]:
    shown = sorted(k for k in {*SHOWN_DEPTHS, depth} if k <= sizes.max_depth)
    rows = [(k, sizes.at(k), _plan(campaign, sizes.at(k), chosen)) for k in shown]
    return {"sizes": sizes, "depth": depth, "by_depth": rows}


def _plan(campaign: Campaign, n_documents: int, chosen: Mapping[str, Any]) -> Workload:
    return plan_of(campaign, n_documents, chosen["second_percent"], chosen["n_assessors"])


def _effort(campaign: Campaign, n_documents: int, chosen: Mapping[str, Any]) -> dict[str, Any]:
    """Return the work of judging these documents, when it ends, and the most there is time for."""
    second_percent, n_assessors, hours_a_week = (
        chosen[name] for name in ("second_percent", "n_assessors", "hours_a_week")
    )
    pool = Pool.objects.of(campaign)
    n_left = sum(each.n_left for each in progress_of(campaign).values()) if pool else 0
    plan, whole = (_plan(campaign, n, chosen) for n in (n_documents, n_documents + n_left))
    begins, deadline = _window(campaign)
    most = None
    if deadline and deadline > begins:
        hours = n_assessors * hours_a_week * (deadline - begins).days / 7
        seconds = campaign.seconds_per_judgment
        n = most_documents(hours, second_percent=second_percent, seconds_per_judgment=seconds)
        most = (
            max(0, n - n_left),
            f"{counted(n_assessors, 'assessor')} until {named_day(deadline)}",
        )
    return {
        "n_documents": n_documents,
        "forecast_plan": plan,
        "most": most,  # documents that can be judged by the deadline, with a label
        "has_pool": pool is not None,
        "n_left": n_left,  # documents of the pool: they are judged first
        "schedule": schedule(whole.hours_each or 0, hours_a_week, begins, deadline),
        "hours_a_week": hours_a_week,
        "forecast_assessors": n_assessors,
    }


def _window(campaign: Campaign) -> tuple[date, date | None]:
    """Return the first day of judging, from today on, and the last, by the campaign's clock."""
    now, opens = timezone.now(), campaign.judging_opens_at
    return campaign.day_of(max(opens, now) if opens else now), campaign.last_day_of_judging
