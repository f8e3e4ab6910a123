"""How runs differ: intervals, tests of pairs, places and classes, written plainly."""

import math
from collections.abc import Sequence
from functools import cache
from itertools import combinations, product
from statistics import fmean

import numpy as np

Values = Sequence[float]
MOST = 1 << 64
SAME = 1e-9


def splitmix(seed: int, n: int) -> np.ndarray:
    """The first numbers of SplitMix64."""
    found, state = [], seed
    for _ in range(n):
        state = (state + 0x9E3779B97F4A7C15) % MOST
        mixed = (state ^ (state >> 30)) * 0xBF58476D1CE4E5B9 % MOST
        mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EB % MOST
        found.append(mixed ^ (mixed >> 31))
    return np.array(found, dtype=np.uint64)


@cache
def drawn_topics(n: int) -> np.ndarray:
    """1,999 draws of n topics, by seed 1."""
    return (splitmix(1, 1999 * n) % np.uint64(n)).astype(int).reshape(1999, n)


@cache
def flips(n: int) -> np.ndarray:
    """All ways to give each topic a sign."""
    return np.array(list(product((1, -1), repeat=n)))


def tied(values: Values) -> float:
    pairs = [abs(a - b) < SAME for a, b in combinations(values, 2)]
    return sum(pairs) / len(pairs)


def interval(values: Values) -> tuple[float, float] | None:
    """Both ends by the studentized bootstrap, 1,999 draws."""
    n, mean = len(values), fmean(values)
    variance = fmean((each - mean) ** 2 for each in values)
    spread = math.sqrt(variance)
    if spread <= 1e-12:
        return None
    drawn = np.array(values)[drawn_topics(n)]
    within = np.sqrt(0.95 * drawn.var(axis=1) + 0.05 * variance)
    far = np.sort((drawn.mean(axis=1) - mean) / within).tolist()
    return mean - far[-50] * spread, mean - far[49] * spread


def p_alone(differences: Values) -> float:
    """The share of all flips of signs with a mean as far from 0 as that of the data."""
    sums = np.abs(flips(len(differences)) @ np.array(differences))
    return float((sums >= abs(sum(differences)) - SAME).mean())


def p_of_all(rows: Sequence[Values]) -> dict[tuple[int, int], float]:
    """The p of each pair of runs by max-T with step-down, over all flips; rows are runs by topics.

    A pair is held against the largest statistic of the pairs that differ no more than it does, and
    of all pairs in the direction that was not observed.
    """
    n = len(rows[0])
    differences = {}
    for one, other in combinations(range(len(rows)), 2):
        gap = [a - b for a, b in zip(rows[one], rows[other], strict=True)]
        scale = math.sqrt(sum(each * each for each in gap) * n)
        up = gap if sum(gap) >= 0 else [-each for each in gap]
        differences[one, other] = [each / scale if scale > SAME else 0.0 for each in up]
    observed = {pair: sum(gap) for pair, gap in differences.items()}
    order = sorted(differences, key=lambda pair: -observed[pair])
    drawn = np.array([flips(n) @ np.array(differences[pair]) for pair in order])
    found, least = {}, 0.0
    for at, pair in enumerate(order):
        largest = np.maximum(drawn[at:].max(axis=0), -drawn.min(axis=0))
        least = max(least, float((largest >= observed[pair] - SAME).mean()))
        found[pair] = least
    return found


def places(rows: Sequence[Values], p: dict[tuple[int, int], float]) -> list[tuple[int, int, str]]:
    """The best and the worst place of each run, and its class."""
    runs = range(len(rows))
    better = {
        (a, b)
        for pair, each in p.items()
        if each <= 0.05
        for a, b in [pair if sum(rows[pair[0]]) > sum(rows[pair[1]]) else pair[::-1]]
    }
    left, letters = set(runs), {}
    for letter in [*"ABCDEFG", "rest"]:
        top = {b for b in left if letter == "rest" or not any((a, b) in better for a in left)}
        letters |= dict.fromkeys(top, letter)
        left -= top
    return [
        (
            1 + sum((other, run) in better for other in runs),
            len(rows) - sum((run, other) in better for other in runs),
            letters[run],
        )
        for run in runs
    ]
