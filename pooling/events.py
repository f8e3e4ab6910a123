"""What this floor writes into the audit trail."""

from django.db.models import TextChoices


class PoolEvent(TextChoices):
    """Stored as written here, for good; the label follows the person's name."""

    REQUESTED = "pool.requested", "asked for a pool"
    FROZEN = "pool.frozen", "froze the pool"
