"""What organizers do with pools."""

from io import BytesIO

from pooling import services as pooling
from pooling.building import lines_of_batch
from tests import make
from tests.db.actions.doing import Action, Given, run


def built(campaign) -> Given:
    batch = make.batch(campaign, [run(campaign)])
    return {"batch": batch, "sha256": batch.sha256}


class Exported(BytesIO):
    """A file that is read from its beginning each time, as it is sent each time."""

    def readline(self, size: int | None = -1) -> bytes:
        self.seek(0)
        return super().readline(size)


def exported(campaign) -> bytes:
    batch = make.batch(campaign, [run(campaign)])
    return "".join(lines_of_batch(batch)).encode()


POOLS = [
    Action(
        pooling.request_batch,
        "pool.requested depth-k, k = 2",
        lambda campaign: {
            "campaign": campaign,
            "runs": [run(campaign)],
            "strategy": "depth",
            "parameters": {"depth": 2},
        },
    ),
    Action(
        pooling.import_batch,
        "pool.imported depth-k, k = 2",
        lambda campaign: {"campaign": campaign, "file": Exported(exported(campaign))},
    ),
    Action(pooling.freeze_batch, "pool.frozen depth-k, k = 2", built),
    Action(
        pooling.take_back_batch,
        "pool.unfrozen depth-k, k = 2",
        lambda campaign: {"batch": make.frozen_pool(campaign, [run(campaign)]).last_batch},
    ),
    Action(
        pooling.delete_batch,
        "pool.deleted depth-k, k = 2",
        lambda campaign: {"batch": make.batch(campaign, [run(campaign)])},
    ),
    Action(
        pooling.build_again,
        "pool.rebuilt depth-k, k = 2",
        lambda campaign: {"batch": make.batch(campaign, [run(campaign)])},
    ),
    Action(
        pooling.request_duplicates,
        "pool.compared the pool and its drafts",
        lambda campaign: {"campaign": built(campaign)["batch"].campaign},
    ),
    Action(pooling.request_forecast, None, lambda campaign: {"campaign": campaign}),
]
