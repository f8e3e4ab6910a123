"""Pools of a fixed number of documents: the first by best rank, or by reciprocal rank fusion."""

from typing import Any

import numpy as np

from cleverdon.pools.lists import Contributors, TopicLists
from cleverdon.pools.strategy.depths import down_to
from cleverdon.pools.strategy.parameters import MOST_DEPTH, Choice, WholeNumber
from cleverdon.pools.strategy.record import Chosen, Strategy
from cleverdon.trec.arrays import Floats, Integers, totals
from cleverdon.trec.words import counted

TOPIC, POOL = "topic", "pool"
BUDGET = WholeNumber(
    "n", "How many documents the batch is to have.", usual=100, most=1_000_000, label="budget"
)
EACH = Choice(
    "per",
    "Whether that many are chosen for every topic, or for all topics together, divided evenly.",
    options={TOPIC: "for each topic", POOL: "in all"},
    usual=TOPIC,
    label="the budget is",
)
K = 60  # of reciprocal rank fusion
UNITS = 2.0**40


def _share(lists: TopicLists, n: int, per: str) -> int:
    """Return how many documents the topic may have; chance says who gets one of the remainder."""
    if per == TOPIC:
        return n
    each, remainder = divmod(n, lists.n_topics)
    return each + (lists.place < remainder)


def _first(lists: TopicLists, order: Integers, how: str, n: int, per: str) -> Chosen:
    documents = order[~lists.known[order]][: _share(lists, n, per)]
    reasons = np.zeros(len(documents), dtype=np.int64)
    return Chosen(documents, reasons, (f"by {how}",))


def _by_best_rank(
    lists: TopicLists, *, chance: np.random.Generator, n: int, per: str, **_: Any
) -> Chosen:
    """Choose by best rank; of equal ones those that more runs have there, then by chance."""
    at_best = lists.rank == lists.best_rank[lists.document]
    n_runs = np.bincount(lists.document[at_best], minlength=lists.n_documents)
    order = np.lexsort((lists.draws(chance), -n_runs, lists.best_rank))
    return _first(lists, order, "best rank", n, per)


def _needed(
    contributors: Contributors, *, n_topics: int, n_known: int, n: int, per: str
) -> Integers:
    """Return the depth at which one run alone has as many new documents as a topic may have."""
    each = n if per == TOPIC else -(-n // max(1, n_topics))
    return np.full(len(contributors), min(each + n_known, MOST_DEPTH))


def fused(lists: TopicLists) -> Floats:
    """Return the sum over runs of 1 / (60 + rank) for each document: shape [n_documents].

    In units of 2**-40, as whole numbers, so that equal sums are equal in whatever order they are
    added. Source: Cormack, Clarke and Büttcher 2009.
    """
    points = np.rint(UNITS / (K + lists.rank))
    return totals(lists.document, points, lists.n_documents) / UNITS


def _by_fusion(
    lists: TopicLists, *, chance: np.random.Generator, n: int, per: str, **_: Any
) -> Chosen:
    order = np.lexsort((lists.draws(chance), -fused(lists)))
    return _first(lists, order, "reciprocal rank fusion", n, per)


def _size(counts: Integers, *, n: int, per: str, reading_depth: int = MOST_DEPTH) -> Integers:
    n_topics = len(counts)
    each = n + np.zeros(n_topics, dtype=np.int64)
    if per == POOL and n_topics:
        each = n // n_topics + (np.arange(n_topics) < n % n_topics)
    return np.minimum(each, down_to(counts, reading_depth))


def _amount(n: int, per: str) -> str:
    return f"{counted(n, 'document')} {'a topic' if per == TOPIC else 'in all'}"


BEST_RANK = Strategy(
    name="best-rank",
    title="Fixed number, by best rank",
    sentence="As many documents as you say: first those that some run has highest.",
    sketch="### #-# ##- -## #- ##",
    source="Lipani et al. 2017",
    parameters=(BUDGET, EACH),
    choose=_by_best_rank,
    label=lambda n, per: f"best rank, {_amount(n, per)}",
    rule=lambda n, per: (
        "The first documents by the best rank that a contributing run gives them, "
        f"{_amount(n, per)}"
    ),
    depths=_needed,
    size=_size,
)
FUSION = Strategy(
    name="rrf",
    title="Fixed number, by fusion",
    sentence="All runs are merged into one list by reciprocal rank; the top of it is taken.",
    sketch=". . . . > #####",
    source="Cormack, Clarke and Büttcher 2009",
    parameters=(
        BUDGET,
        EACH,
        WholeNumber("reading_depth", "How deep each run is read.", usual=MOST_DEPTH),
    ),
    choose=_by_fusion,
    label=lambda n, per, **_: f"reciprocal rank fusion, {_amount(n, per)}",
    rule=lambda n, per, reading_depth: (
        f"The first documents by reciprocal rank fusion (k = {K}) of the first {reading_depth:,} "
        f"of each contributing run, {_amount(n, per)}"
    ),
    depths=lambda contributors, *, reading_depth, **_: np.full(len(contributors), reading_depth),
    size=_size,
)
