"""The figures of a board: its rows, and what has moved since the version before."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import chain, pairwise
from typing import Any, NamedTuple

from campaigns.models.campaign import Campaign
from campaigns.models.releases import Release
from evaluation.core.columns import MeasureColumn
from evaluation.core.compared import Moved, compared, tau
from evaluation.core.leaderboard import BoardEntry
from evaluation.core.standing import CONDITION, Standing, why_no_interval
from evaluation.models.measured import Measured
from evaluation.models.scores import Board, Evaluation
from evaluation.web.classes import Asked, Section, is_long, plain, sections
from evaluation.web.headings import heading
from runs.models import Run

MOST_NAMED = 3  # of the runs that moved
MOST_VERSIONS = 4  # one click away


class BoardCell(NamedTuple):
    """A value as it is written, and whether too little is judged."""

    column: MeasureColumn
    text: str
    is_low: bool


@dataclass(frozen=True)
class BoardReader:
    """Who looks at a board: whether they see every run, whether they organize, and their teams."""

    sees_all_runs: bool
    is_organizer: bool
    teams: Collection[int] = ()

    def owns(self, run: Run) -> bool:
        return run.team_id in self.teams

    def opens(self, run: Run) -> bool:
        """Whether they may open the run's own page: it tells of its upload, late and manual."""
        return self.is_organizer or self.owns(run)


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
class BoardRow:
    """A run on a board; the cell of the sorted measure, whose value it has, comes first."""

    entry: BoardEntry[Run]
    value: float
    is_own: bool
    is_late: bool
    is_manual: bool | None
    is_pooled: bool | None
    cells: list[BoardCell]
    moved: Moved[Run] | None
    standing: Standing | None = None
    is_in_a: bool = False  # told to whoever sees all runs

    @property
    def interval(self) -> str:
        """The interval of the sorted measure as it is written: "0.412 to 0.533"."""
        ends = self.standing and self.standing.ends
        return " to ".join(map(self.cells[0].column.text, ends)) if ends else ""

    @property
    def places(self) -> str:
        """The places that the run may have, the first to the last; its rank before they are known.

        A run without a value has none.
        """
        known = self.standing.places if self.standing else ""
        return known or str(self.entry.rank or "\N{EN DASH}")

    @property
    def fact(self) -> MeasureColumn | None:
        """The second column that a phone shows: the share judged, if that is measured."""
        others = [cell.column for cell in self.cells[1:]]
        return next((each for each in others if each.is_share), next(iter(others), None))

    @property
    def kinds(self) -> str:
        """The kinds that a table is filtered by."""
        kinds = {
            "pooled": self.is_pooled is True,
            "not pooled": self.is_pooled is False,
            "late": self.is_late,
            "manual": self.is_manual is True,
            "automatic": self.is_manual is False,
            "baselines": self.entry.subject.is_baseline,
            "yours": self.is_own,
            "class A": self.is_in_a,
        }
        return ",".join(kind for kind, is_so in kinds.items() if is_so)


def board_table(
    measured: Measured,
    board: Board,
    by: str,
    reader: BoardReader,
    *,
    pooled: Collection[int] | None,
    movement: Movement | None = None,
    asked: Asked | None = None,
) -> dict[str, Any]:
    """Return the rows of a board by one measure, its columns with that one first, and a heading.

    In its `sections` are those that are shown.
    """
    at = measured.measures.index(by)
    order = [at, *(n for n in range(len(measured.measures)) if n != at)]
    columns = [MeasureColumn.of(measured.parsed[n]) for n in order]
    values = [[entry.values[n] for entry in board] for n in order]
    cells = [_cells(*each) for each in zip(columns, values, strict=True)]
    # Told of some runs alone, it would be a filter that hides the others.
    opens_all = all(reader.opens(entry.subject) for entry in board)
    standings = [entry.standings[at] if entry.standings else None for entry in board]
    rows = [
        BoardRow(
            entry,
            value,
            is_own=reader.owns(entry.subject),
            is_late=entry.subject.is_late and reader.opens(entry.subject),
            is_manual=entry.subject.is_manual if opens_all else None,
            is_pooled=None if pooled is None else entry.subject.pk in pooled,
            cells=list(own),
            moved=movement.by_run.get(entry.subject.pk) if movement else None,
            standing=standing,
            is_in_a=reader.sees_all_runs and standing is not None and standing.number == 1,
        )
        for entry, value, own, standing in zip(
            board, values[0], zip(*cells, strict=True), standings, strict=True
        )
    ]
    # The words in the address of a short board are for its script, which has all rows.
    asked = (asked or Asked()) if is_long(rows) else None
    return {
        "by": by,
        "rows": rows,
        "sections": _sections(rows, reader, asked or Asked()),
        "asked": asked,
        "kinds": asked.kinds(rows) if asked else [],
        "columns": columns,
        "values": _drawn(values[0], rows),
        "n_compared": len(_numbers(rows)),
        "heading": heading(
            board,
            values[0],
            columns[0],
            sees_all_runs=reader.sees_all_runs,
            n_others=_n_others(rows),
        ),
        "knows_pool": pooled is not None,
        "is_sample": measured.is_sample,
        "condition": CONDITION,
        "has_interval": any(row.interval for row in rows),
        "why_no_interval": _why_no_interval(measured, at, rows),
        "mostly_low": _mostly_low(columns, values),
        "movement": movement,
        "sees_all_runs": reader.sees_all_runs,
        **_notes(rows, reader),
    }


