"""The audit event of practice."""

from django.db.models import TextChoices


class PracticeEvent(TextChoices):
    """The stored value must never change; the label follows the person's name."""

    CHANGED = "practice.changed", "changed practice:"
