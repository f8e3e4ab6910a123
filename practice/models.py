"""Practice: a topic with documents of known grades, whose answers never count."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import models

from assess.core.purposes import PRACTICE
from assess.models.assigning import Assignment
from assess.models.controls import KnownGrade, KnownGradeQuerySet
from assess.models.history import JudgmentEvent
from assess.models.judging import Judgment
from campaigns.models.campaign import Campaign
from collection.models.texts import Topic
from practice.core import Known, Practiced

if TYPE_CHECKING:
    from collections.abc import Collection

    from accounts.models import User


class PracticeQuerySet(models.QuerySet["Practice"]):
    def of(self, campaign: Campaign) -> Practice:
        """Return the practice of a campaign, or an empty one that is not stored."""
        empty = Practice(topic=Topic(is_practice=True))
        practice = self.filter(campaign=campaign).select_related("topic").first() or empty
        practice.campaign = practice.topic.campaign = campaign  # saves a query
        return practice


class Practice(models.Model):
    """A topic that assessors practice on before their first real one, once switched on.

    Its documents are those with known grades. They are judged as any others, for a purpose that
    does not count.
    """

    campaign = models.OneToOneField(Campaign, on_delete=models.CASCADE, related_name="practice")
    topic = models.OneToOneField(Topic, on_delete=models.PROTECT, related_name="+")
    is_on = models.BooleanField("on", default=False)
    may_skip = models.BooleanField(
        "may be skipped",
        default=True,
        help_text="Otherwise the first topic leads to practice until that is finished.",
    )

    objects = PracticeQuerySet.as_manager()

    def __str__(self) -> str:
        return self.topic.title

    @property
    def documents(self) -> KnownGradeQuerySet:
        """The known grades, `with_texts`, in the order of practice."""
        rows = KnownGrade.objects.practice().filter(item__topic=self.topic_id)
        return rows.with_texts().order_by("position")

    @property
    def known(self) -> list[Known]:
        """The known grades in the order of practice."""
        rows = self.documents.values_list("item__key", "grade", "explanation")
        return [Known(*row) for row in rows]

    @property
    def assignments(self) -> models.QuerySet[Assignment]:
        return Assignment.objects.practice().filter(topic=self.topic_id)

    def has_answers_of(self, user: User) -> bool:
        judged = Judgment.objects.practice().filter(topic=self.topic_id, assessor=user)
        return judged.exclude(known=None).exists()


def answers_of(
    practice: Practice, people: Collection[int] | None = None
) -> dict[int, dict[str, Practiced]]:
    """Return by person and docno how each document was answered: of all, or of these people."""
    events = JudgmentEvent.objects.filter(
        judgment__topic=practice.topic_id,
        judgment__purpose=PRACTICE,
        judgment__known__isnull=False,
        by=None,
        to_state__in=Judgment.DECIDED_STATES,
    )
    if people is not None:
        events = events.filter(judgment__assessor__in=people)
    judgment = ("judgment__assessor", "judgment__item__key", "judgment__known")
    rows = events.order_by("pk").values_list(*judgment, "to_grade", "pressed_at")
    found: dict[int, dict[str, Practiced]] = {}
    for person, docno, known, grade, at in rows:
        answers = found.setdefault(person, {})
        before = answers.get(docno)
        if before is None:
            answers[docno] = Practiced(grade, known, at, last=grade)
        elif grade != before.last:  # evidence or a comment alone is no other answer
            answers[docno] = before.again(grade)
    return found
