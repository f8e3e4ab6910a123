"""The one ranking: score descending, ties by docno descending as bytes (trec_eval's form_res_rels.c).

Nothing else in the project sorts a run.
"""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import DTypeLike, NDArray

Floats = NDArray[np.float64]
Order = NDArray[np.int64]

# In which precision scores are compared: trec_eval 9 stores them as C floats, 10 as doubles.
RULES: Mapping[str, DTypeLike] = {"trec_eval-9": np.float32, "trec_eval-10": np.float64}
DEFAULT_RULES = "trec_eval-9"


def compared(scores: Floats, rules: str = DEFAULT_RULES) -> NDArray[np.floating]:
    """Return scores as the rule set compares them; ValueError for a rule set there is not.

    A double too large for single precision compares as infinite, as it does in C.
    """
    if rules not in RULES:
        raise ValueError(f"{rules!r} is not a rule set; these are: {', '.join(RULES)}.")
    with np.errstate(over="ignore", under="ignore"):
        return np.asarray(scores).astype(RULES[rules])


def rank(
    docnos: Sequence[bytes] | NDArray[np.bytes_],
    scores: Floats,
    rules: str = DEFAULT_RULES,
) -> Order:
    """Return the order of one topic's documents, best first: indices into `docnos` and `scores`, both of length n.

    What is in order already, as most runs are, is not sorted; docnos are read only where scores tie.

    >>> rank([b"d1", b"d3", b"d2"], np.array([1.0, 1.0, 2.0])).tolist()
    [2, 1, 0]
    """
    keys = compared(scores, rules)
    order = np.arange(len(keys))
    if (keys[1:] > keys[:-1]).any():
        order = np.argsort(-keys, kind="stable")  # noqa: TID251 - this is the one place
        keys = keys[order]
    for start, end in tied_groups(keys[1:] == keys[:-1]):
        # Python's bytes compare as trec_eval's strcmp does.
        tied = sorted(order[start:end].tolist(), key=lambda i: bytes(docnos[i]))
        order[start:end] = tied[::-1]
    return order


def tied_groups(tied: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Return [start, end) of each group of equals, from whether each but the first equals the one before it.

    >>> tied_groups(np.array([True, False, True, True]))
    [(0, 2), (2, 5)]
    """
    edges = np.flatnonzero(np.diff(tied, prepend=False, append=False))
    return list(zip(edges[::2].tolist(), (edges[1::2] + 1).tolist(), strict=True))


def grouped(topics: NDArray[np.int64]) -> Order:
    """Return an order that brings lines of the same topic together and keeps the file's order within each."""
    return np.argsort(topics, kind="stable")  # noqa: TID251 - this is the one place
