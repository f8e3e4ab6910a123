"""The states of a run, and which may follow which. The first state is the initial one."""

from jobs.core import Transitions

# A run that its team took back, or that the organizers ruled out: marked wherever it stands, and in no new pool or board.
OUT = ("withdrawn", "disqualified")

RUN_TRANSITIONS: Transitions = {
    "waiting": frozenset({"checking", "unchecked", *OUT}),
    "checking": frozenset({"valid", "invalid", "unchecked", *OUT}),
    # A check is made again when topics or documents change.
    "valid": frozenset({"invalid", *OUT}),
    "invalid": frozenset({"valid", *OUT}),
    # The check was given up: it can be tried again, and its tag is free again.
    "unchecked": frozenset({"checking", *OUT}),
    # Reinstated, a run is what its check has found, or waits for a check.
    "withdrawn": frozenset({"waiting", "valid", "invalid"}),
    "disqualified": frozenset({"waiting", "valid", "invalid"}),
}
