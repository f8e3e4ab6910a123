"""Who may build, freeze, unfreeze and delete a pool, and in which state."""

from collections.abc import Collection, Sequence

from django.contrib.auth.models import AnonymousUser

from accounts.access import Refused
from accounts.models import User
from campaigns.access.releases import check_released
from campaigns.access.roles import check_can_organize, roles
from campaigns.models.campaign import Campaign
from campaigns.models.releases import Release
from campaigns.models.trail import check_not_archived
from pooling.from_above import CHECK_UNFREEZING
from pooling.models import Pool
from runs.models import Run

NO_RUNS = "A pool is formed from valid runs of this campaign: choose at least one."
OUTDATED = "The pool was built from runs that are no longer valid."
NOT_FROZEN = "The pool is not frozen."
GONE = "The pool has been deleted or replaced meanwhile. Look at what there is now."


def check_can_see_pool(user: User | AnonymousUser, campaign: Campaign) -> None:
    check_pool_shown(roles(user, campaign), campaign)


def check_pool_shown(user_roles: Collection[str], campaign: Campaign) -> None:
    check_released(user_roles, campaign, Release.What.POOL)


def check_can_build(user: User, campaign: Campaign) -> None:
    check_can_organize(user, campaign)
    check_not_archived(campaign)
    if pool := Pool.objects.frozen_of(campaign):
        raise Refused(f"The pool ({pool}) is frozen, so no other can be built.")


def check_runs(campaign: Campaign, runs: Sequence[Run]) -> None:
    valid = [r for r in runs if r.campaign_id == campaign.pk and r.state == Run.State.VALID]
    if not runs or len(valid) < len(runs):
        raise Refused(NO_RUNS)


def check_can_delete(user: User, pool: Pool) -> None:
    check_can_organize(user, pool.campaign)
    if pool.state == Pool.State.FROZEN:
        raise Refused("A frozen pool cannot be deleted: unfreeze it first.")


def check_can_freeze(user: User, pool: Pool) -> None:
    check_can_build(user, pool.campaign)
    if pool.state == Pool.State.FAILED:
        raise Refused("The pool could not be built: try again, or form another.")
    if pool.state != Pool.State.BUILT:
        raise Refused("The pool is still being built. It can be frozen once it is complete.")
    if not pool.n_entries:
        raise Refused(
            "The pool is empty: none of its runs has a document for a topic of this campaign."
        )
    _check_is_up_to_date(pool)


def _check_is_up_to_date(pool: Pool) -> None:
    """Refuse a pool whose runs or topics have changed since it was built."""
    gone = [str(each.run) for each in pool.contributors.no_longer_valid()]
    if gone:
        raise Refused(f"{OUTDATED[:-1]} ({', '.join(gone)}): build it again.")
    if pool.entries.count() != pool.n_entries:
        raise Refused("Topics have been deleted since the pool was built: build it again.")


def check_can_unfreeze(user: User, pool: Pool) -> None:
    check_can_organize(user, pool.campaign)
    check_not_archived(pool.campaign)
    if pool.state != Pool.State.FROZEN:
        raise Refused(NOT_FROZEN)
    CHECK_UNFREEZING(pool)
