"""People and events as files."""

import json
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import NamedTuple

from django.http import StreamingHttpResponse
from django.views.decorators.http import require_safe

from accounts.pages import UserRequest, signed_in
from campaigns.access.roles import check_can_organize
from campaigns.models.people import Membership
from campaigns.models.trail import AuditEvent
from campaigns.web.frame import guarded, streamed
from trec.cells import records_csv


class PersonRecord(NamedTuple):
    """A role of a person, who has a line for each."""

    user: str
    name: str
    role: str
    team: str
    since: datetime


class AuditRecord(NamedTuple):
    """Who did what to what; `detail` is a JSON object."""

    at: datetime
    by: str
    event: str
    subject: str
    detail: str


def _people_csv(members: Iterable[Membership]) -> Iterator[str]:
    return records_csv(
        PersonRecord,
        (
            PersonRecord(
                each.user.username,
                each.user.get_full_name(),
                each.role,
                each.team.name if each.team else "",
                each.joined_at,
            )
            for each in members
        ),
    )


def _events_csv(events: Iterable[AuditEvent]) -> Iterator[str]:
    return records_csv(
        AuditRecord,
        (
            AuditRecord(
                each.at,
                each.actor.username,
                each.get_kind_display(),
                each.subject,
                json.dumps(each.detail, ensure_ascii=False, sort_keys=True) if each.detail else "",
            )
            for each in events
        ),
    )


@signed_in
@require_safe
def people(request: UserRequest, slug: str) -> StreamingHttpResponse:
    campaign = guarded(request, slug, check_can_organize)
    members = Membership.objects.for_people(campaign)
    return streamed(_people_csv(members), f"{slug}-people.csv", "text/csv")


@signed_in
@require_safe
def events(request: UserRequest, slug: str) -> StreamingHttpResponse:
    """Download who did what, oldest first."""
    campaign = guarded(request, slug, check_can_organize)
    rows = AuditEvent.objects.filter(campaign=campaign).select_related("actor")
    lines = _events_csv(rows.order_by("pk").iterator())
    return streamed(lines, f"{slug}-events.csv", "text/csv")