def _sections(rows: Sequence[BoardRow], reader: BoardReader, asked: Asked) -> list[Section]:
    if reader.sees_all_runs:
        return sections(rows, asked)
    return [plain(asked.matching(rows), asked)]


def _why_no_interval(measured: Measured, at: int, rows: Sequence[BoardRow]) -> str:
    """Say why some runs have no interval; "" if all have, and before they are compared."""
    lacking = [row.entry for row in rows if row.entry.standings and not row.interval]
    if not lacking:
        return ""
    return why_no_interval(measured.parsed[at], min(each.n_topics for each in lacking))


def _drawn(values: Sequence[float], rows: Sequence[BoardRow]) -> list[float]:
    """Return what is drawn on the axis of the sorted measure."""
    ends = [row.standing.ends for row in rows if row.standing and row.standing.ends]
    return [*values, *chain(*ends)]


def _n_others(rows: Sequence[BoardRow]) -> int | None:
    """Count the runs behind the first place that may be the best; None where that is not known."""
    numbers = [row.standing.number if row.standing else None for row in rows]
    if not any(numbers):
        return None
    behind = [row.entry.rank != rows[0].entry.rank for row in rows]
    return sum(number == 1 and is_behind for number, is_behind in zip(numbers, behind, strict=True))


def _numbers(rows: Sequence[BoardRow]) -> list[int]:
    """Return the numbers of the classes in the order of the board."""
    return [row.standing.number for row in rows if row.standing and row.standing.number]


def _cells(column: MeasureColumn, values: Sequence[float]) -> list[BoardCell]:
    lows = column.lows(values)
    return [
        BoardCell(column, column.text(value), is_low)
        for value, is_low in zip(values, lows, strict=True)
    ]


def _mostly_low(
    columns: Sequence[MeasureColumn], values: Sequence[Sequence[float]]
) -> list[tuple[MeasureColumn, int]]:
    """Return the columns in which most runs have few judged documents, and how many have."""
    counts = map(MeasureColumn.n_mostly_low, columns, values)
    return [(column, n) for column, n in zip(columns, counts, strict=True) if n]


def _notes(rows: Sequence[BoardRow], reader: BoardReader) -> dict[str, bool]:
    """Return what the notes of a table explain: marks, and ranks of equal texts."""
    return {
        "has_low": any(cell.is_low for row in rows for cell in row.cells),
        "do_topics_differ": len({row.entry.n_topics for row in rows}) > 1,
        "is_mixed": any(one > other for one, other in pairwise(_numbers(rows))),
        # Runs with equal texts differ in decimals that are not shown.
        "goes_by_more": reader.sees_all_runs
        and not _numbers(rows)
        and any(
            one.cells[0].text == other.cells[0].text and one.entry.rank != other.entry.rank
            for one, other in pairwise(rows)
        ),
    }


def movement(
    evaluations: Sequence[Evaluation],
    chosen: Evaluation,
    board: Board,
    by: str,
    shown: Collection[int],
) -> Movement | None:
    """Compare places with the newest earlier evaluation that was scored alike; None without one.

    It is against another version of the same kind.
    """
    since = next((each for each in evaluations if _comes_before(each, chosen, by)), None)
    if since is None:
        return None
    columns = since.measures.index(by), chosen.measures.index(by)
    earlier = since.leaderboard(columns[0], shown)
    rows = compared(earlier, board, columns, chosen.parsed[columns[1]].family.best)
    by_run = {row.subject.pk: row for row in rows if row.after is not None}
    return Movement(since, tau(rows), by_run)


def _comes_before(other: Evaluation, chosen: Evaluation, by: str) -> bool:
    return (
        other.pk < chosen.pk
        and other.qrels.number < chosen.qrels.number
        and not other.qrels.is_withdrawn
        and other.qrels.source == chosen.qrels.source
        and other.qrels.basis == chosen.qrels.basis
        and other.qrels.level == chosen.qrels.level
        and by in other.measures
        and other.rules == chosen.rules
        and replace(other.scope, qrels=chosen.scope.qrels) == chosen.scope
    )


def with_releases(
    campaign: Campaign, evaluations: Sequence[Evaluation]
) -> list[tuple[Evaluation, list[Release]]]:
    """Return each evaluation with its releases."""
    by_subject: dict[int | None, list[Release]] = {}
    of_scores = campaign.releases.standing().filter(what=Release.What.SCORES)
    for release in of_scores.order_by("audience"):
        by_subject.setdefault(release.subject_id, []).append(release)
    return [(each, by_subject.get(each.pk, [])) for each in evaluations]


def versions(evaluations: Sequence[Evaluation], chosen: Evaluation) -> list[Evaluation]:
    """Return the newest evaluation against each of the last versions of the qrels, oldest first.

    The chosen one stands for its own version.
    """
    newest: dict[str, Evaluation] = {chosen.scope.name: chosen}
    for each in evaluations:
        newest.setdefault(each.scope.name, each)
    last = sorted(newest.values(), key=lambda each: -each.pk)[:MOST_VERSIONS]
    return sorted({chosen, *last}, key=lambda each: each.pk)
