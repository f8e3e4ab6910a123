"""One run beside the others its reader may see, by measure and topic."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import inf, isnan
from typing import Any, NamedTuple

import numpy as np

from cleverdon.significance.pairs import AllPairs
from cleverdon.trec.arrays import Floats
from cleverdon.trec.ordering import natural_key
from cleverdon.trec.words import ordinal
from evaluation.core.columns import MeasureColumn
from evaluation.core.retrieved import Found
from evaluation.core.standing import Standing, compared_pairs, places_alone, why_no_interval
from evaluation.core.topics import FIRST_PLACES, Among, among, place, spread
from evaluation.figures.board import ByMeasure
from evaluation.models.scores import Score

N_STRIPS, N_LOST = 4, 4
MOST_AT_ONCE = 100  # runs
ORDERS = {"hardest": "Hardest", "below": "Below median", "number": "Number"}


class TitledTopic(NamedTuple):
    """A topic of the campaign: its title, and its key for a link."""

    title: str
    pk: int | None


@dataclass(frozen=True)
class RunScores(ByMeasure):
    """One run's score among those that the reader may see, by one measure.

    `everybody` holds the scores of all runs, for readers who may know only their spread.
    """

    score: Score
    scores: Sequence[Score]
    sees_all_runs: bool
    everybody: Sequence[Score] = ()

    @property
    def own(self) -> int:
        return next(n for n, each in enumerate(self.scores) if each.pk == self.score.pk)

    @property
    def standing(self) -> Standing | None:
        """How the run stands by the measure, if the runs have been compared."""
        return self.score.standing(self.at)

    @property
    def interval(self) -> str:
        """The interval of the run's value as it is written; "" without one."""
        ends = self.standing and self.standing.ends
        return " to ".join(map(self.column.text, ends)) if ends else ""

    @property
    def why_no_interval(self) -> str:
        """Why there is no interval once the runs were compared; "" with one, and before."""
        if self.interval or not self.score.standings:
            return ""
        return why_no_interval(self.evaluation.parsed[self.at], self.score.n_topics)

    @cached_property
    def alone(self) -> tuple[int, int] | None:
        """The first and the last place that this run alone may have, for who sees all runs.

        Among so many that a page would wait there are none.
        """
        is_told = self.sees_all_runs and len(self.scores) <= MOST_AT_ONCE
        if not is_told or not (self.standing and self.standing.best):
            return None
        values, measure = self.values(self.scores), self.evaluation.parsed[self.at]
        return places_alone(values, ~np.isnan(values), measure, self.own)

    @property
    def knows_median(self) -> bool:
        return self.sees_all_runs or bool(self.everybody)

    @property
    def is_waiting(self) -> bool:
        """Whether a worker has yet to compare the runs, which are too many for a page to do it."""
        return len(self.scores) > MOST_AT_ONCE and not self.score.standings

    @cached_property
    def pairs(self) -> AllPairs | None:
        """All pairs of the runs: as a worker has stored them, for readers who see all runs."""
        stored = self.evaluation.pairs.filter(measure=self.by).first()
        if stored and self.sees_all_runs:
            return stored.among(each.pk for each in self.scores)
        values = self.values(self.scores)
        return compared_pairs(values, ~np.isnan(values), self.evaluation.parsed[self.at])

    def values(self, scores: Sequence[Score]) -> Floats:
        """Return the values of runs by the measure, [runs x topics]."""
        return self.evaluation.values(scores, self.at)

    def among(self) -> list[Among | None]:
        """Return the run's place on each topic, or only the spread of all runs there."""
        if self.sees_all_runs:
            return among(self.values(self.scores), self.own, self.column.sign)
        if self.everybody:
            return spread(self.values(self.everybody))
        return [None] * len(self.evaluation.topics)

    def texts(self, values: Sequence[float]) -> list[str]:
        """Write the values of all measures."""
        return [each.text(value) for each, value in zip(self.columns, values, strict=True)]


