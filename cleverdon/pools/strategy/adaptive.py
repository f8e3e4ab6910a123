"""Pools that grow by what was judged: each batch comes from the runs that have done best so far.

A run's credit is the number of relevant documents that it has among those judged; a judgment counts
for every run that has the document ("shared"). A document chosen and not yet judged counts half.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from cleverdon.pools.lists import Contributors, TopicLists
from cleverdon.pools.strategy.depths import down_to, ranked
from cleverdon.pools.strategy.parameters import WholeNumber
from cleverdon.pools.strategy.record import Chosen, Strategy
from cleverdon.trec.arrays import Floats, Integers, Mask, begins, totals

# The value of each run from the lists, the lines whose documents are taken, [n_lines], and the
# grades, [n_documents]: shape [n_runs].
Value = Callable[[TopicLists, Mask, Integers], Floats]
HALF = 0.5
PARAMETERS = (
    WholeNumber(
        "first", "The first step: all documents that a run ranks this high.", 5, 100, label="depth"
    ),
    WholeNumber("batch", "How many documents each later step adds.", 10, 20, 10, label="at a time"),
    WholeNumber("floor", "No topic is ended with fewer documents.", usual=50, most=10_000),
    WholeNumber("cap", "No topic gets further documents after this many.", usual=200, most=10_000),
    WholeNumber("reading_depth", "How deep each run is read.", usual=100),
)


def mean(lists: TopicLists, is_taken: Mask, judged: Integers) -> Floats:
    """Return the mean of a beta distribution. Source: Losada, Parapar and Barreiro 2016."""
    credit, n_judged = _tallied(lists, is_taken, judged)
    return (1 + credit) / (2 + n_judged)


def standing(lists: TopicLists, is_taken: Mask, judged: Integers) -> Floats:
    """Return minus the documents not relevant before the first that is left: each lowers by 1.

    Source: move-to-front of Cormack, Palmer and Clarke 1998. A run is lowered for what it led to,
    not for what others found further down its list.
    """
    first = np.full(lists.n_runs, np.iinfo(np.int64).max)
    left = _first_left(lists, is_taken)
    first[lists.run[left]] = lists.rank[left]
    credit, n_judged = _tallied(lists, lists.rank < first[lists.run], judged)
    return credit - n_judged


def _choose(
    lists: TopicLists,
    *,
    judged: Integers,
    chance: np.random.Generator,
    value: Value,
    first: int,
    batch: int,
    cap: int,
    **_: Any,
) -> Chosen:
    """Choose the first documents of every run; later the next batch, in an order by chance.

    The next batch comes at once if existing judgments have all the first ones. Nothing when all
    documents are chosen, or as many as the cap.
    """
    n_pooled = int(lists.pooled.sum())
    documents, why = np.flatnonzero((lists.best_rank <= first) & ~lists.known), ranked(first)
    if n_pooled or not len(documents):
        documents = chance.permutation(
            next_documents(lists, judged, chance, value, min(batch, cap - n_pooled))
        )
        why = f"adaptive, batch {lists.step}"
    return Chosen(documents, np.zeros(len(documents), dtype=np.int64), (why,))


def next_documents(
    lists: TopicLists, judged: Integers, chance: np.random.Generator, value: Value, n: int
) -> Integers:
    """Return the next n documents, at most: each is the first of the best run that is left.

    Runs of equal value take turns by chance. Grades of 1 or more are relevant, as in trec_eval.
    """
    taken, found = lists.pooled | (judged >= 0), list[int]()
    while len(found) < n:
        is_taken = taken[lists.document]
        left = _first_left(lists, is_taken)
        if not len(left):
            break
        values = value(lists, is_taken, judged)[lists.run[left]]
        best = np.flatnonzero(values == values.max())
        document = int(lists.document[left[best[chance.integers(len(best))]]])
        taken[document] = True
        found.append(document)
    return np.array(found, dtype=np.int64)


def _first_left(lists: TopicLists, is_taken: Mask) -> Integers:
    """Return the line of the first document that is left of each run that has one."""
    left = np.flatnonzero(~is_taken)
    return left[begins(lists.run[left])]


def _tallied(lists: TopicLists, counted: Mask, judged: Integers) -> tuple[Floats, Floats]:
    """Return each run's credit for the lines counted, and their number: shape [n_runs] each."""
    runs, grades = lists.run[counted], judged[lists.document[counted]]
    worth = np.where(grades >= 0, grades > 0, HALF)
    return totals(runs, worth, lists.n_runs), totals(runs, np.ones(len(runs)), lists.n_runs)


def _depths(
    contributors: Contributors, *, reading_depth: int, floor: int, cap: int, **_: Any
) -> Integers:
    if floor > cap:
        raise ValueError(f"The floor ({floor:,}) is above the cap ({cap:,}).")
    return np.full(len(contributors), reading_depth)


def _strategy(name: str, sentence: str, sketch: str, source: str, value: Value) -> Strategy:
    return Strategy(
        name=name,
        title=f"Adaptive ({name})",
        sentence=f"Grows while you judge: {sentence}.",
        sketch=sketch,
        source=source,
        parameters=PARAMETERS,
        choose=partial(_choose, value=value),
        label=lambda first, batch, **_: f"{name}, depth {first}, then {batch} at a time",
        rule=lambda first, batch, floor, cap, **_: (
            f"At first every document at {ranked(first)} of a contributing run, then {batch} at a "
            f"time from the runs that have done best ({name}), at most {cap:,} a topic"
        ),
        depths=_depths,
        size=lambda counts, *, cap, first, reading_depth, **_: np.maximum(
            down_to(counts, min(first, reading_depth)),
            np.minimum(cap, down_to(counts, reading_depth)),
        ),
        bound="At most",
        is_adaptive=True,
    )


MAX_MEAN = _strategy(
    "max-mean",
    "next comes the run with the largest share of relevant documents so far",
    "- ####-# #- - #### #-",
    "Losada, Parapar and Barreiro 2016",
    mean,
)
MOVE_TO_FRONT = _strategy(
    "move-to-front",
    "stays with a run while it finds relevant documents, then turns to the next",
    "###o o #####o #o ##o o",
    "Cormack, Palmer and Clarke 1998",
    standing,
)
