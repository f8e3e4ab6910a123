"""Boards under other assessors' grades, against a plain loop, scipy, and each other's names."""

import json
from functools import partial
from itertools import pairwise

import numpy as np
import pytest
from scipy.stats import kendalltau

from cleverdon.measures.inputs.mappings import ranked
from cleverdon.measures.inputs.placements import place
from cleverdon.measures.inputs.universe import Universe
from cleverdon.measures.names import parse
from cleverdon.measures.scoring.scoring import score
from cleverdon.significance.pairs import ALPHA, all_pairs
from cleverdon.trec.ranking import DEFAULT_RULES
from evaluation.core.disagreement import Disagreement
from evaluation.core.variations import (
    ADJUDICATED,
    INTERSECTION,
    N_MIXTURES,
    ORIGINAL,
    SECOND,
    UNION,
    Twice,
    mixtures,
    variants,
    voices,
)
from evaluation.core.varied import boards_of, says_better, varied

N_TOPICS, N_DOCUMENTS, N_RUNS = 8, 12, 18
MEASURES = [parse(name) for name in ("AP", "nDCG@5", "gm_map", "ESL")]
PEOPLE = ("", "ben", "cleo")


class Made:
    """Runs on topics whose documents are judged by one to three people."""

    def __init__(self, people=PEOPLE, topic_set="judged", strength=2) -> None:
        rng = np.random.default_rng(3)
        self.topics = [f"t{n}" for n in range(N_TOPICS)]
        self.docnos = [f"d{n:02}" for n in range(N_DOCUMENTS)]
        self.topic_set = topic_set
        grades = rng.integers(0, 3, (len(people), N_TOPICS, N_DOCUMENTS))
        judges = rng.random(grades.shape) < 0.6
        judges[0] = True
        judges[1:, 0] = False  # a topic of one assessor
        judges[2, 1:5] = False
        self.said = {
            (topic, docno): {
                people[p]: int(grades[p, t, d]) for p in range(len(people)) if judges[p, t, d]
            }
            for t, topic in enumerate(self.topics)
            for d, docno in enumerate(self.docnos)
        }
        self.official = {pair: grades[""] for pair, grades in self.said.items()}
        self.official["t1", "d00"] = 2 - self.official["t1", "d00"]  # a correction
        self.decided = {pair: 2 for pair in list(self.said)[14:40:3] if len(self.said[pair]) > 1}
        wanted = rng.normal(size=(N_RUNS, N_TOPICS, N_DOCUMENTS))
        wanted += np.linspace(0, strength, N_RUNS)[:, None, None] * grades[0]
        self.runs = [
            {
                topic: dict(zip(self.docnos, own[t].tolist(), strict=True))
                for t, topic in enumerate(self.topics)
            }
            for own in wanted
        ]
        self.tags = [f"run{n:02}" for n in range(N_RUNS)]
        self.universe = self.under(self.official)
        self.placed = [place(ranked(run, DEFAULT_RULES), self.universe) for run in self.runs]

    def under(self, grades) -> Universe:
        return Universe.from_rows((topic, docno, grade) for (topic, docno), grade in grades.items())

    @property
    def twice(self) -> list[Twice]:
        return [
            Twice(n, self.topics.index(pair[0]), grades, self.decided.get(pair))
            for n, (pair, grades) in enumerate(self.said.items())
            if len(grades) > 1
        ]

    def scored(self, judged: Universe):
        return boards_of(score(self.placed, judged, MEASURES), self.topic_set)

    def found(self, **changes) -> Disagreement:
        how = {"scored": self.scored, "pairs": {}, "tell": lambda *_: None, **changes}
        return varied(self.universe, self.twice, MEASURES, self.tags, **how)

    def board(self, grades, at: int) -> np.ndarray:
        """A board as `score` has it, of grades by topic and docno."""
        return self.scored(self.under(grades))[at].board

    def variant(self, take) -> dict:
        """Grades where `take` chooses among those of documents judged twice."""
        return {
            pair: take(pair, [*its.values()]) if len(its) > 1 else self.official[pair]
            for pair, its in self.said.items()
        }


