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
    *,
    user: User,
    membership: Membership,
    successors: holdings.Successors | None = None,
    seen: str | None = None,
) -> str:
    """Remove a member and return what became of what they had to do: it goes to the successors, or back to be assigned.

    What they have done stays theirs. The links by which they came are withdrawn, and those that an organizer has made. Whoever is invited again finds their
    own judgments as they were. With `seen`, what somebody had before their eyes, it is refused if that has changed.
    """
    holdings.lock_links(membership)
    # Two organizers who remove each other at once do so one after the other: the first leaves the second nothing to do.
    Membership.objects.locked(membership.campaign, Role.ORGANIZER)
    check_can_remove(user, membership)
    holdings.lock(membership)
    if seen is not None and seen != holdings.seen(holdings.holdings_of(membership)):
        raise Refused(
            "Something has changed since this page was opened, so nobody was removed. What is new is marked."
        )
    outcome, detail = holdings.release(membership, successors or holdings.Successors())
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
