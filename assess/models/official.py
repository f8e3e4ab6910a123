"""Official grades: of each item the one that counts, and which rule gave it.

Each act that can change one decides it in its own transaction; whatever needs official grades
reads them here. A row is never changed but for its end, so that what was official at any time
stays known.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from django.db import connection, models
from django.db.models import F, Q
from django.utils import timezone

from accounts.models import User
from assess.core.purposes import ADJUDICATION, PRIMARY, SHARED
from assess.core.rules import CORRECTION, DUPLICATE, EXISTING
from campaigns.core.criteria import DOCUMENT, GRADE
from campaigns.models.campaign import Campaign, SharedRule
from cleverdon.pools.entries import Standing
from collection.models.items import Item

if TYPE_CHECKING:
    from collections.abc import Iterable

# How the grades of a settled document become one; of two in the middle the lower. A judgment that
# has no grade counts in none.
LOWEST_MODE = "mode() WITHIN GROUP (ORDER BY judgment.grade)"
HIGHEST_MODE = "mode() WITHIN GROUP (ORDER BY judgment.grade DESC)"
OF_SHARED = {
    SharedRule.MEDIAN: "percentile_disc(0.5) WITHIN GROUP (ORDER BY judgment.grade)",
    SharedRule.MAJORITY: LOWEST_MODE,
    SharedRule.HIGHER_MAJORITY: HIGHEST_MODE,
    SharedRule.DECIDED_MAJORITY: LOWEST_MODE,
    SharedRule.MAXIMUM: "max(judgment.grade)",
}
# Where a rule gives no grade at all, it says of which documents it does.
GIVEN_BY = {SharedRule.DECIDED_MAJORITY: f"{LOWEST_MODE} IS NOT DISTINCT FROM {HIGHEST_MODE}"}
# The rules: what each makes of those `concerned`, as item, rule, grade and who gave it. No two of
# these speak of one item: a pool has it to be judged, as judged before or as a duplicate, which has
# the grade of its original.
RULES = {
    PRIMARY: f"""
        SELECT item_id, '{PRIMARY}' AS rule, grade, assessor_id AS by FROM assess_judgment
        WHERE item_id = ANY(ARRAY(SELECT item FROM concerned)) AND set_aside_at IS NULL
            AND purpose = '{PRIMARY}' AND state IN ('judged', 'cannot_judge')
    """,  # noqa: S608 - names of rules
    SHARED: f"""
        SELECT document.item_id, '{{shared_rule}}' AS rule, {{of_shared}} AS grade,
            NULL::bigint AS by
        FROM assess_shareddocument document
        JOIN assess_judgment judgment ON judgment.item_id = document.item_id
            AND judgment.set_aside_at IS NULL AND judgment.purpose = '{SHARED}'
        WHERE document.item_id = ANY(ARRAY(SELECT item FROM concerned)) AND document.is_settled
        GROUP BY document.item_id HAVING {{given_by}}
    """,  # noqa: S608
    EXISTING: f"""
        SELECT entry.item_id, '{EXISTING}' AS rule, entry.grade, NULL::bigint AS by
        FROM pooling_poolentry entry JOIN pooling_batch batch ON batch.id = entry.batch_id
        WHERE entry.item_id = ANY(ARRAY(SELECT item FROM concerned))
            AND batch.pool_id IS NOT NULL AND entry.standing = '{Standing.JUDGED}'
    """,  # noqa: S608
}
# These come before all others: what an adjudicator decided where assessors differ, and before that
# what an organizer corrected.
FIRST = {
    ADJUDICATION: f"""
        SELECT item_id, '{ADJUDICATION}', grade, assessor_id FROM assess_judgment
        WHERE item_id = ANY(ARRAY(SELECT item FROM concerned)) AND set_aside_at IS NULL
            AND purpose = '{ADJUDICATION}' AND state = 'judged'
    """,  # noqa: S608
    CORRECTION: f"""
        SELECT item_id, '{CORRECTION}', grade, by_id FROM assess_officialgrade
        WHERE item_id = ANY(ARRAY(SELECT item FROM concerned)) AND until IS NULL
            AND rule = '{CORRECTION}'
    """,  # noqa: S608
}
RANK = f"array_position(ARRAY['{CORRECTION}', '{ADJUDICATION}'], rule)"
DUPLICATES = f"""
    UNION ALL
    SELECT entry.item_id, '{DUPLICATE}', its.grade, NULL
    FROM given its JOIN pooling_poolentry entry ON entry.same_as_id = its.item_id
    JOIN pooling_batch batch ON batch.id = entry.batch_id AND batch.pool_id IS NOT NULL
    WHERE its.grade IS NOT NULL AND NOT entry.is_unlike
