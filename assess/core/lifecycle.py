"""The states of an import of qrels and their transitions. The first state is the initial one."""

from collections.abc import Mapping

IMPORT_TRANSITIONS: Mapping[str, frozenset[str]] = {
    "reading": frozenset({"read", "refused", "discarded"}),
    # Reading may have failed for want of space or memory: the same file can be tried again.
    "refused": frozenset({"read", "refused", "discarded"}),
    "read": frozenset({"imported", "discarded"}),
    "imported": frozenset(),
    "discarded": frozenset(),
}
