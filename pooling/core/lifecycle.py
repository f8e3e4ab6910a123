"""The states of a pool. Until it is frozen, a new pool may replace it."""

from campaigns.core.lifecycle import Transitions

POOL_TRANSITIONS: Transitions = {
    "building": frozenset({"built"}),
    "built": frozenset({"frozen"}),
    "frozen": frozenset(),
}
