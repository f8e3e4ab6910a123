"""What a member has in a campaign, and what becomes of it when they are removed.

Apps above register what they know of.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from django.db.models import Q

from accounts.models import User
from campaigns.access.people import removals
from campaigns.models.campaign import Campaign
from campaigns.models.people import Invitation, InvitationQuerySet, InvitationUse, Membership, Role
from trec.words import counted


class Piece(NamedTuple):
    """A piece of a member's work that somebody else can take over."""

    name: str
    state: str
    address: str

    @property
    def stamp(self) -> str:
        return f"{self.name}: {self.state}"


class Holding(NamedTuple):
    """Something that a member has, in words, and what becomes of it.

    A successor can take over its `pieces`. By user id, `refused` says why somebody can take none of
    them, and `notes` what else to know; `shortfalls` say in sentences who cannot take which.
    """

    what: str
    outcome: str
    pieces: Sequence[Piece] = ()
    refused: Mapping[int, str] = MappingProxyType({})
    notes: Mapping[int, str] = MappingProxyType({})
    shortfalls: Sequence[str] = ()

    @property
    def stamp(self) -> str:
        return f"{self.what}: {self.outcome}"


class Released(NamedTuple):
    """What became of it: in words, and what the audit event says of it besides."""

    outcome: str = ""
    detail: Mapping[str, Any] = MappingProxyType({})


class HoldingKind(NamedTuple):
    """What an app knows of members: how it is found, locked, and given to a successor or back."""

    find: Callable[[Membership], list[Holding]]
    lock: Callable[[Membership], None]
    release: Callable[[Membership, User | None], Released]


_known: list[HoldingKind] = []


def register_holdings(known: HoldingKind) -> None:
    """Add what an app knows of. All are called in the transaction of the removal, before it."""
    _known.append(known)


def holdings_of(membership: Membership) -> list[Holding]:
    return [*_links(membership), *(holding for each in _known for holding in each.find(membership))]


def lock(membership: Membership) -> None:
    for each in _known:
        each.lock(membership)


def release(membership: Membership, successor: User | None) -> Released:
    """Give everything that a member has to a successor; what they cannot take goes back."""
    done = [each.release(membership, successor) for each in _known]
    detail = {name: value for each in done for name, value in each.detail.items()}
    return Released(" ".join(filter(None, (each.outcome for each in done))), detail)


def stamps(holdings: Sequence[Holding]) -> list[str]:
    """Return what a page shows of these holdings, line by line."""
    pieces = [piece.stamp for holding in holdings for piece in holding.pieces]
    shortfalls = [sentence for holding in holdings for sentence in holding.shortfalls]
    return [*(holding.stamp for holding in holdings), *pieces, *shortfalls]


def seen(holdings: Sequence[Holding]) -> str:
    """Return what a page shows of these holdings, for the act to come back with it."""
    return json.dumps(stamps(holdings))


def how_removed(campaign: Campaign, membership_id: int) -> str:
    """Return who removed a member, and who took over what they had to do."""
    removed = removals(campaign, membership=membership_id)
    event = removed.select_related("actor").first()
    if event is None:
        return "This person has been removed already."
    sentence = f"{event.subject} has already been removed by {event.actor}."
    return f"{sentence} {event.detail['outcome']}".strip()


def links_of(membership: Membership) -> InvitationQuerySet:
    """Return the links that end with a membership: by which it came, or made by an organizer."""
    came = InvitationUse.objects.filter(user=membership.user).values("invitation")
    ends = Q(pk__in=came, role=membership.role)
    if membership.role == Role.ORGANIZER:
        ends |= Q(created_by=membership.user)
    return Invitation.objects.filter(ends, campaign=membership.campaign, withdrawn_at=None)


def lock_links(membership: Membership) -> None:
    list(links_of(membership).select_for_update(no_key=True).order_by("pk"))


def _links(membership: Membership) -> Iterator[Holding]:
    links = links_of(membership)
    n_made = links.filter(created_by=membership.user).n_open()
    n_others = links.exclude(created_by=membership.user).n_open()
    for n, whose in ((n_made, "made"), (n_others, "by which they joined")):
        if n:
            yield Holding(
                f"{counted(n, 'open link')} {whose}",
                f"Nobody can join by {'it' if n == 1 else 'them'} any more.",
            )
