"""Which state of a pool may follow which; it can be unfrozen until the first judgment."""

from jobs.core import Transitions

POOL_TRANSITIONS: Transitions = {
    "building": frozenset({"built", "failed"}),
    # The job that builds it has failed and can be tried again.
    "failed": frozenset({"building"}),
    "built": frozenset({"frozen"}),
    "frozen": frozenset({"built"}),
}
