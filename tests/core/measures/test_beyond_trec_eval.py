"""What holds for every measure that trec_eval does not have."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from measures.bpref import ACCURACY
from measures.compatibility import COMPAT
from measures.expected_reciprocal_rank import ERR, NERR
from measures.inputs.placements import Placements, place
from measures.inputs.universe import Universe
from measures.inst import INST
from measures.nonrelevant import ESL, FALLOUT, SET_FALLOUT
from measures.precision_recall import MICRO_F, MICRO_P, MICRO_R
from measures.q_measure import Q
from measures.scoring.scoring import score
from measures.user_models import BPM, INSQ, NERR8, NERR9, NERR10, NERR11, SDCG
from tests.core.measures.made import graded, in_order
from tests.core.measures.orders import orders, values, values_of

MEASURES = [
    ERR.measure(),
    ERR.measure(cutoff=3),
    NERR.measure(cutoff=5),
    Q.measure(),
    COMPAT.measure(p=0.8),
    SDCG.measure(max_rel=4, cutoff=5),
    INSQ.measure(max_rel=4),
    INST.measure(max_rel=4, T=2),
    BPM.measure(max_rel=4, cutoff=5),
    NERR8.measure(max_rel=4, cutoff=5),
    NERR9.measure(max_rel=4, cutoff=5),
    NERR10.measure(max_rel=4),
    NERR11.measure(max_rel=4),
    ACCURACY.measure(),
    FALLOUT.measure(cutoff=3),
    SET_FALLOUT.measure(),
    ESL.measure(relevant=2),
    MICRO_P.measure(cutoff=3),
    MICRO_R.measure(cutoff=3),
    MICRO_F.measure(cutoff=3),
]
UP_TO_1 = [measure for measure in MEASURES if measure.family.unit == "0 to 1"]
MONOTONE = [measure for measure in MEASURES if measure.family.is_monotone]


@given(graded(), st.lists(orders(), min_size=2, max_size=4))
def test_runs_scored_together_have_the_values_of_each_alone(qrels, runs):
    universe = Universe.from_qrels(qrels)
    placed = [place(in_order(run), universe) for run in runs]
    together = score([Placements.together(placed)], universe, MEASURES)
    alone = [score([run], universe, MEASURES).values for run in placed]
    assert np.array_equal(together.values, np.concatenate(alone))


@given(graded(), orders())
def test_values_stay_between_0_and_1_unless_said_otherwise(qrels, rankings):
    for row in values_of(UP_TO_1, qrels, rankings, n_documents=100).values():
        wrong = {str(m): v for m, v in zip(UP_TO_1, row, strict=True) if not 0 <= v <= 1 + 1e-12}
        assert wrong == {}


@given(st.lists(st.integers(0, 4), min_size=2, max_size=9), st.integers(0, 7))
def test_a_better_document_moved_up_never_lowers_a_monotone_measure(grades, place_of):
    upper = min(place_of, len(grades) - 2)
    ranking = [f"d{rank}" for rank in range(len(grades))]
    qrels = {"1": dict(zip(ranking, grades, strict=True))}
    before = values_of(MONOTONE, qrels, {"1": ranking})["1"]
    if grades[upper] < grades[upper + 1]:
        ranking[upper : upper + 2] = ranking[upper + 1], ranking[upper]
    after = values_of(MONOTONE, qrels, {"1": ranking})["1"]
    change = {str(m): (b, a) for m, b, a in zip(MONOTONE, before, after, strict=True)}
    assert [name for name, (b, a) in change.items() if a < b - 1e-12] == []


@pytest.mark.parametrize("measure", MEASURES, ids=str)
def test_a_topic_with_only_negative_grades_is_unjudged_and_scores_0(measure):
    assert values(measure, {"1": {"a": -1, "b": -2}}, {"1": ["a", "b"]}) == {"1": 0}


@pytest.mark.parametrize("measure", MEASURES, ids=str)
def test_a_run_that_has_nothing_for_a_topic_is_scored_all_the_same(measure):
    universe = Universe.from_qrels({"1": {"a": 1}, "2": {"b": 1}})
    run = place(in_order({"1": ["a"]}), universe)
    assert score([run], universe, [measure]).values[0, 1, 0] == 0
