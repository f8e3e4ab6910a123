"""The states of an import of qrels, and which may follow which. The first state is the initial one."""

from collections.abc import Mapping

IMPORT_TRANSITIONS: Mapping[str, frozenset[str]] = {
    "reading": frozenset({"read", "refused", "discarded"}),
    # A file is never changed, but reading it may have failed for want of space or memory: it can be tried again.
    "refused": frozenset({"read", "refused", "discarded"}),
    "read": frozenset({"imported", "discarded"}),
    "imported": frozenset(),
    "discarded": frozenset(),
}
