"""Lists of runs as files."""

from django.http import StreamingHttpResponse
from django.views.decorators.http import require_safe

from accounts.pages import UserRequest, signed_in
from campaigns.web.frame import guarded, open_to_visitors, streamed
from runs.access.runs import check_can_see_released_runs, check_can_see_runs, released_of
from runs.models import Run
from runs.web.lists import released_runs_csv, runs_csv


@signed_in
@require_safe
def runs(request: UserRequest, slug: str) -> StreamingHttpResponse:
    """Download the list of the runs that the person may see."""
    campaign = guarded(request, slug, check_can_see_runs)
    rows = Run.objects.visible_to(request.user, campaign)
    return streamed(runs_csv(rows.iterator()), f"{slug}-runs.csv", "text/csv")


@open_to_visitors
@require_safe
def released_runs(request: UserRequest, slug: str) -> StreamingHttpResponse:
    """Download the list of the runs that are released."""
    campaign = guarded(request, slug, check_can_see_released_runs)
    rows = released_of(campaign)
    lines = released_runs_csv(rows.iterator())
    return streamed(lines, f"{slug}-released-runs.csv", "text/csv")
