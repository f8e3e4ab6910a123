"""Remove members."""

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from campaigns import ties
from campaigns.access import check_can_remove
from campaigns.events import CampaignEvent
from campaigns.models import AuditEvent, Membership, Role


@transaction.atomic
def remove_member(
    *, user: User, membership: Membership, heir: User | None = None
) -> None:
    """Remove a member. What they had to do goes to the heir, or back to be given to somebody; what they have done stays theirs.

    The links that an organizer has made are withdrawn. Whoever is invited again finds their own judgments as they were.
    """
    organizers = Membership.objects.filter(
        campaign=membership.campaign, role=Role.ORGANIZER
    )
    # Two organizers who remove each other at once do so one after the other: the first leaves the second nothing to do.
    list(organizers.select_for_update().order_by("pk"))
    check_can_remove(user, membership)
    detail = ties.release(membership, user, heir)
    AuditEvent.record(
        membership.campaign,
        user,
        CampaignEvent.MEMBER_REMOVED,
        f"{membership.user}, {membership.role}",
        user=membership.user_id,
        **detail,
    )
    if membership.role == Role.ORGANIZER:
        ties.links_of(membership).update(withdrawn_at=timezone.now())
    membership.delete()
