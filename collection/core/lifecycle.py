"""The states of an import, and which may follow which. The first is the initial one."""

from jobs.core import Transitions

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
