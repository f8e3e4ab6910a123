"""Who may form a pool, and in which state."""

from accounts.access import Refused
from accounts.models import User
from campaigns.access import check_can_organize
from campaigns.models import Campaign
from pooling.models import Pool


def check_can_build(user: User, campaign: Campaign) -> None:
    check_can_organize(user, campaign)
    pool = Pool.objects.frozen_of(campaign)
    if pool:
        raise Refused(
            f"The pool ({pool}) is frozen: its documents are being judged and never change."
        )


def check_can_freeze(user: User, pool: Pool) -> None:
    check_can_build(user, pool.campaign)
    if pool.state == Pool.State.FAILED:
        raise Refused("The pool could not be built: try again, or form another.")
    if pool.state != Pool.State.BUILT:
        raise Refused(
            "The pool is still being built. It can be frozen once it is complete."
        )
    if not pool.n_entries:
        raise Refused(
            "The pool is empty: none of its runs has a document for a topic of this campaign."
        )
