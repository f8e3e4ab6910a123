"""Who may join, be removed, lead a team, and have a password reset."""

from accounts.access import NotThere, NotYours, Refused, can
from accounts.models import User
from campaigns.access.roles import check_can_organize, member_roles, roles
from campaigns.events import CampaignEvent
from campaigns.models.campaign import Campaign
from campaigns.models.people import Invitation, Membership, Role, Team
from campaigns.models.resets import PasswordReset
from campaigns.models.trail import AuditEvent, AuditEventQuerySet, check_not_archived

NEW_LINK = "Ask the organizer for a new link."
OVER = {"withdrawn": "was withdrawn", "expired": "has expired"}
RESET_OVER = {**OVER, "used": "has been used"}


def check_can_view_as(member: Membership) -> None:
    """Let organizers look at the campaign as anybody but another organizer."""
    if Role.ORGANIZER in roles(member.user, member.campaign):
        raise Refused("Organizers all see the same, so there is nothing else to look at.")


def check_can_remove(user: User, membership: Membership) -> None:
    check_can_organize(user, membership.campaign)
    if not Membership.objects.filter(pk=membership.pk).exists():
        raise Refused(f"{membership.user} has been removed already.")
    if membership.user == user and membership.role == Role.ORGANIZER:
        raise Refused("Another organizer must remove you: a campaign needs at least one.")


def check_can_join(user: User, invitation: Invitation) -> None:
    """Refuse a link that is over, or older than the removal of the person."""
    earlier = Membership.objects.filter(
        campaign=invitation.campaign, user__pk=user.pk, role=invitation.role
    ).first()
    if earlier and earlier.team_id != invitation.team_id:
        raise Refused(f"You already submit runs for team {earlier.team}.")
    if invitation.state in OVER:
        raise Refused(f"This invitation {OVER[invitation.state]}. {NEW_LINK}")
    if earlier:
        return
    _check_not_removed(user, invitation)
    joined_by_it = any(use.user_id == user.pk for use in invitation.uses.all())
    if invitation.state == "used up" and not joined_by_it:
        n = invitation.max_uses
        people = "1 person has" if n == 1 else f"{n:,} people have"
        raise Refused(f"This invitation is used up: {people} joined by it. {NEW_LINK}")


def removals(campaign: Campaign, **of: object) -> AuditEventQuerySet:
    """Return the events of removing members, by details such as `user` or `membership`."""
    return AuditEvent.objects.filter(
        campaign=campaign, kind=CampaignEvent.MEMBER_REMOVED, detail__contains=of
    )


def _check_not_removed(user: User, invitation: Invitation) -> None:
    """Refuse somebody removed after the link was made: an old link is no way back in."""
    removed = removals(invitation.campaign, user=user.pk)
    if user.pk and removed.filter(at__gte=invitation.created_at).exists():
        raise Refused(
            f"You were removed from {invitation.campaign} after this link was made. {NEW_LINK}"
        )


def check_can_see_team(user: User, team: Team) -> None:
    """Let organizers and members of the team pass; for all others it does not exist."""
    user_roles = member_roles(user, team.campaign)
    is_member = Membership.objects.filter(team=team, user=user).exists()
    if Role.ORGANIZER not in user_roles and not is_member:
        raise NotThere


def check_can_leave_team(user: User, team: Team) -> None:
    check_can_see_team(user, team)
    check_not_archived(team.campaign)
    if not Membership.objects.filter(team=team, user=user).exists():
        raise NotYours(f"You are not in team {team}.")


def check_can_reset_password(user: User, campaign: Campaign, person: User) -> None:
    """Refuse a reset link that would give its maker more rights than they have."""
    check_can_organize(user, campaign)
    if user == person:
        raise Refused("You change your own password on your account page.")
    if not Membership.objects.filter(campaign=campaign, user=person).exists():
        raise Refused(f"{person} has no role in {campaign}.")
    if person.is_superuser or person.is_staff or not person.is_active:
        raise Refused(
            f"The account of {person} is managed by the people who run this site: ask them."
        )
    organized = Membership.objects.filter(user=user, role=Role.ORGANIZER).values("campaign")
    if Membership.objects.filter(user=person).exclude(campaign__in=organized).exists():
        raise Refused(
            f"{person} has a role in a campaign that you do not organize, and a new password would "
            "open that one too: ask the people who run this site."
        )


def check_can_use_reset(reset: PasswordReset) -> None:
    """Refuse a link that is over, and one whose maker could not make it now."""
    ask = f"Ask an organizer of {reset.campaign} for a new one."
    if reset.state != "open":
        raise Refused(f"This link {RESET_OVER[reset.state]}. {ask}")
    person = reset.user
    is_changed = reset.password_mark != person.get_session_auth_hash()
    if is_changed or not can(check_can_reset_password, reset.created_by, reset.campaign, person):
        raise Refused(f"This link is no longer valid. {ask}")
