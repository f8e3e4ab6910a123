"""Qrels and runs that a program hands over as mappings: what names and numbers may be in them."""

from collections.abc import Iterable, Iterator, Mapping
from numbers import Integral
from typing import Any

import numpy as np

from cleverdon.measures.inputs.universe import Universe
from cleverdon.trec.arrays import offsets_of
from cleverdon.trec.docnos import Docnos
from cleverdon.trec.qrels import GRADES_BELOW
from cleverdon.trec.ranking import rank_all
from cleverdon.trec.runs.run import RankedRun

QRELS = "{topic: {docno: grade}}"
RUN = "{topic: {docno: score}}"


def name_of(given: object, what: str) -> str:
    """Return a name as text: whole numbers as they are written, bytes as UTF-8.

    TypeError for anything else.

    >>> name_of(301, "topic"), name_of(b"d1", "docno")
    ('301', 'd1')
    """
    if isinstance(given, str):
        return str(given)
    if isinstance(given, bytes):
        return given.decode(errors="surrogateescape")
    if isinstance(given, Integral) and not isinstance(given, bool):
        return str(int(given))
    raise TypeError(f"A {what} is a text, not {_shown(given)}.")


def universe_of(qrels: Mapping[Any, Mapping[Any, Any]]) -> Universe:
    """Take grades by topic and docno.

    TypeError and ValueError, with a sentence, for what is no name, and for a grade that is no whole
    number: none is cut.
    """
    return Universe.from_rows(
        (topic, docno, _grade(grade, docno, topic))
        for topic, grades in _by_topic(qrels, "qrels", QRELS)
        for docno, grade in grades
    )


def ranked(run: Mapping[Any, Mapping[Any, Any]], rules: str) -> RankedRun:
    """Rank scores by topic and docno.

    TypeError and ValueError, with a sentence, for what is no name, and for a score that is not a
    finite number.
    """
    given = {topic: dict(pairs) for topic, pairs in _by_topic(run, "run", RUN)}
    topics = tuple(sorted((topic for topic in given if given[topic]), key=_bytes))
    counts = [len(given[topic]) for topic in topics]
    docnos = Docnos.of(_bytes(docno) for topic in topics for docno in given[topic])
    pairs = [(topic, *pair) for topic in topics for pair in given[topic].items()]
    scores = np.array([_score(score, docno, topic) for topic, docno, score in pairs], np.float64)
    numbers = np.repeat(np.arange(len(topics)), counts)
    order = rank_all(numbers, docnos, scores, rules)
    offsets = offsets_of(np.array(counts, dtype=np.int64))
    return RankedRun(topics, offsets, scores[order], docnos.take(order), "run", rules)


def _by_topic(
    given: Mapping[Any, Any], what: str, layout: str
) -> Iterator[tuple[str, list[tuple[str, Any]]]]:
    """Yield each topic with its pairs; refuse names that are equal as text."""
    for topic, values in _named(given.items(), "topic", f"in the {what}"):
        if not isinstance(values, Mapping):
            raise TypeError(
                f"Topic {topic} of the {what} has {_shown(values)}: give a mapping, {layout}."
            )
        yield topic, list(_named(values.items(), "docno", f"in topic {topic} of the {what}"))


def _named(pairs: Iterable[tuple[object, Any]], what: str, where: str) -> Iterator[tuple[str, Any]]:
    seen: set[str] = set()
    for given, value in pairs:
        name = name_of(given, what)
        if name in seen:
            raise ValueError(f"The {what} {name} comes twice {where}, as a text and otherwise.")
        seen.add(name)
        yield name, value


def _grade(given: Any, docno: str, topic: str) -> int:
    where = f"The grade of document {docno} of topic {topic} is"
    number = _number(given)
    if number is None or not number.is_integer():
        raise ValueError(f"{where} {_shown(given)}, and no whole number.")
    if abs(number) >= GRADES_BELOW:
        raise ValueError(f"{where} {_shown(given)}: it is beyond {GRADES_BELOW - 1:,}.")
    return int(number)


def _score(given: Any, docno: str, topic: str) -> float:
    number = _number(given)
    if number is None or not np.isfinite(number):
        where = f"The score of document {docno} of topic {topic}"
        raise ValueError(f"{where} is {_shown(given)}, and not a finite number.")
    return number


def _number(given: Any) -> float | None:
    """Return a number as a float; None for a text, and for what is none."""
    if type(given) is float:
        return given
    if isinstance(given, str | bytes):
        return None
    try:
        return float(given)
    except (TypeError, ValueError, OverflowError):
        return None


def _shown(given: object) -> str:
    """Show what was given, with its type: of text and numbers in short."""
    text = repr(given)
    text = text if len(text) <= 40 else f"{text[:39]}…"
    return f"{text} ({type(given).__name__})"


def _bytes(name: str) -> bytes:
    return name.encode(errors="surrogateescape")
