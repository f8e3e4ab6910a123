"""Lists of people, teams and events, on pages and as files."""

from datetime import datetime
from functools import cache, partial

from accounts.models import BY_NAME
from campaigns.access.campaign import Campaigns
from campaigns.access.people import People
from campaigns.models.ordering import natural
from campaigns.models.people import Membership, Team
from campaigns.models.trail import AuditEvent, event_kinds
from campaigns.nouns import Field, Noun
from campaigns.sorting import Column, Sorting
from campaigns.web.listing import SearchForm
from campaigns.web.lists import csv_of


@cache
def _labels() -> dict[str, str]:
    """Return the words of each kind, made once: Django makes them anew for each event."""
    return dict(event_kinds())


MEMBERS = Noun(
    name="people",
    see=People.see,
    rows=lambda _, campaign: Membership.objects.for_people(campaign),
    filters=partial(SearchForm, label="name, team or role"),
    found=lambda rows, q="": rows.matching(q),
    sorts=Sorting(
        "members",
        unasked="Role",
        person=Column(*(f"user__{name}" for name in BY_NAME)),
        role=Column("role"),
        team=Column(natural("team__name"), has_gaps=True),
        since=Column("joined_at", is_date=True),
    ),
    # A line for each role of a person.
    fields={
        "user": Field(str, lambda member: member.user.username),
        "name": Field(str, lambda member: member.user.get_full_name()),
        "role": Field(str),
        "team": Field(str | None, lambda member: member.team and member.team.name),
        "since": Field(datetime, lambda member: member.joined_at),
    },
)
TEAMS = Noun(
    name="teams",
    see=People.see,
    rows=lambda _, campaign: Team.objects.for_people(campaign),
    filters=partial(SearchForm, label="name of a team", name="team"),
    found=lambda rows, team="": rows.filter(name__icontains=team),
    sorts=Sorting(
        "team-list",
        unasked="Team",
        team=Column(natural("name"), "name"),
        members=Column("n_members", is_number=True),
        runs=Column("n_runs", is_number=True),
    ),
)
EVENTS = Noun(
    name="events",
    see=Campaigns.see_audit_trail,
    rows=lambda _, campaign: (
        AuditEvent.objects.filter(campaign=campaign).select_related("actor").order_by("pk")
    ),
    filters=partial(SearchForm, label="who or what"),
    found=lambda rows, q="": rows.matching(q).in_words().order_by("-pk"),
    sorts=Sorting(
        "events",
        unasked="-When",
        what=Column("what", "subject"),
        who=Column(*(f"actor__{name}" for name in BY_NAME)),
        when=Column("pk", is_date=True, is_indexed=True),
    ),
    fields={
        "at": Field(datetime),
        "by": Field(str, lambda event: event.actor.username),
        "event": Field(str, lambda event: _labels().get(event.kind, event.kind)),
        "subject": Field(str),
        "detail": Field(dict),
    },
)
people = csv_of(MEMBERS)
events = csv_of(EVENTS)
