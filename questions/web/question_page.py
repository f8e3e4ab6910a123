"""Questions and their answers, as an assessor and as organizers read them."""

from collections.abc import Iterable
from typing import NamedTuple

from accounts.models import User
from campaigns.access.roles import roles
from campaigns.models.campaign import Campaign
from campaigns.models.people import Role
from collection.models.texts import Topic
from questions.models import STATES, Answering, Question, QuestionQuerySet

MOST = 100  # questions on a page, the newest
UNFOLDED = 3  # at least


class Asked(NamedTuple):
    """A question with its answer; unless it is their own, readers see neither asker nor docno."""

    question: Question
    answer: Answering | None
    is_own: bool
    n_earlier: int = 0  # answers before it

    @property
    def is_new(self) -> bool:
        return self.question.is_new


class Asking(NamedTuple):
    """The questions that an assessor can read."""

    asked: list[Asked]

    @property
    def unfolded(self) -> list[Asked]:
        """What is new, what waits for an answer, and the newest of all."""
        return [each for place, each in enumerate(self.asked) if _is_unfolded(each, place)]

    @property
    def earlier(self) -> list[Asked]:
        """The rest: what was answered and has been seen."""
        return [each for place, each in enumerate(self.asked) if not _is_unfolded(each, place)]

    @property
    def new(self) -> str:
        """The ids of the answers that the reader has not seen, for the form that marks them."""
        return " ".join(str(each.answer.pk) for each in self.asked if each.is_new and each.answer)

    @property
    def n_new(self) -> int:
        return sum(each.is_new for each in self.asked)


def _is_unfolded(each: Asked, place: int) -> bool:
    return place < UNFOLDED or each.is_new or each.answer is None


def asking_of(reader: User, campaign: Campaign, topic: Topic | None = None) -> Asking:
    """Return the newest questions somebody can read; with a topic, its own and general ones."""
    rows = Question.objects.readable_to(reader, campaign).with_news_for(reader)
    if topic:
        rows = rows.about_or_to_all(topic)
    newest = rows.select_related("topic").order_by("-pk")[:MOST]
    return Asking(asked_of(newest, reader))


def asked_of(questions: Iterable[Question], reader: User | None = None) -> list[Asked]:
    """Return questions `with_answer` with their answers, with one extra query."""
    rows = list(questions)
    by_question: dict[int, list[Answering]] = {each.pk: [] for each in rows}
    for answer in Answering.objects.filter(question__in=by_question).select_related("by"):
        by_question[answer.question_id].append(answer)
    reader_id = reader.pk if reader else None
    return [
        Asked(each, answers[-1] if answers else None, each.asker_id == reader_id, len(answers) - 1)
        for each, answers in zip(rows, by_question.values(), strict=True)
    ]


def n_by_state(rows: QuestionQuerySet) -> dict[str, int]:
    """Return how many questions, `with_answer`, are in each state."""
    states = [each.state for each in rows]
    return {"": len(states), **{state: states.count(state) for state in STATES}}


def has_left(question: Question) -> bool:
    """Whether the asker is no longer an assessor of the campaign."""
    return Role.ASSESSOR not in roles(question.asker, question.topic.campaign)


def who_reads(question: Question) -> str:
    """Return a sentence that says who reads the newest answer."""
    answer, asker = question.answers.last(), question.asker
    readers = {
        Answering.Audience.TOPIC: f"every assessor of topic {question.topic.number}",
        Answering.Audience.CAMPAIGN: "every assessor of the campaign",
    }
    to_all = readers.get(Answering.Audience(answer.audience)) if answer else None
    if has_left(question):
        kept = f"Your answer is read by {to_all}." if to_all else "Your answer is kept, but"
        return f"{kept} {asker} is no longer an assessor of the campaign and will not read it."
    return f"{asker} and {to_all} read your answer." if to_all else f"{asker} reads your answer."
