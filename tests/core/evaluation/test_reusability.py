"""Runs scored without their own documents, against scores computed document by document."""

from functools import partial
from itertools import product

import numpy as np
import pytest

from cleverdon.measures.inputs.placements import Placements
from cleverdon.measures.inputs.universe import Universe
from cleverdon.measures.names import parse
from cleverdon.measures.scoring.scoring import score
from cleverdon.significance.correlations import tau_b
from evaluation.core.reusability import Change, change, growth, left_out, only_groups, risen
from tests.core.measures.made import placed

N_RUNS, DEPTH, TOPICS = 6, 4, ("1", "2", "3")
TEAMS = [7, 7, 8, 9, 9, 5]  # the last one did not contribute
MEASURES = [parse("AP"), parse("P@5")]
DOCNOS = [f"d{n}" for n in range(25)]


def made(seed: int) -> tuple[list[dict], dict, dict]:
    """Rankings of each run, grades of the pool of all but the last, and who contributed a pair."""
    rng = np.random.default_rng(seed)
    runs = [{t: rng.permutation(DOCNOS)[:12].tolist() for t in TOPICS} for _ in range(N_RUNS)]
    held: dict[tuple[str, str], set[int]] = {}
    for (n, run), topic in product(enumerate(runs[:-1]), TOPICS):
        for docno in run[topic][:DEPTH]:
            held.setdefault((topic, docno), set()).add(n)
    return runs, {pair: int(rng.integers(-1, 3)) for pair in sorted(held)}, held


def by_hand(run: dict, grades: dict) -> tuple[float, float]:
    """AP and P@5 over all topics, from their definitions."""
    values = []
    for topic in TOPICS:
        relevant = {d for (t, d), grade in grades.items() if t == topic and grade > 0}
        hits = [docno in relevant for docno in run[topic]]
        at = [sum(hits[: n + 1]) / (n + 1) for n, hit in enumerate(hits) if hit]
        values.append((sum(at) / len(relevant) if relevant else 0.0, sum(hits[:5]) / 5))
    return tuple(np.mean(values, axis=0))


def rescored(placements, universe):
    return score(placements, universe, MEASURES).aggregate().values


def placements_of(runs, universe) -> list[Placements]:
    scored = [{t: {d: -n for n, d in enumerate(run[t])} for t in TOPICS} for run in runs]
    return [placed(each, universe) for each in scored]


@pytest.mark.parametrize("seed", range(15))
@pytest.mark.parametrize("groups", [list(range(N_RUNS)), TEAMS], ids=["runs", "teams"])
def test_left_out_are_the_judgments_of_what_a_group_alone_contributed(groups, seed):
    runs, grades, held = made(seed)
    judged = Universe.from_rows((*pair, grade) for pair, grade in grades.items())
    placements, ids = placements_of(runs, judged), np.array(groups)
    pairs = [
        (t, d.decode())
        for t, d in zip(
            (judged.topics[n] for n in judged.topic_of), judged.docnos.tolist(), strict=True
        )
    ]
    only = only_groups([groups[run] for run in held[pair]] for pair in pairs)
    before = rescored(placements, judged)
    options = {"only": only, "groups": ids, "before": before, "score": rescored}
    after = left_out(placements, judged, **options)
    for n, run in enumerate(runs):
        left = {
            pair: grade
            for pair, grade in grades.items()
            if {groups[each] for each in held[pair]} != {groups[n]}
        }
        assert after[n] == pytest.approx(by_hand(run, left))
    assert (after[-1] == before[-1]).all()
    assert (before != after).any()
    for column, _ in enumerate(MEASURES):
        for sign in (1, -1):
            rose = risen(before[:, column], after[:, column], ids, sign)
            assert rose == moved_by_hand(before[:, column], after[:, column], groups, sign)


def moved_by_hand(before, after, groups, sign) -> list[int]:
    found = []
    for n, group in enumerate(groups):
        then = [a if g == group else b for b, a, g in zip(before, after, groups, strict=True)]
        places = [
            sorted(round(-sign * each, 4) for each in board).index(round(-sign * board[n], 4))
            for board in (before, then)
        ]
        found.append(places[0] - places[1])
    return found


def test_a_run_without_a_value_has_no_place_and_takes_none():
    before, after = np.array([0.5, np.nan, 0.4]), np.array([0.3, np.nan, 0.4])
    assert risen(before, after, np.arange(3), 1) == [-1, None, 0]
    assert risen(before, after, np.arange(3), -1) == [1, None, 0]


def test_scores_equal_to_four_decimals_share_a_place():
    before, after = np.array([0.5, 0.40001, 0.4]), np.array([0.40004, 0.4, 0.4])
    assert risen(before, after, np.arange(3), 1) == [0, 0, 0]


def test_changes_are_summed_up_over_runs_that_have_a_score():
    rows = [(0.4, 0.3, -2), (0.5, 0.5, 0), (0.0, 0.0, 0), (0.2, 0.22, 1), (None, None, None)]
    assert change(rows, 1) == Change(pytest.approx(-5), -25, 0.75, 2)
    assert change(rows, -1).worst == 10
    assert change([(0.0, 0.0, 0)], 1) == Change(None, None, 0, 0)
    assert change([], 1) == Change(None, None, 0, 0)
    assert change(rows[::-1], 1) == change(rows, 1)


@pytest.mark.parametrize("seed", range(5))
def test_boards_of_versions_have_the_judgments_of_their_documents_alone(seed):
    runs, grades, _ = made(seed)
    judged = Universe.from_rows((*pair, grade) for pair, grade in grades.items())
    placements = placements_of(runs, judged)
    first = np.arange(len(judged.grades)) % 3 == 0
    signs = (1, -1)
    taus = growth(placements, judged, [first, first | True], score=rescored, signs=signs)
    pairs = list(grades)  # sorted as in a universe
    part = {pair: grades[pair] for pair, kept in zip(pairs, first, strict=True) if kept}
    boards = [np.round([by_hand(run, each) for run in runs], 4) for each in (part, grades)]
    assert taus[0] == pytest.approx([tau_b(*(board[:, n] for board in boards)) for n in (0, 1)])
    assert taus[1] == pytest.approx([1, 1])


def test_a_score_without_a_value_is_left_out_of_the_correlation():
    values = iter([np.array([[0.1], [np.nan], [0.3]]), np.array([[0.3], [0.2], [0.1]])])
    judged = Universe.from_qrels({"1": {"a": 1}})
    mask = [np.array([True])]
    taus = growth([], judged, mask, score=partial(lambda *_: next(values)), signs=[1])
    assert taus == [[-1]]
