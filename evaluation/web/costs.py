"""The runs of a board by what they achieve and what they cost, as their teams state it."""

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

from campaigns.sorting import Cell, Sorting
from cleverdon.trec.words import counted
from evaluation.core.columns import MeasureColumn
from evaluation.core.pareto import pareto_front
from evaluation.core.topics import DECIMALS
from evaluation.models.scores import Evaluation
from evaluation.web.board_tables import BoardRow
from runs.core.efficiency import EFFICIENCY, FIGURES, Figure
from runs.models import Run

WIDE = 50  # times the least cost: on a linear axis the runs of low costs lie close together


class CostlyRow(NamedTuple):
    """A run with the chosen cost, and by name the values and texts of all stated figures."""

    row: BoardRow
    cost: float
    figures: dict[str, tuple[float | None, str]]
    hardware: str


class Costs(NamedTuple):
    """The runs that state a cost, in the order of the board, and `front`, those on the front.

    `stated` are the figures that any run of the evaluation has.
    """

    column: MeasureColumn
    figure: Figure
    stated: list[Figure]
    rows: list[CostlyRow]
    front: list[int]
    n_silent: int

    @property
    def sorting(self) -> Sorting:
        """What the runs are sorted by: names, score, and each figure that is stated."""
        stated = {
            each.name: Cell(partial(_value, each.name), is_number=True, name=each.title)
            for each in self.stated
        }
        return Sorting(
            "costs",
            unasked="",
            run=Cell(lambda each: each.row.entry.tag),
            team=Cell(lambda each: each.row.entry.subject.team),
            score=Cell(lambda each: each.row.value, is_number=True, name=self.column.name),
            **stated,
        )

    @property
    def is_wide(self) -> bool:
        costs = [each.cost for each in self.rows]
        return max(costs, default=0.0) > WIDE * min(costs, default=0.0)

    @property
    def heading(self) -> str:
        of = f"{len(self.front):,} of {counted(len(self.rows), 'run')}"
        return f"{of} on the front of {self.column.name} and {self.figure.words.lower()}"


def costs_of(
    evaluation: Evaluation, board: Sequence[BoardRow], column: MeasureColumn, asked: str
) -> Costs | None:
    """Return the runs that state the cost asked for, or else the first that any states."""
    runs = evaluation.runs.only(*EFFICIENCY).in_bulk()
    stated = [each for each in FIGURES if any(each.of(run) is not None for run in runs.values())]
    if not stated:
        return None
    figure = next((each for each in stated if each.name == asked), stated[0])
    own = [(row, runs[row.entry.subject.pk]) for row in board]
    rows = [
        _row(row, run, cost, stated) for row, run in own if (cost := figure.of(run)) is not None
    ]
    # Scores are as equal here as on the board.
    scores = [column.sign * round(each.row.value, DECIMALS) for each in rows]
    front = pareto_front(scores, [figure.sign * each.cost for each in rows])
    return Costs(column, figure, stated, rows, front, len(own) - len(rows))


def _value(name: str, row: CostlyRow) -> float | None:
    return row.figures[name][0]


def _row(row: BoardRow, run: Run, cost: float, stated: Sequence[Figure]) -> CostlyRow:
    figures = {each.name: (value := each.of(run), each.text(value)) for each in stated}
    return CostlyRow(row, cost, figures, run.hardware)
