"""Items: what is judged for a topic."""

from collections.abc import Iterable
from typing import Any

from django.db import connection, models
from django.db.models import Case, F, When

from campaigns.core.criteria import DOCUMENT
from campaigns.models.campaign import Campaign
from collection.models.texts import Document, Topic

# In one order, so that two who make the same items wait for each other instead of deadlocking.
MAKE = """
    INSERT INTO collection_item (campaign_id, topic_id, kind, key, parts)
    SELECT %(campaign)s, topic, %(kind)s, key, '{}'
    FROM unnest(%(topics)s::bigint[], %(keys)s::text[]) AS wanted (topic, key)
    ORDER BY topic, key COLLATE "C" ON CONFLICT DO NOTHING
"""
FIND = """
    SELECT item.topic_id, item.key, item.id
    FROM unnest(%(topics)s::bigint[], %(keys)s::text[]) AS wanted (topic, key)
    JOIN collection_item item
    ON item.topic_id = wanted.topic AND item.kind = %(kind)s AND item.key = wanted.key
"""
ROWS_A_STATEMENT = 20_000


class ItemQuerySet(models.QuerySet["Item"]):
    def of_documents(
        self, campaign: Campaign, wanted: Iterable[tuple[int, str]]
    ) -> dict[tuple[int, str], int]:
        """Return the ids of documents' items by topic id and docno, made where there is none."""
        found: dict[tuple[int, str], int] = {}
        pairs = sorted(set(wanted))
        with connection.cursor() as cursor:
            for start in range(0, len(pairs), ROWS_A_STATEMENT):
                topics, keys = zip(*pairs[start : start + ROWS_A_STATEMENT], strict=True)
                values: dict[str, Any] = {"topics": [*topics], "keys": [*keys], "kind": DOCUMENT}
                cursor.execute(MAKE, {**values, "campaign": campaign.pk})
                cursor.execute(FIND, values)
                found.update(((topic, key), pk) for topic, key, pk in cursor)
        return found

    def forget(self, topics: models.QuerySet[Topic]) -> None:
        """Delete the items of topics that are about to be deleted, which nothing may refer to."""
        # Not `delete`, which would read all of them to look for what refers to them.
        self.filter(topic__in=topics)._raw_delete(self.db)  # noqa: SLF001


class Item(models.Model):
    """What is judged for a topic, whether its texts have been imported or not.

    Its key is unique within the topic, as files and pages name it by that alone: of a document the
    docno. An item of another kind has in `parts` what its presenter shows.
    """

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, help_text="Of its topic.")
    topic = models.ForeignKey(Topic, on_delete=models.CASCADE, related_name="items")
    kind = models.CharField(max_length=10, default=DOCUMENT)
    key = models.CharField(max_length=255, db_collation="C")
    parts = models.JSONField(default=dict, blank=True)
    # Found by its docno, so that documents may come and go without a word to their items.
    docno = models.GeneratedField(
        expression=Case(When(kind=DOCUMENT, then=F("key"))),
        output_field=models.CharField(max_length=255, db_collation="C", null=True),
        db_persist=True,
        help_text="None of an item that is no document.",
    )
    document = models.ForeignObject(
        Document,
        on_delete=models.DO_NOTHING,
        from_fields=["campaign", "docno"],
        to_fields=["campaign", "docno"],
        null=True,
        related_name="items",
    )

    objects = ItemQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["topic", "key"], name="one_item_per_key")]

    def __str__(self) -> str:
        return f"{self.topic} {self.key}"


class Keyed:
    """A row about an item, which its key names as files and pages do: by its docno."""

    item: Item

    @property
    def docno(self) -> str:
        return self.item.key
