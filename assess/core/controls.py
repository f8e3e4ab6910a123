"""Documents mixed in among an assessor's own, to see how well they judge.

A *known* one has a grade that the organizer knows; a *repeat* is one of the assessor's own
documents, shown again.
"""

from collections.abc import Collection, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from assess.core.purposes import KNOWN, PRIMARY, REPEAT
from campaigns.core.control_shares import n_of, n_repeats

# The least distance between a document and its repeat, in a short topic a third of it.
APART = 20


class Served(NamedTuple):
    """A document in the order served, and what for."""

    docno: str
    purpose: str


class Wanted(NamedTuple):
    """How many documents of each kind are mixed in per hundred of the assessor's own."""

    known_percent: int = 0
    repeat_percent: int = 0


def apart(n: int) -> int:
    """Return the least distance between a document and its repeat in a topic of n documents.

    >>> apart(100), apart(10), apart(1)
    (20, 4, 1)
    """
    return min(APART, -(-n // 3))


def mixed(
    order: Sequence[str],
    known: Collection[str],
    wanted: Wanted,
    generator: np.random.Generator,
    purpose: str = PRIMARY,
) -> list[Served]:
    """Return the assessor's documents, of this purpose, mixed with known ones and repeats.

    Each kind is spread evenly: one in each of equal parts of the topic, at a place drawn within
    it. If too few documents are `known`, all of them are used. ValueError if a document is both
    in `order` and in `known`.
    """
    if set(order) & set(known):
        raise ValueError("A document with a known grade is among the assessor's own.")
    slots: list[list[Served]] = [[] for _ in range(len(order) + 1)]
    n_known = min(n_of(wanted.known_percent, len(order)), len(known))
    drawn = generator.permutation(sorted(known))[:n_known].tolist()
    for slot, docno in zip(_spread(n_known, 0, len(slots), generator), drawn, strict=True):
        slots[slot].append(Served(docno, KNOWN))
    for slot, docno in _repeats(order, n_repeats(wanted.repeat_percent, len(order)), generator):
        slots[slot].insert(int(generator.integers(len(slots[slot]) + 1)), Served(docno, REPEAT))
    served = slots[0]
    for docno, after in zip(order, slots[1:], strict=True):
        served += [Served(docno, purpose), *after]
    return served


def _spread(n: int, first: int, end: int, generator: np.random.Generator) -> list[int]:
    """Draw n of the slots from the first to before the end, one from each of n equal parts."""
    bounds = [first + part * (end - first) // n for part in range(n + 1)] if n else []
    return [int(generator.integers(low, high)) for low, high in pairwise(bounds)]


def _repeats(order: Sequence[str], n: int, generator: np.random.Generator) -> list[tuple[int, str]]:
    """Draw the slots of repeats, each with a document that comes far enough before it."""
    if not n:
        return []
    gap, earlier, found = apart(len(order)), list[str](), []
    slots = _spread(n, gap, len(order) + 1, generator)
    for before, slot in pairwise([gap - 1, *slots]):
        earlier += order[before - gap + 1 : slot - gap + 1]
        drawn = int(generator.integers(len(earlier)))
        earlier[drawn], earlier[-1] = earlier[-1], earlier[drawn]
        found.append((slot, earlier.pop()))
    return found
