"""Two runs of an evaluation beside each other, and all pairs as a file."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from cleverdon.measures.family import Aggregation
from cleverdon.measures.scoring.scores import terms_of
from cleverdon.significance.randomization import Ends
from cleverdon.trec.arrays import Floats
from cleverdon.trec.cells import cell, csv_lines
from evaluation.core.columns import MeasureColumn
from evaluation.core.difference import (
    Difference,
    Gap,
    Size,
    difference_of,
    intervals_alone,
    pair_rows,
    size_of,
)
from evaluation.core.pictured import improvements
from evaluation.core.standing import FEWEST_TOPICS
from evaluation.models.scores import Score
from evaluation.web.by_topic import RunScores

N_LOOKED_AT = 3  # topics of the largest differences, each way
PAIRS_HEAD = [
    "measure",
    "run",
    "run_id",
    "other",
    "other_id",
    "topics",
    "difference",
    "p",
    "p_corrected",
]


class PairedMeasure(NamedTuple):
    """A measure of the evaluation on two runs: both values, the change, and its interval alone."""

    column: MeasureColumn
    one: float
    other: float
    ends: Ends | None

    @property
    def texts(self) -> tuple[str, str]:
        return self.column.text(self.one), self.column.text(self.other)

    @property
    def gap(self) -> float:
        return self.one - self.other

    @property
    def change(self) -> str:
        return self.column.change(self.one, self.other)


@dataclass(frozen=True)
class RunPair:
    """A run beside another that the reader sees, by one measure, on the topics of both."""

    run: RunScores
    other: Score

    @property
    def mine(self) -> Score:
        return self.run.score

    @property
    def column(self) -> MeasureColumn:
        return self.run.column

    @cached_property
    def measures(self) -> list[PairedMeasure]:
        """The two runs by every measure of the evaluation, that of the page first."""
        columns, parsed = self.run.columns, self.run.evaluation.parsed
        order = sorted(range(len(columns)), key=lambda n: n != self.run.at)
        one, other = (each.counted()[:, order].T for each in (self.mine, self.other))
        ends = intervals_alone((one - other)[:, :-1])
        is_mean = [parsed[n].family.aggregation is Aggregation.MEAN for n in order]
        return [
            PairedMeasure(columns[n], mine, its, own if has_ends else None)
            for n, mine, its, own, has_ends in zip(
                order, one[:, -1].tolist(), other[:, -1].tolist(), ends, is_mean, strict=True
            )
        ]

    @property
    def main(self) -> PairedMeasure:
        return self.measures[0]

    @cached_property
    def _values(self) -> Floats:
        return self.run.values([self.mine, self.other])

    @cached_property
    def _both(self) -> list[int]:
        return np.flatnonzero(~np.isnan(self._values).any(axis=0)).tolist()

    @property
    def topics(self) -> list[str]:
        """The topics that count for both."""
        return [self.run.evaluation.topics[n] for n in self._both]

    @cached_property
    def differences(self) -> list[float]:
        gaps: list[float] = (self._values[0] - self._values[1])[self._both].tolist()
        return gaps

    @property
    def improvements(self) -> list[float]:
        return improvements(*self._values.tolist())

    @cached_property
    def tested(self) -> Difference | None:
        """How sure the difference is, among the pairs of all runs that the reader sees."""
        run = self.run
        at = [each.pk for each in run.scores]
        pairs = run.pairs and run.pairs.of([at.index(each.pk) for each in (self.mine, self.other)])
        out = {topic for each in run.scores for topic in each.uncounted_topics}
        common = np.array([topic not in out for topic in run.evaluation.topics])
        return difference_of(self._values, run.evaluation.parsed[run.at], pairs, common)

    @cached_property
    def size(self) -> Size:
        """How large the difference is, in what the measure averages over topics."""
        terms = terms_of(self._values[:, self._both], self.run.evaluation.parsed[self.run.at])
        values = self._values[:, self._both] if terms is None else terms.values
        return size_of(values[0] - values[1])

    @property
    def n_pairs(self) -> int:
        n = len(self.run.scores)
        return n * (n - 1) // 2

    @property
    def rows(self) -> list[tuple[str, str, Gap]]:
        """Both tests with what they hold for, that of the verdict first."""
        tested = self.tested
        if tested is None:
            return []
        whose = "all" if self.run.sees_all_runs else "your"
        among = f"Among {whose} {self.n_pairs:,} pairs" if self.n_pairs > 1 else "As the only pair"
        named = [(among, "corrected", tested.among), ("This pair alone", "raw", tested.alone)]
        return [(name, kind, gap) for name, kind, gap in named if gap]

    @property
    def why_no_interval(self) -> str:
        """Why a test has no interval of the difference; "" if all have."""
        if all(gap.ends for _, _, gap in self.rows):
            return ""
        if self.run.evaluation.parsed[self.run.at].family.aggregation is Aggregation.GEOMETRIC:
            return f"{self.column.name} is a geometric mean: there is no interval of a difference."
        return (
            "There is no interval where all differences are the same, or on fewer than "
            f"{FEWEST_TOPICS} topics."
        )

    @property
    def heading(self) -> str:
        """Return the verdict: "bm25 is better than dense by AP", or that they cannot be told apart.

        Where nothing can be tested it is the two values.
        """
        mine, other, name = self.mine.run.tag, self.other.run.tag, self.column.name
        tested, (value, other_value) = self.tested, self.main.texts
        if tested is None or self.column.best == "none" or not (tested.among or tested.alone):
            return f"{mine} has {name} {value}, {other} {other_value}"
        if not tested.is_told:
            return f"{mine} and {other} cannot be told apart by {name}"
        is_mine = (self.main.gap * self.column.sign) > 0
        first, second = (mine, other) if is_mine else (other, mine)
        return f"{first} is better than {second} by {name}"

    @property
    def to_look_at(self) -> list[tuple[str, str]]:
        """The topics of the largest differences, as written: first the rises, then the falls."""
        falling = sorted(zip(self.differences, self.topics, strict=True), key=lambda pair: -pair[0])
        rises = [pair for pair in falling[:N_LOOKED_AT] if pair[0] > 0]
        falls = [pair for pair in falling[: -N_LOOKED_AT - 1 : -1] if pair[0] < 0]
        return [(topic, self.column.change(by, 0.0)) for by, topic in rises + falls]


def pairs_csv(run: RunScores) -> Iterator[str]:
    """Yield a header and a line for each pair of the runs that the reader sees, by the measure."""
    scores, measure = run.scores, run.evaluation.parsed[run.at]
    yield from csv_lines([PAIRS_HEAD])
    for each in pair_rows(run.values(scores), measure, run.pairs):
        one, other = (scores[n].run for n in (each.one, each.other))
        facts = [run.by, one.tag, one.pk, other.tag, other.pk, *each[2:]]
        yield from csv_lines([[cell("" if fact is None else fact) for fact in facts]])
