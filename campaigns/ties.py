"""What hangs on a member of a campaign, and what becomes of it when they are removed. Apps above register what they know of."""

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from django.db.models import QuerySet
from django.template.defaultfilters import pluralize

from accounts.models import User
from campaigns.models import Invitation, Membership, Role, Run


class Tie(NamedTuple):
    """Something that hangs on a member, in words, and what becomes of it. `has_heir`: somebody else can be given it.

    `refused` are those who cannot, by user id, each with the reason; `notes` say something of those who can.
    """

    what: str
    outcome: str
    has_heir: bool = False
    refused: Mapping[int, str] = MappingProxyType({})
    notes: Mapping[int, str] = MappingProxyType({})


Find = Callable[[Membership], list[Tie]]
# Takes the member, who removes them, and the heir if there is one; returns what the audit event says of it.
Release = Callable[[Membership, User, User | None], dict[str, Any]]

_finders: list[Find] = []
_releases: list[Release] = []


def register_ties(find: Find, release: Release) -> None:
    """Add what an app knows of, from its `ready`. `release` is called in the transaction of the removal, before it."""
    _finders.append(find)
    _releases.append(release)


def ties_of(membership: Membership) -> list[Tie]:
    return [
        *_runs(membership),
        *_links(membership),
        *(tie for find in _finders for tie in find(membership)),
    ]


def release(membership: Membership, by: User, heir: User | None) -> dict[str, Any]:
    """Give everything that hangs on a member to the heir, or back; Refused if the heir cannot have it."""
    detail: dict[str, Any] = {"heir": heir.username} if heir else {}
    for each in _releases:
        detail |= each(membership, by, heir)
    return detail


def _runs(membership: Membership) -> Iterator[Tie]:
    runs = Run.objects.filter(campaign=membership.campaign, submitted_by=membership.user)  # fmt: skip
    n = runs.filter(team=membership.team).count()
    if membership.role == Role.PARTICIPANT and n:
        what = f"{n:,} run{pluralize(n)} uploaded"
        yield Tie(what, f"They stay with team {membership.team}.")


def links_of(membership: Membership) -> QuerySet[Invitation]:
    """Return the links that somebody has made in the campaign, but for those withdrawn."""
    made = Invitation.objects.filter(created_by=membership.user, withdrawn_at=None)
    return made.filter(campaign=membership.campaign)


def _links(membership: Membership) -> Iterator[Tie]:
    links = links_of(membership).prefetch_related("uses")
    n = sum(link.state == "open" for link in links)
    if membership.role == Role.ORGANIZER and n:
        yield Tie(f"{n:,} open link{pluralize(n)} made", "Nobody can join by them any more.")  # fmt: skip