@pytest.fixture(scope="module")
def made() -> Made:
    return Made()


TAKEN = {
    ORIGINAL: lambda _, its: its[0],
    SECOND: lambda _, its: its[1],
    UNION: lambda _, its: max(its),
    INTERSECTION: lambda _, its: min(its),
}


def signed(at: int, board) -> np.ndarray:
    return np.round(board, 4) * (-1 if MEASURES[at].family.best.name == "LOWEST" else 1)


def tau(at: int, one, other) -> float:
    return kendalltau(signed(at, one), signed(at, other)).statistic


@pytest.mark.parametrize("at", range(len(MEASURES)))
def test_each_variant_is_scored_as_its_judgments_alone_are(made, at):
    found = made.found().measures[at]
    official = made.board(made.official, at)
    taken = {**TAKEN, ADJUDICATED: lambda pair, its: made.decided.get(pair, its[0])}
    assert [each.variant for each in found.variants] == [*taken]
    assert min(found.runs, key=lambda each: each.run).score == pytest.approx(official[0])
    for n, (of, take) in enumerate(zip(found.variants, taken.values(), strict=True)):
        board = made.board(made.variant(take), at)
        assert of.alike[0][0] == pytest.approx(tau(at, official, board))
        by_tag = {each.run: each.under[n] for each in found.runs}
        assert [by_tag[tag] for tag in made.tags] == pytest.approx(board)


@pytest.mark.parametrize("topic_set", ["judged", "relevant"])
@pytest.mark.parametrize("at", range(len(MEASURES)))
def test_mixtures_are_scored_as_a_loop_over_them_does(at, topic_set, monkeypatch):
    few = partial(mixtures, n=60)
    monkeypatch.setattr("evaluation.core.varied.mixtures", few)
    made = Made(topic_set=topic_set)
    for pair in made.official:  # the first assessor found nothing on a topic, the second did
        if pair[0] == "t2":
            made.said[pair] = {**made.said[pair], "": 0}
            made.official[pair] = 0
    made.universe = made.under(made.official)
    found, official = made.found().measures[at], made.board(made.official, at)
    people = [
        [
            *dict.fromkeys(
                v for (t, _), its in made.said.items() if t == topic and len(its) > 1 for v in its
            )
        ]
        or [""]
        for topic in made.topics
    ]
    chosen = few(np.array([len(each) for each in people]))
    boards = []
    for row in chosen:
        who = {topic: people[t][row[t]] for t, topic in enumerate(made.topics)}
        grades = {
            pair: (its.get(who[pair[0]], next(iter(its.values()))))
            if len(its) > 1
            else made.official[pair]
            for pair, its in made.said.items()
        }
        boards.append(made.board(grades, at))
    taus = [tau(at, official, board) for board in boards]
    assert found.mixtures[0][0] == pytest.approx([np.mean(taus), min(taus), max(taus)])
    by_tag = {each.run: each for each in found.runs}
    for n, tag in enumerate(made.tags):
        own = [board[n] for board in boards]
        run = by_tag[tag]
        assert (run.low, run.mean, run.high) == pytest.approx((min(own), np.mean(own), max(own)))
        places = [1 + sum(signed(at, board) > signed(at, board)[n]) for board in boards]
        assert (run.best, run.worst) == (min(places), max(places))
    order = [each.run for each in found.runs]
    for better, worse in pairwise(order):
        one, other = made.tags.index(better), made.tags.index(worse)
        swapped = sum(signed(at, b)[one] < signed(at, b)[other] for b in boards) / len(boards)
        share = next((s.share for s in found.swaps if (s.better, s.worse) == (better, worse)), 0)
        assert share == (swapped if by_tag[better].place < by_tag[worse].place else 0)


