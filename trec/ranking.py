"""The one ranking: score descending, ties by docno descending as bytes (trec_eval's form_res_rels.c).

Nothing else in the project sorts a run.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import DTypeLike, NDArray

from trec.docnos import Docnos
from trec.parallel import at_once, of_whole_topics, topic_starts

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Mask = NDArray[np.bool_]
Order = NDArray[np.int64] | slice

# In which precision scores are compared: trec_eval 9 stores them as C floats, 10 as doubles.
RULES: Mapping[str, DTypeLike] = {"trec_eval-9": np.float32, "trec_eval-10": np.float64}
DEFAULT_RULES = "trec_eval-9"


def compared(scores: Floats, rules: str = DEFAULT_RULES) -> NDArray[np.floating]:
    """Return scores as the rule set compares them; ValueError for a rule set there is not.

    A double too large for single precision compares as infinite, as it does in C.
    """
    check_rules(rules)
    with np.errstate(over="ignore", under="ignore"):
        return np.asarray(scores).astype(RULES[rules])


def check_rules(rules: str) -> None:
    """ValueError for a rule set there is not."""
    if rules not in RULES:
        raise ValueError(f"{rules!r} is not a rule set; these are: {', '.join(RULES)}.")


def rank(docnos: Docnos, scores: Floats, rules: str = DEFAULT_RULES) -> Integers:
    """Return the order of one topic's documents, best first: indices into `docnos` and `scores`, both of length n.

    >>> rank(Docnos.of([b"d1", b"d3", b"d2"]), np.array([1.0, 1.0, 2.0])).tolist()
    [2, 1, 0]
    """
    order = rank_all(np.zeros(len(docnos), dtype=np.int64), docnos, scores, rules)
    return np.arange(len(docnos))[order]


def rank_all(
    topics: Integers, docnos: Docnos, scores: Floats, rules: str = DEFAULT_RULES
) -> Order:
    """Return the order that brings topics together by their number and ranks the documents of each.

    What is in order already, as most runs are, is not sorted, and gives a slice; docnos are read only where scores tie.
    """
    moved = moves(topics, docnos, scores, rules)
    if not len(moved.places):
        return slice(None)
    order = np.arange(len(topics))
    order[moved.places] = moved.sources
    return order


class Moves(NamedTuple):
    """Which lines come to other places: line `sources[i]` to `places[i]`; all others stay where they are."""

    places: Integers
    sources: Integers

    def apply(self, column: NDArray[Any]) -> None:
        """Put a column in order, in place."""
        column[self.places] = column[self.sources]


def moves(
    topics: Integers, docnos: Docnos, scores: Floats, rules: str = DEFAULT_RULES
) -> Moves:
    """Return the same order as the lines it moves; ValueError for a rule set there is not."""
    check_rules(rules)
    spans = of_whole_topics(topics)
    if spans is None or (topics[1:] < topics[:-1]).any():
        order = grouped(topics)
        rest = rank_all(topics[order], docnos.take(order), scores[order], rules)
        return Moves(np.arange(len(topics)), order[rest])

    def moved(lines: slice) -> Moves:
        keys = compared(scores[lines], rules)
        order = _ranked(topics[lines], keys, docnos, lines)
        if order is None:
            return Moves(*np.empty((2, 0), dtype=np.int64))
        places = np.flatnonzero(order != np.arange(len(order)))
        return Moves(lines.start + places, lines.start + order[places])

    found = [*at_once(moved, spans), Moves(*np.empty((2, 0), dtype=np.int64))]
    return Moves(*map(np.concatenate, zip(*found, strict=True)))


def _ranked(
    topics: Integers, keys: NDArray[np.floating], docnos: Docnos, lines: slice
) -> Integers | None:
    """Return the order of whole topics, which stay where they are; None when it is theirs already. `lines` are where their docnos are."""
    order = None
    is_same = topics[1:] == topics[:-1]
    if ((keys[1:] > keys[:-1]) & is_same).any():
        places = np.concatenate([[0], np.cumsum(~is_same)])
        order = np.lexsort((-keys, places))
        keys = keys[order]
    tied = (keys[1:] == keys[:-1]) & is_same
    if tied.any():
        order = np.arange(len(keys)) if order is None else order
        _order_ties(order, tied, docnos.take(lines))
    return order


def grouped(topics: Integers) -> Integers:
    """Return the order that brings lines of the same topic together and keeps the file's order within each."""
    starts = topic_starts(topics)
    counts = np.diff(starts, append=len(topics))
    order = np.argsort(topics[starts], kind="stable")  # noqa: TID251 - this is the one place
    starts, counts = starts[order], counts[order]
    shifts = starts - (np.cumsum(counts) - counts)
    lines = np.repeat(shifts, counts)
    lines += np.arange(len(topics))
    return lines


def _order_ties(order: Integers, tied: Mask, docnos: Docnos) -> None:
    """Put the documents of each group of equals into order, in place."""
    is_member = np.zeros(len(order), dtype=np.bool_)
    is_member[1:] |= tied
    is_member[:-1] |= tied
    members = np.flatnonzero(is_member)
    begins = np.ones(len(members), dtype=np.bool_)
    begins[1:] = ~tied[members[1:] - 1]
    names = docnos.take(order[members])
    words = [names.words(number) for number in range(names.n_words)]
    # The shorter of two docnos of which one begins the other is the smaller: NUL, with which words are filled, is not a character.
    keys = [~word for word in reversed(words) if (word != word[0]).any()]
    order[members] = order[members][np.lexsort((*keys, np.cumsum(begins)))]


def tied_groups(tied: Mask) -> list[tuple[int, int]]:
    """Return [start, end) of each group of equals, from whether each but the first equals the one before it.

    >>> tied_groups(np.array([True, False, True, True]))
    [(0, 2), (2, 5)]
    """
    edges = np.flatnonzero(np.diff(tied, prepend=False, append=False))
    return list(zip(edges[::2].tolist(), (edges[1::2] + 1).tolist(), strict=True))
