"""The whole collection of the example and its answers; its runs are looked at where the demo is
started.
"""

import inspect
import json
from collections import Counter
from pathlib import Path

import pytest

from cleverdon.trec.topics import parse_topics
from demo.core import collection, true_grades

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def documents():
    return collection.documents()


@pytest.fixture(scope="module")
def topics():
    path = Path(collection.__file__).with_name("topics.txt")
    return parse_topics(path.read_text("utf-8"))


@pytest.fixture(scope="module")
def truth(documents, topics):
    return true_grades.true_grades(documents, topics)


# The collection


def test_there_are_thousands_of_documents_and_no_docno_twice(documents):
    assert len(documents) > 4000
    assert len({document.docno for document in documents}) == len(documents)


def test_every_document_has_a_docno_a_title_and_text_that_can_be_stored(documents):
    for document in documents:
        assert document.docno.isascii()
        assert document.docno.split() == [document.docno]
        assert 0 < len(document.title) <= 160
        assert len(document.text) >= 40
        document.text.encode("utf-8")
        assert not collection.UNPRINTABLE.search(document.text)


def test_the_text_is_what_python_itself_calls_the_documentation(documents):
    texts = {document.docno: document.text for document in documents}
    assert texts["json.loads"] == inspect.getdoc(json.loads).strip()


# The topics and their answers


def test_the_topics_are_fourteen_numbered_in_order_and_complete(topics):
    assert [topic.number for topic in topics] == [str(n) for n in range(101, 115)]
    for topic in topics:
        assert topic.title
        assert topic.description.endswith(("?", "."))
        assert all(f"({level})" in topic.narrative for level in (1, 2, 3))


def test_relevant_documents_are_few_of_every_grade_and_in_the_collection(documents, truth):
    docnos = {document.docno for document in documents}
    for number, grades in truth.items():
        counts = Counter(grades.values())
        assert set(counts) == {1, 2, 3}, number
        assert counts[2] + counts[3] >= 2, number
        assert 5 <= len(grades) < len(docnos) / 50, number
        assert set(grades) <= docnos


def test_well_known_answers_have_the_highest_grade(truth):
    assert truth["101"]["tempfile.TemporaryDirectory"] == 3
    assert truth["103"]["heapq.heappush"] == 3
    assert truth["106"]["html.escape"] == 3
    assert truth["110"]["subprocess.run"] == 3
    assert truth["114"]["secrets.token_hex"] == 3
    assert "random.Random.choice" not in truth["114"]
