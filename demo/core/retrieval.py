"""The example's retrieval systems, their runs, and a run with planted faults."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from demo.core import rankers
from demo.core.collection import Document
from demo.core.index import Floats, Index, build
from demo.core.rankers import Ranker, Scorer
from demo.core.text import Analyzer, pieces, stems, words
from demo.core.topics import Topic
from trec.docnos import Docnos
from trec.ranking import rank

DEPTH = 1000
# Decimals of a written score: few enough that single precision keeps every difference.
DECIMALS = 4

FAULTY_TAG = "cranfield-faulty"
TOPIC, DOCNO, RANK, SCORE, TAG = 0, 2, 3, 4, 5  # the columns of a run

Lines = Sequence[Sequence[str]]
Spoil = Callable[[Lines, int], list[str]]


class RunText(NamedTuple):
    """A run as a participant would upload it: six columns a line."""

    tag: str
    team: str
    description: str
    text: str


class System(NamedTuple):
    """One system: what it indexes, what it asks, and how it scores."""

    tag: str
    team: str
    description: str
    analyzer: Analyzer
    ranker: Ranker
    n_titles: int = 1  # how often a document's title is indexed
    with_text: bool = True
    with_description: bool = False  # of the topic

    def terms_of(self, document: Document) -> list[str]:
        """Return the terms of a document that this system indexes."""
        text = self.analyzer(document.text) if self.with_text else []
        return self.analyzer(document.title) * self.n_titles + text

    def query_of(self, topic: Topic) -> list[str]:
        """Return the terms that this system looks for."""
        return self.analyzer(
            f"{topic.title} {topic.description if self.with_description else ''}"
        )


SYSTEMS = (
    System(
        "aldgate-bm25",
        "Aldgate",
        "BM25 as Lucene has it (k1 0.9, b 0.4) over title and text; plurals stemmed; topic title.",
        stems,
        rankers.bm25("lucene", k1=0.9, b=0.4),
    ),
    System(
        "aldgate-bm25-desc",
        "Aldgate",
        "BM25 after Robertson (k1 1.2, b 0.75), title indexed twice; plurals stemmed; topic title and description.",
        stems,
        rankers.bm25("robertson", k1=1.2, b=0.75),
        n_titles=2,
        with_description=True,
    ),
    System(
        "aldgate-bm25l",
        "Aldgate",
        "BM25L (k1 1.5, b 0.75), which is kinder to long documents; plurals stemmed; topic title.",
        stems,
        rankers.bm25("bm25l", k1=1.5, b=0.75),
    ),
    System(
        "aldgate-titles",
        "Aldgate",
        "BM25 (k1 0.9, b 0.4) over document titles only; plurals stemmed; topic title.",
        stems,
        rankers.bm25("lucene", k1=0.9, b=0.4),
        with_text=False,
    ),
    System(
        "cranfield-tfidf",
        "Cranfield",
        "Cosine of tf-idf vectors (ltc.ltc) over title and text; plurals stemmed; topic title.",
        stems,
        rankers.cosine,
    ),
    System(
        "cranfield-jm",
        "Cranfield",
        "Query likelihood with Jelinek-Mercer smoothing (0.1); no stemming; topic title.",
        pieces,
        rankers.jelinek_mercer(smoothing=0.1),
    ),
    System(
        "cranfield-dirichlet",
        "Cranfield",
        "Query likelihood with a Dirichlet prior of 100 terms; plurals stemmed; topic title.",
        stems,
        rankers.dirichlet(prior=100),
    ),
    System(
        "cranfield-overlap",
        "Cranfield",
        "A baseline: the number of query words in the document, stop words included, shorter documents first.",
        words,
        rankers.overlap,
    ),
)


def run_of(
    system: System, documents: Sequence[Document], topics: Sequence[Topic]
) -> RunText:
    """Run one system over the collection: at most 1000 documents a topic, each with a term of the query."""
    index = build([system.terms_of(document) for document in documents])
    scorer = system.ranker(index)
    docnos = Docnos.of(document.docno.encode() for document in documents)
    blocks = [topic_lines(system, topic, index, scorer, docnos) for topic in topics]
    return RunText(system.tag, system.team, system.description, "".join(blocks))


def topic_lines(
    system: System, topic: Topic, index: Index, scorer: Scorer, docnos: Docnos
) -> str:
    """Return the lines of one topic: the documents that match the query, best first."""
    query = system.query_of(topic)
    retrieved = np.flatnonzero(index.matches(query))
    scores: Floats = scorer(query)[retrieved].round(DECIMALS)
    names = docnos.take(retrieved)
    order = rank(names, scores)[:DEPTH].tolist()
    return "".join(
        f"{topic.number} Q0 {names[index].decode()} {position} {scores[index]:.{DECIMALS}f} {system.tag}\n"
        for position, index in enumerate(order, start=1)
    )


class Fault(NamedTuple):
    """A fault planted in one line."""

    line: int  # counted from 1
    what: str
    spoil: Spoil  # takes all lines, split into columns, and the index of this one

    def planted(self, lines: Lines) -> list[str]:
        """Return the columns of the spoiled line."""
        return self.spoil(lines, self.line - 1)


def replaced(column: int, value: str) -> Spoil:
    """Write `value` into one column."""
    return lambda lines, index: [
        *lines[index][:column],
        value,
        *lines[index][column + 1 :],
    ]


def repeated(distance: int) -> Spoil:
    """Repeat the docno of the line `distance` lines above."""
    return lambda lines, index: replaced(DOCNO, lines[index - distance][DOCNO])(
        lines, index
    )


def without_tag(lines: Lines, index: int) -> list[str]:
    return list(lines[index][:TAG])


def split_docno(lines: Lines, index: int) -> list[str]:
    head, _, tail = lines[index][DOCNO].partition(".")
    return [*lines[index][:DOCNO], head, tail or "part", *lines[index][RANK:]]


FAULTS = (
    Fault(4, "five columns: the tag is missing", without_tag),
    Fault(7, "seven columns: the docno contains a blank", split_docno),
    Fault(10, "the docno of line 8 again, in the same topic", repeated(2)),
    Fault(13, "a score that is not a number", replaced(SCORE, "high")),
    Fault(16, "NaN as the score", replaced(SCORE, "nan")),
    Fault(19, "an infinite score", replaced(SCORE, "inf")),
    Fault(22, "a score with a decimal comma", replaced(SCORE, "3,14")),
    Fault(25, "a topic that the campaign does not have", replaced(TOPIC, "999")),
    Fault(28, "the tag of another run", replaced(TAG, "another-run")),
    Fault(31, "a rank that is not an integer", replaced(RANK, "31.5")),
)


def faulty_run(run_text: str) -> str:
    """Plant `FAULTS` in a run of six columns and give it the tag FAULTY_TAG.

    Raises ValueError if the first topic is too short to hold them all.
    """
    lines = [[*line.split()[:TAG], FAULTY_TAG] for line in run_text.splitlines()]
    last = FAULTS[-1].line
    if len({line[TOPIC] for line in lines[:last]}) != 1 or len(lines) < last:
        raise ValueError(
            f"The faults need a run whose first topic has at least {last} documents."
        )
    spoiled = {fault.line - 1: fault.planted(lines) for fault in FAULTS}
    return "".join(
        " ".join(spoiled.get(index, line)) + "\n" for index, line in enumerate(lines)
    )
