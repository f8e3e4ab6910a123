"""The numbers of pictures, against loops written out."""

from itertools import permutations

import numpy as np
import pytest

from evaluation.core import pictured


@pytest.mark.parametrize("sign", [1, -1])
def test_topics_go_from_the_hardest_by_the_median_of_their_runs(sign):
    values = np.random.default_rng(sign + 2).integers(0, 6, (7, 30)) / 5
    values[np.random.default_rng(3).random(values.shape) < 0.2] = np.nan
    values[:, 4] = np.nan
    found = pictured.by_difficulty(values, sign)
    known = {n: column[~np.isnan(column)].tolist() for n, column in enumerate(values.T)}
    assert {each.topic for each in found} == {n for n, column in known.items() if column} - {4}
    medians = [float(np.median(known[each.topic])) for each in found]
    assert medians == [each.among.median for each in found]
    assert medians == sorted(medians, reverse=sign < 0)
    ends = [(each.among.summary[0], each.among.summary[-1]) for each in found]
    assert ends == [(min(known[each.topic]), max(known[each.topic])) for each in found]


def test_topics_of_a_map_go_from_the_highest_mean_and_leave_out_what_counts_for_no_run():
    values = np.array([[0.1, np.nan, 0.9, np.nan], [0.3, np.nan, 0.7, 0.5]])
    assert pictured.by_mean(values) == [2, 3, 0]


def test_a_document_is_found_alone_by_a_team_if_only_its_runs_contributed_it():
    assert pictured.found_alone([{1}, {1, 2}, {2}, {1}, set()]) == {1: 2, 2: 1}


def test_a_document_counts_where_it_was_judged_first():
    judged = [("1", "d2", "b"), ("1", "d1", "c"), ("1", "d2", "d"), ("2", "d1", "a")]
    relevant = {("1", "d2"), ("1", "d1")}
    assert pictured.gain_curve(judged, relevant).tolist() == [0, 1, 2]
    assert pictured.gain_curve([], relevant).tolist() == []


def test_a_long_line_is_thinned_and_keeps_its_ends():
    for n in (1, 2, 399, 400, 401, 12345):
        places = pictured.thinned(n, 400)
        assert (places[0], places[-1], len(places)) == (0, n - 1, min(n, 400))
        assert places == sorted(set(places))


def test_improvements_are_in_percent_of_topics_that_differ_and_have_a_value_to_improve_on():
    mine = [0.3, 0.0, 0.5, 0.2, float("nan"), 0.1 + 0.2, 0.5]
    others = [0.2, 0.4, 0.0, float("nan"), 0.1, 0.3, 0.4]
    assert pictured.improvements(mine, others) == [50.0, -100.0, 25.0]


def test_the_order_of_runs_does_not_order_topics_that_tie():
    values = np.array([[0.1, 0.2], [0.2, 0.3], [0.3, 0.1]])
    orders = permutations(range(3))
    assert {tuple(pictured.by_mean(values[list(order)])) for order in orders} == {(0, 1)}
