"""Remove members."""

from django.utils import timezone

from accounts.access import Refused
from accounts.models import User
from campaigns import holdings
from campaigns.access.people import check_can_remove
from campaigns.acting import in_campaign
from campaigns.events import CampaignEvent
from campaigns.models.people import Membership, Role
from campaigns.models.trail import AuditEvent


@in_campaign
def remove_member(
    *, user: User, membership: Membership, successor: User | None = None, seen: str | None = None
) -> str:
    """Remove a member and return what became of their work.

    What a successor can take over goes to them, the rest waits to be assigned. What the member has
    done stays theirs, also if they are invited again. The links by which they came are withdrawn,
    and those that they made as an organizer. With `seen`, what the page showed, it is refused if
    that has changed.
    """
    holdings.lock_links(membership)
    # Two organizers who remove each other at once do so one after the other.
    Membership.objects.locked(membership.campaign, Role.ORGANIZER)
    check_can_remove(user, membership)
    holdings.lock(membership)
    if seen is not None and seen != holdings.seen(holdings.holdings_of(membership)):
        raise Refused(
            "Something has changed since this page was opened, so nobody was removed. "
            "What is new is marked."
        )
    outcome, detail = holdings.release(membership, successor)
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
    holdings.links_of(membership).update(withdrawn_at=timezone.now())
    membership.delete()
    return outcome