def heading(run: RunScores) -> str:
    """Return "bm25 is 3rd of 8 by AP, at 0.395 (places 1 to 5)".

    To a team that sees no other runs it is the score alone.
    """
    tag, column = run.score.run.tag, run.column
    values = [each.aggregates[run.at] for each in run.scores]
    value = run.score.aggregates[run.at]
    if not run.sees_all_runs or len(values) == 1:
        return f"{tag} has {column.name} {column.text(value)}"
    where = ordinal(place(values, value, column.sign))
    text = f"{tag} is {where} of {len(values):,} by {column.name}, at {column.text(value)}"
    standing = run.standing
    if standing is None or standing.best == standing.worst:
        return text
    return f"{text} (places {standing.best} to {standing.worst})"


class MeasureStrip(NamedTuple):
    """A run by one measure among all that the reader sees: its place in words, all values."""

    tag: str
    column: MeasureColumn
    value: float
    place: str
    values: list[float]
    has_median: bool

    @property
    def text(self) -> str:
        return self.column.text(self.value)


def strips(run: RunScores) -> list[MeasureStrip]:
    """Return the run by four measures, the sorted one first and the share judged last."""
    columns = run.columns
    order = [run.at, *(n for n in range(len(columns)) if n != run.at)]
    order.sort(key=lambda n: columns[n].is_share and n != run.at)
    shares = [n for n in order if columns[n].is_share][:1]
    rest = [n for n in order if n not in shares]
    return [_strip(run, n) for n in [*rest[: N_STRIPS - len(shares)], *shares]]


def _strip(run: RunScores, n: int) -> MeasureStrip:
    column, value = run.columns[n], run.score.aggregates[n]
    values = [each.aggregates[n] for each in run.scores]
    if len(values) > 1:
        whose = f"{len(values):,}" if run.sees_all_runs else f"your {len(values):,} runs"
        text = f"{ordinal(place(values, value, column.sign))} of {whose}"
        text += " by value" if column.best == "none" else ""
    else:
        text = "the only run" if run.sees_all_runs else "your only run here"
    everybody = [each.aggregates[n] for each in run.everybody] or values
    if run.knows_median and len(everybody) > 1:
        text += f"; median of all {column.text(float(np.median(everybody)))}"
    has_median = run.sees_all_runs and len(values) > 2
    return MeasureStrip(run.score.run.tag, column, value, text, values, has_median)


@dataclass(frozen=True)
class TopicRow:
    """A run on one topic, NaN where the topic does not count, and its place among all runs.

    `among` and `found` are None to a reader who may not know them.
    """

    number: str
    topic: TitledTopic
    value: float
    text: str
    among: Among | None
    to_median: str
    found: Found | None

    @property
    def is_below(self) -> bool:
        return self.among is not None and self.value < self.among.median

    @property
    def lost(self) -> float:
        """How far the value is below the median."""
        return self.among.median - self.value if self.among else 0.0


def topic_rows(
    run: RunScores, topics: Mapping[str, TitledTopic], found: Mapping[str, Found]
) -> list[TopicRow]:
    """Return a row for each topic, in the order of their numbers."""
    column, values = run.column, run.values([run.score])[0].tolist()
    rows = [
        TopicRow(
            number,
            topics.get(number, TitledTopic("", None)),
            value,
            column.text(value),
            each,
            column.change(value, each.median) if each else "",
            found.get(number),
        )
        for number, value, each in zip(run.evaluation.topics, values, run.among(), strict=True)
    ]
    return sorted(rows, key=lambda row: natural_key(row.number))


def ordered(rows: Sequence[TopicRow], order: str, sign: int) -> list[TopicRow]:
    """Order topics: hardest first, only those below the median, farthest first, or by number."""
    if order == "below":
        below = [row for row in rows if row.is_below]
        return sorted(below, key=lambda row: -row.lost)
    if order == "number":
        return list(rows)
    return sorted(rows, key=lambda row: _ease(row, sign))


def _ease(row: TopicRow, sign: int) -> float:
    """Return the sort key of a topic; topics that do not count come last."""
    value = row.among.median if row.among else row.value
    return inf if isnan(value) else sign * value


def topic_counts(rows: Sequence[TopicRow]) -> dict[str, Any]:
    """Return on how many topics the run is below the median, and among the first."""
    places = [row.among.place for row in rows if row.among and row.among.place]
    return {
        "n_topics": sum(not isnan(row.value) for row in rows),
        "n_below": sum(row.is_below for row in rows),
        "n_first": sum(each <= FIRST_PLACES for each in places),
        "first_places": FIRST_PLACES,
        "lost": ordered(rows, "below", 1)[:N_LOST],
    }
