"""The kinds of audit event of scores."""

from django.db.models import TextChoices


class ScoreEvent(TextChoices):
    """The stored values must never change; the label follows the person's name."""

    REQUESTED = "scores.requested", "asked for scores by"
