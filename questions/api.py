"""The addresses of questions and notes."""

from collections.abc import Mapping
from typing import Any

from rest_framework import serializers

from accounts.access import Invalid
from accounts.models import User
from api.acting import Act, of_page
from api.doors import doors
from assess.models.assigning import Assignment
from questions import services
from questions.access import Notes, Questions
from questions.core import Note
from questions.models import Answering
from questions.nouns import ANSWERS, NOTES, QUESTIONS, WORK
from questions.web.notes import NoteForm


def save_note(*, user: User, assignment: Assignment, **said: Any) -> Mapping[str, Any]:
    """Save an assessor's note on a topic, in place of the one with this `note_version`."""
    if said["note_version"] is None:
        raise Invalid("note_version", "Say which note this replaces: 0 if there is none.")
    note = Note(said["text"], said["difficulty"], said["remark"])
    saved = services.save_note(
        assessor=user, pk=assignment.pk, note=note, version=said["note_version"]
    )
    return saved.told


ON_WORK = [
    Act(WORK, "ask", services.ask, Questions.ask, scope="judge", is_told_as_made=True),
    Act(WORK, "note", save_note, Notes.save, scope="judge", form=of_page(NoteForm)),
]
AUDIENCE = serializers.ChoiceField(
    Answering.Audience.choices, default=Answering.Audience.ASKER.value
)
urlpatterns = [
    *doors(
        QUESTIONS,
        Act(QUESTIONS, "withdraw", services.withdraw_question, Questions.withdraw, scope="judge"),
        Act(QUESTIONS, "answer", services.answer, Questions.answer, fields={"audience": AUDIENCE}),
    ),
    *doors(ANSWERS),
    *doors(NOTES),
]
