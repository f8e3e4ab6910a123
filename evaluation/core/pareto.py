"""What is best in two respects at once."""

from collections.abc import Sequence
from math import isnan


def pareto_front(first: Sequence[float], second: Sequence[float]) -> list[int]:
    """Return the indices of the pairs that no other pair dominates, from the highest `first` down.

    More is better in both. Equal pairs are on the front together, a pair with a NaN is not. Kung,
    Luccio and Preparata 1975, "On finding the maxima of a set of vectors".

    >>> pareto_front([0.4, 0.4, 0.3, 0.2], [-9, -5, -2, -2])
    [1, 2]
    """
    pairs = list(zip(first, second, strict=True))
    known = [n for n, pair in enumerate(pairs) if not any(map(isnan, pair))]
    front: list[int] = []
    for n in sorted(known, key=lambda n: pairs[n], reverse=True):
        if not front or pairs[n][1] > pairs[front[-1]][1] or pairs[n] == pairs[front[-1]]:
            front.append(n)
    return front
