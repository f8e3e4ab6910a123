"""Gains: cumulated, discounted, compared with the best."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from measures.cumulated_gain import CG, DCG, IDCG, NDCG
from measures.family import Family, ParameterValue
from measures.gain_ratio import G
from measures.inputs.placements import place
from measures.inputs.universe import Universe
from measures.relevance_gain import NDCG_REL, RNDCG
from measures.scoring.scoring import score
from tests.core.measures.gains import BASES, GAINS, by_topic, discounted, gain_of
from tests.core.measures.made import graded, in_order, placed, scored

# The ranking of Järvelin and Kekäläinen 2002, section 2, which Croft, Metzler and Strohman 2010,
# section 8.4.3, take over.
RANKING = [3, 2, 3, 0, 0, 1, 2, 2, 3, 0]


def at_cutoffs(
    ranking: list[int], others: list[int], family: Family, depth: int, **given: ParameterValue
) -> list[float]:
    """The values of a measure at each rank of a ranking given by its grades; others are judged and not retrieved."""
    docnos = [f"d{number}" for number in range(len(ranking))]
    grades = dict(zip(docnos, ranking, strict=True)) | {f"m{i}": g for i, g in enumerate(others)}
    universe = Universe.from_qrels({"1": grades})
    measures = [family.measure(cutoff=cutoff, **given) for cutoff in range(1, depth + 1)]
    return (
        score([place(in_order({"1": docnos}), universe)], universe, measures).values[0, 0].tolist()
    )


def rounded(values: list[float]) -> list[float]:
    return [round(value, 2) for value in values]


def test_cumulated_gain_of_the_paper():
    """Järvelin and Kekäläinen 2002, the vector CG'."""
    assert at_cutoffs(RANKING, [], CG, 10) == [3, 5, 8, 8, 8, 9, 11, 13, 16, 16]


def test_discounted_cumulated_gain_of_the_paper():
    """Järvelin and Kekäläinen 2002, the vector DCG' with base 2: 9.61 at rank 10."""
    found = at_cutoffs(RANKING, [], DCG, 10, base=2)
    assert rounded(found) == [3, 5, 6.89, 6.89, 6.89, 7.28, 7.99, 8.66, 9.61, 9.61]


def test_ideal_gain_of_the_paper():
    """Järvelin and Kekäläinen 2002: three documents of grade 3, three of 2, four of 1; DCG with base 2."""
    found = at_cutoffs(RANKING, [1, 1, 1], IDCG, 11, base=2)
    paper = [3, 6, 7.89, 8.89, 9.75, 10.52, 10.88, 11.21, 11.53, 11.83, 11.83]
    assert found == pytest.approx(paper, abs=0.01)


def test_normalized_gain_of_the_textbook():
    """Croft, Metzler and Strohman 2010, section 8.4.3: the ideal is of the documents retrieved; 0.88 at rank 10."""
    found = at_cutoffs(RANKING, [], NDCG, 10, base=2)
    ideal = [3, 6, 7.89, 8.89, 9.75, 10.52, 10.88, 10.88, 10.88, 10.88]
    gain = [3, 5, 6.89, 6.89, 6.89, 7.28, 7.99, 8.66, 9.61, 9.61]
    assert found == pytest.approx([g / i for g, i in zip(gain, ideal, strict=True)], abs=0.002)
    assert round(found[-1], 2) == 0.88


def test_the_three_forms_of_the_textbooks_on_one_ranking():
    """Discount from rank 2, which is max(1, log2(rank)); log2(1 + rank); and 2^g - 1 with it."""
    first = 3 + sum(g / math.log2(rank) for rank, g in enumerate(RANKING[1:], start=2))
    bounded = sum(g / math.log2(max(rank, 2)) for rank, g in enumerate(RANKING, start=1))
    plain = sum(g / math.log2(1 + rank) for rank, g in enumerate(RANKING, start=1))
    steep = sum((2**g - 1) / math.log2(1 + rank) for rank, g in enumerate(RANKING, start=1))
    assert at_cutoffs(RANKING, [], DCG, 10, base=2)[-1] == pytest.approx(first, rel=1e-12)
    assert first == pytest.approx(bounded, rel=1e-12)
    assert at_cutoffs(RANKING, [], DCG, 10)[-1] == pytest.approx(plain, rel=1e-12)
    assert at_cutoffs(RANKING, [], DCG, 10, dcg="exp-log2")[-1] == pytest.approx(steep, rel=1e-12)


