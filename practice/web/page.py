"""Practice as its assessor sees it."""

from typing import Any, NamedTuple

from django.shortcuts import get_object_or_404

from accounts.access import can
from accounts.models import User
from assess.core.pace import in_words
from assess.models.assigning import Assignment
from campaigns.core.grades import Grade, Scale
from campaigns.models.campaign import Campaign
from collection.models.parts import with_part
from collection.models.texts import Document
from practice.access import check_can_answer_practice, check_can_practice, comes_first, practised
from practice.models import PracticeAnswer, PracticeDocument, PracticeTopic


class Place(NamedTuple):
    """A document of practice, its number from 1, and the reader's answer."""

    number: int
    document: PracticeDocument
    answer: PracticeAnswer | None

    @property
    def is_corrected(self) -> bool:
        """Whether the known grade was changed since the answer."""
        return self.answer is not None and self.answer.known != self.document.grade


class Walk(NamedTuple):
    """All documents of practice in order, with somebody's answers."""

    places: list[Place]

    @property
    def left(self) -> list[Place]:
        return [each for each in self.places if not each.answer]

    @property
    def answered(self) -> list[Place]:
        return [each for each in self.places if each.answer]

    @property
    def right(self) -> list[Place]:
        return [each for each in self.places if each.answer and each.answer.agrees]

    @property
    def corrected(self) -> list[Place]:
        return [each for each in self.places if each.is_corrected]

    @property
    def different(self) -> list[Place]:
        return [each for each in self.places if each.answer and not each.answer.agrees]

    def at(self, number: int) -> Place | None:
        return self.places[number - 1] if 0 < number <= len(self.places) else None

    def after(self, number: int) -> Place | None:
        """Return the next place without an answer, or else the first one, if any is left."""
        later = [each for each in self.left if each.number > number]
        return next(iter([*later, *self.left]), None)


def walk_of(user: User, practice: PracticeTopic) -> Walk:
    if not practice.pk:
        return Walk([])
    rows = PracticeAnswer.objects.filter(practice=practice, user=user)
    answers = {each.docno: each for each in rows}
    documents = practised(practice)
    return Walk([Place(n, each, answers.get(each.docno)) for n, each in enumerate(documents, 1)])


def grade_of(scale: Scale, value: int | None) -> Grade | None:
    """Return the grade with this value; without a label if the scale no longer has it."""
    if value is None:
        return None
    return next((each for each in scale.grades if each.value == value), Grade(value, ""))


def shown_at(place: Place, practice: PracticeTopic, walk: Walk, start: int) -> dict[str, Any]:
    """Return what the page shows of a document, with the known grade once it is answered."""
    scale, answer = practice.campaign.scale, place.answer
    texts = with_part(Document.objects.filter(campaign=practice.campaign), start)
    context: dict[str, Any] = {
        "place": place,
        "document": get_object_or_404(texts, docno=place.document.docno),
        "before": walk.at(place.number - 1),
        "behind": walk.at(place.number + 1),
        "following": walk.after(place.number),
        "known": grade_of(scale, place.document.grade),
    }
    if answer:
        context |= {
            "given": grade_of(scale, answer.grade),
            "known_then": grade_of(scale, answer.known),
            "last": grade_of(scale, answer.last_grade),
        }
    return context


def compared(walk: Walk, scale: Scale) -> list[dict[str, Any]]:
    """Return the documents where answer and known grade differ, with both grades."""
    return [
        {
            "place": each,
            "given": grade_of(scale, each.answer.grade),
            "known": grade_of(scale, each.answer.known),
            "now": grade_of(scale, each.document.grade),
        }
        for each in walk.different
        if each.answer
    ]


def next_topic(user: User, campaign: Campaign) -> Assignment | None:
    """Return the first of somebody's topics with something left to judge."""
    theirs = Assignment.objects.in_campaign(campaign).live().filter(assessor=user)
    return theirs.unfinished().first()


class Offer(NamedTuple):
    """Practice on an assessor's own page: the next thing to do, or a line."""

    practice: PracticeTopic
    walk: Walk
    comes_first: bool
    is_open: bool
    time_left: str


def offer_of(user: User, campaign: Campaign) -> Offer | None:
    """Return practice for somebody's own page, if it is to do or to see again."""
    practice = PracticeTopic.objects.of(campaign)
    if not practice.pk or not can(check_can_practice, user, practice):
        return None
    walk = walk_of(user, practice)
    is_open = can(check_can_answer_practice, user, practice)
    if not walk.answered and not (is_open and walk.left):
        return None
    return Offer(practice, walk, comes_first(user, practice), is_open, time_for(walk, campaign))


def time_for(walk: Walk, campaign: Campaign) -> str:
    """Write how long the documents left take, at the seconds per judgment of the settings."""
    seconds = len(walk.left) * campaign.seconds_per_judgment
    return in_words(-(-seconds // 60))
