"""Damaged files of every kind, at their readers: read, or refused with one sentence, and soon."""

import io
import os
from collections.abc import Callable
from time import process_time

import pytest

from assess.core.known_grades import read_known
from cleverdon.trec.archives import Bounds, files, is_archive
from cleverdon.trec.documents import read_documents
from cleverdon.trec.field_names import OF_TOPICS
from cleverdon.trec.qrels import STRICT, read_qrels
from cleverdon.trec.recognize import (
    BEGINNING,
    first_line_in_doubt,
    format_of,
    looks_like,
    not_qrels,
)
from cleverdon.trec.runs.check import check_run
from cleverdon.trec.runs.faults import with_lines
from cleverdon.trec.runs.read import first_tag
from cleverdon.trec.signatures import not_a_table
from cleverdon.trec.streams import opened, told
from cleverdon.trec.three_columns import four_columns, is_qrels, is_run, six_columns
from cleverdon.trec.topics import read_topics
from collection.core.hypertext.page import read_page
from runs.core.run_table import read_run_table
from tests.spoiled import WHOLE, spoiled_file

LIMIT = 1 << 22
MOST_SECONDS = 1.0  # of processor, of a file of at most some 100 kB, on a machine that is busy
IS_DEEP = os.environ.get("HYPOTHESIS_PROFILE") == "deep"
N_FILES = int(os.environ.get("SPOILED_FILES", "1000" if IS_DEEP else "40"))


def stream(content: bytes) -> io.BytesIO:
    return opened(io.BytesIO(content), limit=LIMIT, max_expansion=100)  # type: ignore[return-value]


def topics(content: bytes) -> None:
    first_line_in_doubt(content[:BEGINNING].decode(errors="replace"), OF_TOPICS)
    read_topics(stream(content))


def documents(content: bytes) -> None:
    beginning = content[:BEGINNING].decode(errors="replace")
    for tell in (first_line_in_doubt, format_of, looks_like):
        tell(beginning)
    not_a_table(content[:BEGINNING])
    for record in read_documents(stream(content), is_html=len(content) % 2 == 0):
        if record.html:
            read_page(record.html)


def qrels(content: bytes) -> None:
    not_qrels(content[:BEGINNING].decode(errors="replace"))
    source = four_columns(io.BytesIO(content)) if is_qrels(content[:BEGINNING]) else stream(content)
    read_qrels(io.BytesIO(b"".join(source)), layout=STRICT)


def known_grades(content: bytes) -> None:
    _, faults = read_known(stream(content).read())
    if faults:
        raise ValueError(" ".join(told(faults)[:1]))


def runs(content: bytes) -> None:
    source = content
    if is_run(content[:BEGINNING]):
        source = b"".join(six_columns(io.BytesIO(content), "one"))
    tag = first_tag(stream(source))
    report = check_run(stream(source), tag=tag, topics=["1", "2"]).report
    with_lines(report, stream(source))
    for error in report.errors:
        raise ValueError(error.message)


def archives(content: bytes) -> None:
    bounds = Bounds(LIMIT, LIMIT, 100)
    is_archive(io.BytesIO(content))
    for member in files(io.BytesIO(content), bounds):
        member.content.read()


READERS: dict[str, Callable[[bytes], object]] = {
    "topics": topics,
    "documents": documents,
    "qrels": qrels,
    "known grades": known_grades,
    "runs": runs,
    "archives": archives,
    "tables": read_run_table,
}


def test_every_kind_has_a_reader():
    assert READERS.keys() == WHOLE.keys()


@pytest.mark.parametrize("kind", READERS)
def test_a_damaged_file_is_read_or_soon_refused_with_a_sentence(kind):
    for seed in range(N_FILES):
        content, sentence = spoiled_file(kind, seed), ""
        begun = process_time()
        try:
            READERS[kind](content)
        except ValueError as refusal:  # as FormatError is, and what forms and jobs take for one
            sentence = str(refusal)
            assert len(sentence) < 500, (seed, sentence)
            assert sentence.isprintable(), (seed, sentence)
            assert sentence.endswith((".", "?")), (seed, sentence)
        assert process_time() - begun < MOST_SECONDS, (seed, sentence)
