"""The pool and its batches as lists, and the documents of a batch."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any, NamedTuple

from accounts.models import User
from campaigns.models.campaign import Campaign
from campaigns.noun import ID, Field, Noun, fields_of
from cleverdon.pools.lists import Contributors
from pooling.access import Batches, Pools, batches_seen
from pooling.core.forecast import forecast
from pooling.from_above import existing_judgments
from pooling.models.batches import Batch
from pooling.models.contributors import Contributor, facts_of
from pooling.models.entries import PoolEntry
from pooling.models.forecasts import Forecast
from pooling.models.likenesses import Likeness
from runs.models import Run


class PoolRecord(NamedTuple):
    """The pool as somebody may see it: the version that is released, or the last one."""

    version: int
    documents: int
    sha256: str


def pool_seen(user: User, campaign: Campaign) -> list[PoolRecord]:
    batches = list(batches_seen(user, campaign).select_related("pool"))
    if not batches or batches[0].pool is None:
        return [PoolRecord(0, 0, "")]
    version = batches[0].version or 0
    n = sum(each.n_entries for each in batches)
    return [PoolRecord(version, n, batches[0].pool.sha256_at(version))]


POOL = Noun(
    name="pool",
    see=Pools.see,
    rows=pool_seen,
    fields=fields_of(PoolRecord),
    is_one=True,
    help="The frozen pool; version 0 is none. Its files have the documents.",
)
BATCHES = Noun(
    name="batches",
    see=Batches.see,
    rows=lambda _, campaign: (
        Batch.objects.filter(campaign=campaign).select_related("created_by").order_by("-pk")
    ),
    fields={
        "id": Field(str, lambda batch: str(batch.public_id)),
        "state": Field(str, choices=Batch.State.values),
        "version": Field(int | None, help="of the pool that it made, once frozen"),
        "round": Field(int),
        "strategy": Field(str),
        "parameters": Field(dict),
        "order_rule": Field(str),
        "topics": Field(list, help="numbers of those chosen; empty for all"),
        "documents": Field(int, lambda batch: batch.n_entries, "that it adds to the pool"),
        "joins_duplicates": Field(bool),
        "existing_sha256": Field(str, help="of the qrels whose judgments count"),
        "sha256": Field(str, help="freezing names it"),
        "created_by": Field(str, lambda batch: batch.created_by.username),
        "created_at": Field(datetime),
        "frozen_at": Field(datetime | None),
    },
    model=Batch,
    key=ID,
)


class EntryRecord(NamedTuple):
    """A document of a batch; `runs[i]` has it at rank `ranks[i]`."""

    topic: str
    docno: str
    standing: str
    reason: str
    grade: int | None
    runs: list[str]
    ranks: list[int]


def _entries_of(batch: Batch, rows: Iterable[PoolEntry]) -> Iterator[EntryRecord]:
    contributors = Contributor.objects.filter(batch=batch)
    tags = dict(contributors.values_list("run_id", "run__tag"))
    for row in rows:
        runs, item = [tags[each] for each in row.run_ids], row.item
        why = batch.reasons[row.reason]
        yield EntryRecord(
            item.topic.number, item.key, row.standing, why, row.grade, runs, row.ranks
        )


def _rows_of(_: Any, batch: Batch) -> Any:
    return PoolEntry.objects.filter(batch=batch).select_related("item__topic")


ENTRIES = Noun(
    name="entries",
    see=Batches.see,
    rows=_rows_of,
    tell=_entries_of,
    fields=fields_of(EntryRecord),
    help="Every document of a batch, with the runs that contributed it.",
)


class ForecastRecord(NamedTuple):
    """How many documents that the pool has not are in all valid runs down to a depth."""

    depth: int
    documents: int


def _forecast(_: User, campaign: Campaign) -> list[ForecastRecord]:
    row = Forecast.objects.current_of(campaign, existing_judgments(campaign))
    if row is None or not row.run_ids:
        return []
    runs = Contributors.of(facts_of(Run.objects.filter(pk__in=row.run_ids)), campaign.seed)
    places, depth = row.places_of(run.key for run in runs.runs), min(100, row.numbered.depth)
    found = forecast(row.numbered, places, runs.teams.tolist(), [depth] * len(places))
    sums = found.counts.sum(axis=0)[:depth].cumsum()
    return [ForecastRecord(n, int(each)) for n, each in enumerate(sums, 1)]


FORECAST = Noun(
    name="forecast",
    see=Batches.see,
    rows=_forecast,
    fields=fields_of(ForecastRecord),
    help="What a pool of all valid runs would add, by depth; empty until it is forecast.",
)
DUPLICATES = Noun(
    name="duplicates",
    see=Pools.see_duplicates,
    rows=lambda _, campaign: (
        Likeness.objects.of(campaign).select_related("topic", "item").order_by("pk")
    ),
    fields={
        "topic": Field(str, lambda row: row.topic.number),
        "group": Field(int, help="of duplicates of the topic"),
        "text": Field(int, help="documents of a group with the same number say the same"),
        "docno": Field(str, lambda row: row.item.key),
        "jaccard": Field(float, help="its words in common with the first of the group: 1 is all"),
    },
    help="The documents that were found to have duplicates within their topic.",
)
