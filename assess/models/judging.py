"""Judgments as they are now; their events are in `history.py`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from django.db import models
from django.db.models import Case, Exists, F, OuterRef, Q, Subquery, When
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Cast
from django.utils import timezone

from accounts.models import User
from assess.core import purposes
from assess.core.answers import Answer, without_grade
from assess.core.passages import Passage
from assess.core.rules import CORRECTION
from assess.models.assigning import Assignment
from assess.models.compared import CurrentJudgments
from assess.models.controls import Purpose
from assess.models.official import OfficialGrade
from assess.models.presenting import present_version
from assess.models.sharing import SharedDocument
from campaigns.core.criteria import DOCUMENT, GRADE
from collection.models.items import Item, Keyed
from collection.models.texts import Document, DocumentVersion, Topic

if TYPE_CHECKING:
    from collections.abc import Mapping

    from campaigns.models.campaign import Campaign


def n_wanted() -> Case:
    """Return the column of how many judgments a shared document is to have; None for others."""
    documents = SharedDocument.objects.filter(
        queue=OuterRef("assignment__queue"), item=OuterRef("item")
    )
    wanted = When(assignment__kind=purposes.SHARED, then=Subquery(documents.values("n_wanted")))
    return Case(wanted, output_field=models.IntegerField(null=True))


def grade_in(answers: str) -> models.GeneratedField:
    """Return the column of the grade in a column of answers; the database computes it."""
    grade = models.SmallIntegerField()
    found = Cast(KeyTextTransform(GRADE, answers), grade)
    return models.GeneratedField(expression=found, output_field=grade, db_persist=True, null=True)


class JudgmentQuerySet(CurrentJudgments):
    def of_unreadable(self, campaign: Campaign) -> Self:
        """Return the grades on an unreadable text that official ones come from."""
        # The texts first, by their index: there is mostly none, and the judgments are many.
        if not Document.objects.filter(campaign=campaign, fault__gt="").exists():
            return self.none()
        graded = self.official().graded().filter(topic__campaign=campaign)
        of_present = graded.filter(item__document__version=F("document_version"))
        return of_present.exclude(item__document__fault="")

    def on_earlier(self) -> Self:
        """Return, by topic, the decided judgments of an earlier text or statement."""
        is_stale = ~Q(document_version=F("present")) | ~Q(topic_version=F("topic__version"))
        there = self.current().decided().annotate(present=present_version()).filter(present__gt=0)
        found = there.filter(is_stale)
        rows = found.select_related("topic", "item", "assessor", "assignment")
        return rows.order_by("topic__sort_key", "item__key", "pk")

    def n_on_earlier(self, campaign: Campaign) -> int:
        """Count the official grades that were given on an earlier text or statement."""
        # A text that was judged is kept: one that is not present is among the earlier ones.
        texts = DocumentVersion.objects.filter(
            document=OuterRef("item__document__pk"), version=OuterRef("document_version")
        )
        official = self.official().graded().filter(topic__campaign=campaign)
        shared = SharedDocument.objects.filter(
            queue=OuterRef("assignment__queue"), item=OuterRef("item")
        )
        # What an adjudicator or an organizer decided is not that of the judgment any more.
        decided = OfficialGrade.objects.current().filter(
            item=OuterRef("item"), rule__in=[purposes.ADJUDICATION, CORRECTION]
        )
        decided = decided.exclude(rule=OuterRef("purpose"))
        settled = official.exclude(Exists(shared.unsettled())).exclude(Exists(decided)).order_by()
        # What has been replaced is looked for first: judgments are many.
        restated = Topic.objects.filter(campaign=campaign, version__gt=1)
        of_topics = settled.filter(topic__in=restated, item__kind=DOCUMENT)
        of_topics = of_topics.exclude(topic_version=F("topic__version"))
        replaced = Document.objects.filter(
            Exists(DocumentVersion.objects.filter(document=OuterRef("pk"))), campaign=campaign
        )
        of_texts = settled.filter(
            Exists(texts),
            item__in=Item.objects.filter(campaign=campaign, docno__in=replaced.values("docno")),
        )
        return of_topics.values("item").union(of_texts.values("item")).count()


class Judgment(Keyed, models.Model):
    """An assessor's judgment of an item as it is now; the events are its history.

    It stays its author's, whoever has the assignment later. One set aside, by a reset or by the
    judgment of the next assessor, is kept unchanged and does not count.
    """

    class State(models.TextChoices):
        """The state of a judgment, stored as written here; an unjudged document has none."""

        JUDGED = "judged"
        LATER = "later"
        CANNOT_JUDGE = "cannot_judge", "cannot judge"
        REOPENED = "reopened"

    OPEN_STATES = (State.LATER, State.REOPENED)
    DECIDED_STATES = (State.JUDGED, State.CANNOT_JUDGE)

    class Reason(models.TextChoices):
        MISSING = "missing", "the document is missing"
        UNREADABLE = "unreadable", "it cannot be read"
        LANGUAGE = "language", "I don't read this language"
        OTHER = "other", "another reason"

    topic = models.ForeignKey(
        Topic, on_delete=models.PROTECT, help_text="Of its item, to count by without a join."
    )
    item = models.ForeignKey(Item, on_delete=models.PROTECT)
    assessor = models.ForeignKey(User, on_delete=models.PROTECT)
    assignment = models.ForeignKey(Assignment, on_delete=models.PROTECT, related_name="judgments")
    state = models.CharField(max_length=12, choices=State.choices)
    answers = models.JSONField(
        default=dict,
        blank=True,
        help_text="By criterion; to the first one only while there is a grade, and all count then.",
    )
    grade = grade_in("answers")
    reason = models.CharField(max_length=10, choices=Reason.choices, blank=True)
    comment = models.TextField(blank=True)
    passages = models.JSONField(
        default=list,
        blank=True,
        help_text="The evidence marked in the version that was judged: start, end, "
        "characters before it without white space, text.",
    )
    document_version = models.PositiveIntegerField(
        default=1, help_text="The version that was judged; 0 if it was missing."
    )
    topic_version = models.PositiveIntegerField(
        default=1, help_text="The version that it was judged against."
    )
    change = models.PositiveIntegerField(
        help_text="Which change of its assignment was its last one: the order in time."
    )
    changed_at = models.DateTimeField(default=timezone.now)
    decided_at = models.DateTimeField(
        null=True, blank=True, help_text="When it was decided first, whatever became of that."
    )
    known = models.SmallIntegerField(
        null=True, help_text="Of practice: the known grade when it was first answered."
    )
    set_aside_at = models.DateTimeField(
        null=True,
        blank=True,
        help_text="It no longer counts; those set aside together have the same time.",
    )

    replaces = models.ForeignKey(
        "self",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        help_text="The judgment of an earlier assessor that it set aside; undo brings it back.",
    )

    purpose = models.CharField(
        max_length=12,
        choices=Purpose.choices,
        help_text="The kind of the assignment, or why the document was mixed in.",
    )

    objects = JudgmentQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["item", "assessor"],
                condition=Q(set_aside_at__isnull=True, purpose__in=purposes.COUNTING),
                name="one_judgment_per_assessor",
            ),
            models.CheckConstraint(
                condition=Q(state="judged", grade__isnull=False)
                | (~Q(state="judged") & Q(grade__isnull=True)),
                name="judged_means_graded",
            ),
            models.CheckConstraint(
                condition=~Q(state="judged") | Q(document_version__gt=0),
                name="graded_means_imported",
            ),
            models.CheckConstraint(
                condition=(Q(state="cannot_judge") & ~Q(reason=""))
                | (~Q(state="cannot_judge") & Q(reason="")),
                name="cannot_judge_has_a_reason",
            ),
        ]
        indexes = [
            # `AssignmentEntryQuerySet.next_open`, once no document is unjudged.
            models.Index(
                fields=["assignment", "change"],
                condition=Q(state__in=["later", "reopened"]),
                name="put_off",
            ),
            models.Index(
                fields=["topic"],
                condition=Q(purpose__in=purposes.CONTROLS),
                name="answers_to_controls",
            ),
        ]

    def __str__(self) -> str:
        answer = self.state if self.grade is None else self.grade
        return f"{self.item} by {self.assessor}: {answer}"

    @property
    def answer(self) -> Answer:
        passages = tuple(map(Passage.from_json, self.passages))
        return Answer(self.docno, self.state, self.answers, self.reason, self.comment, passages)

    @property
    def ratings(self) -> dict[str, int]:
        return without_grade(self.answers)

    def comment_at(self, change: int) -> str:
        """Return the comment after a change of the assignment; "" before this judgment's first."""
        event = self.events.filter(change__lte=change).last()
        return event.comment if event else ""


# The count of an assignment that a judgment in each state belongs to.
COUNTERS: Mapping[str, str] = {
    Judgment.State.JUDGED: "n_judged",
    Judgment.State.LATER: "n_later",
    Judgment.State.REOPENED: "n_later",
    Judgment.State.CANNOT_JUDGE: "n_cannot_judge",
}
