"""Who sees which topics, and from when."""

from collections.abc import Collection
from datetime import datetime
from typing import TYPE_CHECKING, cast

from django.db.models import Q
from django.utils import timezone

from accounts.access import NotThere, NotYours, can
from campaigns.access.roles import Person, roles
from campaigns.access.windows import shown
from campaigns.models.campaign import Campaign
from campaigns.models.people import Role
from campaigns.models.releases import Release, in_force
from campaigns.models.rounds import Round, current_in_words, with_dates_of

if TYPE_CHECKING:
    from collection.models.texts import TopicQuerySet

What = Release.What
KNOW_ALL = {Role.ORGANIZER, Role.ASSESSOR}
NOT_PUBLIC = "Visitors do not: the topics released to everybody are those there were then."


def knows_topics(user: Person, campaign: Campaign) -> None:
    """Let members, and everybody once topics are released to everybody, pass."""
    if not roles(user, campaign) and not in_force(campaign, (), What.TOPICS):
        raise NotThere


def topics_are_shown(user: Person, campaign: Campaign) -> None:
    """Refuse teams and visitors before the topics are shown."""
    if KNOW_ALL & roles(user, campaign) or in_force(campaign, (), What.TOPICS):
        return
    if opens_at := with_dates_of(campaign, 1).topics_open_at:
        _check_open(campaign, opens_at)


def check_topics_open(campaign: Campaign) -> None:
    """Refuse the topics of the current round to participants before their date."""
    if campaign.topics_open_at:
        _check_open(campaign, campaign.topics_open_at)


def topics_of_round_are_shown(user: Person, campaign: Campaign, number: int) -> None:
    """Refuse teams and visitors before the topics of a round are shown."""
    topics_are_shown(user, campaign)
    opens_at = with_dates_of(campaign, number).topics_open_at
    if opens_at and not KNOW_ALL & roles(user, campaign):
        _check_open(campaign, opens_at)


def _check_open(campaign: Campaign, opens_at: datetime) -> None:
    if timezone.now() < opens_at:
        raise NotYours(f"The topics are shown from {shown(campaign, opens_at)}.")


def topics_seen(user_roles: Collection[str], campaign: Campaign) -> "TopicQuerySet":
    """Return the topics that people with these roles may see.

    The teams see those of each round from its date on, and everybody those released by name.
    """
    topics = campaign.topic_set.all()
    if KNOW_ALL & set(user_roles):
        return topics
    public = [each.pk for each in in_force(campaign, (), What.TOPICS)]
    seen = Q(releases__in=public)
    if Role.PARTICIPANT in user_roles:
        if not campaign.has_rounds and can(check_topics_open, campaign):
            return topics
        for each in rounds_shown(user_roles, campaign):
            seen |= Q(number__in=each.topics)
    return topics.filter(seen).distinct()


def rounds_shown(user_roles: Collection[str], campaign: Campaign) -> list[Round]:
    """Return the rounds whose topics people with these roles may see by now, the last one first."""
    knows_all = KNOW_ALL & set(user_roles)
    rounds, now = campaign.rounds.order_by("-number"), timezone.now()
    return [each for each in rounds if knows_all or (each.dated.topics_open_at or now) <= now]


def current_round(user_roles: Collection[str], campaign: Campaign) -> str:
    """Return the current of several rounds in words, with its topics for those who see them."""
    if not campaign.has_rounds:
        return ""
    named = set(campaign.rounds.get(number=campaign.round).topics)
    known = topics_seen(user_roles, campaign).filter(number__in=named).count() == len(named)
    is_open = KNOW_ALL & set(user_roles) or can(check_topics_open, campaign)
    return current_in_words(campaign, names_topics=bool(known and is_open))


def who_sees_new_topics(campaign: Campaign) -> str:
    """Tell organizers who would see topics that are imported now, and from when."""
    if campaign.has_rounds:
        teams = "No team sees them until they are in a round: add them to one."
    elif can(check_topics_open, campaign):
        teams = "The teams see them at once."
    else:
        teams = (
            f"The teams see them from {shown(campaign, cast('datetime', campaign.topics_open_at))}."
        )
    is_public = campaign.releases.standing().filter(what=What.TOPICS).exists()
    return f"{teams} {NOT_PUBLIC}" if is_public else teams
