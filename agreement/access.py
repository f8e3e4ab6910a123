"""Who sees figures of agreement."""

from collections.abc import Collection

from django.contrib.auth.models import AnonymousUser

from accounts.models import User
from campaigns.access.releases import check_released
from campaigns.access.roles import check_topics_shown, roles
from campaigns.models.campaign import Campaign
from campaigns.models.releases import Release

Person = User | AnonymousUser


def check_can_see_agreement(user: Person, campaign: Campaign) -> None:
    check_agreement_shown(roles(user, campaign), campaign)


def check_agreement_shown(user_roles: Collection[str], campaign: Campaign) -> None:
    """Refuse figures before their release, and before the topics that they name are shown."""
    check_released(user_roles, campaign, Release.What.AGREEMENT)
    check_topics_shown(user_roles, campaign)
