"""The kinds of audit event of qrels."""

from django.db.models import TextChoices


class QrelsEvent(TextChoices):
    """The stored values must never change; the label follows the person's name.

    Nobody asks for an audit any more; trails of 0.1.0 may have some.
    """

    PUBLISHED = "qrels.published", "published"
    UPLOADED = "qrels.uploaded", "uploaded qrels"
    IMPORTED = "qrels.imported", "imported"
    DISCARDED = "qrels.discarded", "discarded uploaded qrels"
    WITHDRAWN = "qrels.withdrawn", "withdrew"
    REINSTATED = "qrels.reinstated", "reinstated"
    DOWNLOADED = "qrels.downloaded", "downloaded"
    AUDITED = "qrels.audited", "asked for an audit of the pool of"
