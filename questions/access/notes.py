"""What a note on a topic may hold."""

from assess.access.answers import MAX_COMMENT_LENGTH, Invalid, Stale
from questions.core.notes import Note
from questions.models.notes import TopicNote
from trec.streams import storable

MAX_REMARK_LENGTH = 300  # the most the column holds


class NoteChanged(Stale):
    """Refused because the note was changed elsewhere since the page that sends it was loaded; `now` is what it says there."""

    def __init__(self, now: TopicNote) -> None:
        self.now = now
        super().__init__(
            "You have changed this note elsewhere since: both are shown, and neither is lost."
        )


def check_note(note: Note) -> None:
    """Refuse what a note may not hold."""
    if len(note.text) > MAX_COMMENT_LENGTH:
        raise Invalid(
            "text",
            f"A note has at most {MAX_COMMENT_LENGTH:,} characters; this one has {len(note.text):,}.",
        )
    if len(note.remark) > MAX_REMARK_LENGTH:
        raise Invalid(
            "remark",
            f"The remark has at most {MAX_REMARK_LENGTH} characters; this one has {len(note.remark):,}.",
        )
    if note.difficulty not in ["", *TopicNote.Difficulty.values]:
        raise Invalid(
            "difficulty", f"A topic is {', '.join(TopicNote.Difficulty.values)}, or leave it empty."
        )
    if any(storable(each) != each for each in note):
        raise Invalid("text", "A note may not contain NUL characters or lone surrogates.")
