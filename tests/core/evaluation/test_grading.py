"""Grades of a qrels file for the pairs of a pool."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.core.grading import grades_of
from evaluation.core.universe import Universe
from tests.core.evaluation.made import graded
from trec.qrels import JudgedPairs


@given(graded(), st.data())
def test_each_pair_gets_the_grade_of_the_file_or_none(qrels, data):
    rows = [(t, d, g) for t, grades in qrels.items() for d, g in grades.items()]
    some = data.draw(st.lists(st.sampled_from(rows), unique=True))
    universe = Universe.from_qrels(qrels)
    found = grades_of(universe, JudgedPairs.from_rows(some))
    expected = [(t, d, g if (t, d, g) in some else -1) for t, d, g in rows]
    assert np.array_equal(found, Universe.from_rows(expected).grades)


def test_a_pair_that_is_not_in_the_pool_is_refused():
    universe = Universe.from_qrels({"1": {"a": 1}})
    pairs = JudgedPairs.from_rows([("1", "a", 1), ("1", "b", 0)])
    with pytest.raises(ValueError, match="Document b of topic 1 is not in the pool"):
        grades_of(universe, pairs)
