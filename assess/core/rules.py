"""When a shared document has the judgments that it needs, and what grades rest on beside these."""

# Grades that count without a judgment of their own: existing ones, and those of documents with the
# same text.
EXISTING, DUPLICATE = "existing", "duplicate"
CARRIED = frozenset({EXISTING, DUPLICATE})
# The grade that an organizer put in place of any other, with a reason.
CORRECTION = "correction"


def has_room(n_wanted: int, n_judged: int) -> bool:
    """Whether a shared document takes one more judgment."""
    return n_judged < n_wanted


def is_settled(n_wanted: int, n_judged: int, n_impossible: int) -> bool:
    """Whether a shared document has the judgments wanted, or as many say it cannot be judged."""
    return not has_room(n_wanted, max(n_judged, n_impossible))
