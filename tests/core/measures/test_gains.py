"""Gains: cumulated, discounted, compared with the best; by papers and by definition."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cleverdon.measures.cumulated_gain import CG, DCG, IDCG, NDCG
from cleverdon.measures.family import Family, ParameterValue
from cleverdon.measures.gain_ratio import BING, G
from cleverdon.measures.gains import running_totals
from cleverdon.measures.relevance_gain import NDCG_REL, RNDCG
from tests.core.measures.made import graded, one, orders, values_of

BASES = st.none() | st.sampled_from([1.5, 2.0, 10.0])
GAINS = st.dictionaries(
    st.integers(0, 4), st.sampled_from([0.0, 0.1, 0.5, 0.9, 1.0, 3.0, 7.5])
).map(lambda gains: tuple(sorted(gains.items())))
# Järvelin and Kekäläinen 2002, section 2; Croft, Metzler and Strohman 2010, section 8.4.3.
RANKING = [3, 2, 3, 0, 0, 1, 2, 2, 3, 0]


def gain_of(grade: int, gains: tuple, dcg: str = "log2") -> float:
    if grade < 0:
        return 0.0
    return dict(gains).get(grade, float(2**grade - 1 if dcg == "exp-log2" else grade))


def discounted(values: list[float], base: float | None = None) -> float:
    ranks = range(1, len(values) + 1)
    under = [math.log2(r + 1) if base is None else max(1.0, math.log(r, base)) for r in ranks]
    return sum(value / below for value, below in zip(values, under, strict=True))


def at_cutoffs(
    ranking: list[int], others: list[int], family: Family, depth: int, **given: ParameterValue
) -> list[float]:
    """A measure's values at each rank of a ranking of grades; the others are not retrieved."""
    docnos = [f"d{number}" for number in range(len(ranking))]
    grades = dict(zip(docnos, ranking, strict=True)) | {f"m{i}": g for i, g in enumerate(others)}
    measures = [family.measure(cutoff=cutoff, **given) for cutoff in range(1, depth + 1)]
    return values_of(measures, {"1": grades}, {"1": docnos})["1"]


def test_gains_of_the_paper():
    """Järvelin and Kekäläinen 2002: the vectors CG' and DCG' with base 2, and the ideal DCG."""
    assert at_cutoffs(RANKING, [], CG, 10) == [3, 5, 8, 8, 8, 9, 11, 13, 16, 16]
    found = [round(value, 2) for value in at_cutoffs(RANKING, [], DCG, 10, base=2)]
    assert found == [3, 5, 6.89, 6.89, 6.89, 7.28, 7.99, 8.66, 9.61, 9.61]
    ideal = [3, 6, 7.89, 8.89, 9.75, 10.52, 10.88, 11.21, 11.53, 11.83, 11.83]
    found = at_cutoffs(RANKING, [1, 1, 1], IDCG, 11, base=2)
    assert found == pytest.approx(ideal, abs=0.01)


def test_gains_less_than_1_apart_are_ordered():
    """trec_eval compares gains as whole numbers, so that here a perfect ranking can score 0."""
    gains = ((1, 0.1), (2, 0.5), (3, 0.9))
    assert at_cutoffs([3, 2, 1], [], NDCG, 3, gains=gains) == [1, 1, 1]


def test_a_gain_below_0_counts_against_a_ranking_and_is_not_in_the_best():
    gains = ((0, -1.0),)
    assert at_cutoffs([0, 1], [], DCG, 2, gains=gains) == [-1, -1 + 1 / math.log2(3)]
    assert at_cutoffs([0, 1], [], IDCG, 2, gains=gains) == [1, 1]


DCGS, CUTOFFS = st.sampled_from(["log2", "exp-log2"]), st.integers(1, 25) | st.none()


@given(graded(), orders(), GAINS, DCGS, BASES, CUTOFFS)
def test_gain_by_definition(qrels, rankings, gains, dcg, base, cutoff):
    form = {"gains": gains or None, "dcg": dcg, "cutoff": cutoff}
    measures = [family.measure(base=base, **form) for family in (DCG, IDCG, NDCG)]
    found = values_of([*measures, CG.measure(**form)], qrels, rankings)
    for topic, row in found.items():
        grades = qrels[topic]
        own = [gain_of(grades.get(d, -1), gains, dcg) for d in rankings[topic]][:cutoff]
        best = sorted((gain_of(g, gains, dcg) for g in grades.values()), reverse=True)[:cutoff]
        total, ideal = discounted(own, base), discounted(best, base)
        expected = [total, ideal, total / ideal if ideal else 0.0, sum(own)]
        assert row == pytest.approx(expected, rel=1e-9, abs=1e-12)


