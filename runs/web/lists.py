"""Lists of runs as files."""

from collections.abc import Callable

from django.http import StreamingHttpResponse
from django.views.decorators.http import require_safe

from accounts.pages import UserRequest, signed_in
from campaigns.web.frame import guarded, open_to_visitors, streamed
from runs.access.runs import check_can_see_released_runs, check_can_see_runs, released_of
from runs.models import Run
from trec.cells import table_csv

# Counts are those of the last check, None before it.
COLUMNS: dict[str, Callable[[Run], object]] = {
    "run_id": lambda run: run.pk,
    "tag": lambda run: run.tag,
    "team": lambda run: run.team.name,
    "state": lambda run: run.state,
    "pooled": lambda run: "yes" if run.is_pooled else "",
    "late": lambda run: "yes" if run.is_late else "",
    "manual": lambda run: "yes" if run.is_manual else "",
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
}
# For others than the run's team and the organizers.
RELEASED = ("run_id", "tag", "team", "manual", "file", "sha256", "description")


@signed_in
@require_safe
def runs_file(request: UserRequest, slug: str) -> StreamingHttpResponse:
    campaign = guarded(request, slug, check_can_see_runs)
    runs = Run.objects.visible_to(request.user, campaign)
    return streamed(table_csv(COLUMNS, runs.iterator()), f"{slug}-runs.csv", "text/csv")


@open_to_visitors
@require_safe
def released_runs_file(request: UserRequest, slug: str) -> StreamingHttpResponse:
    campaign = guarded(request, slug, check_can_see_released_runs)
    columns = {name: COLUMNS[name] for name in RELEASED}
    lines = table_csv(columns, released_of(campaign).iterator())
    return streamed(lines, f"{slug}-released-runs.csv", "text/csv")
