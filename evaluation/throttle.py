"""How often the preliminary board is refreshed: a burst of judgments is scored together."""

import time

from django.core.cache import cache

# The shortest time between two refreshes of a campaign's board.
INTERVAL_SECONDS = 0.5
EXPIRY_SECONDS = 60
# A longer refresh is followed by a rest as long as it took, for other jobs wait meanwhile.
LONG_SECONDS = 2.0


def is_first(campaign_id: int) -> bool:
    """Note that a refresh is due; False when one was due already."""
    return bool(cache.add(_due(campaign_id), 1, EXPIRY_SECONDS))


def begin(campaign_id: int) -> None:
    """Begin a refresh, INTERVAL_SECONDS after the last one; later judgments need another.

    A Celery countdown would not occupy a worker meanwhile, but it counts in whole seconds. None is
    asked for during a long refresh, which would only occupy a second worker until it ends.
    """
    last = f"refreshed_{campaign_id}"
    waited = time.time() - cache.get(last, 0)
    time.sleep(max(0.0, min(INTERVAL_SECONDS, INTERVAL_SECONDS - waited)))
    cache.set(last, time.time(), EXPIRY_SECONDS)
    if cache.get(_long(campaign_id)):
        cache.set(_due(campaign_id), 1, EXPIRY_SECONDS)
    else:
        cache.delete(_due(campaign_id))


def end(campaign_id: int, seconds: float) -> None:
    """Note how long a refresh took; the one of the next minute catches up after a long one."""
    if seconds > LONG_SECONDS:
        cache.set(_long(campaign_id), 1)
        cache.set(_due(campaign_id), 1, seconds)
    elif cache.get(_long(campaign_id)):
        cache.delete_many([_long(campaign_id), _due(campaign_id)])


def _due(campaign_id: int) -> str:
    return f"refresh_due_{campaign_id}"


def _long(campaign_id: int) -> str:
    return f"refresh_long_{campaign_id}"
