"""Lists of people, teams and events, on pages and as files."""

import json
from functools import cache, partial
from typing import Any

from accounts.models import BY_NAME
from campaigns.models.ordering import natural
from campaigns.models.people import Membership, Team
from campaigns.models.trail import AuditEvent, event_kinds
from campaigns.web.listing import SearchForm
from campaigns.web.lists import NounList, csv_of
from campaigns.web.sorting import Column, Sorting


@cache
def _labels() -> dict[str, str]:
    """Return the words of each kind, made once: Django makes them anew for each event."""
    return dict(event_kinds())


def _json(detail: dict[str, Any]) -> str:
    return json.dumps(detail, ensure_ascii=False, sort_keys=True) if detail else ""


MEMBERS = NounList(
    name="people",
    rows=lambda _, campaign: Membership.objects.for_people(campaign),
    form=partial(SearchForm, label="name, team or role"),
    found=lambda rows, q="": rows.matching(q),
    sorting=Sorting(
        "members",
        unasked="Role",
        person=Column(*(f"user__{name}" for name in BY_NAME)),
        role=Column("role"),
        team=Column(natural("team__name"), has_gaps=True),
        since=Column("joined_at", is_date=True),
    ),
    # A line for each role of a person.
    columns={
        "user": lambda member: member.user.username,
        "name": lambda member: member.user.get_full_name(),
        "role": lambda member: member.role,
        "team": lambda member: member.team.name if member.team else "",
        "since": lambda member: member.joined_at,
    },
)
TEAMS = NounList(
    name="teams",
    rows=lambda _, campaign: Team.objects.for_people(campaign),
    form=partial(SearchForm, label="name of a team", name="team"),
    found=lambda rows, team="": rows.filter(name__icontains=team),
    sorting=Sorting(
        "team-list",
        unasked="Team",
        team=Column(natural("name"), "name"),
        members=Column("n_members", is_number=True),
        runs=Column("n_runs", is_number=True),
    ),
)
EVENTS = NounList(
    name="events",
    rows=lambda _, campaign: (
        AuditEvent.objects.filter(campaign=campaign).select_related("actor").order_by("pk")
    ),
    form=partial(SearchForm, label="who or what"),
    found=lambda rows, q="": rows.matching(q).in_words().order_by("-pk"),
    sorting=Sorting(
        "events",
        unasked="-When",
        what=Column("what", "subject"),
        who=Column(*(f"actor__{name}" for name in BY_NAME)),
        when=Column("pk", is_date=True, is_indexed=True),
    ),
    columns={
        "at": lambda event: event.at,
        "by": lambda event: event.actor.username,
        "event": lambda event: _labels().get(event.kind, event.kind),
        "subject": lambda event: event.subject,
        "detail": lambda event: _json(event.detail),
    },
)
people = csv_of(MEMBERS)
events = csv_of(EVENTS)
