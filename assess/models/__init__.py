"""Judging: who judges which topic, in which order, what they said, and what was published of it."""

from assess.models.assigning import Assignment, AssignmentEntry
from assess.models.judging import Judgment, JudgmentEvent
from assess.models.publishing import Qrels

__all__ = ["Assignment", "AssignmentEntry", "Judgment", "JudgmentEvent", "Qrels"]
