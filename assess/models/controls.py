"""Controls: documents mixed in among an assessor's own, with a known grade or to be judged again.

They are entries, judgments and events like all others, told apart by `control`. The managers named
`objects` leave them out, so that no official figure includes them; assessors are shown
what `with_controls` finds.
"""

from __future__ import annotations

from copy import copy
from typing import TYPE_CHECKING, Any, Self

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, OuterRef, Q, Subquery

from assess.core.controls import KNOWN, REPEAT
from collection.models.texts import Topic, present_texts
from trec.versions import version

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from campaigns.models.campaign import Campaign

# The counts of an assignment's own documents, and those of the controls in it.
OF_CONTROLS: Mapping[str, str] = {
    "n_entries": "n_controls",
    "n_judged": "n_controls_judged",
    "n_later": "n_controls_later",
    "n_cannot_judge": "n_controls_cannot_judge",
}


class Control(models.TextChoices):
    KNOWN = KNOWN, "known grade"
    REPEAT = REPEAT, "repeat"


class ControlCounts(models.Model):
    """How far the controls of an assignment are; the other counts leave them out."""

    n_controls = models.PositiveIntegerField(default=0)
    n_controls_judged = models.PositiveIntegerField(default=0)
    n_controls_later = models.PositiveIntegerField(default=0)  # put off or reopened
    n_controls_cannot_judge = models.PositiveIntegerField(default=0)

    # Whether the other counts include them: only in what `as_served` returns.
    counts_controls = False

    class Meta:
        abstract = True

    @property
    def has_only_controls(self) -> bool:
        """Whether controls were answered, and none of the documents that count."""
        counts = {name: getattr(self, name) for each in OF_CONTROLS.items() for name in each}
        names = ("n_judged", "n_later", "n_cannot_judge")
        return any(counts[OF_CONTROLS[name]] for name in names) and not any(
            counts[name] for name in names
        )

    def as_served(self) -> Self:
        """Return a copy for showing, whose counts include the controls."""
        if self.counts_controls or not self.n_controls:
            return self
        shown: Any = copy(self)
        for name, of_controls in OF_CONTROLS.items():
            setattr(shown, name, getattr(self, name) + getattr(self, of_controls))
        shown.counts_controls = True
        return shown  # type: ignore[no-any-return]


IS_PRESENT = Q(document_versions__contains=[F("version")])


class KnownGradeQuerySet(models.QuerySet["KnownGrade"]):
    def with_texts(self) -> Self:
        """Annotate each with what `present_texts` says of its document."""
        return self.annotate(**present_texts("topic__campaign"))

    def of(self, campaign: Campaign) -> Self:
        return self.filter(topic__campaign=campaign)

    def seen(self) -> str:
        """Return the version of these known grades."""
        return version(*self.order_by("pk").values_list("topic", "docno", "grade"))

    def by_topic(self, topics: Collection[int]) -> dict[int, list[str]]:
        """Return by topic id the docnos whose present texts have known grades."""
        found: dict[int, list[str]] = {}
        present = self.filter(topic__in=topics).with_texts().filter(IS_PRESENT)
        for topic, docno in present.values_list("topic", "docno"):
            found.setdefault(topic, []).append(docno)
        return found

    def on_earlier(self) -> Self:
        """Return, `with_texts`, the grades that are known of earlier texts only."""
        rows = self.with_texts().exclude(version=None).exclude(IS_PRESENT)
        return rows.select_related("topic").order_by("topic__sort_key", "docno")


def first_version() -> list[int]:
    return [1]


class KnownGrade(models.Model):
    """The known grade of a document for a topic, which assessors' grades are compared with."""

    topic = models.ForeignKey(Topic, on_delete=models.PROTECT, related_name="known_grades")
    docno = models.CharField(max_length=255, db_collation="C")
    grade = models.SmallIntegerField()
    document_versions = ArrayField(
        models.PositiveIntegerField(),
        default=first_version,
        help_text="The texts that it is the grade of, the last one confirmed at the end.",
    )

    # What `with_texts` adds.
    title: str | None
    fault: str | None
    version: int | None

    objects = KnownGradeQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["topic", "docno"], name="one_known_grade_per_document")
        ]

    def __str__(self) -> str:
        return f"{self.topic} {self.docno}: {self.grade}"


def known_grade() -> Subquery:
    """Return the column of the present known grade of the text that was judged."""
    known = KnownGrade.objects.filter(topic=OuterRef("topic"), docno=OuterRef("docno"))
    known = known.filter(document_versions__contains=[OuterRef("document_version")])
    return Subquery(known.values("grade")[:1])
