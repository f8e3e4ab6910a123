"""The figures of two evaluations side by side."""

from collections.abc import Collection, Mapping
from decimal import Decimal
from math import nan
from typing import NamedTuple

from campaigns.sorting import Cell, Figure, Sorting
from cleverdon.trec.words import counted
from evaluation.core.columns import MeasureColumn
from evaluation.core.compared import Moved, compared, tau
from evaluation.models.scores import Evaluation
from runs.models import Run


class ComparedRun(NamedTuple):
    """A run on both boards or on one, whether it is the reader's own, and its page of scores."""

    moved: Moved[Run]
    column: MeasureColumn
    is_own: bool = False
    score: int | None = None

    @property
    def _ends(self) -> tuple[float, float]:
        before, after = self.moved.before, self.moved.after
        return nan if before is None else before, nan if after is None else after

    @property
    def before(self) -> str:
        return self.column.text(self._ends[0])

    @property
    def after(self) -> str:
        return self.column.text(self._ends[1])

    @property
    def change(self) -> str:
        return self.column.change(*reversed(self._ends))

    @property
    def difference(self) -> Decimal:
        """By how much the score as shown rose."""
        return self.column.difference(*reversed(self._ends))


class ComparedRuns(NamedTuple):
    """The runs of two evaluations by a measure that both have, in the order of the later one."""

    column: MeasureColumn
    rows: list[ComparedRun]
    tau: float | None

    @property
    def in_both(self) -> list[ComparedRun]:
        return [row for row in self.rows if row.moved.change is not None]

    @property
    def heading(self) -> str:
        """For how many runs the score as shown rose, fell and is the same."""
        changes = [row.difference for row in self.in_both]
        n_rose, n_fell = sum(each > 0 for each in changes), sum(each < 0 for each in changes)
        n_same = len(changes) - n_rose - n_fell
        return f"{self.column.name}: {n_rose:,} rose, {n_fell:,} fell, {n_same:,} the same"


def changes_by(measure: str, *, sees_places: bool) -> Sorting:
    """Return what the runs of two boards are sorted by: also their places, for who sees them."""
    places = {
        "place_before": Figure(lambda row: row.moved.before_rank),
        "place_after": Figure(lambda row: row.moved.after_rank),
        "moved": Figure(lambda row: row.moved.rose),
    }
    return Sorting(
        "changes",
        unasked="",
        run=Cell(lambda row: row.moved.tag),
        before=Figure(lambda row: row.moved.before, name=f"{measure} before"),
        after=Figure(lambda row: row.moved.after, name=f"{measure} after"),
        change=Figure(lambda row: row.difference),
        **(places if sees_places else {}),
        team=Cell(lambda row: row.moved.subject.team),
    )


def compared_runs(
    before: Evaluation,
    after: Evaluation,
    by: str,
    *,
    shown: Collection[int],
    teams: Collection[int],
    opens_scores: bool,
) -> ComparedRuns:
    """Compare the runs shown by a measure; `teams` are the reader's."""
    columns = before.measures.index(by), after.measures.index(by)
    measure = after.parsed[columns[1]]
    later = after.leaderboard(columns[1], shown)
    earlier = before.leaderboard(columns[0], shown)
    moved = compared(earlier, later, columns, measure.family.best)
    scores: Mapping[Run, int | None] = {}
    if opens_scores:
        scores = {entry.subject: entry.score for entry in [*earlier, *later]}
    column = MeasureColumn.of(measure)
    rows = [
        ComparedRun(each, column, each.subject.team_id in teams, scores.get(each.subject))
        for each in moved
    ]
    return ComparedRuns(column, rows, tau(moved))


def differences_in_scoring(before: Evaluation, after: Evaluation) -> str:
    """Say what was different when the two were scored; "" for nothing."""
    n_before, n_after = len(before.topics), len(after.topics)
    sentences = []
    if before.topics != after.topics:
        others = " others" if n_before == n_after else ""
        sentences.append(f"on {counted(n_before, 'topic')}, then on {n_after:,}{others}.")
    choices = [
        ("relevant from grade", before.qrels.level, after.qrels.level),
        ("Rules", before.rules, after.rules),
        ("Means over", before.scope.means_over, after.scope.means_over),
        ("Scored", _how(before), _how(after)),
    ]
    sentences += [f"{name} {old}, then {new}." for name, old, new in choices if old != new]
    return " ".join(sentences)


def _how(evaluation: Evaluation) -> str:
    return " ".join(evaluation.scope.how()) or "as a whole"
