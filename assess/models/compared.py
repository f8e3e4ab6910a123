"""The judgments that count, and those of several people on the same item, for agreement."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from django.contrib.postgres.aggregates import ArrayAgg
from django.db import models
from django.db.models import Case, Count, F, Max, Q, Value, When
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Abs, Cast

from assess.core.purposes import INDEPENDENT, PRIMARY
from assess.models.purposes import ByPurpose
from campaigns.core.criteria import Criterion, key_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assess.models.judging import Judgment  # noqa: F401 - named as text below

NUMBER = models.IntegerField()
# The official grade first, then the earlier one.
IN_ORDER = (Case(When(purpose=PRIMARY, then=0), default=1), "pk")
TWICE = (
    "topic__number",
    "item__key",
    "its_assessor",
    "first_grade",
    "assessor__username",
    "second_grade",
    "steps",
    "its_assignment",
    "assignment",
)


class CurrentJudgments(ByPurpose["Judgment"]):
    """Judgments that count, and those of several people on the same item."""

    def current(self) -> Self:
        """Return the judgments that count, without those set aside."""
        return self.filter(set_aside_at__isnull=True)

    def decided(self) -> Self:
        return self.filter(state__in=["judged", "cannot_judge"])

    def graded(self) -> Self:
        return self.current().filter(state="judged")

    def by_item(self, criteria: Sequence[Criterion]) -> Any:
        """Return a row of each item that two people or more have graded.

        It is: topic, item, when the last of them did so, the ids of all, and the answers of all to
        each criterion, None where there is none. They stand in one order, the official grade first.
        """
        answers = {
            f"answers_{n}": ArrayAgg(
                _answer(each, criteria, "answers", "item__kind"), order_by=IN_ORDER
            )
            for n, each in enumerate(criteria)
        }
        rows = self.graded().order_by().values("topic", "item").annotate(n=Count("pk"))
        people = ArrayAgg("assessor", order_by=IN_ORDER)
        rows = rows.filter(n__gt=1).annotate(last=Max("changed_at"), people=people, **answers)
        return rows.values_list("topic", "item", "last", "people", *answers)

    def in_pairs(
        self, criterion: Criterion, criteria: Sequence[Criterion], topics: Sequence[int]
    ) -> Self:
        """Return judgments of these topics, each joined with every other one of its item, as `its`.

        Both have answered the criterion; `steps` are those of its scale between the answers, and
        `is_in_order` where `its` is the official one, or the earlier of two others. All of
        `its` is in columns: filtering by the relation would join it once more.
        """
        # A FilteredRelation for its name.
        counts = Q(
            item__judgment__set_aside_at=None,
            item__judgment__state="judged",
            item__judgment__topic__in=topics,  # else all judgments are read
        )
        of_same_item = models.FilteredRelation("item__judgment", condition=counts)
        # Without the second condition nearly every judgment is joined with itself first.
        found = (
            self.graded()
            .filter(topic__in=topics)
            .annotate(its=of_same_item)
            .filter(
                Q(its__pk__lt=F("pk")) | Q(its__pk__gt=F("pk")),
                its__purpose__in=INDEPENDENT,
                item__kind=criterion.kind,
            )
            .annotate(
                its_pk=F("its__pk"),
                its_assessor=F("its__assessor__username"),
                its_assignment=F("its__assignment"),
                first_grade=_answer(criterion, criteria, "its__answers"),
                second_grade=_answer(criterion, criteria, "answers"),
                is_in_order=Case(
                    When(purpose=PRIMARY, then=Value(False)),  # noqa: FBT003
                    When(Q(its__purpose=PRIMARY) | Q(its__pk__lt=F("pk")), then=Value(True)),  # noqa: FBT003
                    default=Value(False),  # noqa: FBT003
                ),
            )
            .filter(first_grade__isnull=False, second_grade__isnull=False)
        )
        places = [_place(criterion, name) for name in ("first_grade", "second_grade")]
        return found.annotate(steps=Abs(places[0] - places[1]))


def _answer(
    criterion: Criterion, criteria: Sequence[Criterion], column: str, kind: str = ""
) -> Any:
    """Return the answers to a criterion as numbers; None of other kinds, where `kind` tells it."""
    number = Cast(KeyTextTransform(key_of(criterion, criteria), column), NUMBER)
    return Case(When(**{kind: criterion.kind}, then=number)) if kind else number


def _place(criterion: Criterion, name: str) -> Case:
    """Return the place of an answer on the scale of the criterion."""
    places = enumerate(criterion.answers)
    return Case(*(When(**{name: each.value}, then=n) for n, each in places), output_field=NUMBER)
