"""Controls: documents mixed in among an assessor's own, with a known grade or to be judged again.

They are entries, judgments and events like all others, told apart by their purpose: an official
figure is of what is `counting()`, and assessors are shown what is `served()`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Func, OuterRef, Q, Subquery
from django.db.models.functions import NullIf

from assess.core import purposes
from assess.models.presenting import present_version
from cleverdon.trec.versions import version
from collection.models.items import Item, Keyed
from collection.models.texts import listed_title

if TYPE_CHECKING:
    from collections.abc import Collection

    from campaigns.models.campaign import Campaign
    from collection.models.texts import Topic


class Purpose(models.TextChoices):
    PRIMARY = purposes.PRIMARY, "primary"
    SECOND = purposes.SECOND, "second"
    SHARED = purposes.SHARED, "shared"
    ADJUDICATION = purposes.ADJUDICATION, "adjudication"
    PRACTICE = purposes.PRACTICE, "practice"
    KNOWN = purposes.KNOWN, "known grade"
    REPEAT = purposes.REPEAT, "repeat"


class NControls(Func):
    """How many controls an assignment has in some `states`, "unjudged" among them; takes its id.

    In SQL because the entries are defined after this module.
    """

    output_field = models.IntegerField()
    template = """(
        SELECT count(*) FROM assess_assignmententry entry
        LEFT JOIN assess_judgment judgment ON judgment.id = entry.judgment_id
        WHERE entry.assignment_id = %(expressions)s AND entry.purpose IN ('known', 'repeat')
        AND coalesce(judgment.state, 'unjudged') IN (%(states)s)
    )"""


IS_PRESENT = Q(document_versions__contains=[F("version")])


class KnownGradeQuerySet(models.QuerySet["KnownGrade"]):
    def with_texts(self) -> Self:
        """Annotate each with title, fault and version of its text, None of a missing one."""
        texts = {
            "title": listed_title("item__document__title"),
            "fault": F("item__document__fault"),
        }
        version = NullIf(present_version(), 0)
        return self.select_related("item__topic").annotate(**texts, version=version)

    def controls_of(self, campaign: Campaign) -> Self:
        return self.controls().of(campaign)

    def of(self, campaign: Campaign) -> Self:
        return self.filter(item__campaign=campaign)

    def controls(self) -> Self:
        """Return those of topics that are assigned, which controls are drawn from."""
        return self.filter(item__topic__is_practice=False)

    def practice(self) -> Self:
        return self.filter(item__topic__is_practice=True)

    def seen(self) -> str:
        """Return the version of these known grades."""
        return version(*self.order_by("pk").values_list("item__topic", "item__key", "grade"))

    def by_topic(self, topics: Collection[int]) -> dict[int, dict[str, int]]:
        """Return by topic id the items, by key, whose present texts have known grades."""
        found: dict[int, dict[str, int]] = {}
        present = self.filter(item__topic__in=topics).with_texts().filter(IS_PRESENT)
        for topic, key, item in present.values_list("item__topic", "item__key", "item"):
            found.setdefault(topic, {})[key] = item
        return found

    def to_practice_again(self) -> Self:
        """Return the grades of practice that are known of earlier texts, the present readable."""
        return self.practice().with_texts().filter(fault="").exclude(IS_PRESENT)

    def on_earlier(self) -> Self:
        """Return, `with_texts`, the grades that are known of earlier texts only."""
        rows = self.with_texts().exclude(version=None).exclude(IS_PRESENT)
        return rows.order_by("item__topic__sort_key", "item__key")


def first_version() -> list[int]:
    return [1]


class KnownGrade(Keyed, models.Model):
    """The known grade of an item, which assessors' grades are compared with."""

    item = models.OneToOneField(Item, on_delete=models.PROTECT, related_name="known_grade")
    grade = models.SmallIntegerField()
    explanation = models.TextField(blank=True, help_text="Why it is that one; of practice.")
    position = models.PositiveSmallIntegerField(
        default=0, help_text="In the order of practice, from 0."
    )
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

    def __str__(self) -> str:
        return f"{self.item}: {self.grade}"

    @property
    def topic(self) -> Topic:
        return self.item.topic

    @property
    def is_replaced(self) -> bool:
        """Whether the document, `with_texts`, has a text that the grade is not known of."""
        return self.version is not None and self.version not in self.document_versions


def known_grade() -> Subquery:
    """Return the column of the present known grade of the text that was judged."""
    known = KnownGrade.objects.controls().filter(item=OuterRef("item"))
    known = known.filter(document_versions__contains=[OuterRef("document_version")])
    return Subquery(known.values("grade")[:1])
