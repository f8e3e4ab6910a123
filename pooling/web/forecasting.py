"""The figures of the forecast: what a choice of runs and strategy would give, and by when."""

from collections.abc import Mapping
from datetime import date
from functools import partial
from typing import Any

from django.utils import timezone

from campaigns.from_above import progress_of
from campaigns.models.campaign import Campaign
from campaigns.models.moments import named_day
from campaigns.web.frame import sentences
from cleverdon.pools.lists import Contributors
from cleverdon.pools.strategy.depths import DEPTH
from cleverdon.trec.arrays import Integers
from cleverdon.trec.words import counted
from jobs.models import Job
from pooling import tasks
from pooling.core.forecast import Forecasted, forecast
from pooling.core.pictures import size_by_depth, until_judged
from pooling.core.statistics import PoolSizes, Schedule, most_documents, schedule, workload
from pooling.from_above import existing_judgments
from pooling.models.contributors import facts_of
from pooling.models.forecasts import Forecast
from pooling.web.forms import BatchForm

MOST_SHOWN = 100  # the depth at which the curve ends, unless a greater one is chosen


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
    if chosen is None or not form.staff.is_valid():
        faults = sentences(form) or sentences(form.staff)
        return {"faults": faults or "Choose at least one run."}
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
    numbered, strategy, parameters = row.numbered, form.chosen_strategy, chosen["parameters"]
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
    n_documents = int(n_by_topic.sum())
    form.brought = _brought(contributors, found, n_documents)
    figures = _effort(campaign, form, n_documents) | {
        "lead": _lead(form, chosen, depths),
        "n_taken": n_documents + found.n_known if strategy.takes_all else 0,
        "n_known": found.n_known,
        "span": (int(n_by_topic.min(initial=n_documents)), int(n_by_topic.max(initial=0))),
        "existing": chosen.get("existing_sha256"),
        # A topic has all that was counted, and runs are to be read deeper.
        "is_shallow": max(depths) > numbered.depth and (n_by_topic == by_rank.sum(axis=1)).any(),
        "numbered_depth": numbered.depth,
    }
    if strategy is not DEPTH:
        return figures
    depth = min(parameters["depth"], numbered.depth)
    deepest = max(depth, min(MOST_SHOWN, numbered.depth))
    deep = count([deepest] * len(runs)).counts[rows, :deepest]
    sizes = PoolSizes(tuple(topics), deep.cumsum(axis=1))
    return figures | {"curve": size_by_depth(sizes, depth, most=figures["most"])}


def _brought(contributors: Contributors, found: Forecasted, n_documents: int) -> dict[int, int]:
    """Return how many new documents the runs of each team have, by its id, if all are taken."""
    if n_documents != found.counts.sum():  # it is not known which of them are taken
        return {}
    numbers = contributors.teams.tolist()
    teams = {number: run.team for run, number in zip(contributors.runs, numbers, strict=True)}
    return {teams[number]: n for number, n in found.by_team.items()}


def _lead(form: BatchForm, chosen: Mapping[str, Any], depths: Integers) -> str:
    """Say which runs are read, and how deep."""
    read, strategy = depths[depths > 0], form.chosen_strategy
    n, n_unpooled = len(read), form.n_unpooled
    runs = f"{n:,} of {counted(len(form.valid_runs), 'run')}"
    if n == len(form.valid_runs):
        runs = "The one run" if n == 1 else f"All {n:,} runs"
    elif n == n_unpooled and not any(run.is_pooled for run in chosen["runs"]):
        runs = f"The {'one run' if n == 1 else counted(n, 'run')} not pooled yet,"
    if not strategy.takes_all or not n:
        return f"{runs}: {strategy.label(**chosen['parameters'])}."
    low, high = int(read.min()), int(read.max())
    return f"{runs} to depth {high:,}." if low == high else f"{runs} to depths {low:,} to {high:,}."


def _effort(campaign: Campaign, form: BatchForm, n_documents: int) -> dict[str, Any]:
    """Return the work of judging these documents, when it ends, and the most there is time for."""
    staff = form.staff.cleaned_data
    n_assessors, hours_a_week = staff["n_assessors"], staff["hours_a_week"]
    pace = {"second_percent": staff["second_percent"], "seconds_per_judgment": staff["seconds"]}
    n_left = sum(each.n_left for each in progress_of(campaign).values()) if form.pool else 0
    plan, before, whole = (
        workload(n, n_assessors=n_assessors, **pace)
        for n in (n_documents, n_left, n_documents + n_left)
    )
    begins, deadline = _window(campaign)
    ended, ends = (
        schedule(each.hours_each or 0, hours_a_week, begins, deadline) for each in (before, whole)
    )
    most = None
    if deadline and deadline > begins:
        hours = n_assessors * hours_a_week * (deadline - begins).days / 7
        n = max(0, most_documents(hours, **pace) - n_left)
        most = n, f"fits before {named_day(deadline)}"
    once = n_documents * staff["seconds"] / 3600
    return {
        "n_documents": n_documents,
        "news": _news(form, n_documents, ends),
        "plan": plan,
        "work": _sum(once, plan.hours),
        "hours_of_all": n_assessors * hours_a_week,
        "most": most,  # documents that can be judged by the deadline, with a label
        "n_left": n_left,  # documents of the pool: they are judged first
        "schedule": ends,
        "days_more": (ends.ends - ended.ends).days,
        "timeline": until_judged(begins, ended.ends, ends.ends, deadline),
    }


def _sum(once: float, whole: float) -> list[str]:
    """Return the hours of judging once, those of second opinions and both, which add up as shown.

    >>> _sum(3.9, 4.68), _sum(260 / 3600, 340 / 3600)
    (['3.9 h', '0.8 h', '4.7 h'], ['4 min', '2 min', '6 min'])
    """
    factor, form = (1, "{:,.1f} h") if whole >= 1 else (60, "{:.0f} min")
    first, both = (round(factor * hours, 1 if factor == 1 else None) for hours in (once, whole))
    return [form.format(each) for each in (first, both - first, both)]


def _news(form: BatchForm, n_documents: int, ends: Schedule) -> str:
    """Say how many documents there would be, and by when they are judged."""
    if not n_documents:
        return "Nothing new in this choice"
    bound = form.chosen_strategy.bound
    what = counted(n_documents, "more document" if form.pool else "document")
    what = f"{bound} {what}".strip()
    if ends.late:
        return f"{what}, judged {counted(ends.late, 'day')} late, by {named_day(ends.ends)}"
    return f"{what}, all judged by {named_day(ends.ends)}"


def _window(campaign: Campaign) -> tuple[date, date | None]:
    """Return the first day of judging, from today on, and the last, by the campaign's clock."""
    now, opens = timezone.now(), campaign.judging_opens_at
    return campaign.day_of(max(opens, now) if opens else now), campaign.last_day_of_judging
