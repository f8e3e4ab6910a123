"""Scores that follow the judging."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from evaluation.core.measures.names import LEADERBOARD
from evaluation.core.placements import Placements
from evaluation.core.preliminary import update
from evaluation.core.scoring import score
from evaluation.core.universe import Universe
from tests.core.evaluation.made import graded, placed, scored


@given(graded(), st.lists(scored(), min_size=1, max_size=3), st.data())
def test_topics_scored_anew_one_after_the_other_come_to_what_all_at_once_do(
    qrels, runs, data
):
    universe = Universe.from_qrels(qrels)
    together = Placements.together([placed(run, universe) for run in runs])
    unjudged = universe.with_grades(np.full(len(universe.grades), -1))
    order = data.draw(st.permutations(range(universe.n_topics)))
    values = np.zeros((len(runs), universe.n_topics, len(LEADERBOARD)))
    n_judged = np.zeros(universe.n_topics, dtype=np.int64)
    for topic in order:
        stale = np.array([topic])
        judged = universe.of_topics(stale)
        so_far = update(
            values, n_judged, together, unjudged, judged, stale, LEADERBOARD
        )
        values, n_judged = so_far.values, so_far.n_judged
    scores = score([together], universe, LEADERBOARD)
    assert np.array_equal(values, scores.values)
    assert np.array_equal(so_far.aggregates, scores.aggregate().values)
    assert n_judged.tolist() == universe.count(universe.grades >= 0).tolist()
    assert so_far.n_missing.tolist() == (scores.n_retrieved == 0).sum(axis=1).tolist()


def test_only_topics_with_a_judged_document_count():
    universe = Universe.from_qrels({"1": {"a": -1}, "2": {"a": -1}})
    run = placed({"1": {"a": 1.0}}, universe)
    nothing = np.zeros((1, 2, len(LEADERBOARD))), np.zeros(2, dtype=np.int64)
    first = update(*nothing, run, universe, universe, np.arange(2), LEADERBOARD)
    assert (first.aggregates.any(), first.n_missing.tolist()) == (False, [0])
    stale = np.array([1])
    judged = universe.of_topics(stale).with_grades([1])
    second = update(*nothing, run, universe, judged, stale, LEADERBOARD)
    assert (second.n_judged.tolist(), second.n_missing.tolist()) == ([0, 1], [1])
