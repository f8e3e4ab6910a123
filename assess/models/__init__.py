"""Judging: who judges which topic, in which order, the judgments, and the published qrels."""

from assess.models import (  # noqa: F401 - Django finds its models here
    assigning,
    controls,
    history,
    judging,
    notes,
    practice,
    publishing,
    questions,
    serving,
    sharing,
    words,
)
