"""What organizers do with pools."""

from pooling import services as pooling
from tests import make
from tests.db.actions.doing import Action, Given, run


def built(campaign) -> Given:
    pool = make.pool(campaign, [run(campaign)])
    return {"pool": pool, "sha256": pool.sha256}


POOLS = [
    Action(
        pooling.request_pool,
        "pool.requested depth-k, k = 2",
        lambda campaign: {"campaign": campaign, "runs": [run(campaign)], "depth": 2},
    ),
    Action(pooling.freeze_pool, "pool.frozen depth-k, k = 2", built),
    Action(
        pooling.unfreeze_pool,
        "pool.unfrozen depth-k, k = 2",
        lambda campaign: {"pool": make.frozen_pool(campaign, [run(campaign)])},
    ),
    Action(
        pooling.delete_pool,
        "pool.deleted depth-k, k = 2",
        lambda campaign: {"pool": make.pool(campaign, [run(campaign)])},
    ),
    Action(
        pooling.request_forecast,
        None,
        lambda campaign: {"campaign": campaign, "runs": [run(campaign)]},
    ),
]
