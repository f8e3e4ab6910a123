"""What a note on a topic may hold."""

from assess.access.answers import MAX_COMMENT_LENGTH, Invalid, Stale
from questions.core.notes import Note
from questions.models.notes import TopicNote
from trec.streams import storable

MAX_REMARK_LENGTH = 300  # the most the column holds


class NoteChanged(Stale):
    """Refused because the note was changed elsewhere since its page was loaded, to `now`."""

    def __init__(self, now: TopicNote) -> None:
        self.now = now
        super().__init__(
            "You have changed this note elsewhere since: both are shown, and neither is lost."
        )


def check_note(note: Note) -> None:
    for name, what, text, limit in (
        ("text", "A note", note.text, MAX_COMMENT_LENGTH),
        ("remark", "The remark", note.remark, MAX_REMARK_LENGTH),
    ):
        if (n := len(text)) > limit:
            raise Invalid(name, f"{what} has at most {limit:,} characters; this one has {n:,}.")
    if note.difficulty not in ["", *TopicNote.Difficulty.values]:
        values = ", ".join(TopicNote.Difficulty.values)
        raise Invalid("difficulty", f"A topic is {values}, or leave it empty.")
    if any(storable(each) != each for each in note):
        raise Invalid("text", "A note may not contain NUL characters or lone surrogates.")
