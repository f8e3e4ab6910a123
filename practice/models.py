"""Practice: a topic with documents of known grades, and answers, which no score ever uses."""

from __future__ import annotations

from typing import Self

from django.db import models
from django.db.models import F
from django.utils import timezone

from accounts.models import User
from campaigns.models.campaign import Campaign
from collection.models.texts import present_texts
from practice.core import FirstAnswer, Known


class PracticeTopicQuerySet(models.QuerySet["PracticeTopic"]):
    def of(self, campaign: Campaign) -> PracticeTopic:
        """Return the practice topic of a campaign, or an empty one that is not stored."""
        practice = self.filter(campaign=campaign).first() or PracticeTopic()
        practice.campaign = campaign  # saves a query
        return practice


class PracticeTopic(models.Model):
    """A topic that assessors practice on before their first real one, once switched on.

    It is no `Topic` and its documents are in no pool, so no answer can count as a judgment.
    """

    campaign = models.OneToOneField(Campaign, on_delete=models.CASCADE, related_name="practice")
    title = models.TextField()
    description = models.TextField(blank=True)
    narrative = models.TextField(blank=True)
    is_on = models.BooleanField("on", default=False)
    may_skip = models.BooleanField(
        "may be skipped",
        default=True,
        help_text="Whether an assessor may go to the first real topic without having finished it.",
    )

    objects = PracticeTopicQuerySet.as_manager()

    def __str__(self) -> str:
        return self.title

    @property
    def known(self) -> list[Known]:
        """The known answers in the order shown."""
        if not self.pk:
            return []
        rows = self.documents.values_list("docno", "grade", "explanation")
        return [Known(*row) for row in rows]


class PracticeDocumentQuerySet(models.QuerySet["PracticeDocument"]):
    def with_texts(self) -> Self:
        """Annotate each with the title, fault and version of its document."""
        return self.annotate(**present_texts("practice__campaign"))

    def to_be_confirmed(self) -> Self:
        """Return those whose text was replaced by a readable one since the grade was given."""
        readable = self.with_texts().filter(fault="")
        return readable.exclude(version=F("document_version"))


class PracticeDocument(models.Model):
    """A document whose grade is known, and why it has that grade."""

    practice = models.ForeignKey(PracticeTopic, on_delete=models.CASCADE, related_name="documents")
    position = models.PositiveSmallIntegerField(help_text="From 0, as shown.")
    docno = models.CharField(max_length=255, db_collation="C")
    grade = models.SmallIntegerField()
    explanation = models.TextField(blank=True)
    document_version = models.PositiveIntegerField(
        help_text="The text that the known answer is about."
    )

    objects = PracticeDocumentQuerySet.as_manager()

    # What `with_texts` adds.
    title: str | None
    fault: str | None
    version: int | None

    class Meta:
        ordering = ["position"]
        constraints = [
            models.UniqueConstraint(
                fields=["practice", "docno"], name="one_known_answer_per_document"
            )
        ]

    def __str__(self) -> str:
        return self.docno

    @property
    def known(self) -> Known:
        return Known(self.docno, self.grade, self.explanation)

    @property
    def number(self) -> int:
        return self.position + 1

    @property
    def is_replaced(self) -> bool:
        """Whether the text was replaced since the known answer; `with_texts`."""
        return self.version not in {None, self.document_version}


class PracticeAnswer(models.Model):
    """Somebody's first answer to a document, and the grade known at that time.

    The document is named by docno, as known answers come and go.
    """

    practice = models.ForeignKey(PracticeTopic, on_delete=models.CASCADE, related_name="answers")
    user = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    docno = models.CharField(max_length=255, db_collation="C")
    grade = models.SmallIntegerField(null=True, blank=True, help_text="None: it cannot be judged.")
    known = models.SmallIntegerField(help_text="The known grade at that time.")
    at = models.DateTimeField(default=timezone.now)
    n_tries = models.PositiveIntegerField(default=1)
    last_grade = models.SmallIntegerField(
        null=True, blank=True, help_text="Of the last try, if there was more than one."
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["practice", "docno", "user"], name="one_first_answer")
        ]

    def __str__(self) -> str:
        return f"{self.user} on {self.docno}"

    @property
    def first(self) -> FirstAnswer:
        return FirstAnswer(self.grade, self.known)

    @property
    def agrees(self) -> bool:
        return self.grade == self.known


class PracticeSkip(models.Model):
    """An assessor who went on to their first real topic without finishing practice."""

    practice = models.ForeignKey(PracticeTopic, on_delete=models.CASCADE, related_name="skips")
    user = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["practice", "user"], name="one_skip")]

    def __str__(self) -> str:
        return f"{self.user} skipped {self.practice}"
