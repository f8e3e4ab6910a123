"""Lists of runs as files."""

from datetime import datetime
from typing import NamedTuple

from django.http import StreamingHttpResponse
from django.views.decorators.http import require_safe

from accounts.pages import UserRequest, signed_in
from campaigns.web.frame import guarded, open_to_visitors, streamed
from runs.access.runs import check_can_see_released_runs, check_can_see_runs, released_of
from runs.models import Run
from trec.cells import records_csv


@signed_in
@require_safe
def runs_file(request: UserRequest, slug: str) -> StreamingHttpResponse:
    campaign = guarded(request, slug, check_can_see_runs)
    runs = Run.objects.visible_to(request.user, campaign)
    lines = records_csv(RunRecord, map(_record, runs.iterator()))
    return streamed(lines, f"{slug}-runs.csv", "text/csv")


@open_to_visitors
@require_safe
def released_runs_file(request: UserRequest, slug: str) -> StreamingHttpResponse:
    campaign = guarded(request, slug, check_can_see_released_runs)
    runs = released_of(campaign)
    lines = records_csv(ReleasedRunRecord, map(_released_record, runs.iterator()))
    return streamed(lines, f"{slug}-released-runs.csv", "text/csv")


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
