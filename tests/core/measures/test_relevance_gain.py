"""Measures made of gains so far."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from measures.gain_ratio import BING, G
from measures.gains import running_totals
from measures.inputs.universe import Universe
from measures.relevance_gain import NDCG_REL, RNDCG
from measures.scoring.scoring import score
from tests.core.measures.gains import GAINS, by_topic, discounted, gain_of
from tests.core.measures.made import graded, placed, scored
from tests.core.measures.rankings import one


def ndcg_relevant(own: list[float], best: list[float]) -> float:
    """nDCGrel from its definition."""
    total, summed, n_paid = 0.0, 0.0, 0
    ideals = [discounted(best[:n], None) for n in range(len(best) + 1)]
    for rank, gain in enumerate(own, start=1):
        total += gain / math.log2(rank + 1)
        if gain > 0:
            summed += total / ideals[min(rank, len(best))]
            n_paid += 1
    if not best:
        return 0.0
    return max(0.0, summed + (len(best) - n_paid) * total / ideals[-1]) / len(best)


def ndcg_changes(own: list[float], best: list[float]) -> float:
    """Rndcg from its definition: where the gain of the best ranking falls, and at the end when there is more than one left."""
    depths = [n for n in range(1, len(best) + 1) if n == len(best) or best[n] != best[n - 1]]
    if not depths:
        return 0.0
    values = [discounted(own[:n], None) / discounted(best[:n], None) for n in depths]
    if len(own) > len(best) + 1:
        values.append(discounted(own, None) / discounted(best, None))
    return sum(values) / len(values)


def gain_ratio(own: list[float], best: list[float]) -> float:
    """G from its definition."""
    summed = behind = 0.0
    for rank, gain in enumerate(own, start=1):
        behind += max(1.0, best[rank - 1] if rank <= len(best) else 0.0) - gain
        summed += gain / math.log2(2 + behind)
    return summed / sum(best) if best else 0.0


@pytest.mark.parametrize("family", [NDCG_REL, RNDCG, G], ids=lambda family: family.name)
@given(qrels=graded(), run=scored(), gains=GAINS)
def test_measures_made_of_gains_by_definition(family, qrels, run, gains):
    reference = {"nDCGrel": ndcg_relevant, "Rndcg": ndcg_changes, "G": gain_ratio}[family.name]
    universe = Universe.from_qrels(qrels)
    found = score([placed(run, universe)], universe, [family.measure(gains=gains or None)])
    for value, (order, judged) in zip(found.values[0, :, 0], by_topic(qrels, run), strict=True):
        own = [gain_of(grade, gains, "log2") for grade in order]
        gained = (gain_of(grade, gains, "log2") for grade in judged)
        best = sorted((gain for gain in gained if gain > 0), reverse=True)
        is_read = family is not RNDCG or max(judged) > 0
        expected = reference(own, best) if is_read else 0.0
        assert value == pytest.approx(expected, rel=1e-9, abs=1e-12)


def test_binary_gain_is_discounted_by_what_is_not_relevant_above():
    grades = {"a": 1, "b": 2, "c": 0}
    assert one(grades, "c x a b", BING) == (0.5 + 0.5) / 2
    assert one(grades, "a c b", BING) == (1 + 1 / math.log2(3)) / 2


@given(st.lists(st.lists(st.floats(-10, 10), max_size=20)))
def test_running_totals_add_one_after_the_other(groups):
    expected, values = [], []
    for group in groups:
        total = 0.0
        for value in group:
            total += value
            expected.append(total)
        values += group
    offsets = np.cumsum([0, *map(len, groups)])
    assert running_totals(np.array(values), offsets).tolist() == expected
