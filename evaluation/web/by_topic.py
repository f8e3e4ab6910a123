"""What a page shows of one run: where it stands by each measure, and on each topic, among the runs that the reader may see."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import inf, isnan
from typing import Any, NamedTuple

import numpy as np

from campaigns.core.ordering import natural_key
from evaluation.core.columns import Column, ordinal
from evaluation.core.topics import FIRST_PLACES, Among, among, place, spread
from evaluation.models.scores import Evaluation, Score
from pictures.bars import differences
from pictures.markup import Drawn
from pictures.picture import Picture
from pictures.rows import axis_row, interval_row, range_row
from pictures.scales import Scale
from pictures.strips import spread_strip
from trec.arrays import Floats

N_STRIPS, N_LOST = 4, 4
ROW_HEIGHT = 24
ORDERS = {"hardest": "Hardest", "below": "Below median", "number": "Number"}


class Titled(NamedTuple):
    """A topic of the campaign: its title, and its key for a link."""

    title: str
    pk: int | None


class Strip(NamedTuple):
    """A run by one measure among all that the reader sees."""

    column: Column
    text: str
    picture: Drawn
    said: str


@dataclass(frozen=True)
class TopicRow:
    """A run on one topic: its value, NaN where the topic does not count, and where it stands among all runs, for who may know."""

    number: str
    topic: Titled
    value: float
    text: str
    among: Among | None
    to_median: str
    judged: str
    is_little_judged: bool
    picture: Drawn

    @property
    def is_below(self) -> bool:
        return self.among is not None and self.value < self.among.median

    @property
    def lost(self) -> float:
        """By how much the value is below the median."""
        return self.among.median - self.value if self.among else 0.0


@dataclass(frozen=True)
class Shown:
    """One run's score among those that the reader may see, by one measure.

    `everybody` are the scores of all runs where the reader may know how these spread on each topic, and not more of them.
    """

    score: Score
    scores: Sequence[Score]
    by: str
    sees_all_runs: bool
    everybody: Sequence[Score] = ()

    @property
    def evaluation(self) -> Evaluation:
        return self.score.evaluation

    @property
    def at(self) -> int:
        return self.evaluation.measures.index(self.by)

    @cached_property
    def columns(self) -> list[Column]:
        return [Column.of(measure) for measure in self.evaluation.parsed]

    @property
    def column(self) -> Column:
        return self.columns[self.at]

    @property
    def own(self) -> int:
        return next(n for n, each in enumerate(self.scores) if each.pk == self.score.pk)

    @cached_property
    def judged(self) -> tuple[Column, list[float]] | None:
        """The share of judged documents on each topic, if the evaluation has it and it is not the sorted measure."""
        for n, column in enumerate(self.columns):
            if column.is_share and n != self.at:
                return column, self.score.counted()[:-1, n].tolist()
        return None

    @property
    def knows_median(self) -> bool:
        return self.sees_all_runs or bool(self.everybody)

    def values(self, scores: Sequence[Score]) -> Floats:
        """Return the values of runs by the measure, [runs x topics]."""
        return np.stack([each.counted()[:-1, self.at] for each in scores])

    def among(self) -> list[Among | None]:
        """Return where the run stands on each topic, or, if its place is not told, how all runs spread there."""
        if self.sees_all_runs:
            return among(self.values(self.scores), self.own, self.column.sign)
        if self.everybody:
            return spread(self.values(self.everybody))
        return [None] * len(self.evaluation.topics)


def heading(shown: Shown) -> str:
    """Return where the run stands: "bm25 is 3rd of 8 by AP, at 0.395"; its score alone to who sees only their own runs."""
    tag, column = shown.score.run.tag, shown.column
    values = [each.aggregates[shown.at] for each in shown.scores]
    value = shown.score.aggregates[shown.at]
    if not shown.sees_all_runs or len(values) == 1:
        return f"{tag} has {column.name} {column.text(value)}"
    where = ordinal(place(values, value, column.sign))
    return f"{tag} is {where} of {len(values):,} by {column.name}, at {column.text(value)}"


def strips(shown: Shown) -> list[Strip]:
    """Return the run by four measures, the sorted one first and the share of judged documents last."""
    columns = shown.columns
    order = [shown.at, *(n for n in range(len(columns)) if n != shown.at)]
    order.sort(key=lambda n: columns[n].is_share and n != shown.at)
    shares = [n for n in order if columns[n].is_share][:1]
    rest = [n for n in order if n not in shares]
    chosen = [*rest[: N_STRIPS - len(shares)], *shares]
    return [_strip(shown, n, columns[n]) for n in chosen]


def _strip(shown: Shown, n: int, column: Column) -> Strip:
    values = [each.aggregates[n] for each in shown.scores]
    value, text = shown.score.aggregates[n], column.text(shown.score.aggregates[n])
    if len(values) > 1:
        where = ordinal(place(values, value, column.sign))
        whose = f"{len(values):,}" if shown.sees_all_runs else f"your {len(values):,} runs"
        said = f"{where} of {whose}" + (" by value" if column.best == "none" else "")
    else:
        said = "the only run" if shown.sees_all_runs else "your only run here"
    everybody = [each.aggregates[n] for each in shown.everybody] or values
    if shown.knows_median and len(everybody) > 1:
        said += f"; median of all {column.text(float(np.median(everybody)))}"
    sentence = f"{shown.score.run.tag} has {column.name} {text}: {said}."
    picture = spread_strip(
        values, value, sentence=sentence, with_median=shown.sees_all_runs and len(values) > 2
    )
    return Strip(column, text, picture.svg, said)


def rows(shown: Shown, topics: Mapping[str, Titled]) -> tuple[list[TopicRow], Drawn]:
    """Return a row for each topic, in the order of their numbers, and the axis above their pictures."""
    column, values, found = shown.column, shown.values([shown.score])[0].tolist(), shown.among()
    share, shares = shown.judged or (None, [0.0] * len(values))
    lows = share.lows(shares) if share else [False] * len(values)
    axis = column.axis([*values, *(end for each in found if each for end in each.summary)])
    made = [
        TopicRow(
            number,
            topics.get(number, Titled("", None)),
            value,
            column.text(value),
            each,
            column.change(value, each.median) if each else "",
            share.text(judged) if share else "",
            is_low,
            _picture(axis, column, number, value, each),
        )
        for number, value, each, judged, is_low in zip(
            shown.evaluation.topics, values, found, shares, lows, strict=True
        )
    ]
    made.sort(key=lambda row: natural_key(row.number))
    return made, axis_row(axis).svg


def _picture(axis: Scale, column: Column, number: str, value: float, among: Among | None) -> Drawn:
    if among is None:
        return interval_row(axis, value, sentence="", height=ROW_HEIGHT).svg
    low, first, half, third, high = map(column.text, among.summary)
    middle = "" if among.place is None else f" the middle half from {first} to {third},"
    sentence = f"Topic {number}: {column.text(value)}; all runs from {low} to {high},{middle} median {half}."
    return range_row(axis, value, among.summary, sentence=sentence, height=ROW_HEIGHT).svg


def ordered(rows: Sequence[TopicRow], order: str, sign: int) -> list[TopicRow]:
    """Order topics: the hardest first, those below the median with the farthest first, or as they are by number."""
    if order == "below":
        below = [row for row in rows if row.is_below]
        return sorted(below, key=lambda row: -row.lost)
    if order == "number":
        return list(rows)
    return sorted(rows, key=lambda row: _ease(row, sign))


def _ease(row: TopicRow, sign: int) -> float:
    """Return what topics are ordered by, those that do not count last."""
    value = row.among.median if row.among else row.value
    return inf if isnan(value) else sign * value


def said_of(rows: Sequence[TopicRow]) -> dict[str, Any]:
    """Return on how many topics the run is below the median, and among the first."""
    placed = [row.among.place for row in rows if row.among and row.among.place]
    return {
        "n_topics": sum(not isnan(row.value) for row in rows),
        "n_below": sum(row.is_below for row in rows),
        "n_first": sum(each <= FIRST_PLACES for each in placed),
        "first_places": FIRST_PLACES,
        "lost": ordered(rows, "below", 1)[:N_LOST],
    }


class Pair(NamedTuple):
    """Two runs side by side: their aggregates, and their difference on each topic."""

    other: Score
    text: str
    other_text: str
    change: str
    n_higher: int
    n_lower: int
    n_equal: int
    picture: Picture


def pair(shown: Shown, other: Score) -> Pair:
    """Compare the run with another that the reader sees, on the topics that count for both."""
    column = shown.column
    mine, theirs = shown.values([shown.score, other])
    both = np.flatnonzero(~np.isnan(mine - theirs))
    topics = [shown.evaluation.topics[n] for n in both]
    change = (mine - theirs)[both]
    higher, lower = int((change > 0).sum()), int((change < 0).sum())
    value, other_value = shown.score.aggregates[shown.at], other.aggregates[shown.at]
    labels = f"higher on {higher}" if higher else "", f"lower on {lower}" if lower else ""
    sentence = f"{shown.score.run.tag} is higher than {other.run.tag} by {column.name} on {higher} of {len(topics)} topics, and lower on {lower}."
    picture = differences(
        change.tolist(),
        topics,
        sentence=sentence,
        heads=("Topic", f"{column.name}, difference"),
        labels=labels,
    )
    return Pair(
        other,
        column.text(value),
        column.text(other_value),
        column.change(value, other_value),
        higher,
        lower,
        len(topics) - higher - lower,
        picture,
    )
