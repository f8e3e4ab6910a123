"""Official grades: of each item the one that counts, and which rule gave it.

Each act that can change one decides it in its own transaction; whatever needs official grades
reads them here. A row is never changed but for its end, so that what was official at any time
stays known.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from django.db import connection, models
from django.db.models import F, Q
from django.utils import timezone

from assess.core.purposes import PRIMARY, SHARED
from assess.core.rules import DUPLICATE, EXISTING
from assess.models.judging import Judgment
from campaigns.core.criteria import DOCUMENT, RELEVANCE
from campaigns.models.campaign import Campaign, SharedRule
from collection.models.items import Item
from collection.models.texts import Topic
from pooling.core.entries import Standing

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

# How the grades of a settled document become one; of two in the middle, or as frequent, the lower.
OF_SHARED = {
    SharedRule.MEDIAN: "percentile_disc(0.5) WITHIN GROUP (ORDER BY judgment.grade)",
    SharedRule.MAJORITY: "mode() WITHIN GROUP (ORDER BY judgment.grade)",
    SharedRule.MAXIMUM: "max(judgment.grade)",
}
# What the rules make of the judgments as they are, of these items and of duplicates either way.
# No two rules speak of one item: a pool has it to be judged, as judged before or as a duplicate.
DECIDED = """
    WITH concerned AS MATERIALIZED (
        SELECT unnest(%(items)s::bigint[]) AS item
        UNION SELECT item_id FROM pooling_poolentry WHERE same_as_id = ANY(%(items)s)
        UNION SELECT same_as_id FROM pooling_poolentry
            WHERE item_id = ANY(%(items)s) AND same_as_id IS NOT NULL
    ), given AS (
        SELECT item_id, %(primary)s AS rule, grade, id AS judgment FROM assess_judgment
        WHERE item_id IN (SELECT item FROM concerned)
            AND set_aside_at IS NULL AND purpose = %(primary)s AND state = ANY(%(decided)s)
        UNION ALL
        SELECT document.item_id, %(rule)s, {grade} FILTER (WHERE judgment.state = %(judged)s), NULL
        FROM assess_shareddocument document
        JOIN assess_judgment judgment ON judgment.item_id = document.item_id
            AND judgment.set_aside_at IS NULL AND judgment.purpose = %(shared)s
        WHERE document.item_id IN (SELECT item FROM concerned) AND document.is_settled
        GROUP BY document.item_id
        UNION ALL
        SELECT entry.item_id, %(existing)s, entry.grade, NULL
        FROM pooling_poolentry entry JOIN pooling_batch batch ON batch.id = entry.batch_id
        WHERE entry.item_id IN (SELECT item FROM concerned)
            AND batch.pool_id IS NOT NULL AND entry.standing = %(was_judged)s
    ), decided AS (
        SELECT * FROM given
        UNION ALL
        SELECT entry.item_id, %(duplicate)s, its.grade, NULL
        FROM pooling_poolentry entry JOIN pooling_batch batch ON batch.id = entry.batch_id
        JOIN given its ON its.item_id = entry.same_as_id AND its.grade IS NOT NULL
        WHERE batch.pool_id IS NOT NULL
            AND entry.standing = %(is_duplicate)s AND NOT entry.is_unlike
    )
"""
DIFFERS = """
    (official.rule, official.grade, official.judgment_id)
        IS DISTINCT FROM (decided.rule, decided.grade, decided.judgment)
"""
# A row ends before its successor begins: `ended` is counted first.
DECIDE = f"""
    {DECIDED}, ended AS (
        UPDATE assess_officialgrade official SET until = %(now)s
        FROM concerned LEFT JOIN decided ON decided.item_id = concerned.item
        WHERE official.item_id = concerned.item AND official.until IS NULL AND {DIFFERS}
        RETURNING 1
    )
    INSERT INTO assess_officialgrade
        (topic_id, item_id, criterion, grade, rule, judgment_id, since)
    SELECT item.topic_id, item.id, %(criterion)s, decided.grade, decided.rule, decided.judgment,
        %(now)s
    FROM (SELECT count(*) FROM ended) AS before CROSS JOIN decided
    JOIN collection_item item ON item.id = decided.item_id
    LEFT JOIN assess_officialgrade official
        ON official.item_id = decided.item_id AND official.until IS NULL
    WHERE {DIFFERS}
"""  # noqa: S608 - conditions
# How many grades another rule would change, and how many would be relevant or no longer.
FORESEE = f"""
    {DECIDED}
    SELECT count(*), count(*) FILTER (
        WHERE (decided.grade >= %(level)s) <> (official.grade >= %(level)s)
    )
    FROM decided JOIN assess_officialgrade official
        ON official.item_id = decided.item_id AND official.until IS NULL
    WHERE decided.grade <> official.grade
