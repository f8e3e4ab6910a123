"""What is asked and noted while judging."""

from questions.models import notes, questions  # noqa: F401 - Django finds its models here
