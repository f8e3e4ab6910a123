"""Who may build, freeze, take back and delete batches of a pool, and in which state."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from django.contrib.auth.models import AnonymousUser

from accounts.access import Refused
from accounts.models import User
from campaigns.access.releases import check_released
from campaigns.access.roles import check_can_organize, roles
from campaigns.models.campaign import Campaign
from campaigns.models.releases import Release
from campaigns.models.trail import check_not_archived
from pooling.core.lists import Contributors
from pooling.core.strategy.table import STRATEGIES
from pooling.from_above import CHECK_TAKING_BACK
from pooling.models.batches import Batch, facts_of
from pooling.models.pools import Pool
from runs.models import Run

MAX_DRAFTS = 20
NO_RUNS = "A pool is formed from valid runs of this campaign: choose at least one."
OUTDATED = "The draft was built from runs that are no longer valid."
NOT_FROZEN = "The batch is not frozen."
GONE = "The draft has been deleted meanwhile. Look at what there is now."
EMPTY = "The draft is empty: none of its runs has a document for a topic of this campaign."
NOTHING_NEW = "The draft is empty: the pool has all its documents already."


def check_can_see_pool(user: User | AnonymousUser, campaign: Campaign) -> None:
    check_pool_shown(roles(user, campaign), campaign)


def check_pool_shown(user_roles: Collection[str], campaign: Campaign) -> None:
    check_released(user_roles, campaign, Release.What.POOL)


def check_can_build(user: User, campaign: Campaign) -> None:
    check_can_organize(user, campaign)
    check_not_archived(campaign)
    if Batch.objects.drafts_of(campaign).count() >= MAX_DRAFTS:
        raise Refused(f"There are {MAX_DRAFTS} drafts: delete one before you build another.")


def check_choice(
    campaign: Campaign, runs: Sequence[Run], strategy: str, parameters: Mapping[str, Any]
) -> None:
    """Refuse runs that are not valid ones of the campaign, and parameters that do not fit."""
    if not STRATEGIES[strategy].reads_runs:
        _check_topics(campaign, parameters["documents"])
        return
    valid = [r for r in runs if r.campaign_id == campaign.pk and r.state == Run.State.VALID]
    if not runs or len(valid) < len(runs):
        raise Refused(NO_RUNS)
    try:
        STRATEGIES[strategy].depths(Contributors.of(facts_of(runs), 0), n_topics=1, **parameters)
    except ValueError as error:
        raise Refused(str(error)) from error


def _check_topics(campaign: Campaign, documents: Sequence[Sequence[str]]) -> None:
    known = set(campaign.topic_set.values_list("number", flat=True))
    for topic, docno, _ in documents:
        if topic not in known:
            raise Refused(f"There is no topic {topic[:40]} for {docno[:80]}.")


def check_can_delete(user: User, batch: Batch) -> None:
    check_can_organize(user, batch.campaign)
    if batch.is_frozen:
        raise Refused("A frozen batch cannot be deleted: take it back first.")


def check_can_freeze(user: User, batch: Batch) -> None:
    check_can_organize(user, batch.campaign)
    check_not_archived(batch.campaign)
    if batch.is_frozen:
        raise Refused(f"The batch ({batch}) is frozen already.")
    if batch.state == Batch.State.FAILED:
        raise Refused("The draft could not be built: try again, or form another.")
    if batch.state != Batch.State.BUILT:
        raise Refused("The draft is still being built. It can be frozen once it is complete.")
    check_is_up_to_date(batch)
    if not batch.n_entries:
        raise Refused(NOTHING_NEW if batch.base else EMPTY)


def check_is_up_to_date(batch: Batch) -> None:
    """Refuse a draft whose runs or topics, or the pool, have changed since it was built."""
    pool = Pool.objects.of(batch.campaign)
    if batch.base != (pool.version if pool else 0):
        raise Refused("The pool has changed since the draft was built: build it again.")
    gone = [str(each.run) for each in batch.contributors.no_longer_valid()]
    if gone:
        raise Refused(f"{OUTDATED[:-1]} ({', '.join(gone)}): build it again.")
    if batch.entries.filter(is_new=True).count() != batch.n_entries:
        raise Refused("Topics have been deleted since the draft was built: build it again.")


def check_can_take_back(user: User, batch: Batch) -> None:
    check_can_organize(user, batch.campaign)
    check_not_archived(batch.campaign)
    if batch.pool is None:
        raise Refused(NOT_FROZEN)
    if batch.version != batch.pool.version:
        raise Refused("Only the last batch of the pool can be taken back.")
    CHECK_TAKING_BACK(batch)
