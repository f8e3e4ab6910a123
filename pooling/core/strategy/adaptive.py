"""Pools that grow by what was judged: each batch comes from the runs that have done best so far.

A run's credit is the number of relevant documents that it has among those judged; a judgment counts
for every run that has the document ("shared"). A document chosen and not yet judged counts half.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from pooling.core.lists import TopicLists
from pooling.core.strategy.depths import down_to, ranked
from pooling.core.strategy.parameters import WholeNumber
from pooling.core.strategy.record import Chosen, Strategy
from trec.arrays import Floats, Integers, Mask, offsets_of, totals

# The value of each run from its credit and its number of judged documents: shape [n_runs] each.
Value = Callable[[Floats, Floats], Floats]
HALF = 0.5
PARAMETERS = (
    WholeNumber("first", "The first step: all documents that a run ranks this high.", 5, most=100),
    WholeNumber("batch", "How many documents each later step adds.", usual=10, most=20, least=10),
    WholeNumber("floor", "No topic is ended with fewer documents.", usual=50, most=10_000),
    WholeNumber("cap", "No topic gets further documents after this many.", usual=200, most=10_000),
    WholeNumber("depth", "How deep each run is read.", usual=100),
)


def mean(credit: Floats, n_judged: Floats) -> Floats:
    """Return the mean of a beta distribution. Source: Losada, Parapar and Barreiro 2016."""
    return (1 + credit) / (2 + n_judged)


def standing(credit: Floats, n_judged: Floats) -> Floats:
    """Return minus the documents not relevant: each lowers a run by 1.

    Source: move-to-front of Cormack, Palmer and Clarke 1998.
    """
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

    Nothing when all documents are chosen, or as many as the cap.
    """
    n_pooled = int(lists.pooled.sum())
    if n_pooled:
        documents = chance.permutation(
            next_documents(lists, judged, chance, value, min(batch, cap - n_pooled))
        )
        why = f"adaptive, batch {lists.step}"
    else:
        documents, why = np.flatnonzero(lists.best_rank <= first), ranked(first)
    return Chosen(documents, np.zeros(len(documents), dtype=np.int64), (why,))


def next_documents(
    lists: TopicLists, judged: Integers, chance: np.random.Generator, value: Value, n: int
) -> Integers:
    """Return the next n documents, at most: each is the first of the best run that is left.

    Runs of equal value take turns by chance. Grades of 1 or more are relevant, as in trec_eval.
    """
    taken = lists.pooled | (judged >= 0)
    offsets = offsets_of(np.bincount(lists.run, minlength=lists.n_runs))
    credit, n_judged = _so_far(lists, taken, judged)
    left = np.diff(offsets) - n_judged
    found: list[int] = []
    while len(found) < n and left.any():
        values = np.where(left > 0, value(credit, n_judged), -np.inf)
        best = np.flatnonzero(values == values.max())
        run = best[chance.integers(len(best))]
        own = lists.document[offsets[run] : offsets[run + 1]]
        document = own[(~taken[own]).argmax()]
        holders = lists.run[lists.document == document]
        taken[document] = True
        credit[holders] += HALF
        n_judged[holders] += 1
        left[holders] -= 1
        found.append(int(document))
    return np.array(found, dtype=np.int64)


def _so_far(lists: TopicLists, taken: Mask, judged: Integers) -> tuple[Floats, Floats]:
    """Return each run's credit, and how many of its documents are taken: shape [n_runs] each."""
    is_taken = taken[lists.document]
    runs, grades = lists.run[is_taken], judged[lists.document[is_taken]]
    worth = np.where(grades >= 0, grades > 0, HALF)
    return totals(runs, worth, lists.n_runs), totals(runs, np.ones(len(runs)), lists.n_runs)


def _strategy(name: str, title: str, source: str, value: Value) -> Strategy:
    return Strategy(
        name=name,
        title=title,
        source=source,
        parameters=PARAMETERS,
        choose=partial(_choose, value=value),
        label=lambda first, batch, **_: f"{title}, depth {first}, then {batch} at a time",
        rule=lambda first, batch, floor, cap, depth: (
            f"Every document at {ranked(first)} of a contributing run, then {batch} at a time from "
            f"the runs that have done best ({title}), at most {cap:,} a topic"
        ),
        depths=lambda contributors, *, depth, **_: np.full(len(contributors), depth),
        size=lambda counts, *, cap, first, depth, **_: np.maximum(
            down_to(counts, min(first, depth)), np.minimum(cap, down_to(counts, depth))
        ),
        is_adaptive=True,
    )


MAX_MEAN = _strategy("max-mean", "max-mean", "Losada, Parapar and Barreiro 2016", mean)
MOVE_TO_FRONT = _strategy(
    "move-to-front", "move-to-front", "Cormack, Palmer and Clarke 1998", standing
)
