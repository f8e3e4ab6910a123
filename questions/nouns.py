"""Questions of assessors with their answers, and notes on topics, as lists."""

from dataclasses import replace
from datetime import datetime
from typing import Any

from accounts.models import User
from assess.access.judging import Judging
from assess.nouns import WORK as JUDGED
from assess.nouns import noun_of_file
from campaigns.access.roles import roles
from campaigns.models.campaign import Campaign
from campaigns.models.people import Role
from campaigns.noun import Field, Key, Noun
from questions.models import STATES, Answering, Question, TopicNote
from questions.services import NOTES as NOTES_FILE
from questions.services import QUESTIONS as QUESTIONS_FILE


def _readable(user: User, campaign: Campaign) -> Any:
    """Return all questions to organizers, to assessors their own and those answered to them."""
    if Role.ORGANIZER in roles(user, campaign):
        rows = Question.objects.in_campaign(campaign).with_answer()
    else:
        rows = Question.objects.readable_to(user, campaign)
    return rows.select_related("topic__campaign", "asker").prefetch_related("answers")


def _last(question: Question) -> Answering | None:
    if not question.answer_id:  # nor need any be looked for
        return None
    return max(question.answers.all(), key=lambda each: each.pk)


def _of_answer(name: str, kind: Any) -> Field:
    return Field(kind | None, lambda question: getattr(_last(question), name, None))


QUESTIONS = Noun(
    name="questions",
    see=Judging.see_topics_to_judge,
    rows=_readable,
    fields={
        "id": Field(str, lambda question: str(question.client_id)),
        "topic": Field(str, lambda question: question.topic.number),
        "docno": Field(str),
        "text": Field(str),
        "state": Field(str, choices=tuple(STATES)),
        "asked_at": Field(datetime),
        "answer": _of_answer("text", str),
        "audience": _of_answer("audience", str),
        "answered_at": _of_answer("at", datetime),
    },
    model=Question,
    key=Key("id", "client_id", "uuid"),
    help="Questions with their last answer: all for organizers, for assessors what they may read.",
)
ANSWERS, NOTES = noun_of_file(QUESTIONS_FILE, "answers"), noun_of_file(NOTES_FILE)
NOTE = Field(
    dict,
    lambda each: TopicNote.objects.of(each.topic, each.assessor).told,
    "your own on the topic, with its note_version",
)
WORK = replace(JUDGED, details={**JUDGED.details, "note": NOTE})
