"""Lists of runs, on pages and as files."""

from datetime import datetime
from typing import NamedTuple

from campaigns.models.ordering import natural
from campaigns.web.frame import open_to_visitors
from campaigns.web.lists import NounList, csv_of
from campaigns.web.sorting import Column, Sorting
from runs.access.runs import check_can_see_released_runs, check_can_see_runs, released_of
from runs.models import Run
from runs.web.run_forms import RunFilterForm


class RunRecord(NamedTuple):
    """A row of the list; counts are those of the last check, None before it."""

    run_id: int
    tag: str
    team: str
    state: str
    pooled: str
    late: str
    manual: str
    priority: int | None
    topics: int | None
    lines: int | None
    errors: int | None
    warnings: int | None
    submitted_by: str
    submitted_at: datetime
    file: str
    sha256: str
    out_at: datetime | None
    out_reason: str
    description: str


class ReleasedRunRecord(NamedTuple):
    """A row of the list for others than the run's team and the organizers."""

    run_id: int
    tag: str
    team: str
    manual: str
    file: str
    sha256: str
    description: str


def _record(run: Run) -> RunRecord:
    report = run.report or {}
    n_warnings = len(report["warnings"]) if "warnings" in report else None
    return RunRecord(
        run_id=run.pk,
        tag=run.tag,
        team=run.team.name,
        state=run.state,
        pooled=_yes(run.is_pooled),
        late=_yes(run.is_late),
        manual=_yes(run.is_manual),
        priority=run.priority,
        topics=report.get("n_topics"),
        lines=report.get("n_lines"),
        errors=report.get("n_errors"),
        warnings=n_warnings,
        submitted_by=run.submitted_by.username,
        submitted_at=run.submitted_at,
        file=run.file_name,
        sha256=run.sha256,
        out_at=run.out_at,
        out_reason=run.out_reason,
        description=run.description,
    )


def _released_record(run: Run) -> ReleasedRunRecord:
    return ReleasedRunRecord(
        run_id=run.pk,
        tag=run.tag,
        team=run.team.name,
        manual=_yes(run.is_manual),
        file=run.file_name,
        sha256=run.sha256,
        description=run.description,
    )


def _yes(mark: bool) -> str:
    return "yes" if mark else ""


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
    columns=RunRecord,
    record=_record,
)
RELEASED_RUNS = NounList(
    name="released-runs",
    check=check_can_see_released_runs,
    rows=lambda user, campaign: released_of(campaign),
    sorting=Sorting("released-runs", run=RUN, team=TEAM, how_it_was_made=Column("description")),
    columns=ReleasedRunRecord,
    record=_released_record,
)
runs_file = csv_of(RUNS)
released_runs_file = csv_of(RELEASED_RUNS, open_to_visitors)
