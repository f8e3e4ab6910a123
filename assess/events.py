"""What this floor writes into the audit trail; each judgment has events of its own."""

from django.db.models import TextChoices


class AssessEvent(TextChoices):
    """Stored as written here, for good; the label follows the person's name."""

    TOPIC_ASSIGNED = "topic.assigned", "assigned a topic"
    QRELS_PUBLISHED = "qrels.published", "published"
    QRELS_DOWNLOADED = "qrels.downloaded", "downloaded"
