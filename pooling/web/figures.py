"""The figures of the pool's pages: what the pool and its batches hold."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from django.db.models import Exists, OuterRef

from campaigns.from_above import progress_of
from campaigns.models.campaign import Campaign
from campaigns.models.people import Role
from campaigns.sorting import Cell, Figure, Sorting
from cleverdon.pools.entries import CARRIED, Standing
from cleverdon.trec.arrays import Floats
from cleverdon.trec.words import verb
from collection.models.texts import Topic
from pooling.core.statistics import workload
from pooling.models.batches import Batch, BatchQuerySet
from pooling.models.contributors import Contributor, shares_of
from pooling.models.entries import PoolEntry
from pooling.models.pools import Pool

CONTRIBUTORS = Sorting(
    "contributors",
    run=Cell(lambda row: row[0].run.tag),
    team=Cell(lambda row: row[0].run.team),
    contributed=Figure(lambda row: row[0].n_contributed),
    unique=Figure(lambda row: row[0].n_unique),
    most_like=Cell(lambda row: row[1] and row[1][1]),
)
BESIDE = {
    Standing.POOLED: ("is", "in the pool already"),
    Standing.UNDRAWN: ("was", "not drawn"),
    Standing.JUDGED: ("was", "judged before"),
    Standing.DUPLICATE: ("has", "the same text as another"),
}


def pool_figures(pool: Pool) -> dict[str, Any]:
    """Return what the pool holds, and how much of it is judged."""
    campaign = pool.campaign
    return {
        "per_topic": _per_topic(campaign, pool.batches.all()),
        "n_judged": sum(each.n_judged for each in progress_of(campaign).values()),
        "n_without_document": pool.batches.n_missing(),
        "n_carried": sum(pool.batches.n_by_topic(*CARRIED).values()),
        "n_unlike": _n_unlike(campaign),
    }


def _n_unlike(campaign: Campaign) -> int:
    """Count the former duplicates in the pool that no batch has brought to be judged."""
    unlike = PoolEntry.objects.filter(batch__pool__campaign=campaign, is_unlike=True)
    judged = PoolEntry.objects.with_grades_in(campaign).filter(item=OuterRef("item"))
    n: int = unlike.exclude(Exists(judged)).values("item").distinct().count()
    return n


def batch_figures(batch: Batch) -> dict[str, Any]:
    """Return what a batch adds to the pool, what its runs contribute, and the work of judging."""
    campaign = batch.campaign
    n_assessors = campaign.membership_set.filter(role=Role.ASSESSOR).count()
    contributors = sorted(batch.contributors.all(), key=lambda each: -each.n_unique)
    common = shares_of(contributors)
    return {
        "contributors": list(zip(contributors, _nearest(contributors, common), strict=True)),
        "most_contributed": max((each.n_contributed for each in contributors), default=0),
        "common": common,
        "n_read": sum(each.is_read for each in contributors),
        "lost": [each for each in batch.contributors.all() if not each.is_valid],
        "per_topic": _per_topic(campaign, Batch.objects.filter(pk=batch.pk)),
        "beside": _beside(batch),
        "plan": workload(
            batch.n_entries,
            second_percent=0,
            seconds_per_judgment=campaign.seconds_per_judgment,
            n_assessors=n_assessors,
        ),
        "n_assessors": n_assessors,
        "n_without_document": batch.n_missing,
    }


def _beside(batch: Batch) -> list[str]:
    """Say how many documents the batch has that it does not bring to be judged."""
    found = {standing: sum(counts.values()) for standing, counts in batch.counts.items()}
    return [
        f"{found[standing]:,} {verb(found[standing], of_one)} {words}"
        for standing, (of_one, words) in BESIDE.items()
        if standing in found
    ]


def _per_topic(campaign: Campaign, batches: BatchQuerySet) -> list[tuple[Topic, int]]:
    """Return the topics of which these batches have documents to judge, and how many."""
    counts = batches.n_by_topic()
    topics = campaign.topic_set.defer("description", "narrative")
    return [(each, counts[each.pk]) for each in topics if each.pk in counts]


def missing_docnos(batch: Batch, most: int) -> list[str]:
    """Return the first docnos that it adds and the collection lacks, once that has documents."""
    if not batch.campaign.document_set.exists():
        return []
    lacking = batch.entries.new().without_document()
    return list(lacking.order_by("item__key").values_list("item__key", flat=True).distinct()[:most])


def _nearest(
    contributors: Sequence[Contributor], common: Floats
) -> list[tuple[Contributor, int] | None]:
    """Return for each run the one with most in common, and its share in percent; None without."""
    if not contributors:
        return []
    others = np.nan_to_num(common)
    np.fill_diagonal(others, 0)
    places = others.argmax(axis=1).tolist()
    return [
        (contributors[place], round(100 * row[place])) if row[place] else None
        for row, place in zip(others.tolist(), places, strict=True)
    ]
