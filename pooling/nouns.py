"""The pool and its batches as lists, and the documents of a batch."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any, NamedTuple

from accounts.models import User
from campaigns.models.campaign import Campaign
from campaigns.noun import ID, Field, Noun, fields_of
from pooling.access import Batches, Pools, batches_seen
from pooling.models.batches import Batch
from pooling.models.contributors import Contributor
from pooling.models.entries import PoolEntry


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
        "state": Field(str),
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
