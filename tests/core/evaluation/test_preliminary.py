"""Scores that follow the judging."""

from unittest.mock import patch

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from cleverdon.measures.inputs.placements import Placements
from cleverdon.measures.inputs.universe import Universe
from cleverdon.measures.names import LEADERBOARD
from cleverdon.measures.scoring.scoring import score
from evaluation.core import preliminary
from evaluation.core.preliminary import SoFar, update
from tests.core.measures.made import graded, placed, scored


@given(graded(), st.lists(scored(), min_size=1, max_size=3), st.data())
def test_topics_scored_anew_one_after_the_other_come_to_what_all_at_once_do(qrels, runs, data):
    universe = Universe.from_qrels(qrels)
    together = Placements.together([placed(run, universe) for run in runs])
    unjudged = universe.with_grades(np.full(len(universe.grades), -1))
    order = data.draw(st.permutations(range(universe.n_topics)))
    so_far = SoFar.nothing(len(runs), universe.n_topics, len(LEADERBOARD))
    for topic in order:
        official = {universe.topics[topic]: qrels[universe.topics[topic]]}
        stale = np.array([topic])
        so_far = update(so_far, together, unjudged, official, stale, measures=LEADERBOARD)
    scores = score([together], universe, LEADERBOARD)
    assert np.array_equal(so_far.values, scores.values)
    assert np.array_equal(so_far.aggregates, scores.aggregate().values)
    assert so_far.n_judged.tolist() == np.diff(universe.offsets).tolist()
    assert so_far.n_missing.tolist() == (scores.n_retrieved == 0).sum(axis=1).tolist()


@given(graded(), st.lists(scored(), min_size=1, max_size=3))
def test_all_topics_are_scored_in_parts_of_bounded_size(qrels, runs):
    universe = Universe.from_qrels(qrels)
    together = Placements.together([placed(run, universe) for run in runs])
    nothing = SoFar.nothing(len(runs), universe.n_topics, len(LEADERBOARD))
    every, sizes = np.arange(universe.n_topics), []

    def noted(placements, part, *arguments, **options):
        sizes.append(part.n_topics)
        return score(placements, part, *arguments, **options)

    with (
        patch.object(preliminary, "AT_ONCE", max(1, len(together.entries) // 2)),
        patch.object(preliminary, "score", noted),
    ):
        found = update(nothing, together, universe, qrels, every, measures=LEADERBOARD)
    assert np.array_equal(found.values, score([together], universe, LEADERBOARD).values)
    assert found.n_judged.tolist() == np.diff(universe.offsets).tolist()
    if len(together.entries) > 1 and universe.n_topics > 1:
        assert max(sizes) < universe.n_topics


def test_only_topics_with_a_judged_document_count():
    universe = Universe.from_qrels({"1": {"a": -1}, "2": {"a": -1}})
    run = placed({"1": {"a": 1.0}}, universe)
    nothing = SoFar.nothing(1, 2, len(LEADERBOARD))
    first = update(nothing, run, universe, {}, np.arange(2), measures=LEADERBOARD)
    assert (first.aggregates.any(), first.n_missing.tolist()) == (False, [0])
    official = {"2": {"a": 1}}
    second = update(nothing, run, universe, official, np.array([1]), measures=LEADERBOARD)
    assert (second.n_judged.tolist(), second.n_missing.tolist()) == ([0, 1], [1])
