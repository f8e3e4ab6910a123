"""Where a run has the judged documents: found, cut, condensed, and stored on disk."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cleverdon.measures.inputs.placements import Placements, place
from cleverdon.measures.inputs.stored import open_placements, write_placements
from cleverdon.measures.inputs.universe import Universe
from cleverdon.measures.names import LEADERBOARD, parse
from cleverdon.measures.scoring.scoring import score
from cleverdon.trec.docnos import Docnos
from cleverdon.trec.mapped import DamagedFile
from cleverdon.trec.ranking import compared
from cleverdon.trec.runs.run import RankedRun
from tests.core.measures.made import graded, in_order, placed, ranked, scored

COLUMNS = ("offsets", "entries", "ranks", "firsts", "lasts", "n_retrieved")


def by_topic(placements: Placements, universe: Universe) -> dict[str, list[tuple]]:
    """The (docno, rank, first and last rank of its score) placed, by topic."""
    docnos = [universe.docnos.tolist()[entry].decode() for entry in placements.entries.tolist()]
    ranks = (getattr(placements, name).tolist() for name in ("ranks", "firsts", "lasts"))
    rows, bounds = list(zip(docnos, *ranks, strict=True)), placements.offsets.tolist()
    return {t: rows[bounds[i] : bounds[i + 1]] for i, t in enumerate(universe.topics)}


def assert_same(found: Placements, expected: Placements) -> None:
    for name in COLUMNS:
        assert getattr(found, name).tolist() == getattr(expected, name).tolist()


@given(graded(), scored())
def test_a_document_is_placed_at_its_rank_with_the_ranks_of_its_tie(qrels, run):
    whole, universe = ranked(run), Universe.from_qrels(qrels)
    expected = dict.fromkeys(universe.topics, ())
    for number, topic in enumerate(whole.topics):
        keys = compared(whole.scores_of(number)).tolist()
        docnos = [docno.decode() for docno in whole.docnos_of(number).tolist()]
        expected[topic] = [
            (d, rank, keys.index(key) + 1, len(keys) - keys[::-1].index(key))
            for rank, (d, key) in enumerate(zip(docnos, keys, strict=True), start=1)
            if d in qrels.get(topic, ())
        ]
    found = place(whole, universe)
    assert by_topic(found, universe) == {t: [*expected[t]] for t in universe.topics}
    assert found.missing(universe) == tuple(sorted(set(qrels) - set(run)))
    assert found.n_retrieved.tolist() == [len(run.get(topic, ())) for topic in universe.topics]


@given(graded(), scored(), st.integers(1, 20))
def test_a_cut_places_what_the_shorter_run_places(qrels, run, depth):
    universe = Universe.from_qrels(qrels)
    whole = placed(run, universe)
    cut = {
        topic: [row[:2] for row in rows if row[1] <= depth]
        for topic, rows in by_topic(whole, universe).items()
    }
    found = whole.cut(depth)
    assert {t: [row[:2] for row in rows] for t, rows in by_topic(found, universe).items()} == cut
    assert found.n_retrieved.tolist() == np.minimum(whole.n_retrieved, depth).tolist()


@given(graded(), scored(), st.randoms(), st.integers(0, 3))
def test_the_order_of_judgments_changes_nothing_and_new_grades_need_no_placements(
    qrels, run, random, grade
):
    rows = [(t, docno, grade) for t, grades in qrels.items() for docno, grade in grades.items()]
    random.shuffle(rows)
    universe, shuffled = Universe.from_qrels(qrels), Universe.from_rows(rows)
    placements = placed(run, universe)
    assert_same(placements, placed(run, shuffled))
    assert universe.grades.tolist() == shuffled.grades.tolist()
    regraded = universe.with_grades(np.full(len(universe.grades), grade))
    fresh = Universe.from_qrels({t: dict.fromkeys(grades, grade) for t, grades in qrels.items()})
    expected = score([placed(run, fresh)], fresh, LEADERBOARD).values
    assert np.array_equal(score([placements], regraded, LEADERBOARD).values, expected)


@given(graded(), st.lists(scored(), min_size=1, max_size=2), st.data())
def test_some_topics_of_all_runs_score_as_in_the_whole(qrels, runs, data):
    universe = Universe.from_qrels(qrels)
    numbers = st.sets(st.integers(0, universe.n_topics - 1), min_size=1)
    topics = np.array(sorted(data.draw(numbers)))
    placements = [placed(run, universe) for run in runs]
    own = Placements.together(placements).of_topics(topics, universe)
    part = universe.of_topics(topics)
    whole = score(placements, universe, LEADERBOARD)
    assert part.topics == tuple(universe.topics[t] for t in topics)
    assert np.array_equal(score([own], part, LEADERBOARD).values, whole.values[:, topics])


@given(graded(), scored(), st.data())
def test_a_part_of_the_pairs_is_placed_as_it_would_be_alone(qrels, run, data):
    universe = Universe.from_qrels(qrels)
    masks = st.lists(st.booleans(), min_size=len(universe.grades), max_size=len(universe.grades))
    kept = np.array(data.draw(masks))
    part, whole = universe.within(kept), placed(run, universe)
    assert_same(whole.within(universe, kept), placed(run, part))


@given(graded(), scored())
def test_a_condensed_list_has_only_judged_documents(qrels, run):
    universe = Universe.from_qrels(qrels)
    judged = {
        t: {d: s for d, s in scores.items() if qrels.get(t, {}).get(d, -1) >= 0}
        for t, scores in run.items()
    }
    judged = {t: scores for t, scores in judged.items() if scores}
    condensed = placed(run, universe).condensed(universe)
    if judged:
        assert_same(condensed, placed(judged, universe))
    else:
        assert not len(condensed.entries)


def with_equal_hashes(docnos: Docnos) -> Docnos:
    return replace(docnos, known_hashes=np.zeros(len(docnos), dtype=np.uint32))


def test_documents_of_one_hash_are_told_apart():
    """Only the docnos themselves decide."""
    universe = Universe.from_qrels({"1": {f"d{i}": i % 3 for i in range(20)}})
    universe = replace(universe, docnos=with_equal_hashes(universe.docnos))
    run = ranked({"1": {f"d{i}": float(i) for i in range(0, 40, 3)}})
    run = replace(run, docnos=with_equal_hashes(run.docnos))
    found = by_topic(place(run, universe), universe)
    expected = [f"d{i}" for i in range(39, -1, -3)]
    assert found == {"1": [(d, r, r, r) for r, d in enumerate(expected, 1) if int(d[1:]) < 20]}


def test_a_run_without_a_line_has_no_placement():
    universe = Universe.from_qrels({"1": {"a": 1}})
    nothing = np.array([0])
    run = RankedRun((), nothing, np.empty(0), Docnos.of([]), "made")
    assert place(run, universe).n_retrieved.tolist() == [0]


def test_a_pair_judged_twice_is_refused():
    with pytest.raises(ValueError, match="Document a is judged twice for topic 1"):
        Universe.from_rows([("1", "a", 1), ("1", "a", 1)])


def test_qrels_without_a_topic_give_an_empty_table():
    universe = Universe.from_qrels({})
    assert universe.ideal.entries.size == 0
    scores = score([place(in_order({"1": ["a"]}), universe)], universe, LEADERBOARD)
    assert scores.values.shape == (1, 0, len(LEADERBOARD))


def test_grades_take_one_byte_unless_they_need_more():
    assert Universe.from_qrels({"1": {"a": 4, "b": -2}}).grades.dtype == np.int8
    assert Universe.from_qrels({"1": {"a": 300}}).grades.dtype == np.int16
    assert Universe.from_qrels({"1": {"a": 127, "b": -128}}).grades.dtype == np.int8
    wide = Universe.from_qrels({"1": {"a": 999_999_999}})
    found = score([placed({"1": {"a": 1.0}}, wide)], wide, [parse("nDCG")])
    assert found.values.item() == 1.0


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    return tmp_path_factory.mktemp("stored") / "placements"


@given(graded(), scored())
def test_what_is_written_is_opened_again(path, qrels, run):
    placements = placed(run, Universe.from_qrels(qrels))
    with path.open("wb") as file:
        write_placements(placements, file)
    opened = open_placements(path)
    for name in COLUMNS:
        expected = getattr(placements, name)
        assert np.array_equal(getattr(opened, name), expected)
        assert getattr(opened, name).dtype == expected.dtype
    path.unlink()


@pytest.mark.parametrize("size", [0, 10, 60, 250])
def test_a_file_cut_short_is_refused(tmp_path, size):
    universe = Universe.from_qrels({"1": {f"d{i}": 1 for i in range(40)}})
    placements = placed({"1": {f"d{i}": float(i) for i in range(40)}}, universe)
    path = tmp_path / "placements"
    with path.open("wb") as file:
        write_placements(placements, file)
    path.write_bytes(path.read_bytes()[:size])
    with pytest.raises(DamagedFile):
        open_placements(path)
