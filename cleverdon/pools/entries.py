"""The documents of a batch: how they are formed, what is known before, what each is to the pool."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple

from cleverdon.trec.ranking import DEFAULT_RULES

Grade = int
UNJUDGED = -1
IN_POOL = "in the pool before"
JUDGED_BEFORE = "judged before"


class Standing(StrEnum):
    """What a document of a batch is to the pool."""

    NEW = "new"  # it is to be judged
    POOLED = "pooled"  # the pool has it before
    UNDRAWN = "undrawn"  # of the population of a sample, and not drawn
    JUDGED = "judged"  # existing judgments have its grade
    DUPLICATE = "duplicate"  # it gets the grade of another document with the same text


CARRIED = (Standing.JUDGED, Standing.DUPLICATE)
GRADED = (Standing.NEW, *CARRIED)


@dataclass(frozen=True)
class Recipe:
    """How a pool is formed: a strategy by name, its parameters, and in which order runs are read.

    `existing` is the SHA-256 of qrels whose judgments count, "" for none; `joins_duplicates` says
    whether one judgment serves documents with the same text. The same recipe, files and texts give
    the same pool on every machine.
    """

    strategy: str
    parameters: Mapping[str, Any]
    seed: int
    order_rule: str = DEFAULT_RULES
    existing: str = ""
    joins_duplicates: bool = False


class Entry(NamedTuple):
    """A document: all runs that have it within their depth, by key, at which ranks, and why.

    `grade` is the one that existing judgments have; `same_as` the docno of which it is a duplicate.
    """

    docno: str
    runs: tuple[Any, ...]
    ranks: tuple[int, ...]
    reason: str
    standing: str = Standing.NEW
    grade: Grade | None = None
    same_as: str = ""


Pooled = Mapping[str, Collection[str]]  # docnos by topic


class Before(NamedTuple):
    """What is known of topics before a step: their documents in the pool, and the grades.

    `existing` are the judgments that count although they were not made in the pool.
    """

    pooled: Pooled = {}
    judged: Mapping[str, Mapping[str, Grade]] = {}
    step: int = 0
    existing: Mapping[str, Mapping[str, Grade]] = {}

    def n_known(self, topic: str) -> int:
        """Count a topic's documents that need no judging, those known both ways twice."""
        return len(self.pooled.get(topic, ())) + len(self.existing.get(topic, ()))


NOTHING = Before()


def with_existing(entries: list[Entry], topic: str, before: Before) -> list[Entry]:
    """Give the documents that existing judgments have their grades; those in no run come last."""
    pooled, existing = before.pooled.get(topic, ()), before.existing.get(topic, {})
    left = {docno: grade for docno, grade in existing.items() if docno not in pooled}
    if not left:
        return entries
    found = [
        each._replace(reason=JUDGED_BEFORE, standing=Standing.JUDGED, grade=left[each.docno])
        if each.docno in left
        else each
        for each in entries
    ]
    others = sorted(left.keys() - {each.docno for each in entries})
    return found + [
        Entry(docno, (), (), JUDGED_BEFORE, Standing.JUDGED, left[docno]) for docno in others
    ]


def joined(
    entries: Iterable[Entry], hashes: Mapping[str, str], pooled: Iterable[str]
) -> Iterator[Entry]:
    """Yield the entries, of those new with the same text only the first as new.

    The others are its duplicates, or those of a document `pooled` or judged before. `hashes` are of
    texts, by docno; a document without one is nobody's duplicate.

    >>> entries = [Entry(docno, (), (), "why") for docno in ("d3", "d2", "d1")]
    >>> found = joined(entries, {"d1": "x", "d3": "x"}, pooled=[])
    >>> [(each.docno, str(each.standing), each.same_as) for each in found]
    [('d3', 'new', ''), ('d2', 'new', ''), ('d1', 'duplicate', 'd3')]
    """
    entries = list(entries)
    judged = (each.docno for each in entries if each.standing == Standing.JUDGED)
    first: dict[str, str] = {}
    for docno in sorted({*pooled, *judged}):
        if text := hashes.get(docno):
            first.setdefault(text, docno)
    for each in entries:
        text, other = hashes.get(each.docno), each.docno
        if text and each.standing == Standing.NEW:
            other = first.setdefault(text, each.docno)
        is_first = other == each.docno
        yield each if is_first else each._replace(standing=Standing.DUPLICATE, same_as=other)
