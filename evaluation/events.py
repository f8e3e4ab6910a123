"""What this floor writes into the audit trail."""

from django.db.models import TextChoices


class ScoreEvent(TextChoices):
    """Stored as written here, for good; the label follows the person's name."""

    REQUESTED = "scores.requested", "asked for scores by"
