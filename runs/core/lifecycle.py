"""The transitions between states of a run; the first state is the initial one."""

from jobs.core import Transitions

# In no new pool or board, and marked wherever an earlier one names it.
OUT = ("withdrawn", "disqualified")

RUN_TRANSITIONS: Transitions = {
    "waiting": frozenset({"checking", "unchecked", *OUT}),
    "checking": frozenset({"valid", "invalid", "unchecked", *OUT}),
    # A check is made again when topics or documents change.
    "valid": frozenset({"invalid", *OUT}),
    "invalid": frozenset({"valid", *OUT}),
    # The check failed: it can be tried again, and the tag is free.
    "unchecked": frozenset({"checking", *OUT}),
    # Reinstated, a run takes the state of its report, or waits for a check.
    "withdrawn": frozenset({"waiting", "valid", "invalid"}),
    "disqualified": frozenset({"waiting", "valid", "invalid"}),
}
