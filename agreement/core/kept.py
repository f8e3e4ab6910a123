"""Items judged by several people, from the judgments kept with a version of the qrels."""

import csv
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime
from itertools import groupby

from assess.core.purposes import INDEPENDENT, PRIMARY
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


def kept_ratings(lines: Iterable[str], scales: Mapping[str, Sequence[int]]) -> dict[str, Ratings]:
    """Return what several people answered to each criterion, as of when the lines were written.

    They are those of a file of `JudgmentRecord`s, a document's together. `scales` has the answers
    of each criterion; the first one gave the grades.
    """
    items: dict[str, list[Item]] = {name: [] for name in scales}
    counting = (row for row in csv.DictReader(lines) if _counts(row))
    for (topic, _), rows in groupby(counting, lambda row: (row["topic"], row["docno"])):
        given = sorted(rows, key=lambda row: (row["kind"] != PRIMARY, int(row["judgment"])))
        week = max(week_of(datetime.fromisoformat(row["changed_at"]).date()) for row in given)
        for name, answers in _by_criterion(given, scales):
            items[name].append((restored(topic), answers, week))
    return {name: Ratings.from_items(items[name], scale) for name, scale in scales.items()}


def _counts(row: Row) -> bool:
    is_judged = row["state"] == "judged" and not row["set_aside_at"]
    return is_judged and row["kind"] in INDEPENDENT


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
