"""A sample of a deep pool, stratum by stratum of best ranks, each at a rate of its own."""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from cleverdon.pools.lists import Contributors, TopicLists
from cleverdon.pools.strategy.parameters import Strata
from cleverdon.pools.strategy.record import Chosen, Strategy
from cleverdon.trec.arrays import Integers

STRATA = Strata(
    "strata",
    "Where each stratum of best ranks ends, and the percentage of it to judge.",
    usual="10:100, 40:40, 100:15",
)


def drawn(n: Integers | int, percent: int) -> Any:
    """Return how many of n documents are drawn: the share, rounded half up.

    >>> drawn(10, 40), drawn(10, 15), drawn(1, 40)
    (4, 2, 0)
    """
    return (n * percent + 50) // 100


def stratum_of(strata: Sequence[Sequence[int]], best_rank: int) -> int:
    """Return the number of the stratum that a best rank is in, from 1.

    >>> stratum_of([[5, 100], [20, 50]], 5), stratum_of([[5, 100], [20, 50]], 6)
    (1, 2)
    """
    return 1 + bisect_left([end for end, _ in strata], best_rank)


CERTAIN = "0"


def stratum_name(batches: Mapping[int, int]) -> str:
    """Name the stratum of what is in strata of several samples, from these by version of the pool.

    What is in the same stratum of each was drawn with the same chances, however many samples there
    are, so those judged of it stand for the others.

    >>> stratum_name({1: 2}), stratum_name({1: 2, 3: 1})
    ('2', '1.2+3.1')
    """
    if len(batches) == 1:
        return str(*batches.values())
    return "+".join(f"{version}.{stratum}" for version, stratum in sorted(batches.items()))


def _sample(
    lists: TopicLists, *, chance: np.random.Generator, strata: Sequence[Sequence[int]], **_: Any
) -> Chosen:
    """Draw each stratum's share by chance; the documents left out follow those drawn."""
    order = np.lexsort((lists.draws(chance),))
    stratum = np.searchsorted([end for end, _ in strata], lists.best_rank)
    members = [order[stratum[order] == n] for n in range(len(strata))]
    shares = [drawn(len(each), percent) for each, (_, percent) in zip(members, strata, strict=True)]
    taken = [each[:n] for each, n in zip(members, shares, strict=True)]
    left = [each[n:] for each, n in zip(members, shares, strict=True)]
    documents = np.concatenate([*taken, *left])
    names = tuple(
        f"stratum {n} of {len(strata)}, {percent} %" for n, (_, percent) in enumerate(strata, 1)
    )
    return Chosen(documents, stratum[documents], names, sum(map(len, left)))


def _depths(contributors: Contributors, *, strata: Sequence[Sequence[int]], **_: Any) -> Integers:
    return np.full(len(contributors), strata[-1][0])


def _size(counts: Integers, *, strata: Sequence[Sequence[int]]) -> Integers:
    starts = [0, *(end for end, _ in strata)]
    shares = [
        drawn(counts[:, start:end].sum(axis=1), percent)
        for start, (end, percent) in zip(starts, strata, strict=False)
    ]
    sizes: Integers = np.sum(shares, axis=0)
    return sizes


def _rule(strata: Sequence[Sequence[int]]) -> str:
    """Say which share is drawn of which ranks.

    >>> _rule([[5, 100], [20, 30]])
    'Stratified sample by best rank: all of ranks 1 to 5, 30 % of 6 to 20'
    """
    starts = [1, *(end + 1 for end, _ in strata)]
    parts = [
        f"{'all' if percent == 100 else f'{percent} %'} of {start} to {end}"
        for start, (end, percent) in zip(starts, strata, strict=False)
    ]
    return "Stratified sample by best rank: " + ", ".join(parts).replace("of 1", "of ranks 1", 1)


SAMPLE = Strategy(
    name="sample",
    title="Stratified sample",
    sentence="All of the top ranks, a random share of the deeper ones: for infAP and infNDCG.",
    sketch="###.#.. ##.#..# ###..#. ###.#.. ##..#.# ###.#..",
    source="Yilmaz, Kanoulas and Aslam 2008",
    parameters=(STRATA,),
    choose=_sample,
    label=lambda strata: f"stratified sample, {STRATA.written(strata)}",
    rule=_rule,
    depths=_depths,
    size=_size,
    bound="About",
)
