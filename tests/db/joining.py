"""How people come by a link, and who is in a campaign."""

from campaigns.models.people import Invitation, Role
from campaigns.services import people

NEW = "tralala-17x"


def link(campaign, olga, **options) -> Invitation:
    return people.invite(user=olga, campaign=campaign, **{"role": Role.ASSESSOR, **options})


def join(user, invitation):
    return people.accept_invitation(user=user, invitation=invitation)


def members(campaign) -> set[str]:
    return set(campaign.membership_set.values_list("user__username", flat=True))