def test_the_first_15_are_those_on_the_first_15_places(made):
    found = made.found().measures[0]
    official, second = (made.board(g, 0) for g in (made.official, made.variant(TAKEN[SECOND])))
    first = signed(0, official) >= sorted(signed(0, official))[-15]
    assert found.tops == [N_RUNS, 15]
    assert found.variants[1].alike[1][0] == pytest.approx(tau(0, official[first], second[first]))
    assert len(found.mixtures) == 2


def test_pairs_that_are_told_apart_otherwise_are_counted():
    made = Made(strength=20)

    def told(grades):
        values = made.scored(made.under(grades))[0].values
        sums = values.sum(axis=1)
        return (all_pairs(values).p <= ALPHA) & (sums[:, None] > sums)

    # Nobody agrees with the first assessor: what was best is worst.
    made.said = {pair: {"": its[""], "ben": 2 - its[""]} for pair, its in made.said.items()}
    made.universe = made.under(made.official)
    found, official = made.found().measures[0], told(made.official)
    assert found.n_told == official.sum() > 0
    for of in found.variants:
        if of.variant in TAKEN:
            other = told(made.variant(TAKEN[of.variant]))
            assert of.n_reversed == (official & other.T).sum()
            assert of.n_lost == (official & ~other & ~other.T).sum()
    assert any(each.n_reversed for each in found.variants)
    assert any(each.n_lost for each in found.variants)


@pytest.mark.parametrize("names", [("zed", "Ada"), ("cleo", "ben"), ("1", "0")])
def test_who_the_assessors_are_changes_no_figure(made, names):
    assert Made(people=("", *names)).found() == made.found()


def test_voices_are_the_assessors_of_a_topic_in_the_order_of_its_documents():
    official = np.array([0, 0, 1, 1], dtype=np.int8)
    judged = [
        Twice(0, 0, {"b": 2, "a": 1}),
        Twice(1, 0, {"a": 0, "c": 3}),
        Twice(3, 1, {"": 1, "a": 0}),
    ]
    found = voices(official, judged, 3)
    assert found.n.tolist() == [3, 2, 1]
    assert [each.tolist() for each in found.grades] == [[2, 0, 1, 1], [1, 0, 1, 0], [2, 3, 1, 1]]
    assert ADJUDICATED not in variants(official, judged)


def test_the_draw_is_seeded_and_takes_every_voice_alike():
    n_voices = np.array([1, 2, 5])
    drawn = mixtures(n_voices)
    assert (drawn == mixtures(n_voices)).all()
    assert drawn.shape == (N_MIXTURES, 3)
    assert set(drawn[:, 0]) == {0}
    assert np.bincount(drawn[:, 2]).min() > N_MIXTURES / 5 - 60


def test_what_says_of_no_run_that_it_is_better_takes_no_part():
    named = {name: says_better(parse(name)) for name in ("AP", "NumRet", "Judged@10", "gm_map")}
    assert named == {"AP": True, "NumRet": False, "Judged@10": False, "gm_map": True}


def test_it_takes_two_runs():
    made = Made()
    made.placed, made.tags = made.placed[:1], made.tags[:1]
    assert made.found().measures == []


def test_a_run_without_a_value_is_left_out():
    made = Made(topic_set="retrieved")
    made.placed[4] = place(ranked({}, DEFAULT_RULES), made.universe)
    tags = {each.run for each in made.found().measures[0].runs}
    assert tags == {*made.tags} - {made.tags[4]}


def test_it_is_stored_as_json_and_progress_is_told(made):
    told = []
    found = made.found(tell=lambda *its: told.append(its))
    stored = json.dumps(found.to_json())
    assert json.dumps(Disagreement.from_json(json.loads(stored)).to_json()) == stored
    assert told == [(n, told[-1][1]) for n in range(1, told[-1][1] + 1)]
