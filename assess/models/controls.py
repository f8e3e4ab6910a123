"""Controls: documents mixed in among an assessor's own, with a known grade or to be judged again.

They are entries, judgments and events like all others, told apart by their purpose. The managers
named `objects` leave them out, so that no official figure includes them; assessors are shown
what `with_controls` finds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Func, OuterRef, Q, Subquery

from assess.core import purposes
from collection.models.texts import Topic, present_texts
from trec.versions import version

if TYPE_CHECKING:
    from collections.abc import Collection

    from campaigns.models.campaign import Campaign


class Purpose(models.TextChoices):
    PRIMARY = purposes.PRIMARY, "primary"
    SECOND = purposes.SECOND, "second"
    SHARED = purposes.SHARED, "shared"
    KNOWN = purposes.KNOWN, "known grade"
    REPEAT = purposes.REPEAT, "repeat"


class NControls(Func):
    """How many controls an assignment has in some states, "unjudged" among them; takes its id.

    In SQL because the entries are defined after this module.
    """

    output_field = models.IntegerField()
    sql = """(
        SELECT count(*) FROM assess_assignmententry entry
        LEFT JOIN assess_judgment judgment ON judgment.id = entry.judgment_id
        WHERE entry.assignment_id = ({}) AND entry.purpose IN ('known', 'repeat')
        AND coalesce(judgment.state, 'unjudged') = ANY (%s)
    )"""

    def __init__(self, assignment: str, states: Collection[str]) -> None:
        super().__init__(F(assignment))
        self.states = [*states]

    def as_sql(self, compiler: Any, connection: Any, **_: Any) -> Any:  # type: ignore[override]
        [name, parameters] = compiler.compile(self.source_expressions[0])
        return self.sql.format(name), [*parameters, self.states]


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
