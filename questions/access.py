"""Who may ask, withdraw and answer, and what questions, answers and notes may hold."""

from accounts.access import Invalid, NotThere, NotYours, Refused, Verb, Verbs
from accounts.models import User
from assess.access.answers import MAX_COMMENT_LENGTH, Stale
from assess.access.judging import Judging
from assess.models.assigning import Assignment
from campaigns.access.roles import campaign_of, is_not_archived, member_roles, organizes
from campaigns.models.people import Role
from cleverdon.trec.streams import storable
from questions.core import Note
from questions.models import Answering, Question, TopicNote

MAX_QUESTION_LENGTH = 4000
MAX_REMARK_LENGTH = 300  # the most the column holds


def check_text(text: str, what: str) -> None:
    """Refuse a text that is empty, too long, or cannot be stored; `what` begins the sentence."""
    if not text.strip():
        raise Invalid("text", f"{what} needs some words.")
    check_length("text", what, text, MAX_QUESTION_LENGTH)
    check_storable(what, text)


def check_length(field: str, what: str, text: str, limit: int) -> None:
    if (n := len(text)) > limit:
        raise Invalid(field, f"{what} has at most {limit:,} characters; this one has {n:,}.")


def check_storable(what: str, *texts: str) -> None:
    if any(storable(each) != each for each in texts):
        raise Invalid("text", f"{what} may not contain NUL characters or lone surrogates.")


def check_question(assignment: Assignment, docno: str, text: str) -> None:
    check_text(text, "A question")
    if docno and not assignment.entries.filter(item__key=storable(docno)).exists():
        sentence = f"{storable(docno)} is not a document you were given for topic"
        raise Refused(f"{sentence} {assignment.topic}.")


def is_assessor(user: User, thing: object) -> None:
    """Let assessors pass."""
    campaign = campaign_of(thing)
    if Role.ASSESSOR not in member_roles(user, campaign):
        raise NotYours(f"Questions are asked by the assessors of {campaign}.")


def has_asked(user: User, question: Question) -> None:
    """Refuse if somebody else has asked it, as if it did not exist."""
    if question.asker_id != user.pk:
        raise NotThere


def is_open(_: User, question: Question) -> None:
    """Refuse once it is answered."""
    if question.answers.exists():
        raise Refused("It has been answered meanwhile, so it stays, with its answer.")


def check_answer(text: str, audience: str) -> None:
    check_text(text, "An answer")
    if audience not in Answering.Audience.values:
        raise Invalid("audience", "Say who is to read the answer.")


def is_not_withdrawn(_: User, question: Question) -> None:
    """Refuse if it has been withdrawn."""
    if question.withdrawn_at:
        raise Refused(f"{question.asker} has withdrawn this question.")


class NoteChanged(Stale):
    """Refused because the note was changed elsewhere since its page was loaded, to `now`."""

    def __init__(self, now: TopicNote) -> None:
        self.now, self.more = now, {"now": now.told}
        super().__init__(
            "You have changed this note elsewhere since: both are shown, and neither is lost."
        )


def check_note(note: Note) -> None:
    check_length("text", "A note", note.text, MAX_COMMENT_LENGTH)
    check_length("remark", "The remark", note.remark, MAX_REMARK_LENGTH)
    if note.difficulty not in ["", *TopicNote.Difficulty.values]:
        values = ", ".join(TopicNote.Difficulty.values)
        raise Invalid("difficulty", f"A topic is {values}, or leave it empty.")
    check_storable("A note", *note)


class Questions(Verbs):
    see = Verb(organizes)
    see_own = Verb(is_assessor)
    ask = Judging.judge
    withdraw = Verb(is_assessor, has_asked, is_not_archived, is_open)
    answer = Verb(organizes, is_not_withdrawn)


class Notes(Verbs):
    save = Judging.judge
