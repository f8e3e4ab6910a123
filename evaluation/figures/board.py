"""A board by one of its measures: what page, picture, file and report say of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np

from cleverdon.trec.arrays import Floats, Mask
from cleverdon.trec.docnos import decoded
from cleverdon.trec.words import counted, first_of, verb
from evaluation.core.columns import ENOUGH_JUDGED, MeasureColumn
from evaluation.core.leaderboard import has_value
from evaluation.core.standing import CONDITION, INTERVALS, Standing, flips, why_no_interval
from evaluation.models.scores import Board, Evaluation, Score
from evaluation.placement_cache import graded_by

MOST_LEADERS = 5  # that are named


@dataclass(frozen=True)
class ByMeasure:
    """An evaluation by one of its measures."""

    evaluation: Evaluation
    by: str

    @property
    def at(self) -> int:
        return self.evaluation.measures.index(self.by)

    @cached_property
    def columns(self) -> list[MeasureColumn]:
        return [MeasureColumn.of(measure) for measure in self.evaluation.parsed]

    @property
    def column(self) -> MeasureColumn:
        return self.columns[self.at]


@dataclass(frozen=True)
class BoardFigures(ByMeasure):
    """The runs of an evaluation by one measure, the best first; runs without a value come last."""

    board: Board
    scores: Sequence[Score]

    @classmethod
    def of(cls, evaluation: Evaluation, by: str) -> Self:
        stored = evaluation.by_tag.in_bulk()
        at, runs = evaluation.measures.index(by), [each.run_id for each in stored.values()]
        board = evaluation.leaderboard(at, runs)
        return cls(evaluation, by, board, [stored[each.score] for each in board if each.score])

    @cached_property
    def tags(self) -> list[str]:
        return [each.run.tag for each in self.scores]

    @property
    def others(self) -> list[str]:
        """The other measures."""
        return [name for name in self.evaluation.measures if name != self.by]

    @property
    def n_with_value(self) -> int:
        return sum(has_value(entry, self.at) for entry in self.board)

    @property
    def standings(self) -> list[Standing | None]:
        return [each.standing(self.at) for each in self.scores]

    @property
    def ends(self) -> list[tuple[float, float] | None]:
        """Both ends of the interval of each run that has one."""
        return [each.ends if each else None for each in self.standings]

    def aggregates(self, by: str) -> list[float]:
        at = self.evaluation.measures.index(by)
        return [each.aggregates[at] for each in self.scores]

    @cached_property
    def values(self) -> Floats:
        """The values of the measure, [runs x topics]; NaN on topics that do not count."""
        return self.evaluation.values(self.scores, self.at)

    def little_judged(self) -> Mask | None:
        """Return where few of a run's first documents are judged, [runs x topics], if measured."""
        at = next((n for n, each in enumerate(self.columns) if each.is_share), None)
        if at is None:
            return None
        return np.round(100 * self.evaluation.values(self.scores, at)) < ENOUGH_JUDGED

    @property
    def n_common(self) -> int:
        """The topics that count for every run, on which runs are compared with each other."""
        return int((~np.isnan(self.values)).all(axis=0).sum())

    @property
    def method(self) -> str:
        """How runs are compared on the board, in sentences."""
        n_topics = min(each.n_topics for each in self.scores)
        ends = (
            INTERVALS
            if any(self.ends)
            else why_no_interval(self.evaluation.parsed[self.at], n_topics)
        )
        if not any(each and each.number for each in self.standings) or len(self.scores) < 2:
            return ends
        return (
            f"{ends} Places and classes hold for all runs at once, at 95 %, {CONDITION}, on the "
            f"{counted(self.n_common, 'topic')} that count for every run: signs of the differences "
            f"of all pairs flipped by topic, {flips(self.n_common)}, max-T with step-down. A run "
            "of class A may be the best; no two runs of a class can be told apart, but those of "
            "the rest. A run may stand below one of a lower class: classes come from the pairs."
        )

    @property
    def leaders(self) -> str:
        """Which run leads, or which share the first place, in a sentence."""
        n = [entry.rank for entry in self.board].count(1)
        if not n:
            return f"No run has a value of {self.by}."
        value = self.column.text(self.aggregates(self.by)[0])
        first = first_of(self.tags[:n], MOST_LEADERS)
        return f"{first} {verb(n, 'leads')} with {self.by} {value}."

    @cached_property
    def grades(self) -> dict[str, dict[str, int]]:
        """The grades that the evaluation scores against, by topic and docno."""
        one = self.evaluation
        graded = graded_by(one.qrels, one.without, one.topics)
        found: dict[str, dict[str, int]] = {topic: {} for topic in graded.topics}
        names, owners = decoded(graded.docnos.tolist()), graded.topic_of.tolist()
        for topic, docno, grade in zip(owners, names, graded.grades.tolist(), strict=True):
            found[graded.topics[topic]][docno] = grade
        return found

    @cached_property
    def relevant(self) -> set[tuple[str, str]]:
        """The topic and docno of each relevant document."""
        level = self.evaluation.qrels.level
        return {
            (topic, docno)
            for topic, grades in self.grades.items()
            for docno, grade in grades.items()
            if grade >= level
        }

    @property
    def caption(self) -> str:
        return caption(self.evaluation, f"{self.by} of {counted(len(self.scores), 'run')}")


def caption(evaluation: Evaluation, what: str, n_topics: int | None = None) -> str:
    """Return what numbers rest on: "AP of 8 runs on 50 topics, qrels v2 ..." and so on."""
    marks = "".join(f", {mark}" for mark in evaluation.marks)
    n, scope = len(evaluation.topics) if n_topics is None else n_topics, evaluation.scope
    return (
        f"{evaluation.campaign.name}: {what} on {counted(n, 'topic')}, {scope.name}{marks}"
        f", relevant from grade {evaluation.qrels.level}; {evaluation.rules}, means over "
        f"{scope.means_over}."
    )
