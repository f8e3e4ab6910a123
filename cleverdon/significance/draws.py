"""Random draws that are the same everywhere: SplitMix64 (Steele, Lea and Flood 2014)."""

from collections.abc import Iterator
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from cleverdon.trec.arrays import Floats, Integers, Words

GOLDEN = 0x9E3779B97F4A7C15
MIX = ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB))
LARGEST = 2**64 - 1
# About so many numbers are in memory at a time.
AT_ONCE = 1 << 22
# So many signs are kept, a byte each: a page of two runs flips the same ones for each measure.
MOST_KEPT = 1 << 23


def splitmix64(seed: int, n: int, after: int = 0) -> Words:
    """Return n 64-bit numbers, skipping the first `after`; ValueError for a seed out of range.

    >>> [hex(each) for each in splitmix64(1234567, 2).tolist()]
    ['0x599ed017fb08fc85', '0x2c73f08458540fa5']
    """
    if not 0 <= seed <= LARGEST:
        raise ValueError(f"A seed is a whole number from 0 to {LARGEST}, not {seed}.")
    # Integers of this kind wrap around, which is what is meant.
    steps = np.arange(after + 1, after + n + 1, dtype=np.uint64)
    state = steps * np.uint64(GOLDEN) + np.uint64(seed)
    for shift, factor in MIX:
        state = (state ^ (state >> np.uint64(shift))) * np.uint64(factor)
    mixed: Words = state ^ (state >> np.uint64(31))
    return mixed


def resamples(n_topics: int, n_draws: int, seed: int) -> Iterator[Integers]:
    """Yield topics drawn with replacement, [some draws x n_topics], as trec_eval 11 draws them."""
    for numbers in _drawn(n_topics, n_draws, seed):
        yield (numbers % np.uint64(n_topics)).astype(np.int64)


def signs(n_topics: int, n_draws: int, seed: int) -> Iterator[Floats]:
    """Yield signs, each 1.0 or -1.0 with equal probability, [some draws x n_topics]."""
    few = n_topics * n_draws <= MOST_KEPT
    for part in _kept(n_topics, n_draws, seed) if few else _signs(n_topics, n_draws, seed):
        yield part.astype(np.float64)


@lru_cache(4)
def _kept(n_topics: int, n_draws: int, seed: int) -> list[NDArray[np.int8]]:
    return list(_signs(n_topics, n_draws, seed))


def _signs(n_topics: int, n_draws: int, seed: int) -> Iterator[NDArray[np.int8]]:
    for numbers in _drawn(n_topics, n_draws, seed):
        yield 2 * (numbers & np.uint64(1)).astype(np.int8) - 1


def shuffles(n_labels: int, n_draws: int, seed: int, n_rows: int = 1) -> Iterator[Integers]:
    """Yield the numbers below `n_labels` in random order, [some draws x n_rows x n_labels]."""
    low = np.uint64((1 << (n_labels - 1).bit_length()) - 1)
    for numbers in _drawn(n_rows * n_labels, n_draws, seed):
        keys = numbers.reshape(len(numbers), n_rows, n_labels)
        # Sorting a random number takes along the label in its last bits.
        keys = np.sort(keys & ~low | np.arange(n_labels, dtype=np.uint64), axis=2)
        yield (keys & low).astype(np.int64)


def _drawn(each: int, n_draws: int, seed: int) -> Iterator[Words]:
    """Yield `each` numbers for every draw, [some draws x each]."""
    step = max(AT_ONCE // max(each, 1), 1)
    for start in range(0, n_draws, step):
        n = min(step, n_draws - start)
        yield splitmix64(seed, n * each, start * each).reshape(n, each)


def all_signs(n_topics: int) -> Floats:
    """Return all 2^n ways to give each topic a sign, [2^n x n_topics]."""
    numbers = np.arange(1 << n_topics)[:, None]
    return np.where(numbers >> np.arange(n_topics) & 1, 1.0, -1.0)
