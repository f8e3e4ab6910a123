"""The kinds of audit event of programs as assessors."""

from django.db.models import TextChoices


class ProgramEvent(TextChoices):
    """The stored values must never change; the labels follow the person's name."""

    REGISTERED = "program.registered", "registered the program"
    LABELLED = "program.labelled", "sent labels of the program"
    REMOVED = "program.removed", "removed, with its labels, the program"
    TOKEN_MADE = "program.token", "made an access token for the program"
    LABELS_DOWNLOADED = "labels.downloaded", "downloaded the labels of"
