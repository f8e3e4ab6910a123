"""Gains by their definitions, for these tests."""

import math

from hypothesis import strategies as st

from measures.inputs.universe import Universe
from tests.core.measures.made import ranked
from tests.strategies import Qrels, Run

BASES = st.none() | st.sampled_from([1.5, 2.0, 10.0])


GAINS = st.dictionaries(
    st.integers(0, 4), st.sampled_from([0.0, 0.1, 0.5, 0.9, 1.0, 3.0, 7.5])
).map(lambda gains: tuple(sorted(gains.items())))


def gain_of(grade: int, gains: tuple, dcg: str) -> float:
    if grade < 0:
        return 0.0
    return dict(gains).get(grade, float(2**grade - 1 if dcg == "exp-log2" else grade))


def discounted(values: list[float], base: float | None) -> float:
    ranks = range(1, len(values) + 1)
    under = [math.log2(r + 1) if base is None else max(1.0, math.log(r, base)) for r in ranks]
    return sum(value / below for value, below in zip(values, under, strict=True))


def by_topic(qrels: Qrels, run: Run) -> list[tuple[list[int], list[int]]]:
    """Grades in the run's order, -1 where there is none, and all judged, for each topic of the qrels in byte order."""
    whole = ranked(run)
    found = []
    for topic in Universe.from_qrels(qrels).topics:
        order = whole.docnos_of(whole.topics.index(topic)).tolist() if topic in whole.topics else []
        found.append(
            ([qrels[topic].get(d.decode(), -1) for d in order], list(qrels[topic].values()))
        )
    return found
