"""Questions and their answers, as an assessor and as organizers read them."""

from collections.abc import Iterable
from typing import NamedTuple

from accounts.models import User
from campaigns.access.roles import roles
from campaigns.models.campaign import Campaign
from campaigns.models.people import Role
from collection.models.texts import Topic
from questions.models.questions import Answering, Question, QuestionQuerySet

# Of a campaign with very many the newest are shown.
MOST = 100
# So many are shown unfolded, also where nothing of them is new or waits.
UNFOLDED = 3


class Asked(NamedTuple):
    """A question with its answer. Whoever did not ask is shown neither who did nor which document it is about."""

    question: Question
    answer: Answering | None
    is_own: bool
    n_earlier: int = 0  # answers before it

    @property
    def is_new(self) -> bool:
        return self.question.is_new


class Asking(NamedTuple):
    """What an assessor has asked, and what organizers have answered to more than one."""

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
        """The ids of the answers that the reader has not seen, for the form that says that they have been."""
        return " ".join(str(each.answer.pk) for each in self.asked if each.is_new and each.answer)

    @property
    def n_new(self) -> int:
        return sum(each.is_new for each in self.asked)


def _is_unfolded(each: Asked, place: int) -> bool:
    return place < UNFOLDED or each.is_new or each.answer is None


def asking_of(reader: User, campaign: Campaign, topic: Topic | None = None) -> Asking:
    """Return what somebody reads of questions and answers, the newest first; with a topic what is about it, or said to everybody."""
    rows = Question.objects.readable_to(reader, campaign).with_news_for(reader)
    if topic:
        rows = rows.about_or_to_all(topic)
    newest = rows.select_related("topic").order_by("-pk")[:MOST]
    return Asking(asked_of(newest, reader))


def asked_of(questions: Iterable[Question], reader: User | None = None) -> list[Asked]:
    """Return questions `with_answer` with their answers, in one query more."""
    rows = list(questions)
    found = Answering.objects.filter(question__in=[each.pk for each in rows])
    answers: dict[int, list[Answering]] = {}
    for answer in found.select_related("by"):
        answers.setdefault(answer.question_id, []).append(answer)
    return [
        Asked(
            each,
            answers[each.pk][-1] if each.pk in answers else None,
            reader is not None and each.asker_id == reader.pk,
            len(answers.get(each.pk, [])) - 1,
        )
        for each in rows
    ]


def n_by_state(rows: QuestionQuerySet) -> dict[str, int]:
    """Return how many questions, `with_answer`, are in each state."""
    states = [each.state for each in rows]
    return {
        "": len(states),
        **{state: states.count(state) for state in ("open", "answered", "withdrawn")},
    }


def has_left(question: Question) -> bool:
    """Whether whoever asked is no assessor of the campaign any more, and reads no answer."""
    return Role.ASSESSOR not in roles(question.asker, question.topic.campaign)


def who_reads(question: Question) -> str:
    """Return a sentence that says who reads the answer that stands."""
    answer, asker = question.answers.last(), question.asker
    readers = {
        Answering.Audience.TOPIC: f"every assessor of topic {question.topic.number}",
        Answering.Audience.CAMPAIGN: "every assessor of the campaign",
    }
    to_all = readers.get(Answering.Audience(answer.audience)) if answer else None
    if has_left(question):
        gone = f"{asker} is no longer an assessor of the campaign and will not read it."
        return (
            f"Your answer is read by {to_all}. {gone}"
            if to_all
            else f"Your answer is kept, but {gone}"
        )
    if to_all:
        return f"{asker} and {to_all} read your answer."
    return f"{asker} reads your answer."