"""  # noqa: S608 - the name of a rule
CONCERNED = "SELECT unnest(%s::bigint[]) AS item"
WITH_DUPLICATES = f"""
    {CONCERNED} UNION SELECT item_id FROM pooling_poolentry WHERE same_as_id = ANY(%s)
"""  # noqa: S608 - a query
DECIDED = """
    WITH concerned AS MATERIALIZED ({concerned}), given AS (
        SELECT DISTINCT ON (item_id) item_id, rule, grade, by FROM ({rules}) every
        ORDER BY item_id, {rank}
    ),
    decided AS (SELECT * FROM given {duplicates})
"""
DIFFERS = """
    (official.rule, official.grade, official.by_id)
        IS DISTINCT FROM (decided.rule, decided.grade, decided.by)
"""
# The items as a list: a join is planned badly while the table grows, until the next ANALYZE.
NOW = "official.until IS NULL AND official.item_id = ANY(ARRAY(SELECT item FROM concerned))"
# A row ends before its successor begins: `ended` is counted first. Clocks may be set back.
DECIDE = f"""
    {DECIDED}, ended AS (
        UPDATE assess_officialgrade official
        SET until = greatest(statement_timestamp(), official.since + interval '1 microsecond')
        FROM concerned LEFT JOIN decided ON decided.item_id = concerned.item
        WHERE official.item_id = concerned.item AND {NOW} AND {DIFFERS}
        RETURNING 1
    )
    INSERT INTO assess_officialgrade (item_id, criterion, grade, rule, by_id, since)
    SELECT decided.item_id, '{GRADE}', decided.grade, decided.rule, decided.by,
        statement_timestamp()
    FROM (SELECT count(*) FROM ended) AS before CROSS JOIN decided
    LEFT JOIN assess_officialgrade official ON official.item_id = decided.item_id AND {NOW}
    WHERE {DIFFERS}
"""  # noqa: S608 - conditions
# What another rule would change, as `Foreseen`.
FORESEE = f"""
    {DECIDED}
    SELECT count(*) FILTER (WHERE decided.grade <> official.grade), count(*) FILTER (
        WHERE item.kind = '{DOCUMENT}' AND (decided.grade >= %s) <> (official.grade >= %s)
    ), count(*) FILTER (WHERE decided.grade IS NULL AND official.grade IS NOT NULL),
    count(*) FILTER (WHERE decided.grade IS NOT NULL AND official.grade IS NULL)
    FROM concerned LEFT JOIN decided ON decided.item_id = concerned.item
    LEFT JOIN assess_officialgrade official ON official.item_id = concerned.item AND {NOW}
    JOIN collection_item item ON item.id = concerned.item
