"""What a campaign has of people, teams, links, jobs, rounds, releases and events."""

from collections.abc import Mapping
from datetime import datetime
from functools import cache, partial
from typing import Any

from accounts.access import Verb
from accounts.models import BY_NAME, User
from campaigns.access.campaign import Campaigns
from campaigns.access.people import People
from campaigns.access.roles import organizes, roles
from campaigns.converters import DOCNO
from campaigns.models.campaign import Campaign
from campaigns.models.ordering import natural
from campaigns.models.people import Invitation, Membership, Role, Team
from campaigns.models.rounds import DATES, Round
from campaigns.models.trail import AuditEvent, event_kinds
from campaigns.noun import ID, Field, Key, Noun, SearchForm
from campaigns.sorting import Column, Sorting
from jobs.models import Job


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
        "role": Field(str, choices=Role.values),
        "team": Field(str | None, lambda member: member.team and member.team.name),
        "since": Field(datetime, lambda member: member.joined_at),
    },
    model=Membership,
    key=Key("user", "user__username", DOCNO),
)


def _teams_of(user: User, campaign: Campaign) -> Any:
    """Return all teams to organizers, to others those that they are in."""
    teams = Team.objects.for_people(campaign)
    if Role.ORGANIZER in roles(user, campaign):
        return teams
    return teams.filter(
        pk__in=Membership.objects.filter(user=user, team__isnull=False).values("team")
    )


TEAMS = Noun(
    name="teams",
    see=Campaigns.see_as_member,
    rows=_teams_of,
    filters=partial(SearchForm, label="name of a team", name="team"),
    found=lambda rows, team="": rows.filter(name__icontains=team),
    sorts=Sorting(
        "team-list",
        unasked="Team",
        team=Column(natural("name"), "name"),
        members=Column("n_members", is_number=True),
        runs=Column("n_runs", is_number=True),
    ),
    fields={
        "name": Field(str),
        "members": Field(int, lambda team: team.n_members),
        "runs": Field(int, lambda team: team.n_runs),
        "is_baseline": Field(bool, help="it has the organizers' own runs"),
        "submission_closes_at": Field(datetime | None, help="its extended deadline"),
    },
    model=Team,
    key=Key("name", "name__iexact", DOCNO),
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

CAMPAIGNS = Noun(
    name="campaigns",
    see=Verb(),
    rows=lambda user, _: Campaign.objects.of(user),
    shown=lambda user, _: Campaign.objects.of(user) | Campaign.objects.public(),
    fields={
        "slug": Field(str, help="its name in addresses"),
        "name": Field(str),
        "description": Field(str),
        "notice": Field(str),
        "time_zone": Field(str),
        "round": Field(int, help="the current one"),
        "run_depth": Field(int, help="the most documents per topic in a run"),
        "topics_open_at": Field(datetime | None),
        "submission_opens_at": Field(datetime | None),
        "submission_closes_at": Field(datetime | None),
        "judging_opens_at": Field(datetime | None),
        "judging_closes_at": Field(datetime | None),
        "created_at": Field(datetime),
        "archived_at": Field(datetime | None, help="since then it is read-only"),
    },
    model=Campaign,
    key=Key("slug", "slug", "slug"),
    help="The campaigns in which you have a role; the record also of one that is open to all.",
)
# What organizers alone see and change.
SET = (
    "guidelines",
    "shows_guidelines",
    "takes_evidence",
    "evidence_from",
    "shared_rule",
    "seconds_per_judgment",
    "has_whole_collection",
    "refuses_conflicts",
    "serves_duplicates_together",
    "least_view_ms",
    "known_percent",
    "repeat_percent",
)
TYPES: Mapping[str, Any] = {"guidelines": str, "shared_rule": str, "evidence_from": int | None}
BOOLEANS = {"shows_guidelines", "takes_evidence", "has_whole_collection", "refuses_conflicts"}
BOOLEANS |= {"serves_duplicates_together"}
SETTINGS = Noun(
    name="settings",
    see=Campaigns.organize,
    rows=lambda _, campaign: [campaign],
    fields={
        **CAMPAIGNS.fields,
        **{name: Field(TYPES.get(name, bool if name in BOOLEANS else int)) for name in SET},
        "criteria": Field(list, help="the first one of each kind gives the grade"),
        "has_fixed_scale": Field(bool, help="values and labels of the grades stay"),
    },
    is_one=True,
    help="All settings of the campaign, for its organizers.",
)
INVITATIONS = Noun(
    name="invitations",
    see=People.see,
    rows=lambda _, campaign: Invitation.objects.for_people(campaign),
    # Not the link itself: whoever makes one is told it, once.
    fields={
        "id": Field(str, lambda link: str(link.public_id)),
        "name": Field(str),
        "role": Field(str, choices=Role.values),
        "team": Field(str | None, lambda link: link.team and link.team.name),
        "state": Field(str, choices=("open", "used up", "expired", "withdrawn")),
        "uses": Field(int, lambda link: link.n_uses),
        "max_uses": Field(int),
        "created_by": Field(str, lambda link: link.created_by.username),
        "created_at": Field(datetime),
        "expires_at": Field(datetime),
    },
    model=Invitation,
    key=ID,
)


def _jobs_of(user: User, campaign: Campaign) -> Any:
    """Return the jobs of a campaign for its organizers, for others those they asked for."""
    jobs = Job.objects.recent(campaign)
    return jobs if Role.ORGANIZER in roles(user, campaign) else jobs.filter(created_by=user)


JOBS = Noun(
    name="jobs",
    see=Campaigns.see_as_member,
    rows=_jobs_of,
    fields={
        "id": Field(str, lambda job: str(job.public_id)),
        "does": Field(str, lambda job: job.label),
        "about": Field(str),
        "state": Field(str, choices=Job.State.values),
        "percent": Field(int),
        "attempts": Field(int),
        "outcome": Field(str, help="what came of it, or why it failed"),
        "created_by": Field(str, lambda job: job.created_by.username),
        "created_at": Field(datetime),
        "started_at": Field(datetime | None),
        "finished_at": Field(datetime | None),
    },
    model=Job,
    key=ID,
    help="Work that takes longer than a request; participants see what they asked for.",
)


def _date(name: str, row: Round) -> object:
    return getattr(row.dated, name)


ROUNDS = Noun(
    name="rounds",
    see=Verb(organizes),
    rows=lambda _, campaign: campaign.rounds.select_related("campaign").order_by("number"),
    fields={
        "number": Field(int),
        "topics": Field(list),
        **{name: Field(datetime | None, partial(_date, name)) for name in DATES},
    },
    model=Round,
    key=Key("number", "number", "int"),
    order="number",
    help="The rounds of a campaign that has several.",
)
