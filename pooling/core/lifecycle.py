"""Which state of a batch may follow which; it can be taken back until something of it is judged."""

from jobs.core import Transitions

BATCH_TRANSITIONS: Transitions = {
    "building": frozenset({"built", "failed"}),
    # The job that builds it has failed and can be tried again.
    "failed": frozenset({"building"}),
    "built": frozenset({"frozen"}),
    "frozen": frozenset({"built"}),
}
