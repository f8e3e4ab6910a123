"""Who may join, be removed, and have a password reset."""

from accounts.access import Refused, Verb, Verbs, can
from accounts.models import User
from campaigns.access.roles import Person, organizes, roles
from campaigns.events import CampaignEvent
from campaigns.models.campaign import Campaign
from campaigns.models.people import Invitation, Membership, Role
from campaigns.models.resets import PasswordReset
from campaigns.models.trail import AuditEvent, AuditEventQuerySet

NEW_LINK = "Ask the organizer for a new link."
OVER = {"withdrawn": "was withdrawn", "expired": "has expired"}
RESET_OVER = {**OVER, "used": "has been used"}


def sees_otherwise(_: User, member: Membership | Campaign) -> None:
    """Refuse another organizer, who sees the same.

    The campaign stands for a visitor.
    """
    if isinstance(member, Membership) and Role.ORGANIZER in roles(member.user, member.campaign):
        raise Refused("Organizers all see the same, so there is nothing else to look at.")


def can_be_removed(user: User, membership: Membership) -> None:
    """Refuse if they have been removed already, and organizers who would remove themselves."""
    if not Membership.objects.filter(pk=membership.pk).exists():
        raise Refused(f"{membership.user} has been removed already.")
    if membership.user == user and membership.role == Role.ORGANIZER:
        raise Refused("Another organizer must remove you: a campaign needs at least one.")


def may_join(user: User, invitation: Invitation) -> None:
    """Let whoever has the link pass.

    Refuse if it is over, or older than the removal of the person, or they submit runs for another
    team.
    """
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


def gives_no_more_rights(user: User, reset: PasswordReset) -> None:
    """Refuse your own, or one that would open more than you organize."""
    campaign, person = reset.campaign, reset.user
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


def is_valid(_: Person, reset: PasswordReset) -> None:
    """Let whoever has the link pass.

    Refuse if it is over, or who made it could not make it now.
    """
    ask = f"Ask an organizer of {reset.campaign} for a new one."
    if reset.state != "open":
        raise Refused(f"This link {RESET_OVER[reset.state]}. {ask}")
    person = reset.user
    is_changed = reset.password_mark != person.get_session_auth_hash()
    if is_changed or not can(People.reset_password, reset.created_by, reset):
        raise Refused(f"This link is no longer valid. {ask}")


class People(Verbs):
    see = invite = withdraw_invitation = withdraw_reset = Verb(organizes)
    view_as = Verb(organizes, sees_otherwise)
    join = Verb(may_join)
    remove = Verb(organizes, can_be_removed)
    reset_password = Verb(organizes, gives_no_more_rights)
    use_reset = Verb(is_valid)