"""  # noqa: S608 - a query


class OfficialGradeQuerySet(models.QuerySet["OfficialGrade"]):
    def current(self) -> Self:
        return self.filter(until=None)

    def in_campaign(self, campaign: Campaign) -> Self:
        return self.filter(topic__campaign=campaign)

    def of_documents(self, campaign: Campaign) -> Self:
        """Return the grades that qrels and boards count: those of documents that have one."""
        return self.current().in_campaign(campaign).filter(item__kind=DOCUMENT, grade__isnull=False)

    def grades(
        self, campaign: Campaign, topics: Iterable[str] | None = None
    ) -> dict[str, dict[str, int]]:
        """Return the grades of documents by topic and docno, of these topics or of all."""
        rows = self.of_documents(campaign).order_by()
        if topics is not None:
            rows = rows.filter(topic__number__in=list(topics))
        found: dict[str, dict[str, int]] = {}
        for topic, docno, grade in rows.values_list("topic__number", "item__key", "grade"):
            if grade is not None:  # as filtered
                found.setdefault(topic, {})[docno] = grade
        return found

    def decide(self, campaign: Campaign, items: Iterable[int]) -> None:
        """Give these items, and their duplicates, the grades that the rules make of the judgments.

        What is right already stays as it is. The caller has locked the assignments of their topics,
        and of shared documents these.
        """
        if asked := list(items):
            self._run(DECIDE, asked, campaign.shared_rule, now=timezone.now())

    def foresee(self, campaign: Campaign, rule: str) -> tuple[int, int]:
        """Return how many grades another rule of shared topics changes.

        Also how many of them become relevant, or are no longer.
        """
        items = self.current().in_campaign(campaign).filter(rule__in=OF_SHARED)
        asked = list(items.values_list("item", flat=True))
        rows = self._run(FORESEE, asked, rule, level=campaign.level)
        [(n, n_across)] = rows
        return n, n_across

    def _run(
        self, sql: str, items: Collection[int], rule: str, **values: Any
    ) -> list[tuple[int, ...]]:
        """Run a statement that begins with `DECIDED`, and return what it returns."""
        with connection.cursor() as cursor:
            values |= {"items": items, "rule": rule}
            cursor.execute(sql.format(grade=OF_SHARED[SharedRule(rule)]), NAMES | values)
            return cursor.fetchall() if cursor.description else []


NAMES: dict[str, Any] = {
    "primary": PRIMARY,
    "shared": SHARED,
    "existing": EXISTING,
    "duplicate": DUPLICATE,
    "was_judged": Standing.JUDGED,
    "is_duplicate": Standing.DUPLICATE,
    "judged": Judgment.State.JUDGED,
    "decided": [*Judgment.DECIDED_STATES],
    "criterion": RELEVANCE,
}


class OfficialGrade(models.Model):
    """The grade of an item that counts from `since` until `until`, and the rule that gave it."""

    class Rule(models.TextChoices):
        """Where a grade comes from; stored as written here."""

        PRIMARY = PRIMARY, "the primary assessor's"
        MEDIAN = SharedRule.MEDIAN.value, SharedRule.MEDIAN.label
        MAJORITY = SharedRule.MAJORITY.value, SharedRule.MAJORITY.label
        MAXIMUM = SharedRule.MAXIMUM.value, SharedRule.MAXIMUM.label
        EXISTING = EXISTING, "judged before"
        DUPLICATE = DUPLICATE, "that of the same text"

    # Topic and item are looked up by the constraint and the index below.
    topic = models.ForeignKey(
        Topic, on_delete=models.CASCADE, db_index=False, help_text="Of its item."
    )
    item = models.ForeignKey(Item, on_delete=models.CASCADE, db_index=False)
    criterion = models.CharField(max_length=40, default=RELEVANCE)
    grade = models.SmallIntegerField(
        null=True, help_text="None of a document that officially cannot be judged."
    )
    rule = models.CharField(max_length=10, choices=Rule.choices)
    judgment = models.ForeignKey(
        Judgment,
        on_delete=models.CASCADE,
        null=True,
        related_name="+",
        help_text="The one whose grade it is; none where several or none made it.",
    )
    since = models.DateTimeField()
    until = models.DateTimeField(null=True, help_text="None while it counts.")

    objects = OfficialGradeQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["item", "criterion", "until"],
                nulls_distinct=False,
                name="one_official_grade_at_a_time",
            ),
            models.CheckConstraint(
                condition=Q(until=None) | Q(until__gt=F("since")), name="official_for_a_time"
            ),
        ]
        indexes = [
            models.Index(fields=["topic"], condition=Q(until=None), name="official_of_topic")
        ]

    def __str__(self) -> str:
        grade = "cannot be judged" if self.grade is None else self.grade
        return f"{self.item}: {grade} ({self.rule})"
