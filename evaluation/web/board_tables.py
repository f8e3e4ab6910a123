"""What a page shows of a board: its rows with their pictures, its conditions, and what has moved since the version before."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

from campaigns.models.campaign import Campaign
from campaigns.models.releases import Release
from evaluation.core.columns import Column
from evaluation.core.compared import Moved, compared, tau
from evaluation.core.leaderboard import BoardEntry
from evaluation.models.measured import Measured
from evaluation.models.scores import Board, Evaluation
from pictures.markup import Drawn
from pictures.rows import Shape, axis_row, interval_row
from pictures.scales import Scale
from runs.models import Run

ROW_HEIGHT = 24
MOST_NAMED = 3  # of the runs that moved
MOST_VERSIONS = 4  # one click away


class Cell(NamedTuple):
    """A value in a row: as it is written, its shade among those of its column, and whether to look at it."""

    column: Column
    text: str
    shade: int | None
    is_low: bool


@dataclass(frozen=True)
class Reader:
    """Who looks at a board: whether they see everybody's runs, which teams are theirs, and whether they organize."""

    sees_all_runs: bool
    is_organizer: bool
    teams: Collection[int] = ()

    def owns(self, run: Run) -> bool:
        return run.team_id in self.teams

    def knows_late(self, run: Run) -> bool:
        """Whether to say that the run came late, as its page says to those who may see it."""
        return run.is_late and (self.is_organizer or self.owns(run))


class Movement(NamedTuple):
    """How places changed since an earlier evaluation that was scored alike."""

    since: Evaluation
    tau: float | None
    by_run: dict[int, Moved[Run]]

    @property
    def most(self) -> list[Moved[Run]]:
        """Return the runs that moved farthest."""
        moved = [each for each in self.by_run.values() if each.rose]
        moved.sort(key=lambda each: (-abs(each.rose or 0), each.tag))
        return moved[:MOST_NAMED]


@dataclass(frozen=True)
class Row:
    """A run on a page: its entry, what is its own, its dot, and its cells; the sorted measure's comes first."""

    entry: BoardEntry[Run]
    is_own: bool
    is_late: bool
    is_pooled: bool | None
    picture: Drawn
    cells: list[Cell]
    moved: Moved[Run] | None

    @property
    def fact(self) -> Column | None:
        """The one column besides the sorted one that a phone shows: what is judged, if that is measured."""
        others = [cell.column for cell in self.cells[1:]]
        return next((each for each in others if each.is_share), next(iter(others), None))

    @property
    def kinds(self) -> str:
        """The kinds that a table is filtered by."""
        found = {
            "pooled": self.is_pooled is True,
            "not pooled": self.is_pooled is False,
            "late": self.is_late,
            "baselines": self.entry.subject.is_baseline,
            "yours": self.is_own,
        }
        return ",".join(kind for kind, is_so in found.items() if is_so)


def table(
    measured: Measured,
    board: Board,
    by: str,
    reader: Reader,
    pooled: Collection[int] | None,
    movement: Movement | None = None,
) -> dict[str, Any]:
    """Return the rows of a board by one measure, its columns with the sorted one first, and the heading that they come to."""
    at = measured.measures.index(by)
    order = [at, *(n for n in range(len(measured.measures)) if n != at)]
    columns = [Column.of(measured.parsed[n]) for n in order]
    values = [[entry.values[n] for entry in board] for n in order]
    axis = columns[0].axis(values[0])
    by_column = [_cells(*each) for each in zip(columns, values, strict=True)]
    by_run = movement.by_run if movement else {}
    rows = [
        Row(
            entry,
            is_own=reader.owns(entry.subject),
            is_late=reader.knows_late(entry.subject),
            is_pooled=None if pooled is None else entry.subject.pk in pooled,
            picture=_dot(axis, value, entry.subject, pooled),
            cells=list(cells),
            moved=by_run.get(entry.subject.pk),
        )
        for entry, value, cells in zip(board, values[0], zip(*by_column, strict=True), strict=True)
    ]
    return {
        "by": by,
        "rows": rows,
        "columns": columns,
        "axis": axis_row(axis).svg,
        "heading": _heading(board, values[0], columns[0], reader),
        "knows_pool": pooled is not None,
        "goes_by_more": reader.sees_all_runs and _goes_by_more(rows),
        "mostly_low": _mostly_low(columns, values),
        "has_shades": any(cell.shade is not None for row in rows for cell in row.cells[1:]),
        "has_low": any(cell.is_low for row in rows for cell in row.cells),
        "do_topics_differ": len({entry.n_topics for entry in board}) > 1,
        "movement": movement,
        "sees_all_runs": reader.sees_all_runs,
        "measures": measured.definitions(),
    }