def test_a_base_does_not_discount_the_ranks_above_it():
    found = at_cutoffs([1] * 12, [], DCG, 12, base=10)
    assert found[:10] == list(range(1, 11))
    assert found[11] == pytest.approx(10 + 1 / math.log10(11) + 1 / math.log10(12), rel=1e-12)


@given(
    graded(),
    scored(),
    GAINS,
    st.sampled_from(["log2", "exp-log2"]),
    BASES,
    st.integers(1, 25) | st.none(),
)
def test_gain_by_definition(qrels, run, gains, dcg, base, cutoff):
    given_ = {"gains": gains or None, "dcg": dcg, "base": base, "cutoff": cutoff}
    measures = [family.measure(**given_) for family in (DCG, IDCG, NDCG)]
    measures.append(CG.measure(gains=gains or None, dcg=dcg, cutoff=cutoff))
    universe = Universe.from_qrels(qrels)
    found = score([placed(run, universe)], universe, measures).values[0]
    for values, (order, judged) in zip(found.tolist(), by_topic(qrels, run), strict=True):
        own = [gain_of(grade, gains, dcg) for grade in order][:cutoff]
        best = sorted((gain_of(grade, gains, dcg) for grade in judged), reverse=True)[:cutoff]
        total, ideal = discounted(own, base), discounted(best, base)
        expected = [total, ideal, total / ideal if ideal else 0.0, sum(own)]
        assert values == pytest.approx(expected, rel=1e-9, abs=1e-12)


@given(graded(lowest=0), GAINS, BASES)
def test_the_best_order_scores_1_under_any_gains(qrels, gains, base):
    best = {
        topic: sorted(grades, key=lambda docno: gain_of(grades[docno], gains, "log2"), reverse=True)
        for topic, grades in qrels.items()
    }
    universe = Universe.from_qrels(qrels)
    measures = [
        NDCG.measure(gains=gains or None, base=base),
        G.measure(gains=gains or None),
        NDCG_REL.measure(gains=gains or None),
    ]
    values = score([place(in_order(best), universe)], universe, measures).values[0]
    for row, grades in zip(values, (qrels[topic] for topic in universe.topics), strict=True):
        gained = [gain_of(grade, gains, "log2") for grade in grades.values()]
        # A gain below 1 is behind a best ranking that is taken to gain 1 a rank.
        kept = [0, 2] if min((gain for gain in gained if gain), default=1) < 1 else [0, 1, 2]
        assert row[kept] == pytest.approx(1.0 if any(gained) else 0.0)


def test_gains_less_than_1_apart_are_ordered():
    """trec_eval compares gains as whole numbers, so that here a perfect ranking can score 0."""
    gains = ((1, 0.1), (2, 0.5), (3, 0.9))
    assert at_cutoffs([3, 2, 1], [], NDCG, 3, gains=gains) == [1, 1, 1]


def test_a_gain_below_0_counts_against_a_ranking_and_is_not_in_the_best():
    gains = ((0, -1.0),)
    assert at_cutoffs([0, 1], [], DCG, 2, gains=gains) == [-1, -1 + 1 / math.log2(3)]
    assert at_cutoffs([0, 1], [], IDCG, 2, gains=gains) == [1, 1]


@pytest.mark.parametrize("family", [NDCG, DCG, G, NDCG_REL, RNDCG], ids=lambda family: family.name)
def test_a_document_below_grade_0_cannot_gain(family):
    with pytest.raises(ValueError, match="a grade from 0"):
        family.measure(gains=((-1, 2.0),))


@pytest.mark.parametrize(("name", "value"), [("dcg", "log3"), ("base", 1.0), ("base", 0.5)])
def test_forms_that_are_none_are_refused(name, value):
    with pytest.raises(ValueError, match=f"{name}="):
        DCG.measure(**{name: value})


def test_names_hold_what_differs():
    assert str(NDCG.measure(dcg="exp-log2", cutoff=10)) == "nDCG(dcg='exp-log2')@10"
    assert str(DCG.measure(gains=((1, 1.0), (2, 3.0)), base=2)) == "DCG(gains={1:1,2:3},base=2)"
    assert not NDCG.measure(dcg="exp-log2", cutoff=10).trec_eval
    assert NDCG.measure(gains=((1, 1.0), (2, 0.5))).trec_eval == "ndcg_1=1,2=0.5"


def test_a_grade_too_high_for_an_exponential_gain_is_refused():
    with pytest.raises(ValueError, match="too large a gain for grade 1024"):
        at_cutoffs([1024], [], DCG, 1, dcg="exp-log2")
