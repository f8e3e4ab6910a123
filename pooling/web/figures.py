"""The figures of the pool's pages: what pool and batches hold, and the forecast of a choice."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

import numpy as np
from django.utils import timezone

from campaigns.from_above import progress_of
from campaigns.models.campaign import Campaign
from campaigns.models.moments import named_day
from campaigns.models.people import Role
from jobs.models import Job
from pooling import tasks
from pooling.core.statistics import PoolSizes, Workload, most_documents, schedule, workload
from pooling.core.strategy.depths import DEPTH
from pooling.models.batches import Batch, Contributor, shares_of
from pooling.models.entries import PoolEntry
from pooling.models.forecasts import Forecast
from pooling.models.pools import Pool
from trec.arrays import Floats
from trec.words import counted

SHOWN_DEPTHS = (1, 5, 10, 20, 30, 50, 100)


def pool_figures(pool: Pool) -> dict[str, Any]:
    """Return what the pool holds, and how much of it is judged."""
    campaign, entries = pool.campaign, PoolEntry.objects.in_pool(pool)
    return {
        "per_topic": entries.by_topic(campaign),
        "n_judged": sum(each.n_judged for each in progress_of(campaign).values()),
        "n_without_document": entries.without_document().n_docnos(),
    }


def batch_figures(batch: Batch) -> dict[str, Any]:
    """Return what a batch adds to the pool, what its runs contribute, and the work of judging."""
    campaign = batch.campaign
    n_assessors = campaign.membership_set.filter(role=Role.ASSESSOR).count()
    contributors = sorted(batch.contributors.all(), key=lambda each: -each.n_unique)
    common, added = shares_of(contributors), batch.entries.filter(is_new=True)
    return {
        "contributors": list(zip(contributors, _nearest(contributors, common), strict=True)),
        "most_contributed": max((each.n_contributed for each in contributors), default=0),
        "common": common,
        "lost": [each for each in batch.contributors.all() if not each.is_valid],
        "per_topic": added.by_topic(campaign),
        "n_known": batch.entries.filter(is_new=False).count(),
        "plan": _plan(campaign, batch.n_entries, batch.second_percent, n_assessors),
        "n_assessors": n_assessors,
        "n_without_document": added.without_document().n_docnos(),
    }


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


def _plan(campaign: Campaign, n_documents: int, second_percent: int, n_assessors: int) -> Workload:
    return workload(
        n_documents,
        second_percent=second_percent,
        seconds_per_judgment=campaign.seconds_per_judgment,
        n_assessors=n_assessors,
    )


def forecast_figures(campaign: Campaign, chosen: Mapping[str, Any]) -> dict[str, Any]:
    """Return the figures for a choice or, until they are computed, the job."""
    if chosen["strategy"] != DEPTH.name:
        return {"faults": "How many documents this pool has is known once it is built."}
    topics = list(campaign.topic_set.values_list("number", flat=True))
    forecast = Forecast.objects.of(campaign, chosen["runs"], topics)
    if forecast and forecast.is_computed:
        return {"topics": topics, **_figures(campaign, forecast.sizes, chosen)}
    job = Job.objects.about(tasks.forecast_pool.name, forecast.pk) if forecast else None
    return {"forecast_job": job, "n_runs": len(chosen["runs"])}


def _figures(campaign: Campaign, sizes: PoolSizes, chosen: Mapping[str, Any]) -> dict[str, Any]:
    """Return the figures at the chosen depth and at others."""
    depth, second_percent, n_assessors, hours_a_week = (
        chosen[name] for name in ("depth", "second_percent", "n_assessors", "hours_a_week")
    )
    rows = [
        (k, sizes.at(k), _plan(campaign, sizes.at(k), second_percent, n_assessors))
        for k in sorted({*SHOWN_DEPTHS, depth})
    ]
    at_depth = next(row for row in rows if row[0] == depth)
    begins, deadline = _window(campaign)
    most = None
    if deadline and deadline > begins:
        hours = n_assessors * hours_a_week * (deadline - begins).days / 7
        seconds = campaign.seconds_per_judgment
        most = (
            most_documents(hours, second_percent=second_percent, seconds_per_judgment=seconds),
            f"{counted(n_assessors, 'assessor')} until {named_day(deadline)}",
        )
    return {
        "sizes": sizes,
        "most": most,  # documents that can be judged by the deadline, with a label
        "schedule": schedule(at_depth[2].hours_each or 0, hours_a_week, begins, deadline),
        "hours_a_week": hours_a_week,
        "depth": depth,
        "by_depth": rows,
        "at_depth": at_depth,
        "forecast_assessors": n_assessors,
    }


def _window(campaign: Campaign) -> tuple[date, date | None]:
    """Return the first day of judging, from today on, and the last, by the campaign's clock."""
    now, opens = timezone.now(), campaign.judging_opens_at
    return campaign.day_of(max(opens, now) if opens else now), campaign.last_day_of_judging
