"""The one ranking: score descending, ties by docno descending as bytes; and a pool's order rules.

It is that of trec_eval's form_res_rels.c; nothing else in the project sorts a run.
"""

from collections.abc import Mapping

import numpy as np
from numpy.typing import DTypeLike, NDArray

from cleverdon.trec import engine
from cleverdon.trec.arrays import Floats, Grades, Integers, begins, ranges, smallest
from cleverdon.trec.docnos import Docnos

# Scores as they are compared.
Keys = NDArray[np.floating]
# Indices of shape [n], or a slice of everything where nothing moves.
RankOrder = Integers | slice

# The precision in which scores are compared: trec_eval 9 stores them as C floats, 10 and 11 as
# doubles.
RULES: Mapping[str, DTypeLike] = {
    "trec_eval-9": np.float32,
    "trec_eval-10": np.float64,
    "trec_eval-11": np.float64,
}
DEFAULT_RULES = "trec_eval-9"
# In which order a pool reads runs, and what it is: pools of TREC have been formed by each of them.
DOCNO_ASCENDING, FILE_RANK = "docno-ascending", "file-rank"
ORDER_RULES: Mapping[str, str] = {
    DEFAULT_RULES: "score descending, ties by docno descending",
    DOCNO_ASCENDING: "score descending, ties by docno ascending",
    FILE_RANK: "the rank column of the file",
}


def compared(scores: Floats, rules: str = DEFAULT_RULES) -> Keys:
    """Return scores as the rule set compares them; ValueError for an unknown rule set.

    A double too large for single precision compares as infinite, as in C.
    """
    with np.errstate(over="ignore", under="ignore"):
        return np.asarray(scores).astype(_precision(rules))


def _precision(rules: str) -> DTypeLike:
    if rules not in RULES:
        raise ValueError(f"{rules!r} is not a rule set; these are: {', '.join(RULES)}.")
    return RULES[rules]


def rank(docnos: Docnos, scores: Floats, rules: str = DEFAULT_RULES) -> Integers:
    """Return the order of one topic's documents, best first, as indices: shape [n].

    >>> rank(Docnos.of([b"d1", b"d3", b"d2"]), np.array([1.0, 1.0, 2.0])).tolist()
    [2, 1, 0]
    """
    order = rank_all(np.zeros(len(docnos), dtype=np.int64), docnos, scores, rules)
    return np.arange(len(docnos))[order]


def rank_all(
    topics: Grades,
    docnos: Docnos,
    scores: Floats,
    rules: str = DEFAULT_RULES,
    *,
    ascending: bool = False,
) -> RankOrder:
    """Return the order by topic number, and by rank within a topic; all arrays have shape [n].

    Arrays in order, as most runs are, are not sorted, and docnos are read only where scores tie;
    these are then in descending order, or `ascending`. ValueError for an unknown rule set.
    """
    is_single = _precision(rules) is np.float32
    order, offsets = by_topic(topics)
    how = {"single": is_single, "ascending": ascending}
    has_moved = engine.reader.rank(docnos, scores, offsets, order, **how)
    return order if has_moved or _falls(topics) else slice(None)


def by_topic(topics: Grades) -> tuple[Integers, Integers]:
    """Return the rows by topic number, each topic's in their order, and where each topic begins."""
    starts = np.flatnonzero(begins(topics))
    if not _falls(topics):
        return np.arange(len(topics)), np.append(starts, len(topics))
    # Of a topic mostly all lines follow one another.
    pieces = np.argsort(smallest(topics[starts]), kind="stable")  # noqa: TID251 - this is the one place
    ends = np.append(starts[1:], len(topics))
    order, offsets = ranges(starts[pieces], ends[pieces])
    return order, np.append(offsets[:-1][begins(topics[starts][pieces])], len(topics))


def _falls(topics: Grades) -> bool:
    return bool((topics[1:] < topics[:-1]).any())


def order_by(order_rule: str, docnos: Docnos, scores: Floats, ranks: Grades | None) -> RankOrder:
    """Return the order of one topic's documents, now in the default one, by a rule of ORDER_RULES.

    All arrays have shape [n]; `ranks`, the file's column, may be None for all other rules. Equal
    ranks keep the default order. ValueError for an unknown rule, or without the ranks it needs.
    """
    if order_rule == DEFAULT_RULES:
        return slice(None)
    if order_rule == DOCNO_ASCENDING:
        return rank_all(np.zeros(len(docnos), dtype=np.int8), docnos, scores, ascending=True)
    if order_rule != FILE_RANK:
        raise ValueError(f"{order_rule!r} is not an order rule: {', '.join(ORDER_RULES)}.")
    if ranks is None:
        raise ValueError("The run was read without its rank column.")
    return np.lexsort((ranks,))
