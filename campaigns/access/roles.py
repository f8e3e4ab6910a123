"""Who somebody is in a campaign, and what that lets them see."""

from collections.abc import Collection

from django.contrib.auth.models import AnonymousUser
from django.utils import timezone

from accounts.access import NotThere, NotYours
from accounts.models import User
from campaigns.access.windows import shown
from campaigns.models import (
    Campaign,
    Membership,
    Role,
)


def roles(user: User | AnonymousUser, campaign: Campaign) -> set[str]:
    """Return the person's roles; somebody who has not signed in has none."""
    if not isinstance(user, User):
        return set()
    theirs = Membership.objects.filter(campaign=campaign, user=user)
    # Unsorted: sorting takes the user's row too, at every request.
    return set(theirs.order_by().values_list("role", flat=True))


def member_roles(user: User | AnonymousUser, campaign: Campaign) -> set[str]:
    """Return the roles of a member; a stranger does not learn that the campaign exists."""
    user_roles = roles(user, campaign)
    if not user_roles:
        raise NotThere
    return user_roles


def check_can_view(user: User | AnonymousUser, campaign: Campaign) -> None:
    member_roles(user, campaign)


def check_can_read_facts(user: User | AnonymousUser, campaign: Campaign) -> None:
    check_facts_shown(roles(user, campaign), campaign)


def check_facts_shown(user_roles: Collection[str], campaign: Campaign) -> None:
    """Let anybody read what a public campaign is about."""
    if not user_roles and campaign.visibility != Campaign.Visibility.PUBLIC:
        raise NotThere


def may_still_judge(user_roles: Collection[str], campaign: Campaign) -> bool:
    """Whether somebody with these roles may judge now or later: an organizer knows the runs anyway."""
    if Role.ORGANIZER in user_roles or Role.ASSESSOR not in user_roles:
        return False
    return not is_judging_over(campaign)


def is_judging_over(campaign: Campaign) -> bool:
    """Whether no judgment can be given any more: judging has closed, or the campaign is archived."""
    closes_at = campaign.judging_closes_at
    return bool(campaign.archived_at or (closes_at and closes_at <= timezone.now()))


def check_can_see_topics(user: User, campaign: Campaign) -> None:
    check_topics_shown_to_member(roles(user, campaign), campaign)


def check_topics_shown_to_member(user_roles: Collection[str], campaign: Campaign) -> None:  # fmt: skip
    if not user_roles:
        raise NotThere
    check_topics_shown(user_roles, campaign)


def check_topics_shown(user_roles: Collection[str], campaign: Campaign) -> None:
    if not {Role.ORGANIZER, Role.ASSESSOR} & set(user_roles):
        check_topics_open(campaign)


def check_topics_open(campaign: Campaign) -> None:
    """Refuse topics to participants and visitors before the date that the organizer has set."""
    opens_at = campaign.topics_open_at
    if opens_at and timezone.now() < opens_at:
        raise NotYours(f"The topics are shown from {shown(campaign, opens_at)}.")


def check_can_read_guidelines(user_roles: Collection[str], campaign: Campaign) -> None:
    if campaign.shows_guidelines or {Role.ORGANIZER, Role.ASSESSOR} & set(user_roles):
        return
    raise NotYours("The guidelines are for assessors.")


def check_can_organize(user: User, campaign: Campaign) -> None:
    if Role.ORGANIZER not in member_roles(user, campaign):
        raise NotYours(f"Only organizers of {campaign} may do this.")
