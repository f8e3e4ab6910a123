"""Lists of runs, on pages and as files."""

from collections.abc import Mapping

from campaigns.sorting import Cell, Column, Figure, Shown, Sorting
from campaigns.web.frame import open_to_visitors
from campaigns.web.lists import csv_of
from runs.from_above import BoardScores, Overlap
from runs.nouns import COLUMNS, RELEASED_RUNS, RUNS

runs_file = csv_of(RUNS)
released_runs_file = csv_of(RELEASED_RUNS, open_to_visitors)


def sorting_of(
    scores: BoardScores, overlaps: Mapping[int, Overlap], *, has_rounds: bool = False
) -> Sorting:
    """Return what runs are sorted by: also rounds, scores and overlaps, where these are shown."""
    columns: dict[str, Shown] = dict(COLUMNS)
    if has_rounds:
        columns["round"] = Column("round", is_number=True)
    if overlaps:
        columns["shared"] = Cell(lambda run: getattr(overlaps.get(run.pk), "percent", None))
    if scores.by_run:
        columns["measure"] = Figure(
            lambda run: getattr(scores.by_run.get(run.pk), "value", None), name=scores.measure
        )
    return Sorting("run-list", unasked="-Uploaded", **columns)
