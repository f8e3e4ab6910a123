"""Lists of people, teams and events, on pages and as files."""

import json
from datetime import datetime
from functools import partial
from typing import NamedTuple

from accounts.models import BY_NAME
from campaigns.models.ordering import natural
from campaigns.models.people import Membership, Team
from campaigns.models.trail import AuditEvent
from campaigns.web.listing import SearchForm
from campaigns.web.lists import NounList, csv_of
from campaigns.web.sorting import Column, Sorting


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


def _person(each: Membership) -> PersonRecord:
    team = each.team.name if each.team else ""
    return PersonRecord(
        each.user.username, each.user.get_full_name(), each.role, team, each.joined_at
    )


def _event(each: AuditEvent) -> AuditRecord:
    detail = json.dumps(each.detail, ensure_ascii=False, sort_keys=True) if each.detail else ""
    return AuditRecord(each.at, each.actor.username, each.get_kind_display(), each.subject, detail)


MEMBERS = NounList(
    name="people",
    rows=lambda _, campaign: Membership.objects.for_people(campaign),
    form=partial(SearchForm, label="name, team or role"),
    found=lambda rows, q="": rows.matching(q),
    sorting=Sorting(
        "members",
        unasked="Role",
        person=Column(tuple(f"user__{name}" for name in BY_NAME)),
        role=Column("role"),
        team=Column(natural("team__name"), has_gaps=True),
        since=Column("joined_at", is_date=True),
    ),
    columns=PersonRecord,
    record=_person,
)
TEAMS = NounList(
    name="teams",
    rows=lambda _, campaign: Team.objects.for_people(campaign),
    form=partial(SearchForm, label="name of a team", name="team"),
    found=lambda rows, team="": rows.filter(name__icontains=team),
    sorting=Sorting(
        "team-list",
        unasked="Team",
        team=Column((natural("name"), "name")),
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
        what=Column(("what", "subject")),
        who=Column(tuple(f"actor__{name}" for name in BY_NAME)),
        when=Column("pk", is_date=True, is_indexed=True),
    ),
    columns=AuditRecord,
    record=_event,
)
people = csv_of(MEMBERS)
events = csv_of(EVENTS)
