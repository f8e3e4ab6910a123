"""Questions and notes."""

from questions.models import notes, questions  # noqa: F401 - Django finds its models here
