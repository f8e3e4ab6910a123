"""Who sees figures of agreement."""

from collections.abc import Collection

from django.contrib.auth.models import AnonymousUser

from accounts.models import User
from campaigns.access.releases import check_released
from campaigns.access.roles import roles
from campaigns.access.topics import check_topics_shown
from campaigns.models.campaign import Campaign
from campaigns.models.people import Role
from campaigns.models.releases import Release, in_force
from qrels.models import Qrels

Person = User | AnonymousUser


def check_can_see_agreement(user: Person, campaign: Campaign) -> None:
    check_agreement_shown(roles(user, campaign), campaign)


def version_seen(user: Person, campaign: Campaign) -> Qrels | None:
    """Return the version as of which this person sees agreement; None for all judgments so far."""
    user_roles = roles(user, campaign)
    if Role.ORGANIZER in user_roles:
        return None
    [released, *_] = in_force(campaign, user_roles, Release.What.AGREEMENT)
    return Qrels.objects.get(pk=released.subject_id or 0)


def check_agreement_shown(user_roles: Collection[str], campaign: Campaign) -> None:
    """Refuse figures before their release, and before the topics that they name are shown."""
    check_released(user_roles, campaign, Release.What.AGREEMENT)
    check_topics_shown(user_roles, campaign)
