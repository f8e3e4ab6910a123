"""The kinds of audit event of pools."""

from django.db.models import TextChoices


class PoolEvent(TextChoices):
    """The stored values must never change; the label follows the person's name."""

    REQUESTED = "pool.requested", "asked for a draft of the pool"
    IMPORTED = "pool.imported", "imported a draft of the pool"
    REBUILT = "pool.rebuilt", "asked for another draft in place of"
    DELETED = "pool.deleted", "deleted a draft of the pool"
    FROZEN = "pool.frozen", "froze a batch of the pool"
    GREW = "pool.grew", "asked for a pool that grew by itself by"
    COMPARED = "pool.compared", "had duplicates looked for in"
    UNFROZEN = "pool.unfrozen", "took a batch of the pool back"
