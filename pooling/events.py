"""The kinds of audit event of pools."""

from django.db.models import TextChoices


class PoolEvent(TextChoices):
    """The stored values must never change; the label follows the person's name."""

    REQUESTED = "pool.requested", "asked for the pool"
    DELETED = "pool.deleted", "deleted the pool"
    FROZEN = "pool.frozen", "froze the pool"
    UNFROZEN = "pool.unfrozen", "unfroze the pool"
