"""The states of a run and of a job, and which may follow which, as tables. The first state is the initial one."""

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


IMPORT_TRANSITIONS: Transitions = {
    "reading": frozenset({"ready", "unreadable", "discarded"}),
    "ready": frozenset({"importing", "discarded"}),
    "unreadable": frozenset({"reading", "discarded"}),
    # Back to "ready" if it would do something else than what was shown.
    "importing": frozenset({"imported", "interrupted", "ready"}),
    # Discarded only if nothing was written.
    "interrupted": frozenset({"importing", "undoing", "discarded"}),
    "imported": frozenset({"undoing"}),
    "undoing": frozenset({"undone", "imported", "interrupted"}),
    "undone": frozenset(),
    "discarded": frozenset(),
}
