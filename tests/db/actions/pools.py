"""What organizers do with pools."""

from campaigns.models.campaign import Campaign
from pooling import services as pooling
from tests import make
from tests.db.actions.doing import Action, Do, partial_user, run


def freeze_pool(campaign: Campaign) -> Do:
    pool = make.pool(campaign, [run(campaign)])
    return partial_user(pooling.freeze_pool, pool=pool, sha256=pool.sha256)


def unfreeze_pool(campaign: Campaign) -> Do:
    return partial_user(pooling.unfreeze_pool, pool=make.frozen_pool(campaign, [run(campaign)]))


def delete_pool(campaign: Campaign) -> Do:
    return partial_user(pooling.delete_pool, pool=make.pool(campaign, [run(campaign)]))


def request_forecast(campaign: Campaign) -> Do:
    return partial_user(pooling.request_forecast, campaign=campaign, runs=[run(campaign)])


def request_pool(campaign: Campaign) -> Do:
    return partial_user(pooling.request_pool, campaign=campaign, runs=[run(campaign)], depth=2)


POOLS = {
    "request_pool": Action(request_pool, ("pool.requested", "depth-k, k = 2")),
    "freeze_pool": Action(freeze_pool, ("pool.frozen", "depth-k, k = 2")),
    "unfreeze_pool": Action(unfreeze_pool, ("pool.unfrozen", "depth-k, k = 2")),
    "delete_pool": Action(delete_pool, ("pool.deleted", "depth-k, k = 2")),
    "request_forecast": Action(request_forecast, None),
}
