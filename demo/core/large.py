"""A large campaign, drawn from a seed: topics, their true grades, and the runs of many systems.

Only the documents are real. A topic asks for the most distinctive words of one document, its
source. A document's true grade counts how many of these words it has. A run mixes the scores of the
example's retrieval systems with weights of its own, and adds noise.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from cleverdon.trec.arrays import Floats
from cleverdon.trec.docnos import Docnos
from cleverdon.trec.ranking import rank
from cleverdon.trec.topics import TopicRecord
from demo.core.collection import Docstring
from demo.core.retrieval import DECIMALS, SYSTEMS, Collection
from demo.core.text import pieces, singular, stems

WORDS_PER_TOPIC = 4
RAREST = 8  # documents with a word of a topic, at least
SHORTEST_SOURCE = 200  # characters
NOISE = 0.05  # its standard deviation; the best document of a system has score 1
CONCENTRATION = 0.4  # of the Dirichlet distribution: below 1, most runs are close to one system


class ExampleSize(NamedTuple):
    n_runs: int
    n_topics: int
    n_assessors: int
    n_teams: int
    run_depth: int  # documents for each topic
    pool_depth: int


LARGE = ExampleSize(80, 200, 30, 20, run_depth=200, pool_depth=20)

Truth = dict[str, dict[str, int]]


def topics_of(
    documents: Sequence[Docstring], n_topics: int, rng: np.random.Generator
) -> list[TopicRecord]:
    """Return topics numbered from 1, each of the most distinctive words of a drawn document.

    ValueError if too few documents are long enough.
    """
    words = [Counter(stems(document.text)) for document in documents]
    n_with = Counter(word for counts in words for word in counts)
    sources = [n for n, each in enumerate(documents) if len(each.text) >= SHORTEST_SOURCE]
    topics: list[TopicRecord] = []
    for index in rng.permutation(sources).tolist():
        chosen = _distinctive(words[index], n_with)
        if len(chosen) == WORDS_PER_TOPIC and len(topics) < n_topics:
            shown = _as_written(chosen, documents[index].text)
            topics.append(_topic(str(len(topics) + 1), shown, documents[index]))
    if len(topics) < n_topics:
        raise ValueError(f"{n_topics} topics need more documents than these.")
    return topics


def _distinctive(counts: Mapping[str, int], n_with: Mapping[str, int]) -> list[str]:
    """Return a document's words with the highest tf-idf, without the rarest."""
    weights = {
        word: (count / n_with[word], word)
        for word, count in counts.items()
        if n_with[word] >= RAREST and word.isalpha() and len(word) > 2
    }
    return sorted(weights, key=weights.__getitem__, reverse=True)[:WORDS_PER_TOPIC]


def _as_written(terms: Sequence[str], text: str) -> list[str]:
    """Return the words of a text that most often stand for these terms: no "processe"."""
    found = Counter(pieces(text))
    most = sorted(found, key=lambda word: (-found[word], word))
    return [next(word for word in most if singular(word) == term) for term in terms]


def _topic(number: str, words: Sequence[str], source: Docstring) -> TopicRecord:
    listed = f"{', '.join(words[:-1])} and {words[-1]}"
    return TopicRecord(
        number,
        " ".join(words),
        f"Which documentation speaks of {listed}, as that of {source.docno} does?",
        "A document with all four words is highly relevant (3), with three relevant (2), "
        "with two partly relevant (1).",
    )


def true_grades(documents: Sequence[Docstring], topics: Sequence[TopicRecord]) -> Truth:
    """Return, per topic number, the grade 1 to 3 of each relevant docno; others have grade 0."""
    with_word: dict[str, set[str]] = {}
    for document in documents:
        for word in set(stems(f"{document.title} {document.text}")):
            with_word.setdefault(word, set()).add(document.docno)
    return {topic.number: _grades(topic, with_word) for topic in topics}


def _grades(topic: TopicRecord, with_word: Mapping[str, set[str]]) -> dict[str, int]:
    words = stems(topic.title)
    n_words = Counter(docno for word in words for docno in with_word.get(word, ()))
    return {docno: n - 1 for docno, n in n_words.items() if n > 1}


def runs_of(
    documents: Sequence[Docstring],
    topics: Sequence[TopicRecord],
    tags: Sequence[str],
    depth: int,
    rng: np.random.Generator,
) -> Iterator[str]:
    weights = rng.dirichlet([CONCENTRATION] * len(SYSTEMS), size=len(tags))
    docnos = Docnos.of(document.docno.encode() for document in documents)
    parts: list[list[str]] = [[] for _ in tags]
    for topic, scores in zip(topics, _scores(documents, topics), strict=True):
        mixed = weights @ scores
        mixed += NOISE * rng.standard_normal(mixed.shape)
        for tag, row, part in zip(tags, mixed.round(DECIMALS), parts, strict=True):
            part.append(_lines(topic.number, tag, row, docnos, depth))
    return ("".join(part) for part in parts)


def _scores(documents: Sequence[Docstring], topics: Sequence[TopicRecord]) -> list[Floats]:
    """Return scores [systems x documents] for each topic; the best of a system is 1."""
    by_system, collection = [], Collection(documents)
    for system in SYSTEMS:
        scorer = system.ranker(collection.index_for(system))
        rows = [scorer(system.query_of(topic)) for topic in topics]
        by_system.append([row / (np.abs(row).max() or 1) for row in rows])
    return [np.array(rows) for rows in zip(*by_system, strict=True)]


def _lines(topic: str, tag: str, scores: Floats, docnos: Docnos, depth: int) -> str:
    """Return the lines of one topic of a run: its first `depth` documents."""
    first = np.arange(len(scores))
    if depth < len(scores):
        first = np.argpartition(scores, -depth)[-depth:]
    names, values = docnos.take(first), scores[first]
    return "".join(
        f"{topic} Q0 {names[row].decode()} {position} {values[row]:.{DECIMALS}f} {tag}\n"
        for position, row in enumerate(rank(names, values).tolist(), 1)
    )
