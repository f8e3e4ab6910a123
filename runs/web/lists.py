"""Lists of runs, on pages and as files."""

from collections.abc import Callable, Mapping
from operator import attrgetter

from campaigns.models.ordering import natural
from campaigns.web.frame import open_to_visitors
from campaigns.web.lists import NounList, csv_of
from campaigns.web.sorting import Cell, Column, Figure, Shown, Sorting
from runs.access.runs import check_can_see_released_runs, check_can_see_runs, released_to
from runs.core.efficiency import EFFICIENCY
from runs.from_above import BoardScores, Overlap
from runs.models import Run
from runs.web.run_forms import RunFilterForm

# Counts are those of the last check, None before it.
FILE: dict[str, Callable[[Run], object]] = {
    "run_id": lambda run: run.pk,
    "tag": lambda run: run.tag,
    "team": lambda run: run.team.name,
    "state": lambda run: run.state,
    "round": lambda run: run.round,
    "pooled": lambda run: "yes" if run.is_pooled else "",
    "late": lambda run: "yes" if run.is_late else "",
    "manual": lambda run: {True: "yes", False: "no", None: ""}[run.is_manual],
    "priority": lambda run: run.priority,
    "topics": lambda run: (run.report or {}).get("n_topics"),
    "lines": lambda run: (run.report or {}).get("n_lines"),
    "errors": lambda run: (run.report or {}).get("n_errors"),
    "warnings": lambda run: len(run.report["warnings"]) if run.report else None,
    "submitted_by": lambda run: run.submitted_by.username,
    "submitted_at": lambda run: run.submitted_at,
    "file": lambda run: run.file_name,
    "sha256": lambda run: run.sha256,
    "out_at": lambda run: run.out_at,
    "out_reason": lambda run: run.out_reason,
    "description": lambda run: run.description,
    **{name: attrgetter(name) for name in EFFICIENCY},
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
RUNS = NounList(
    name="runs",
    check=check_can_see_runs,
    rows=Run.objects.visible_to,
    form=RunFilterForm,
    found=lambda rows, **filters: rows.for_list(**filters),
    columns=FILE,
)


RELEASED_RUNS = NounList(
    name="released-runs",
    check=check_can_see_released_runs,
    rows=released_to,
    sorting=Sorting("released-runs", run=RUN, team=TEAM, how_it_was_made=Column("description")),
    columns={name: FILE[name] for name in RELEASED},
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
