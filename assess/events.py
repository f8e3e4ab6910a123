"""The kinds of audit event of judging. Judgments have events of their own: `JudgmentEvent`."""

from django.db.models import TextChoices


class AssessEvent(TextChoices):
    """The stored values must never change; the label follows the person's name."""

    TOPIC_ASSIGNED = "topic.assigned", "assigned a topic"
    QRELS_PUBLISHED = "qrels.published", "published"
    QRELS_DOWNLOADED = "qrels.downloaded", "downloaded"
