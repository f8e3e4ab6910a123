"""Remove a member: what they have, and what becomes of it."""

from collections.abc import Iterable, Iterator

from django.db.models import Q
from django.utils import timezone

from accounts.access import check_seen
from accounts.models import User
from campaigns.access.people import check_can_remove, removals
from campaigns.acting import in_campaign
from campaigns.events import CampaignEvent
from campaigns.from_above import HOLDINGS, LOCK_WORK, RELEASE_WORK, Holding, Released
from campaigns.models.campaign import Campaign
from campaigns.models.people import Invitation, InvitationQuerySet, InvitationUse, Membership, Role
from campaigns.models.trail import AuditEvent
from trec.versions import version
from trec.words import counted


@in_campaign
def remove_member(
    *, user: User, membership: Membership, successor: User | None = None, seen: str | None = None
) -> str:
    """Remove a member and return what became of their work.

    What a successor can take over goes to them, the rest waits to be assigned. What the member has
    done stays theirs, also if they are invited again. The links by which they came are withdrawn,
    and those that they made as an organizer. `seen` is `seen_of` their holdings.
    """
    links = _links_of(membership)
    list(links.select_for_update(no_key=True).order_by("pk"))
    # Organizers who remove each other do so one after the other: the second finds nothing to do.
    Membership.objects.locked(membership.campaign, Role.ORGANIZER)
    check_can_remove(user, membership)
    LOCK_WORK(membership)
    check_seen(seen, seen_of(holdings_of(membership)), f"What {membership.user} has, marked below,")
    outcome, detail = _release(membership, successor)
    AuditEvent.record(
        membership.campaign,
        user,
        CampaignEvent.MEMBER_REMOVED,
        f"{membership.user}, {membership.role}",
        user=membership.user_id,
        membership=membership.pk,
        role=membership.role,
        outcome=outcome,
        **detail,
    )
    _links_of(membership).update(withdrawn_at=timezone.now())
    membership.delete()
    return outcome


def _release(membership: Membership, successor: User | None) -> Released:
    released = RELEASE_WORK(membership, successor)
    detail = {name: value for each in released for name, value in each.detail.items()}
    return Released(" ".join(each.outcome for each in released if each.outcome), detail)


def holdings_of(membership: Membership) -> list[Holding]:
    of_apps = (holding for holdings in HOLDINGS(membership) for holding in holdings)
    return [*_open_links(membership), *of_apps]


def seen_of(holdings: Iterable[Holding]) -> str:
    """Return the versions of all lines about these holdings, so that new ones can be marked."""
    return " ".join(version(line) for holding in holdings for line in holding.lines)


def how_removed(campaign: Campaign, membership_id: int) -> str:
    """Return who removed a member, and who took over their work."""
    removed = removals(campaign, membership=membership_id)
    event = removed.select_related("actor").first()
    if event is None:
        return "This person has been removed already."
    outcome = event.detail["outcome"]
    return f"{event.subject} has already been removed by {event.actor}. {outcome}".strip()


def _links_of(membership: Membership) -> InvitationQuerySet:
    """Return the links to withdraw with a member: those they joined by, and an organizer's own."""
    joined_by = InvitationUse.objects.filter(user=membership.user).values("invitation")
    links = Q(pk__in=joined_by, role=membership.role)
    if membership.role == Role.ORGANIZER:
        links |= Q(created_by=membership.user)
    return Invitation.objects.filter(links, campaign=membership.campaign, withdrawn_at=None)


def _open_links(membership: Membership) -> Iterator[Holding]:
    links = _links_of(membership)
    n_made = links.filter(created_by=membership.user).n_open()
    n_others = links.exclude(created_by=membership.user).n_open()
    for n, whose in ((n_made, "made"), (n_others, "by which they joined")):
        if n:
            yield Holding(
                f"{counted(n, 'open link')} {whose}",
                f"Nobody can join by {'it' if n == 1 else 'them'} any more.",
            )
