"""Folds of topics: alike for all runs, of equal size, and their means written out as a loop."""

from math import exp, isnan, log
from statistics import stdev

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.core.folds import FOLDS, fold_of, folds_of, spread_of
from measures.names import parse

VALUES = st.lists(st.one_of(st.floats(0.01, 1), st.just(float("nan"))), max_size=30)


@pytest.mark.parametrize("n_topics", [0, 1, 7, 50])
@pytest.mark.parametrize("k", FOLDS)
def test_each_topic_is_in_one_fold_and_folds_differ_by_one_topic_at_most(n_topics, k):
    folds = fold_of(n_topics, k).tolist()
    sizes = [folds.count(fold) for fold in range(k)]
    assert sum(sizes) == n_topics
    assert max(sizes) - min(sizes) <= 1
    assert folds == fold_of(n_topics, k).tolist()


def test_folds_are_drawn_and_not_in_the_order_of_the_topics():
    assert fold_of(50, 5).tolist() != [n % 5 for n in range(50)]


@given(VALUES, st.sampled_from(FOLDS))
def test_the_aggregates_on_folds_and_their_deviation_are_those_of_a_loop(values, k):
    folds = fold_of(len(values), k).tolist()
    for name in ("AP", "GMAP"):
        every = folds_of(np.array(values), k, parse(name))
        found = [each.value for each in every]
        for fold in range(k):
            own = [v for v, at in zip(values, folds, strict=True) if at == fold and not isnan(v)]
            assert every[fold].n_topics == len(own)
            if not own:
                assert isnan(found[fold])
            elif name == "AP":
                assert found[fold] == pytest.approx(sum(own) / len(own))
            else:
                assert found[fold] == pytest.approx(exp(sum(map(log, own)) / len(own)))
        known = [value for value in found if not isnan(value)]
        expected = stdev(known) if len(known) > 1 else float("nan")
        assert spread_of(every) == pytest.approx(expected, nan_ok=True)


def test_a_sum_has_no_folds():
    assert folds_of(np.ones(4), 2, parse("NumRet")) == []
