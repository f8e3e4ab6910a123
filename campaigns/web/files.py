"""People and events as files."""

import json
from collections.abc import Callable
from typing import Any

from django.http import StreamingHttpResponse
from django.views.decorators.http import require_safe

from accounts.pages import UserRequest, signed_in
from campaigns.access.roles import check_can_organize
from campaigns.models.people import Membership
from campaigns.models.trail import AuditEvent
from campaigns.web.frame import guarded, streamed
from trec.cells import table_csv

# A role of a person, who has a line for each.
PEOPLE: dict[str, Callable[[Membership], object]] = {
    "user": lambda member: member.user.username,
    "name": lambda member: member.user.get_full_name(),
    "role": lambda member: member.role,
    "team": lambda member: member.team.name if member.team else "",
    "since": lambda member: member.joined_at,
}
EVENTS: dict[str, Callable[[AuditEvent], object]] = {
    "at": lambda event: event.at,
    "by": lambda event: event.actor.username,
    "event": lambda event: event.get_kind_display(),
    "subject": lambda event: event.subject,
    "detail": lambda event: _json(event.detail),
}


def _json(detail: dict[str, Any]) -> str:
    return json.dumps(detail, ensure_ascii=False, sort_keys=True) if detail else ""


@signed_in
@require_safe
def people(request: UserRequest, slug: str) -> StreamingHttpResponse:
    campaign = guarded(request, slug, check_can_organize)
    members = Membership.objects.for_people(campaign)
    return streamed(table_csv(PEOPLE, members), f"{slug}-people.csv", "text/csv")


@signed_in
@require_safe
def events(request: UserRequest, slug: str) -> StreamingHttpResponse:
    """Download who did what, oldest first."""
    campaign = guarded(request, slug, check_can_organize)
    rows = AuditEvent.objects.filter(campaign=campaign).select_related("actor")
    lines = table_csv(EVENTS, rows.order_by("pk").iterator())
    return streamed(lines, f"{slug}-events.csv", "text/csv")
