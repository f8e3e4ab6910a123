"""Which documents of a topic were found to say the same, or nearly the same."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple, Self

from django.db import models
from django.db.models import Count, Q

from collection.models.items import Item, Keyed
from collection.models.texts import Topic

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from campaigns.models.campaign import Campaign


class Duplicates(NamedTuple):
    """How many groups of duplicates there are, and documents in them, of these exact ones."""

    n_groups: int = 0
    n_documents: int = 0
    n_exact: int = 0


class LikenessQuerySet(models.QuerySet["Likeness"]):
    def of(self, campaign: Campaign) -> Self:
        return self.filter(topic__campaign=campaign)

    def of_each_topic(self) -> dict[int, Duplicates]:
        """Return by topic id how many there are."""
        texts = self.order_by().values_list("topic", "group", "text").annotate(n=Count("pk"))
        sizes: dict[int, list[tuple[int, int]]] = defaultdict(list)
        for topic, group, _, n in texts:
            sizes[topic].append((group, n))
        return {
            topic: Duplicates(
                n_groups=len({group for group, _ in own}),
                n_documents=sum(n for _, n in own),
                n_exact=sum(n for _, n in own if n > 1),
            )
            for topic, own in sizes.items()
        }

    def forget(self, topics: models.QuerySet[Topic]) -> None:
        """Delete what was found of topics that are about to be deleted."""
        self.filter(topic__in=topics).delete()

    def together(self, campaign: Campaign, topics: Collection[int]) -> Mapping[int, list[set[str]]]:
        """Return by topic id the docnos to be served next to each other; none if switched off."""
        found: dict[int, dict[int, set[str]]] = {}
        rows = self.filter(topic__in=topics if campaign.serves_duplicates_together else ())
        for topic, group, key in rows.values_list("topic", "group", "item__key"):
            found.setdefault(topic, {}).setdefault(group, set()).add(key)
        return {topic: list(groups.values()) for topic, groups in found.items()}


class Likeness(Keyed, models.Model):
    """A document of a pool or a draft that has duplicates within its topic.

    Groups of a topic and texts of a group are numbered from 1: documents with the same two numbers
    have the same text, and other texts of the group are near it.
    """

    topic = models.ForeignKey(Topic, on_delete=models.CASCADE, related_name="+")
    item = models.OneToOneField(Item, on_delete=models.CASCADE, related_name="+")
    group = models.PositiveIntegerField()
    text = models.PositiveIntegerField()
    jaccard = models.FloatField(
        help_text="How much of its words it has in common with the first of its group: 1 is all."
    )

    objects = LikenessQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(jaccard__gte=0, jaccard__lte=1), name="a_jaccard_index_is_a_share"
            )
        ]

    def __str__(self) -> str:
        return f"{self.item}, group {self.group}"

    @property
    def is_first_text(self) -> bool:
        return self.text == 1
