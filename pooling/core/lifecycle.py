"""The states of a pool. Until it is frozen, a new pool may replace it; until the first judgment, it can be unfrozen."""

from jobs.core import Transitions

POOL_TRANSITIONS: Transitions = {
    "building": frozenset({"built", "failed"}),
    # The job that builds it was given up: it can be tried again.
    "failed": frozenset({"building"}),
    "built": frozenset({"frozen"}),
    "frozen": frozenset({"built"}),
}