def _cells(column: Column, values: Sequence[float]) -> list[Cell]:
    shades, lows = column.shades(values), column.lows(values)
    return [
        Cell(column, column.text(value), shade, is_low)
        for value, shade, is_low in zip(values, shades, lows, strict=True)
    ]


def _goes_by_more(rows: Sequence[Row]) -> bool:
    """Whether runs that look equal have different places: these go by more decimals than are shown."""
    return any(
        one.cells[0].text == other.cells[0].text and one.entry.rank != other.entry.rank
        for one, other in pairwise(rows)
    )


def _mostly_low(
    columns: Sequence[Column], values: Sequence[Sequence[float]]
) -> list[tuple[Column, int]]:
    """Return the columns in which most runs have few judged documents, and how many have."""
    return [
        (column, n_low)
        for column, its in zip(columns, values, strict=True)
        if (n_low := column.n_mostly_low(its))
    ]


def _dot(axis: Scale, value: float, run: Run, pooled: Collection[int] | None) -> Drawn:
    """Draw a run's value: a diamond for a baseline, a ring if it is not in the pool. The number stands beside it."""
    shape: Shape = "dot" if pooled is None or run.pk in pooled else "ring"
    if run.is_baseline:
        return interval_row(
            axis, value, sentence="", shape="diamond", whose="others", height=ROW_HEIGHT
        ).svg
    return interval_row(axis, value, sentence="", shape=shape, height=ROW_HEIGHT).svg


def _heading(board: Board, values: Sequence[float], column: Column, reader: Reader) -> str:
    """Return what a board comes to: "8 runs by AP, best aldgate-bm25 at 0.457"."""
    if not board:
        return "None of your runs is scored here"
    first, value = board[0], column.text(values[0])
    if len(board) == 1:
        return f"{first.tag} has {column.name} {value}"
    whose = "" if reader.sees_all_runs else "your "
    n_first = sum(entry.rank == first.rank for entry in board)
    others = f" and {n_first - 1:,} more" if n_first > 1 else ""
    runs = f"{whose}{len(board):,} runs by {column.name}"
    return f"{runs[0].upper()}{runs[1:]}, {column.best_word} {first.tag}{others} at {value}"


def movement(
    evaluations: Sequence[Evaluation],
    chosen: Evaluation,
    board: Board,
    by: str,
    shown: Collection[int],
) -> Movement | None:
    """Compare places with those of the newest earlier evaluation that was scored alike.

    It is against another version of the same kind; None if there is none.
    """
    since = next((each for each in evaluations if _comes_before(each, chosen, by)), None)
    if since is None:
        return None
    columns = since.measures.index(by), chosen.measures.index(by)
    earlier = since.leaderboard(columns[0], shown)
    best = chosen.parsed[columns[1]].family.best
    rows = compared(earlier, board, columns, best)
    return Movement(
        since, tau(rows), {row.subject.pk: row for row in rows if row.after is not None}
    )


def _comes_before(other: Evaluation, chosen: Evaluation, by: str) -> bool:
    alike = ("rules", "topic_set", "without_id")
    return (
        other.pk < chosen.pk
        and other.qrels.number < chosen.qrels.number
        and not other.qrels.is_withdrawn
        and other.qrels.source == chosen.qrels.source
        and other.qrels.level == chosen.qrels.level
        and by in other.measures
        and all(getattr(other, name) == getattr(chosen, name) for name in alike)
    )


def seen_by(
    campaign: Campaign, evaluations: Sequence[Evaluation]
) -> list[tuple[Evaluation, list[Release]]]:
    """Return each evaluation with what is released of it."""
    found: dict[int | None, list[Release]] = {}
    of_scores = campaign.releases.filter(what=Release.What.SCORES)
    for release in of_scores.order_by("audience"):
        found.setdefault(release.subject_id, []).append(release)
    return [(each, found.get(each.pk, [])) for each in evaluations]


def versions(evaluations: Sequence[Evaluation], chosen: Evaluation) -> list[Evaluation]:
    """Return the newest evaluation against each version of the qrels, the chosen one for its own; the last few of them, oldest first."""
    newest: dict[str, Evaluation] = {chosen.against: chosen}
    for each in evaluations:
        newest.setdefault(each.against, each)
    found = sorted(newest.values(), key=lambda each: -each.pk)
    return sorted({chosen, *found[:MOST_VERSIONS]}, key=lambda each: each.pk)
