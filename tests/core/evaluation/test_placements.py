"""Where a run has the judged documents."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.core.measures import LEADERBOARD
from evaluation.core.placements import Placements, Universe, place
from evaluation.core.scoring import score, score_placed
from tests.core.evaluation.made import graded, in_order, ranked, scored


def by_topic(
    placements: Placements, universe: Universe
) -> dict[str, list[tuple[int, bytes]]]:
    """The (rank, docno) placed, by topic."""
    docno = {
        place: docno for entries in universe.entries for docno, place in entries.items()
    }
    pairs = [
        (rank, docno[e])
        for rank, e in zip(
            placements.ranks.tolist(), placements.entries.tolist(), strict=True
        )
    ]
    bounds = placements.offsets.tolist()
    return {t: pairs[bounds[i] : bounds[i + 1]] for i, t in enumerate(universe.topics)}


@given(graded(), scored())
def test_a_document_is_placed_at_its_rank_in_the_run(qrels, run):
    whole, universe = ranked(run), Universe.from_qrels(qrels)
    expected = {}
    for topic in universe.topics:
        docnos = (
            whole.docnos_of(whole.topics.index(topic)).tolist()
            if topic in whole.topics
            else []
        )
        expected[topic] = [
            (rank, d)
            for rank, d in enumerate(docnos, start=1)
            if d.decode() in qrels[topic]
        ]
    assert by_topic(place(whole, universe), universe) == expected


@given(graded(), scored())
def test_topics_without_a_document_are_missing(qrels, run):
    universe = Universe.from_qrels(qrels)
    placements = place(ranked(run), universe)
    assert placements.missing(universe) == tuple(sorted(set(qrels) - set(run)))
    assert placements.n_retrieved.tolist() == [
        len(run.get(topic, ())) for topic in universe.topics
    ]


@given(graded(), scored(), st.integers(1, 20))
def test_a_cut_places_what_the_shorter_run_places(qrels, run, depth):
    whole, universe = ranked(run), Universe.from_qrels(qrels)
    short = in_order(
        {
            t: [d.decode() for d in whole.top(i, depth).tolist()]
            for i, t in enumerate(whole.topics)
        }
    )
    cut, expected = place(whole, universe).cut(depth), place(short, universe)
    assert by_topic(cut, universe) == by_topic(expected, universe)
    assert cut.n_retrieved.tolist() == expected.n_retrieved.tolist()


@given(graded(), scored(), st.randoms())
def test_the_order_of_judgments_changes_nothing(qrels, run, random):
    rows = [
        (topic, docno, grade)
        for topic, grades in qrels.items()
        for docno, grade in grades.items()
    ]
    random.shuffle(rows)
    first = score(ranked(run), Universe.from_qrels(qrels), LEADERBOARD)
    assert np.array_equal(
        first, score(ranked(run), Universe.from_rows(rows), LEADERBOARD)
    )


@given(graded(), scored(), st.integers(0, 3))
def test_new_grades_need_no_new_placements(qrels, run, grade):
    universe = Universe.from_qrels(qrels)
    placements = place(ranked(run), universe)
    placements_again = replace(universe, grades=np.full(len(universe.grades), grade))
    fresh = Universe.from_qrels(
        {t: dict.fromkeys(grades, grade) for t, grades in qrels.items()}
    )
    expected = score(ranked(run), fresh, LEADERBOARD)
    assert np.array_equal(
        score_placed(placements, placements_again, LEADERBOARD), expected
    )


def test_a_pair_judged_twice_is_refused():
    with pytest.raises(ValueError, match="Document a is judged twice for topic 1"):
        Universe.from_rows([("1", "a", 1), ("1", "a", 1)])


def test_qrels_without_a_topic_give_an_empty_table():
    universe = Universe.from_qrels({})
    assert universe.ideal.grades.size == 0
    assert score(in_order({"1": ["a"]}), universe, LEADERBOARD).shape == (
        0,
        len(LEADERBOARD),
    )
