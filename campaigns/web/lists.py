"""People and events as files."""

import json
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import NamedTuple

from campaigns.models.people import Membership
from campaigns.models.trail import AuditEvent
from trec.cells import records_csv


class PersonRecord(NamedTuple):
    """A role that somebody has; whoever has several has a line for each."""

    user: str
    name: str
    role: str
    team: str
    since: datetime


class EventRecord(NamedTuple):
    """Who did what to what."""

    at: datetime
    by: str
    event: str
    subject: str
    detail: str


def people_csv(members: Iterable[Membership]) -> Iterator[str]:
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


def events_csv(events: Iterable[AuditEvent]) -> Iterator[str]:
    """Yield a header and each event; what else is known of it is a JSON object."""
    return records_csv(
        EventRecord,
        (
            EventRecord(
                each.at,
                each.actor.username,
                each.get_kind_display(),
                each.subject,
                json.dumps(each.detail, ensure_ascii=False, sort_keys=True) if each.detail else "",
            )
            for each in events
        ),
    )
