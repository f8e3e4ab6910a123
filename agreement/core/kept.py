"""Items judged by several people, from the judgments kept with a version of the qrels."""

import csv
import json
from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime
from itertools import compress, groupby
from typing import NamedTuple

from agreement.core.weights import weights_of
from assess.core.purposes import ADJUDICATION, INDEPENDENT, PRIMARY
from assess.core.sampling import Stratum
from cleverdon.agreement.ratings import Item, Ratings
from cleverdon.trec.cells import restored

Row = Mapping[str, str]


def week_of(day: date) -> int:
    """Return the number of a day's week: its Monday is `monday_of` it."""
    return (day.toordinal() - 1) // 7


def monday_of(week: int) -> date:
    """Return the first day of a week.

    >>> monday_of(week_of(date(2026, 12, 3))).isoformat()
    '2026-11-30'
    """
    return date.fromordinal(7 * week + 1)


def kept_ratings(
    lines: Iterable[str],
    scales: Mapping[str, Sequence[int]],
    strata: Mapping[str, Mapping[str, Stratum]],
    pairs: Container[tuple[str, str]] | None = None,
) -> dict[str, Ratings]:
    """Return what several people answered to each criterion, as of when the lines were written.

    They are those of a file of `JudgmentRecord`s, a document's together. `scales` has the answers
    of each criterion; the first one gave the grades. `strata` are those of topics by docno. Of some
    `pairs` of topic and docno only these are told, weighing what they do among all.
    """
    items: dict[str, list[Item]] = {name: [] for name in scales}
    documents: list[tuple[str, str]] = []
    counting = (row for row in csv.DictReader(lines) if _counts(row))
    for (topic, docno), rows in groupby(counting, lambda row: (row["topic"], row["docno"])):
        given = sorted(rows, key=_order)
        if len(given) < 2:
            continue
        documents.append((restored(topic), restored(docno)))
        week = max(week_of(datetime.fromisoformat(row["changed_at"]).date()) for row in given)
        for name, answers in _by_criterion(given, scales):
            items[name].append((restored(topic), answers, week))
    is_told = [pairs is None or each in pairs for each in documents]
    weights = [*compress(_weights(documents, strata), is_told)]
    return {
        name: Ratings.from_items(compress(items[name], is_told), scale, weights)
        for name, scale in scales.items()
    }


def _weights(
    documents: Sequence[tuple[str, str]], strata: Mapping[str, Mapping[str, Stratum]]
) -> list[float]:
    compared: dict[str, list[str]] = defaultdict(list)
    for topic, docno in documents:
        compared[topic].append(docno)
    by_topic = {topic: weights_of(strata.get(topic, {}), its) for topic, its in compared.items()}
    return [by_topic[topic][docno] for topic, docno in documents]


def _counts(row: Row, kinds: Sequence[str] = INDEPENDENT) -> bool:
    is_judged = row["state"] == "judged" and not row["set_aside_at"]
    return is_judged and row["kind"] in kinds


def _order(row: Row) -> tuple[bool, int]:
    """Put the primary assessor first, then whoever judged first."""
    return row["kind"] != PRIMARY, int(row["judgment"])


def _by_criterion(
    rows: Sequence[Row], scales: Mapping[str, Sequence[int]]
) -> Iterator[tuple[str, list[tuple[str, int]]]]:
    first = next(iter(scales))
    answers = [{**json.loads(row["ratings"] or "{}"), first: int(row["grade"])} for row in rows]
    names = [restored(row["assessor"]) for row in rows]
    for name in scales:
        yield (
            name,
            [(who, its[name]) for who, its in zip(names, answers, strict=True) if name in its],
        )


class Opinions(NamedTuple):
    """What was said of a document: grades by voice, the first one's first, and what was decided.

    A voice is a name: "" of the primary judgments of a topic, of others their assessor's.
    """

    topic: str
    docno: str
    grades: dict[str, int]
    adjudicated: int | None


def opinions(lines: Iterable[str]) -> Iterator[Opinions]:
    """Yield the documents with two independent grades or more; the lines are as above."""
    kinds = (*INDEPENDENT, ADJUDICATION)
    counting = (row for row in csv.DictReader(lines) if _counts(row, kinds))
    for (topic, docno), rows in groupby(counting, lambda row: (row["topic"], row["docno"])):
        grades, adjudicated = dict[str, int](), None
        for row in sorted(rows, key=_order):
            if row["kind"] == ADJUDICATION:
                adjudicated = int(row["grade"])
            else:
                voice = "" if row["kind"] == PRIMARY else restored(row["assessor"])
                grades.setdefault(voice, int(row["grade"]))
        if len(grades) > 1:
            yield Opinions(restored(topic), restored(docno), grades, adjudicated)
