"""Invite people and let them join."""

from datetime import timedelta

from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts.access import NameTaken, NotThere, Refused, check
from accounts.models import User
from campaigns.access.people import People
from campaigns.acting import act, in_campaign
from campaigns.events import CampaignEvent
from campaigns.models.campaign import Campaign
from campaigns.models.people import Invitation, InvitationUse, Membership, Role, Team
from campaigns.models.trail import AuditEvent
from cleverdon.trec.names import tidy

INVITATION_DAYS = 30


@in_campaign
def view_as(*, user: User, campaign: Campaign, member: Membership | None) -> None:
    """Note that an organizer looks at the campaign as a member sees it; None for a visitor."""
    check(People.view_as, user, member or campaign)
    whom = member.user if member else "a visitor"
    AuditEvent.record(campaign, user, CampaignEvent.VIEWED_AS, whom)


@act(People.invite)
def invite(
    *,
    user: User,
    campaign: Campaign,
    role: str,
    team_name: str = "",
    name: str = "",
    max_uses: int = 1,
    days: int = INVITATION_DAYS,
) -> Invitation:
    """Make a link that gives a role to `max_uses` people; a participant joins the named team."""
    team = None
    if team_name and role != Role.PARTICIPANT:
        raise Refused("Only participants have a team: leave it empty, or choose participant.")
    if role == Role.PARTICIPANT:
        if not team_name:
            raise Refused("A participant submits runs for a team: name the team.")
        team = _team(campaign, team_name)
    invitation = Invitation.objects.create(
        campaign=campaign,
        name=name,
        role=role,
        team=team,
        max_uses=max_uses,
        created_by=user,
        expires_at=timezone.now() + timedelta(days=days),
    )
    subject = f"{role} {team or ''}".strip()
    AuditEvent.record(
        campaign,
        user,
        CampaignEvent.INVITED,
        subject,
        name=name,
        uses=max_uses,
        until=invitation.expires_at.isoformat(),
    )
    return invitation


def _team(campaign: Campaign, name: str) -> Team:
    """Return the team of this name, or a new one, under a lock: two may ask for it at once."""
    Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
    team = Team.objects.named(campaign, name)
    if team and team.is_baseline:
        raise Refused(f"{team} is reserved for the organizers' own runs, so nobody can join it.")
    return team or Team.objects.create(campaign=campaign, name=tidy(name))


@act(People.withdraw_invitation)
def withdraw_invitation(*, user: User, invitation: Invitation) -> None:
    """End a link; those who joined by it stay."""
    waiting = Invitation.objects.filter(pk=invitation.pk, withdrawn_at=None)
    if not waiting.update(withdrawn_at=timezone.now()):
        raise Refused("This link has been withdrawn already.")
    AuditEvent.record(
        invitation.campaign,
        user,
        CampaignEvent.INVITATION_WITHDRAWN,
        invitation.role,
        name=invitation.name,
    )


@in_campaign
def accept_invitation(*, user: User, invitation: Invitation) -> Membership:
    """Give the role, with an account to somebody new. Following the link again changes nothing."""
    links = Invitation.objects.select_for_update(of=["self"], no_key=True)
    link = links.select_related("campaign", "team").filter(pk=invitation.pk).first()
    if link is None:
        raise NotThere
    check(People.join, user, link)
    if user.pk is None:
        _save_under_free_name(user)
    membership, is_new = Membership.objects.get_or_create(
        campaign=link.campaign, user=user, role=link.role, defaults={"team": link.team}
    )
    if is_new:
        InvitationUse.objects.get_or_create(invitation=link, user=user)
        AuditEvent.record(
            link.campaign, user, CampaignEvent.JOINED, f"as {link.role}", link=link.name
        )
    return membership


def _save_under_free_name(user: User) -> None:
    """Save a new account, although somebody may have taken the name since the form looked."""
    try:
        with transaction.atomic():
            user.save()
    except IntegrityError as error:
        raise NameTaken from error
