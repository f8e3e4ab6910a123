"""How people come by a link, and who is in a campaign."""

from campaigns import services
from campaigns.models import Invitation, Role

NEW = "tralala-17x"


def link(campaign, olga, **options) -> Invitation:
    return services.invite(user=olga, campaign=campaign, **{"role": Role.ASSESSOR, **options})  # fmt: skip


def join(user, invitation):
    return services.accept_invitation(user=user, invitation=invitation)


def members(campaign) -> set[str]:
    return set(campaign.membership_set.values_list("user__username", flat=True))