"""  # noqa: S608 - a query


class Foreseen(NamedTuple):
    """How many official grades another rule changes, how many of them across the level.

    Also how many it takes away, and how many it gives to what has none.
    """

    n_changed: int
    n_across: int
    n_gone: int
    n_new: int


def deciding(
    campaign: Campaign, items: Iterable[int], *rules: str, duplicates: bool = True
) -> tuple[str, list[Any]]:
    """Return the statement and its values that give items the grades that judgments make.

    Their `duplicates` follow; what is right already stays as it is. `rules` are those that can
    speak of the items, by default all; adjudications and corrections always do. The caller has
    locked the assignments of their topics, and of shared documents these.
    """
    sql = _by(DECIDE, campaign.shared_rule, rules, duplicates=duplicates)
    return sql, [[*items]] * (2 if duplicates else 1)


def _by(sql: str, shared_rule: str, rules: Iterable[str], *, duplicates: bool) -> str:
    speaking = [RULES[each] for each in rules if each in RULES] or RULES.values()
    given = " UNION ALL ".join([*speaking, *FIRST.values()])
    rule = SharedRule(shared_rule)
    of_shared = {"of_shared": OF_SHARED[rule], "given_by": GIVEN_BY.get(rule, "true")}
    return sql.format(
        concerned=WITH_DUPLICATES if duplicates else CONCERNED,
        rules=given.format(shared_rule=shared_rule, **of_shared),
        rank=RANK,
        duplicates=DUPLICATES if duplicates else "",
    )


def official_by(rule: str) -> Q:
    """Return the condition of judgments whose item has its official grade by a rule; "" is any."""
    now = {"item__officialgrade__until": None, "item__officialgrade__criterion": GRADE}
    return Q(**now, item__officialgrade__rule=rule) if rule else Q()


class OfficialGradeQuerySet(models.QuerySet["OfficialGrade"]):
    def current(self) -> Self:
        return self.filter(until=None)

    def in_campaign(self, campaign: Campaign) -> Self:
        return self.filter(item__campaign=campaign)

    def of_documents(self, campaign: Campaign) -> Self:
        """Return the grades that qrels and boards count: those of documents that have one."""
        return self.current().in_campaign(campaign).filter(item__kind=DOCUMENT, grade__isnull=False)

    def grades(
        self, campaign: Campaign, topics: Iterable[str] | None = None
    ) -> dict[str, dict[str, int]]:
        """Return the grades of documents by topic and docno, of these topics or of all."""
        rows = self.of_documents(campaign).order_by()
        if topics is not None:
            rows = rows.filter(item__topic__number__in=list(topics))
        found: dict[str, dict[str, int]] = {}
        for topic, docno, grade in rows.values_list("item__topic__number", "item__key", "grade"):
            if grade is not None:  # as filtered
                found.setdefault(topic, {})[docno] = grade
        return found

    def decide(self, campaign: Campaign, items: Iterable[int]) -> None:
        """Decide these items anew, as `deciding` says."""
        with connection.cursor() as cursor:
            cursor.execute(*deciding(campaign, items))

    def put(self, item: Item, **values: Any) -> OfficialGrade:
        """End what is official of an item, and let another grade begin then."""
        return self.create(item=item, since=self.end(item), **values)

    def end(self, item: Item) -> datetime:
        """End what is official of an item, and return when."""
        at = timezone.now()
        if before := self.current().filter(item=item).first():
            at = max(at, before.since + timedelta(microseconds=1))  # clocks may be set back
            self.filter(pk=before.pk).update(until=at)
        return at

    def foresee(self, campaign: Campaign, rule: str, items: list[int]) -> Foreseen:
        """Return what another rule changes of these settled items of shared topics.

        Their duplicates are counted too.
        """
        sql = _by(FORESEE, rule, [SHARED], duplicates=True)
        with connection.cursor() as cursor:
            cursor.execute(sql, [items, items, campaign.level, campaign.level])
            return Foreseen(*cursor.fetchone())


class OfficialGrade(models.Model):
    """The grade of an item that counts from `since` until `until`, and the rule that gave it."""

    class Rule(models.TextChoices):
        """Where a grade comes from; stored as written here."""

        PRIMARY = PRIMARY, "the primary assessor's"
        MEDIAN = SharedRule.MEDIAN.value, SharedRule.MEDIAN.label
        MAJORITY = SharedRule.MAJORITY.value, SharedRule.MAJORITY.label
        HIGHER_MAJORITY = SharedRule.HIGHER_MAJORITY.value, SharedRule.HIGHER_MAJORITY.label
        DECIDED_MAJORITY = SharedRule.DECIDED_MAJORITY.value, SharedRule.DECIDED_MAJORITY.label
        MAXIMUM = SharedRule.MAXIMUM.value, SharedRule.MAXIMUM.label
        ADJUDICATION = ADJUDICATION, "an adjudicator's"
        CORRECTION = CORRECTION, "an organizer's correction"
        EXISTING = EXISTING, "judged before"
        DUPLICATE = DUPLICATE, "that of the same text"

    # Found by the constraint below.
    item = models.ForeignKey(Item, on_delete=models.CASCADE, db_index=False)
    criterion = models.CharField(max_length=40, default=GRADE)
    grade = models.SmallIntegerField(
        null=True, help_text="None of a document that officially cannot be judged."
    )
    rule = models.CharField(max_length=20, choices=Rule.choices)
    by = models.ForeignKey(
        User,
        on_delete=models.PROTECT,
        null=True,
        db_index=False,
        related_name="+",
        help_text="Whose grade it is; nobody's where several or none gave it.",
    )
    why = models.TextField(
        blank=True, db_default="", help_text="Of a correction, in the words of who made it."
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

    def __str__(self) -> str:
        grade = "cannot be judged" if self.grade is None else self.grade
        return f"{self.item}: {grade} ({self.rule})"
