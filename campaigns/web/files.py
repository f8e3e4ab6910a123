"""Lists of people and events as files."""

from django.http import StreamingHttpResponse
from django.views.decorators.http import require_safe

from accounts.pages import UserRequest, signed_in
from campaigns.access.roles import check_can_organize
from campaigns.models.people import Membership
from campaigns.models.trail import AuditEvent
from campaigns.web.frame import guarded, streamed
from campaigns.web.lists import events_csv, people_csv


@signed_in
@require_safe
def people(request: UserRequest, slug: str) -> StreamingHttpResponse:
    campaign = guarded(request, slug, check_can_organize)
    members = Membership.objects.for_people(campaign)
    return streamed(people_csv(members), f"{slug}-people.csv", "text/csv")


@signed_in
@require_safe
def events(request: UserRequest, slug: str) -> StreamingHttpResponse:
    """Download who did what, the first first."""
    campaign = guarded(request, slug, check_can_organize)
    rows = AuditEvent.objects.filter(campaign=campaign).select_related("actor")
    lines = events_csv(rows.order_by("pk").iterator())
    return streamed(lines, f"{slug}-events.csv", "text/csv")
