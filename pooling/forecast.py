"""What a pool would cost, before it is built: its size at every depth."""

import hashlib
from collections.abc import Sequence

from django.core.cache import cache

from campaigns.models import Run
from campaigns.storage import open_runs
from pooling.core.statistics import PoolSizes, pool_sizes
from pooling.core.strategies import depth_pool

MAX_DEPTH = 100
DAY = 24 * 3600


def forecast(runs: Sequence[Run], topics: Sequence[str]) -> PoolSizes:
    """Return the pool's sizes at depths 1 to MAX_DEPTH, cached for a day: a stored run never changes."""
    inputs = "\n".join([*sorted(run.sha256 for run in runs), *sorted(topics)])
    key = f"forecast:{hashlib.sha256(inputs.encode()).hexdigest()}"
    sizes: PoolSizes | None = cache.get(key)
    if sizes is None:
        pool = depth_pool(open_runs(runs), topics, MAX_DEPTH)
        sizes = pool_sizes(pool, MAX_DEPTH)
        cache.set(key, sizes, DAY)
    return sizes
