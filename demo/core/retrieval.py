"""The example's retrieval systems, their runs, and a run with deliberate faults."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np

from cleverdon.trec.docnos import Docnos
from cleverdon.trec.ranking import rank
from cleverdon.trec.topics import TopicRecord
from demo.core.collection import Docstring
from demo.core.rankers import (
    Index,
    Scorer,
    bm25,
    build_index,
    cosine,
    dirichlet,
    jelinek_mercer,
    overlap,
)
from demo.core.text import Analyzer, pieces, stems, words

RUN_DEPTH = 1000
DECIMALS = 4  # of a written score: single precision keeps every difference


class System(NamedTuple):
    """A retrieval system: what it indexes, what it searches for, and how it scores."""

    tag: str  # begins with the team
    description: str
    ranker: Callable[[Index], Scorer]
    analyzer: Analyzer = stems
    n_titles: int = 1  # how often a document's title is indexed
    with_text: bool = True
    with_description: bool = False  # of the topic

    @property
    def team(self) -> str:
        return self.tag.partition("-")[0].title()

    def terms_of(self, document: Docstring) -> list[str]:
        text = self.analyzer(document.text) if self.with_text else []
        return self.analyzer(document.title) * self.n_titles + text

    def query_of(self, topic: TopicRecord) -> list[str]:
        description = topic.description if self.with_description else ""
        return self.analyzer(f"{topic.title} {description}")


SYSTEMS = (
    System(
        "aldgate-bm25",
        "BM25 as Lucene has it (k1 0.9, b 0.4) over title and text; plurals stemmed; topic title.",
        partial(bm25, method="lucene", k1=0.9, b=0.4),
    ),
    System(
        "aldgate-bm25-desc",
        "BM25 after Robertson (k1 1.2, b 0.75), title indexed twice; plurals stemmed; "
        "topic title and description.",
        partial(bm25, method="robertson", k1=1.2, b=0.75),
        n_titles=2,
        with_description=True,
    ),
    System(
        "aldgate-bm25l",
        "BM25L (k1 1.5, b 0.75), which penalizes long documents less; plurals stemmed; "
        "topic title.",
        partial(bm25, method="bm25l", k1=1.5, b=0.75),
    ),
    System(
        "aldgate-titles",
        "BM25 (k1 0.9, b 0.4) over document titles only; plurals stemmed; topic title.",
        partial(bm25, method="lucene", k1=0.9, b=0.4),
        with_text=False,
    ),
    System(
        "cranfield-tfidf",
        "Cosine of tf-idf vectors (ltc.ltc) over title and text; plurals stemmed; topic title.",
        cosine,
    ),
    System(
        "cranfield-jm",
        "Query likelihood with Jelinek-Mercer smoothing (0.1); no stemming; topic title.",
        partial(jelinek_mercer, smoothing=0.1),
        pieces,
    ),
    System(
        "cranfield-dirichlet",
        "Query likelihood with a Dirichlet prior of 100 terms; plurals stemmed; topic title.",
        partial(dirichlet, prior=100),
    ),
    System(
        "cranfield-overlap",
        "A baseline: the number of query words in the document, stop words included, "
        "shorter documents first.",
        overlap,
        words,
    ),
)


class Collection:
    """Documents with an index for each choice of terms, shared by the systems that make it."""

    def __init__(self, documents: Sequence[Docstring]) -> None:
        self.documents = documents
        self.docnos = Docnos.of(document.docno.encode() for document in documents)
        self._indexes: dict[object, Index] = {}

    def index_for(self, system: System) -> Index:
        terms = (system.analyzer, system.n_titles, system.with_text)
        if terms not in self._indexes:
            self._indexes[terms] = build_index([system.terms_of(each) for each in self.documents])
        return self._indexes[terms]


def run_of(system: System, collection: Collection, topics: Sequence[TopicRecord]) -> str:
    """Return the text of a run: at most 1000 documents a topic, each with a query term."""
    index, docnos = collection.index_for(system), collection.docnos
    scorer = system.ranker(index)
    line = f"{{}} Q0 {{}} {{}} {{:.{DECIMALS}f}} {system.tag}\n"
    lines: list[str] = []
    for topic in topics:
        query = system.query_of(topic)
        retrieved = np.flatnonzero(index.matches(query))
        scores = scorer(query)[retrieved].round(DECIMALS)
        names = docnos.take(retrieved)
        best = rank(names, scores)[:RUN_DEPTH].tolist()
        lines += [
            line.format(topic.number, names[row].decode(), place, scores[row])
            for place, row in enumerate(best, 1)
        ]
    return "".join(lines)


FAULTY_TAG = "cranfield-faulty"
TOPIC, DOCNO, RANK, SCORE, TAG = 0, 2, 3, 4, 5  # the columns of a run
WRONG_VALUES = {  # by line, counted from 1
    13: (SCORE, "high"),
    16: (SCORE, "nan"),
    19: (SCORE, "inf"),
    22: (SCORE, "3,14"),
    25: (TOPIC, "999"),  # the campaign does not have it
    28: (TAG, "another-run"),
    31: (RANK, "31.5"),
}
FAULTY_LINES = (4, 7, 10, *WRONG_VALUES)


def faulty_run(run_text: str) -> str:
    """Put a fault into each of `FAULTY_LINES` of a run, and give it the tag `FAULTY_TAG`.

    ValueError if the first topic has too few lines.
    """
    lines = [[*line.split()[:TAG], FAULTY_TAG] for line in run_text.splitlines()]
    last = FAULTY_LINES[-1]
    if len({line[TOPIC] for line in lines[:last]}) != 1 or len(lines) < last:
        raise ValueError(f"The faults need a run whose first topic has at least {last} documents.")
    del lines[3][TAG]
    head, _, tail = lines[6][DOCNO].partition(".")
    lines[6][DOCNO] = f"{head} {tail or 'part'}"  # a docno with a blank
    lines[9][DOCNO] = lines[7][DOCNO]  # a docno twice in a topic
    for number, (column, value) in WRONG_VALUES.items():
        lines[number - 1][column] = value
    return "".join(" ".join(line) + "\n" for line in lines)
