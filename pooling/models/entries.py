"""The documents of batches, with the runs that contributed them."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, Self

from django.contrib.postgres.fields import ArrayField
from django.db import connection, models
from django.db.models import Q

from campaigns.core.criteria import DOCUMENT
from cleverdon.pools.entries import GRADED, Standing
from collection.models.items import Item, Keyed
from collection.models.texts import Topic
from pooling.models.batches import Batch

if TYPE_CHECKING:
    from collections.abc import Iterable

    from campaigns.models.campaign import Campaign
    from pooling.models.pools import Pool


class Row(NamedTuple):
    """The columns of an entry, of which no text is anybody's."""

    batch_id: int
    topic_id: int
    item_id: int
    standing: str
    grade: int | None
    same_as_id: int | None
    position: int
    reason: int
    run_ids: Sequence[int]
    ranks: Sequence[int]


def _written(value: object) -> str:
    """Return a value as COPY reads it."""
    if value is None:
        return "\\N"
    if isinstance(value, str):
        return value
    return f"{{{','.join(map(str, value))}}}" if isinstance(value, Sequence) else str(value)


class PoolEntryQuerySet(models.QuerySet["PoolEntry"]):
    def of(self, campaign: Campaign) -> Self:
        """Return the entries of the campaign's pool and of its drafts."""
        return self.filter(batch__campaign=campaign)

    def new(self) -> Self:
        return self.filter(standing=Standing.NEW)

    def graded(self) -> Self:
        """Return those that can have a grade: to be judged, judged before, or duplicates."""
        return self.filter(standing__in=GRADED, is_unlike=False)

    def write(self, rows: Iterable[Row]) -> None:
        """Write new entries: there may be a million, with a thousand runs each."""
        with tempfile.TemporaryFile("w+", encoding="utf-8") as file:
            file.writelines("\t".join(map(_written, row)) + "\n" for row in rows)
            file.seek(0)
            with connection.cursor() as cursor:
                cursor.copy_from(file, self.model._meta.db_table, columns=Row._fields)

    def pooled(self) -> Self:
        """Return those in a pool that are to be judged, each once."""
        return self.new().filter(batch__pool__isnull=False)

    def with_grades(self) -> Self:
        """Return those in a pool that can have a grade, each once."""
        return self.graded().filter(batch__pool__isnull=False)

    def in_pool(self, pool: Pool) -> Self:
        return self.pooled().filter(batch__pool=pool)

    def with_grades_in(self, campaign: Campaign) -> Self:
        return self.with_grades().filter(batch__pool__campaign=campaign)

    def without_document(self) -> Self:
        """Return the entries whose document has not been imported."""
        return self.filter(item__kind=DOCUMENT, item__document__pk=None)

    def of_pool_or_draft(self, campaign: Campaign) -> Self:
        """Return what has grades of the pool or, before there is one, of the newest draft."""
        current = Batch.objects.current_of(campaign)
        if current is None or current.pool_id is None:
            return self.graded().filter(batch=current)
        return self.graded().filter(batch__pool=current.pool_id)

    def of_each_topic(self) -> dict[int, int]:
        """Return how many of these entries each topic has, by its id."""
        counts = self.order_by().values_list("topic").annotate(n=models.Count("pk"))
        return dict(counts)


class PoolEntry(Keyed, models.Model):
    """An item to judge. `run_ids[i]` has it at rank `ranks[i]`."""

    batch = models.ForeignKey(
        Batch, on_delete=models.CASCADE, related_name="entries", db_index=False
    )
    # A batch that has lost entries with a deleted topic cannot be frozen.
    topic = models.ForeignKey(
        Topic, on_delete=models.CASCADE, help_text="Of its item, to count by without a join."
    )
    item = models.ForeignKey(Item, on_delete=models.CASCADE)
    standing = models.CharField(
        max_length=9,
        choices=[(each.value, each.value) for each in Standing],
        default=Standing.NEW,
        help_text="What it is to the pool.",
    )
    grade = models.SmallIntegerField(null=True, help_text="Which existing judgments have.")
    same_as = models.ForeignKey(
        Item,
        on_delete=models.CASCADE,
        null=True,
        related_name="+",
        help_text="The item with the same text whose grade it gets.",
    )
    is_unlike = models.BooleanField(
        db_default=False,
        help_text="Of a duplicate: one of the two texts has been replaced since, so that it gets "
        "no grade, and a later batch can bring it to be judged.",
    )
    position = models.PositiveIntegerField(help_text="In the order chosen for the topic, from 0.")
    reason = models.PositiveSmallIntegerField(help_text="Number among the batch's reasons.")
    run_ids = ArrayField(models.BigIntegerField())
    ranks = ArrayField(models.IntegerField())

    objects = PoolEntryQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["batch", "item"],
                include=["topic", "standing"],  # two batches are compared in the index alone
                name="one_entry_per_item",
            ),
            models.CheckConstraint(
                condition=Q(standing=Standing.JUDGED) ^ Q(grade=None),
                name="what_was_judged_before_has_a_grade",
            ),
            models.CheckConstraint(
                condition=Q(standing=Standing.DUPLICATE) ^ Q(same_as=None),
                name="a_duplicate_is_of_an_item",
            ),
        ]
        indexes = [
            models.Index(fields=["batch"], condition=Q(is_unlike=True), name="unlike_entries")
        ]

    def __str__(self) -> str:
        return str(self.item)
