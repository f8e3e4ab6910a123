"""Judging: who judges which topic, in which order, the judgments, and the published qrels."""

from assess.models.assigning import Assignment, Unfrozen
from assess.models.controls import Control, KnownGrade
from assess.models.history import JudgmentEvent
from assess.models.judging import Judgment
from assess.models.notes import TopicNote
from assess.models.practice import (
    PracticeAnswer,
    PracticeDocument,
    PracticeSkip,
    PracticeTopic,
)
from assess.models.publishing import Qrels, QrelsImport
from assess.models.questions import Answering, AnswerSeen, Question
from assess.models.serving import AssignmentEntry, ServedDocument
from assess.models.sharing import SharedDocument, SharedQueue
from assess.models.words import TopicWord

__all__ = [
    "AnswerSeen",
    "Answering",
    "Assignment",
    "AssignmentEntry",
    "Control",
    "Judgment",
    "JudgmentEvent",
    "KnownGrade",
    "PracticeAnswer",
    "PracticeDocument",
    "PracticeSkip",
    "PracticeTopic",
    "Qrels",
    "QrelsImport",
    "Question",
    "ServedDocument",
    "SharedDocument",
    "SharedQueue",
    "TopicNote",
    "TopicWord",
    "Unfrozen",
]
