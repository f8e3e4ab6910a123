"""The kind of audit event of questions."""

from django.db.models import TextChoices


class QuestionEvent(TextChoices):
    """The stored value must never change; the label follows the person's name."""

    ANSWERED = "question.answered", "answered a question about topic"