@given(graded(lowest=0), GAINS, BASES)
def test_the_best_order_scores_1_under_any_gains(qrels, gains, base):
    best = {
        topic: sorted(grades, key=lambda docno: gain_of(grades[docno], gains), reverse=True)
        for topic, grades in qrels.items()
    }
    given_ = {"gains": gains or None}
    measures = [NDCG.measure(base=base, **given_), NDCG_REL.measure(**given_), G.measure(**given_)]
    for topic, row in values_of(measures, qrels, best).items():
        gained = [gain_of(grade, gains) for grade in qrels[topic].values()]
        # A gain below 1 is behind a best ranking that is taken to gain 1 a rank, in G.
        n_exact = 2 if min((gain for gain in gained if gain), default=1) < 1 else 3
        assert row[:n_exact] == pytest.approx([1.0 if any(gained) else 0.0] * n_exact)


def ndcg_relevant(own: list[float], best: list[float]) -> float:
    """nDCGrel from its definition."""
    total, summed, n_paid = 0.0, 0.0, 0
    ideals = [discounted(best[:n]) for n in range(len(best) + 1)]
    for rank, gain in enumerate(own, start=1):
        total += gain / math.log2(rank + 1)
        if gain > 0:
            summed += total / ideals[min(rank, len(best))]
            n_paid += 1
    if not best:
        return 0.0
    return max(0.0, summed + (len(best) - n_paid) * total / ideals[-1]) / len(best)


def ndcg_changes(own: list[float], best: list[float]) -> float:
    """Rndcg: where the best gain falls, and at the end when more than one document is left."""
    depths = [n for n in range(1, len(best) + 1) if n == len(best) or best[n] != best[n - 1]]
    if not depths:
        return 0.0
    values = [discounted(own[:n]) / discounted(best[:n]) for n in depths]
    if len(own) > len(best) + 1:
        values.append(discounted(own) / discounted(best))
    return sum(values) / len(values)


def gain_ratio(own: list[float], best: list[float]) -> float:
    """G from its definition."""
    summed = behind = 0.0
    for rank, gain in enumerate(own, start=1):
        behind += max(1.0, best[rank - 1] if rank <= len(best) else 0.0) - gain
        summed += gain / math.log2(2 + behind)
    return summed / sum(best) if best else 0.0


@given(qrels=graded(), rankings=orders(), gains=GAINS)
def test_measures_made_of_gains_by_definition(qrels, rankings, gains):
    measures = [family.measure(gains=gains or None) for family in (NDCG_REL, RNDCG, G)]
    for topic, row in values_of(measures, qrels, rankings).items():
        grades = qrels[topic]
        own = [gain_of(grades.get(docno, -1), gains) for docno in rankings[topic]]
        best = sorted((gain_of(grade, gains) for grade in grades.values()), reverse=True)
        best = [gain for gain in best if gain > 0]
        changes = ndcg_changes(own, best) if max(grades.values()) > 0 else 0.0
        expected = [ndcg_relevant(own, best), changes, gain_ratio(own, best)]
        assert row == pytest.approx(expected, rel=1e-9, abs=1e-12)


def test_binary_gain_is_discounted_by_what_is_not_relevant_above():
    grades = {"a": 1, "b": 2, "c": 0}
    assert one(grades, "c x a b", BING.measure()) == (0.5 + 0.5) / 2
    assert one(grades, "a c b", BING.measure()) == (1 + 1 / math.log2(3)) / 2


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


@pytest.mark.parametrize("family", [NDCG, DCG, G, NDCG_REL, RNDCG], ids=lambda family: family.name)
def test_a_document_below_grade_0_cannot_gain(family):
    with pytest.raises(ValueError, match="a grade from 0"):
        family.measure(gains=((-1, 2.0),))


@pytest.mark.parametrize(("name", "value"), [("dcg", "log3"), ("base", 1.0), ("base", 0.5)])
def test_unknown_forms_are_refused(name, value):
    with pytest.raises(ValueError, match=f"{name}="):
        DCG.measure(**{name: value})


def test_names_hold_what_differs():
    assert str(NDCG.measure(dcg="exp-log2", cutoff=10)) == "nDCG(dcg='exp-log2')@10"
    assert str(DCG.measure(gains=((1, 1.0), (2, 3.0)), base=2)) == "DCG(gains={1:1,2:3},base=2)"
    assert not NDCG.measure(dcg="exp-log2", cutoff=10).trec_eval
    assert NDCG.measure(gains=((1, 1.0), (2, 0.5))).trec_eval == "ndcg_1=1,2=0.5"
