"""Invite people, let them join, remove them."""

from datetime import timedelta

from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts.access import NameTaken, NotThere, Refused
from accounts.models import User
from campaigns.access import (
    check_can_join,
    check_can_organize,
)
from campaigns.events import CampaignEvent
from campaigns.models import (
    AuditEvent,
    Campaign,
    Invitation,
    Membership,
    Role,
    Team,
)

INVITATION_DAYS = 30


@transaction.atomic
def invite(
    *, user: User, campaign: Campaign, role: str, team_name: str = ""
) -> Invitation:
    """Make a link that gives a role; a participant joins the named team."""
    check_can_organize(user, campaign)
    team = None
    if role == Role.PARTICIPANT:
        if not team_name:
            raise Refused("A participant submits runs for a team: name the team.")
        team, _ = Team.objects.get_or_create(campaign=campaign, name=team_name)
    expires_at = timezone.now() + timedelta(days=INVITATION_DAYS)
    invitation = Invitation.objects.create(
        campaign=campaign, role=role, team=team, created_by=user, expires_at=expires_at
    )
    AuditEvent.record(
        campaign, user, CampaignEvent.INVITED, f"{role} {team or ''}".strip()
    )
    return invitation


@transaction.atomic
def withdraw_invitation(*, user: User, invitation: Invitation) -> None:
    check_can_organize(user, invitation.campaign)
    AuditEvent.record(
        invitation.campaign, user, CampaignEvent.INVITATION_WITHDRAWN, invitation.role
    )
    invitation.delete()


@transaction.atomic
def accept_invitation(*, user: User, invitation: Invitation) -> Membership:
    """Give the role, creating the account of somebody new. Following the same link twice changes nothing."""
    if not Invitation.objects.select_for_update().filter(pk=invitation.pk).exists():
        raise NotThere  # withdrawn since the page was opened
    check_can_join(user, invitation)
    if user.pk is None:
        _save_under_free_name(user)
    membership, is_new = Membership.objects.get_or_create(
        campaign=invitation.campaign,
        user=user,
        role=invitation.role,
        defaults={"team": invitation.team},
    )
    if is_new:
        AuditEvent.record(
            invitation.campaign, user, CampaignEvent.JOINED, f"as {invitation.role}"
        )
    return membership


def _save_under_free_name(user: User) -> None:
    """Save a new account. The form looked for the name too, but two people may have been doing so at once."""
    try:
        with transaction.atomic():
            user.save()
    except IntegrityError as error:
        raise NameTaken from error


@transaction.atomic
def remove_member(*, user: User, membership: Membership) -> None:
    check_can_organize(user, membership.campaign)
    if membership.user == user and membership.role == Role.ORGANIZER:
        raise Refused(
            "Another organizer must remove you: a campaign needs at least one."
        )
    AuditEvent.record(
        membership.campaign,
        user,
        CampaignEvent.MEMBER_REMOVED,
        f"{membership.user}, {membership.role}",
    )
    membership.delete()
