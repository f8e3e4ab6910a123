"""The collection, topics, answers and runs, made once."""

from pathlib import Path

import pytest

from demo.core import answers, collection, retrieval
from trec.topics import parse_topics


@pytest.fixture(scope="session")
def documents():
    return collection.documents()


@pytest.fixture(scope="session")
def topics():
    path = Path(collection.__file__).with_name("topics.txt")
    return parse_topics(path.read_text("utf-8"))


@pytest.fixture(scope="session")
def truth(documents, topics):
    return answers.true_grades(documents, topics)


@pytest.fixture(scope="session")
def made(documents, topics):
    return retrieval.runs(documents, topics)
