"""Programs as assessors: the card of each, and its labels, apart from the judgments of people."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from django.db import models
from django.db.models import Count, Exists, OuterRef, Q
from django.utils import timezone

from accounts.models import User
from campaigns.models.campaign import Campaign
from campaigns.models.ordering import natural
from campaigns.models.people import Team
from collection.models.items import Item, Keyed
from pooling.models.entries import PoolEntry
from programs.core import MOST_VERDICT, LabelRecord

if TYPE_CHECKING:
    from collections.abc import Iterator


class ProgramQuerySet(models.QuerySet["Program"]):
    def with_counts(self) -> Self:
        """Annotate each with `n_labels`, and `n_unread`: those whose verdict is no grade."""
        unread = Count("labels", filter=Q(labels__grade=None))
        counted = self.annotate(n_labels=Count("labels"), n_unread=unread)
        return counted.select_related("campaign", "team", "account").order_by(
            natural("name"), "name"
        )


class Program(models.Model):
    """A program that labels documents, as it was set up: any other set-up is another program."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="programs")
    account = models.OneToOneField(
        User,
        on_delete=models.PROTECT,
        related_name="program",
        help_text="Nobody signs in by it: it sends labels by access tokens.",
    )
    name = models.CharField(max_length=32)
    model = models.CharField(max_length=200, help_text="Which model, and whose.")
    version = models.CharField(max_length=100, help_text="Of the model.")
    prompt = models.TextField(help_text="In full, as it was sent.")
    parameters = models.TextField(help_text="Such as temperature and seed.")
    labelled_on = models.DateField(help_text="When it was run.")
    team = models.ForeignKey(
        Team,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="programs",
        help_text="The team that made it, whose runs are marked.",
    )
    created_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)

    objects = ProgramQuerySet.as_manager()

    # What `with_counts` adds.
    n_labels: int
    n_unread: int

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["campaign", "name"], name="one_program_per_name")
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def unlabelled(self) -> models.QuerySet[PoolEntry]:
        """The documents of the pool that it has said nothing of, in the order of topics."""
        labelled = Label.objects.filter(program=self).values("item")
        pooled = PoolEntry.objects.with_grades_in(self.campaign).exclude(item__in=labelled)
        return pooled.select_related("topic", "item").order_by("topic__sort_key", "item__key")


class LabelQuerySet(models.QuerySet["Label"]):
    def in_order(self) -> Self:
        return self.select_related("item__topic").order_by("item__topic__sort_key", "item__key")

    def pooled(self) -> Self:
        """Return those of documents that are in the pool now."""
        pooled = PoolEntry.objects.with_grades().filter(item=OuterRef("item"))
        return self.filter(Exists(pooled))

    def by_verdict(self) -> list[tuple[int | None, int]]:
        """Return each grade with its number of labels, the lowest first; None: no grade."""
        rows = self.order_by().values_list("grade").annotate(n=Count("pk"))
        return sorted(rows, key=lambda row: (row[0] is None, row[0] or 0))

    def records(self) -> Iterator[LabelRecord]:
        columns = ("item__topic__number", "item__key", *LabelRecord._fields[2:])
        return map(LabelRecord._make, self.in_order().values_list(*columns).iterator())

    def grades(self) -> dict[str, dict[str, int]]:
        """Return the grades by topic and docno, of documents that are in the pool."""
        rows = self.pooled().filter(grade__isnull=False)
        found: dict[str, dict[str, int]] = {}
        names = rows.order_by().values_list("item__topic__number", "item__key", "grade")
        for topic, docno, grade in names:
            found.setdefault(topic, {})[docno] = grade or 0
        return found


class Label(Keyed, models.Model):
    """What a program said of a document. It never changes, and no figure of people reads it."""

    program = models.ForeignKey(
        Program, on_delete=models.CASCADE, related_name="labels", db_index=False
    )
    item = models.ForeignKey(Item, on_delete=models.CASCADE)
    verdict = models.CharField(max_length=MOST_VERDICT, help_text="As the program said it.")
    grade = models.SmallIntegerField(
        null=True, help_text="None of a verdict that is no grade of the scale."
    )
    confidence = models.FloatField(null=True, help_text="As the program said it.")
    document_version = models.PositiveIntegerField(
        help_text="Of the text when the label came; 0 if it had none."
    )
    received_at = models.DateTimeField(default=timezone.now)

    objects = LabelQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["program", "item"], name="one_label_per_item")
        ]

    def __str__(self) -> str:
        return f"{self.item}: {self.verdict} ({self.program})"
