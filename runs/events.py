"""The kinds of audit event of runs."""

from django.db.models import TextChoices


class RunEvent(TextChoices):
    """The stored values must never change; the label follows the person's name."""

    RUN_SUBMITTED = "run.submitted", "submitted run"
    RUNS_UPLOADED = "runs.uploaded", "uploaded runs in"
    RUN_DISQUALIFIED = "run.disqualified", "disqualified run"
    RUN_REINSTATED = "run.reinstated", "reinstated run"
    RUN_RECHECKED = "run.rechecked", "had runs checked again"
    RUN_MOVED = "run.moved", "moved run"
    RUN_DESCRIBED = "run.described", "changed the description of run"
    DEADLINE_EXTENDED = "deadline.extended", "changed the extension of"
    RUN_WITHDRAWN = "run.withdrawn", "withdrew run"
    RUN_DOWNLOADED = "run.downloaded", "downloaded the file of run"
