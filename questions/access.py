"""Who may ask, withdraw and answer, and what questions, answers and notes may hold."""

from collections.abc import Collection

from accounts.access import NotThere, NotYours, Refused
from accounts.models import User
from assess.access.answers import MAX_COMMENT_LENGTH, Invalid, Stale
from assess.access.judging import check_can_judge
from assess.models.assigning import Assignment
from campaigns.access.roles import check_can_organize, member_roles
from campaigns.models.campaign import Campaign
from campaigns.models.people import Role
from campaigns.models.trail import check_not_archived
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


def check_can_ask(
    user: User,
    assignment: Assignment,
    docno: str,
    text: str,
    user_roles: Collection[str] | None = None,
) -> None:
    check_can_judge(user, assignment, user_roles)
    check_text(text, "A question")
    if docno and not assignment.entries.filter(item__key=storable(docno)).exists():
        sentence = f"{storable(docno)} is not a document you were given for topic"
        raise Refused(f"{sentence} {assignment.topic}.")


def check_is_assessor(user: User, campaign: Campaign) -> None:
    if Role.ASSESSOR not in member_roles(user, campaign):
        raise NotYours(f"Questions are asked by the assessors of {campaign}.")


def check_can_withdraw_question(user: User, question: Question) -> None:
    """Let the asker take a question back until it is answered; to others it does not exist."""
    campaign = question.topic.campaign
    check_is_assessor(user, campaign)
    if question.asker_id != user.pk:
        raise NotThere
    check_not_archived(campaign)
    if question.answers.exists():
        raise Refused("It has been answered meanwhile, so it stays, with its answer.")


def check_can_answer(user: User, question: Question, text: str, audience: str) -> None:
    campaign = question.topic.campaign
    check_can_organize(user, campaign)
    check_text(text, "An answer")
    if audience not in Answering.Audience.values:
        raise Invalid("audience", "Say who is to read the answer.")
    if question.withdrawn_at:
        raise Refused(f"{question.asker} has withdrawn this question.")


class NoteChanged(Stale):
    """Refused because the note was changed elsewhere since its page was loaded, to `now`."""

    def __init__(self, now: TopicNote) -> None:
        self.now = now
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
