"""Practice as its assessor sees it: how their answers stand to the known grades."""

from functools import partial
from typing import NamedTuple

from accounts.access import can
from accounts.models import User
from assess.core.pace import in_words
from assess.models.assigning import Assignment
from assess.models.controls import KnownGrade
from campaigns.core.grades import Grade, Scale
from campaigns.models.campaign import Campaign
from practice.access import PracticeTopic, comes_first, practised
from practice.core import Practiced
from practice.models import Practice, answers_of


def grade_of(scale: Scale, value: int | None) -> Grade | None:
    """Return the grade with this value; without a label if the scale no longer has it."""
    if value is None:
        return None
    return next((each for each in scale.grades if each.value == value), Grade(value, ""))


class Place(NamedTuple):
    """A document of practice, its number on the judging page, and the reader's answer.

    `given`, `then` and `now` are the grades of the answer, known at that time, and known now.
    """

    number: int | None
    known: KnownGrade
    answer: Practiced | None
    now: Grade | None
    given: Grade | None = None
    then: Grade | None = None

    @property
    def is_corrected(self) -> bool:
        """Whether the known grade was changed since the answer."""
        return self.answer is not None and self.answer.known != self.known.grade


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
    def differing(self) -> list[Place]:
        return [each for each in self.places if each.answer and not each.answer.agrees]

    @property
    def corrected(self) -> list[Place]:
        return [each for each in self.places if each.is_corrected]


def walk_of(user: User, practice: Practice) -> Walk:
    if not practice.pk:
        return Walk([])
    answers = answers_of(practice, [user.pk]).get(user.pk, {})
    positions: dict[str, int] = {}
    for assignment in practice.assignments.filter(assessor=user):
        positions = dict(assignment.entries.values_list("item__key", "position"))
    grade = partial(grade_of, practice.campaign.scale)
    places = []
    for known in practised(practice):
        at, answer = positions.get(known.docno), answers.get(known.docno)
        place = Place(None if at is None else at + 1, known, answer, grade(known.grade))
        if answer:
            place = place._replace(given=grade(answer.grade), then=grade(answer.known))
        places.append(place)
    return Walk(places)


class Offer(NamedTuple):
    """Practice as the next thing to do, or to see again."""

    practice: Practice
    walk: Walk
    comes_first: bool
    is_open: bool
    time_left: str
    next_topic: Assignment | None


def offer_of(user: User, campaign: Campaign) -> Offer | None:
    """Return practice for somebody's own page, if it is to do or to see again."""
    practice = Practice.objects.of(campaign)
    if not practice.pk or not can(PracticeTopic.read, user, practice):
        return None
    walk = walk_of(user, practice)
    is_open = can(PracticeTopic.answer, user, practice)
    if not walk.answered and not (is_open and walk.left):
        return None
    # At the seconds per judgment of the settings.
    minutes = -(-len(walk.left) * campaign.seconds_per_judgment // 60)
    first, following = comes_first(user, practice), next_topic(user, campaign)
    return Offer(practice, walk, first, is_open, in_words(minutes), following)


def next_topic(user: User, campaign: Campaign) -> Assignment | None:
    """Return the first of somebody's topics with something left to judge."""
    theirs = Assignment.objects.in_campaign(campaign).live().filter(assessor=user)
    return theirs.unfinished().first()
