"""Interpolated precision."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from measures.inputs.placements import place
from measures.inputs.universe import Universe
from measures.interpolated import IAP, IPREC
from measures.scoring.scoring import score
from tests.core.measures.made import graded, scored
from tests.core.measures.rankings import NINE, TEN, marked, one, under


@given(graded(), scored(), st.integers(2, 101), st.sampled_from([NINE, TEN]))
def test_interpolated_average_precision_is_the_mean_over_its_points(qrels, run, points, rules):
    universe = Universe.from_qrels(qrels)
    recalls = [point / (points - 1) for point in range(points)]
    measures = [IAP.measure(points=points), *(IPREC.measure(recall=recall) for recall in recalls)]
    values = score(
        [place(under(run, rules), universe, rules)], universe, measures, rules=rules
    ).values[0]
    assert values[:, 0] == pytest.approx(values[:, 1:].mean(axis=1), rel=1e-12)


@pytest.mark.parametrize(
    ("rules", "recall", "expected"),
    [
        (NINE, 0.25, 1 / 1),
        (TEN, 0.25, 1 / 1),  # 0.75 of 3 documents: 1
        (NINE, 0.5, 2 / 4),
        (TEN, 0.5, 2 / 4),  # 1.5: 2
        (NINE, 0.4, 2 / 4),
        (TEN, 0.4, 1 / 1),  # 1.2: 2 when 0.9 is added and truncated, else 1
        (NINE, 0.0, 1 / 1),
        (TEN, 0.0, 1 / 1),
        (NINE, 1.0, 0),
        (TEN, 1.0, 0),  # the third is not retrieved
    ],
)
def test_rule_sets_make_recall_points_whole_in_their_own_way(rules, recall, expected):
    assert one(*marked([1, 4], 6, n_missing=1), IPREC, rules, recall=recall) == expected
