"""Remove a member: somebody takes over their work, or it waits."""

from django.db.models import Q
from django.utils import timezone

from accounts.access import check, check_seen
from accounts.models import User
from api.services import revoke_if_gone
from assess.services.leaving import assignments_of, lock_work, release_work, takers_of
from campaigns.access.people import People, removals
from campaigns.acting import in_campaign
from campaigns.events import CampaignEvent
from campaigns.models.campaign import Campaign
from campaigns.models.people import Invitation, InvitationQuerySet, InvitationUse, Membership, Role
from campaigns.models.trail import AuditEvent
from cleverdon.trec.versions import version


@in_campaign
def remove_member(
    *, user: User, membership: Membership, successor: User | None = None, seen: str | None = None
) -> str:
    """Remove a member and return what became of their work.

    What a successor can take over goes to them, the rest waits to be assigned. What the member has
    done stays theirs, also if they are invited again. The links by which they came are withdrawn,
    and those that they made as an organizer. `seen` is `seen_of` them.
    """
    links = _links_of(membership)
    list(links.select_for_update(no_key=True).order_by("pk"))
    # Organizers who remove each other do so one after the other: the second finds nothing to do.
    Membership.objects.locked(membership.campaign, Role.ORGANIZER)
    check(People.remove, user, membership)
    lock_work(membership)
    check_seen(seen, seen_of(membership), f"What {membership.user} has to judge")
    outcome, detail = release_work(membership, successor)
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
    revoke_if_gone(person=membership.user, campaign=membership.campaign, by=user)
    return outcome


def seen_of(membership: Membership) -> str:
    """Return the version of a member's topics, and of who can take them over."""
    topics = assignments_of(membership).order_by("pk").values_list("pk", flat=True)
    return version(*topics, takers_of(membership))


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
