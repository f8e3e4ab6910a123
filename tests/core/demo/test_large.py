import numpy as np
import pytest

from demo.core.collection import Docstring
from demo.core.large import SHORTEST_SOURCE, runs_of, topics_of, true_grades
from demo.core.text import pieces, stems

NAMES = "alpha bravo charlie delta echo foxtrot golf hotel india juliet"
WORDS = NAMES.split()
FILLER = " and" * SHORTEST_SOURCE  # long enough for a source, and a stop word


def documents(n: int = 60) -> list[Docstring]:
    """Documents with seven of the ten words each, of which a few come twice."""
    return [
        Docstring(f"m.f{i}", f"f{i}", " ".join(WORDS[(i * k) % 10] for k in range(1, 8)) + FILLER)
        for i in range(n)
    ]


def rng() -> np.random.Generator:
    return np.random.default_rng(3)


def test_topics_are_numbered_and_each_asks_for_words_of_one_document():
    texts = {tuple(stems(each.text)) for each in documents()}
    topics = topics_of(documents(), 12, rng())
    assert [topic.number for topic in topics] == [str(n) for n in range(1, 13)]
    for topic in topics:
        assert any(set(topic.title.split()) <= set(text) for text in texts)
        assert len(set(topic.title.split())) == 4


def test_a_topic_has_words_as_its_document_writes_them():
    plural = [
        Docstring(each.docno, each.title, each.text.replace("alpha", "processes"))
        for each in documents()
    ]
    topics = topics_of(plural, 12, rng())
    words = {word for topic in topics for word in topic.title.split()}
    assert words <= {word for each in plural for word in pieces(each.text)}
    assert "processes" in words
    truth = true_grades(plural, topics)
    assert all(3 in truth[topic.number].values() for topic in topics)


def test_too_few_documents_are_refused():
    with pytest.raises(ValueError, match="more documents"):
        topics_of(documents(5), 12, rng())


def test_a_true_grade_is_one_less_than_the_words_found():
    topics = topics_of(documents(), 5, rng())
    truth = true_grades(documents(), topics)
    for topic in topics:
        for document in documents():
            found = set(topic.title.split()) & set(stems(document.text))
            assert truth[topic.number].get(document.docno, 0) == max(0, len(found) - 1)


def test_a_run_ranks_each_topics_first_documents_by_score():
    topics = topics_of(documents(), 3, rng())
    first, second = runs_of(documents(), topics, ["one", "two"], 8, rng())
    rows = [line.split() for line in first.splitlines()]
    assert [row[0] for row in rows] == [t.number for t in topics for _ in range(8)]
    assert [int(row[3]) for row in rows] == list(range(1, 9)) * 3
    for start in range(0, 24, 8):
        scores = [float(row[4]) for row in rows[start : start + 8]]
        assert scores == sorted(scores, reverse=True)
        assert len({row[2] for row in rows[start : start + 8]}) == 8
    assert {row[5] for row in rows} == {"one"}
    assert [row.split()[2] for row in second.splitlines()] != [row[2] for row in rows]


def test_the_same_seed_makes_the_same_runs():
    topics = topics_of(documents(), 3, rng())
    made = [list(runs_of(documents(), topics, ["one"], 8, rng())) for _ in range(2)]
    assert made[0] == made[1]
