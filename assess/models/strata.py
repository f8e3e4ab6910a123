"""How samples judged twice were drawn by first grade: which documents each grade had then."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Self

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Count, Exists, OuterRef
from django.utils import timezone

from assess.core.purposes import PRIMARY
from assess.models.assigning import Assignment
from assess.models.judging import Judgment

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from datetime import datetime

    from assess.core.sampling import Stratum
    from assess.models.judging import JudgmentQuerySet
    from campaigns.models.campaign import Campaign
    from pooling.models.entries import PoolEntryQuerySet


def first_grades(topics: Collection[int]) -> dict[int, dict[int, int]]:
    """Return by topic id the primary assessors' grades by item id, of documents that have one."""
    found: dict[int, dict[int, int]] = defaultdict(dict)
    given = Judgment.objects.graded().filter(topic__in=topics, purpose=PRIMARY)
    for topic, item, grade in given.values_list("topic", "item", "grade"):
        found[topic][item] = grade
    return found


class DrawnStratumQuerySet(models.QuerySet["DrawnStratum"]):
    def of(self, campaign: Campaign) -> Self:
        return self.filter(assignment__topic__campaign=campaign)

    def judged(self, given: JudgmentQuerySet) -> Self:
        """Return those drawn for an assignment that any of these judgments is of.

        What was drawn, and then taken back or given up before anything of it was judged, says
        nothing about what others judged of the topic.
        """
        return self.filter(Exists(given.filter(assignment=OuterRef("assignment"))))

    def n_by_topic(self) -> dict[int, int]:
        rows = self.order_by().values_list("assignment__topic")
        return dict(rows.annotate(n=Count("pk")))

    def record(
        self, assignment: Assignment, grades: Mapping[int, int], drawn: Collection[int]
    ) -> None:
        """Record a draw from documents with these first grades; `drawn` and they are items' ids."""
        items: dict[int, list[int]] = defaultdict(list)
        for item, grade in grades.items():
            items[grade].append(item)
        now = timezone.now()
        self.bulk_create(
            DrawnStratum(
                assignment=assignment,
                drawn_at=now,
                grade=grade,
                items=sorted(its),
                n_drawn=len({*drawn}.intersection(its)),
            )
            for grade, its in sorted(items.items())
        )

    def strata_of(self, pooled: PoolEntryQuerySet) -> dict[int, dict[int, Stratum]]:
        """Return by topic id the stratum of each document of a pool, by item id.

        Of topics without a draw there is nothing.
        """
        draws: dict[int, dict[tuple[datetime, int], dict[int, int]]] = defaultdict(
            lambda: defaultdict(dict)
        )
        for each in self.order_by("drawn_at", "assignment", "grade").select_related("assignment"):
            grades = draws[each.assignment.topic_id][each.drawn_at, each.assignment_id]
            grades.update(dict.fromkeys(each.items, each.grade))
        found: dict[int, dict[int, Stratum]] = defaultdict(dict)
        documents = pooled.filter(topic__in=[*draws])
        for topic, item in documents.values_list("topic", "item"):
            found[topic][item] = tuple(its.get(item) for its in draws[topic].values())
        return dict(found)


class DrawnStratum(models.Model):
    """The documents of a first grade when more of them were drawn for a second assessor.

    Kept as it was: grades change later, and documents come and go.
    """

    assignment = models.ForeignKey(Assignment, on_delete=models.CASCADE, related_name="strata")
    drawn_at = models.DateTimeField()
    grade = models.SmallIntegerField(help_text="The primary assessor's then.")
    items = ArrayField(
        models.BigIntegerField(), help_text="All of the topic's documents with it, by item id."
    )
    n_drawn = models.PositiveIntegerField()

    objects = DrawnStratumQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["assignment", "drawn_at", "grade"], name="one_stratum_of_a_grade"
            )
        ]

    def __str__(self) -> str:
        return f"{self.assignment}: {self.n_drawn} of {len(self.items)} with grade {self.grade}"
