"""Whether a rehearsal may be thrown away."""

from accounts.access import Refused
from accounts.models import User
from campaigns.access.roles import check_can_organize
from campaigns.models.campaign import Campaign
from campaigns.models.releases import Release
from qrels.models import Qrels

NOTHING_TO_THROW_AWAY = (
    "There is no rehearsal to throw away: no pool is frozen, and nobody has answered anything."
)


def check_can_throw_away(user: User, campaign: Campaign) -> None:
    """Refuse once qrels were published from the judgments, or the pool is released."""
    check_can_organize(user, campaign)
    published = Qrels.objects.filter(campaign=campaign, pool__isnull=False)
    if first := published.last():
        raise Refused(f"Qrels v{first.number} were published from the judgments, so these stay.")
    if campaign.releases.standing().filter(what=Release.What.POOL).exists():
        raise Refused("The pool is released: take that back first, under Settings → Releases.")
