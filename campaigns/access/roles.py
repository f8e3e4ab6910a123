"""A user's roles in a campaign, and the rules that ask for no more than these."""

from collections.abc import Collection
from typing import cast

from django.contrib.auth.models import AnonymousUser
from django.db.models import QuerySet
from django.utils import timezone

from accounts.access import NotThere, NotYours
from accounts.models import User
from campaigns.acting import row_in_campaign
from campaigns.models.campaign import Campaign
from campaigns.models.people import Invitation, Membership, Role, Team
from campaigns.models.releases import Release, in_force
from campaigns.models.trail import check_not_archived

What = Release.What
Person = User | AnonymousUser


def memberships_of(user: Person, campaign: Campaign) -> QuerySet[Membership]:
    """Return the person's memberships; none if they have not signed in."""
    if not isinstance(user, User):
        return Membership.objects.none()
    # Unsorted: sorting takes the user's row too, at every request.
    return Membership.objects.filter(campaign=campaign, user=user).order_by()


def roles(user: Person, campaign: Campaign) -> set[str]:
    if getattr(user, "memberships_known", None) is None:
        return set(memberships_of(user, campaign).values_list("role", flat=True))
    return {each.role for each in _memberships(user, campaign)}


def team_of(user: Person, campaign: Campaign) -> Team | None:
    """Return the team whose runs the person submits."""
    found = _memberships(user, campaign)
    return next((each.team for each in found if each.role == Role.PARTICIPANT), None)


def _memberships(user: Person, campaign: Campaign) -> list[Membership]:
    """Return the person's memberships with their teams, read once while a page is made."""
    known: dict[int, list[Membership]] | None = getattr(user, "memberships_known", None)
    if known is not None and campaign.pk in known:
        return known[campaign.pk]
    found = list(memberships_of(user, campaign).select_related("team"))
    if known is not None:
        known[campaign.pk] = found
    return found


def member_roles(user: Person, campaign: Campaign) -> set[str]:
    """Return the roles of a member; a stranger does not learn that the campaign exists."""
    user_roles = roles(user, campaign)
    if not user_roles:
        raise NotThere
    return user_roles


def campaign_of(thing: object) -> Campaign:
    if isinstance(thing, Campaign):
        return thing
    return cast("Campaign", row_in_campaign(thing).campaign)


def is_member(user: Person, thing: object) -> None:
    """Let members pass."""
    member_roles(user, campaign_of(thing))


def organizes(user: Person, thing: object) -> None:
    """Let organizers pass."""
    campaign = campaign_of(thing)
    if Role.ORGANIZER not in member_roles(user, campaign):
        raise NotYours(f"Only organizers of {campaign} may do this.")


def is_not_archived(_: Person, thing: object) -> None:
    """Refuse while the campaign is archived."""
    check_not_archived(campaign_of(thing))


def knows_campaign(user: Person, campaign: Campaign) -> None:
    """Let members, and everybody once anything is released to everybody, pass."""
    if roles(user, campaign):
        return
    if not any(each.is_for(()) and each.is_in_force for each in campaign.releases.all()):
        raise NotThere


def may_still_judge(user_roles: Collection[str], campaign: Campaign) -> bool:
    """Whether these roles judge now or later, blind: an organizer knows the runs anyway."""
    if Role.ORGANIZER in user_roles or Role.ASSESSOR not in user_roles:
        return False
    return not is_judging_over(campaign)


def is_judging_over(campaign: Campaign) -> bool:
    """Whether judging has closed, or the campaign is archived."""
    closes_at = campaign.judging_closes_at
    return bool(campaign.archived_at or (closes_at and closes_at <= timezone.now()))


def who_may_yet_judge(campaign: Campaign) -> str:
    """Say who may still judge, or join and judge, as the rest of a sentence; "" for nobody."""
    if is_judging_over(campaign):
        return ""
    assessors = Membership.objects.filter(campaign=campaign, role=Role.ASSESSOR)
    has_link = Invitation.objects.can_be_joined(campaign, Role.ASSESSOR)
    who = ["assessors may still judge"] if assessors.exists() else []
    who += ["an open link can make somebody an assessor"] if has_link else []
    return " and ".join(who)


def what_closes_board(campaign: Campaign) -> str:
    """Tell organizers what keeps public scores from visitors, and until when; "" for nothing."""
    is_public = in_force(campaign, (), What.SCORES)
    who = who_may_yet_judge(campaign) if is_public else ""
    if not who:
        return ""
    or_link = ", or the link is withdrawn on People" if who.startswith("an open link") else ""
    closes_at = campaign.judging_closes_at
    day = campaign.day_of(closes_at) if closes_at else None
    when = (
        f"when judging closes ({day.day} {day:%B})"
        if day
        else "once judging is closed in the settings"
    )
    return f"Visitors see the public scores {when}{or_link}: until then {who}."


def reads_guidelines(user: Person, campaign: Campaign) -> None:
    """Let organizers and assessors, and all others if the settings show them to all, pass."""
    if campaign.shows_guidelines or {Role.ORGANIZER, Role.ASSESSOR} & roles(user, campaign):
        return
    raise NotYours("The guidelines are for assessors.")
