"""Lists of runs, on pages and as files."""

from collections.abc import Mapping
from datetime import datetime

from campaigns.models.ordering import natural
from campaigns.nouns import Field, Noun
from campaigns.sorting import Cell, Column, Figure, Shown, Sorting
from campaigns.web.frame import open_to_visitors
from campaigns.web.lists import csv_of
from runs.access.runs import Runs, released_to
from runs.core.efficiency import EFFICIENCY, FIGURES
from runs.from_above import BoardScores, Overlap
from runs.models import Run
from runs.web.run_forms import RunFilterForm

# Counts are those of the last check, None before it.
FIELDS = {
    "run_id": Field(int, lambda run: run.pk, "its number in addresses"),
    "tag": Field(str),
    "team": Field(str, lambda run: run.team.name),
    "state": Field(str),
    "round": Field(int),
    "pooled": Field(bool, lambda run: run.is_pooled),
    "late": Field(bool, lambda run: run.is_late),
    "manual": Field(bool | None, lambda run: run.is_manual, "whether people intervened"),
    "priority": Field(int | None),
    "topics": Field(int | None, lambda run: (run.report or {}).get("n_topics")),
    "lines": Field(int | None, lambda run: (run.report or {}).get("n_lines")),
    "errors": Field(int | None, lambda run: (run.report or {}).get("n_errors")),
    "warnings": Field(int | None, lambda run: len(run.report["warnings"]) if run.report else None),
    "submitted_by": Field(str, lambda run: run.submitted_by.username),
    "submitted_at": Field(datetime),
    "file": Field(str, lambda run: run.file_name),
    "sha256": Field(str),
    "out_at": Field(datetime | None, help="when it was withdrawn or disqualified"),
    "out_reason": Field(str),
    "description": Field(str),
    **{
        each.name: Field(int | None if each.of_unit > 1 else float | None, help=each.words)
        for each in FIGURES
    },
    "hardware": Field(str),
}
# For others than the run's team and the organizers.
RELEASED = ("run_id", "tag", "team", "manual", "file", "sha256", "description", *EFFICIENCY)
RUN = Column(natural("tag"))
TEAM = Column(natural("team__name"))
COLUMNS = {
    "run": RUN,
    "team": TEAM,
    "state": Column("state"),
    "topics_answered": Column("n_topics", has_gaps=True),
    "lines": Column("n_lines", is_number=True, has_gaps=True),
    "errors": Column("n_errors", is_number=True, has_gaps=True),
    "warnings": Column("n_warnings", is_number=True, has_gaps=True),
    "uploaded": Column("submitted_at", is_date=True),
}
RUNS = Noun(
    name="runs",
    see=Runs.see_list,
    rows=Run.objects.visible_to,
    filters=RunFilterForm,
    found=lambda rows, **filters: rows.for_list(**filters),
    fields=FIELDS,
)


RELEASED_RUNS = Noun(
    name="released-runs",
    see=Runs.see_released,
    rows=released_to,
    sorts=Sorting("released-runs", run=RUN, team=TEAM, how_it_was_made=Column("description")),
    fields={name: FIELDS[name] for name in RELEASED},
)
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
