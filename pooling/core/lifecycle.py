"""The states of a pool. One that is not frozen may be discarded in any of them."""

from campaigns.core.lifecycle import Transitions

POOL_TRANSITIONS: Transitions = {
    "building": frozenset({"built"}),
    "built": frozenset({"frozen"}),
    "frozen": frozenset(),
}
