"""A pool judged by many, in rows that the database makes. Import it once Django is set up."""

from typing import TYPE_CHECKING, Any

from django.db import connection
from django.utils import timezone

from accounts.models import User
from assess.models.assigning import Assignment
from assess.models.days import recount
from assess.models.history import JudgmentEvent
from assess.models.judging import Judgment
from assess.models.official import OfficialGrade
from assess.models.serving import AssignmentEntry
from campaigns.models.people import Membership, Role

if TYPE_CHECKING:
    from django.db.models import Model

    from pooling.models.batches import Batch

MOST_DAYS, ACTIVE_MS = 14, 20_000
# A third of a topic's documents are relevant, and two assessors agree on nine of ten.
ANSWERS = (
    "jsonb_build_object('grade', (given.item_id % 3 = 0)::int # (given.kind = 'second' AND "
    "given.item_id % 10 = 0)::int)"
)
GIVEN = """
    (SELECT assignment.*, entry.item_id, entry.position AS place, item.key,
        row_number() OVER (PARTITION BY assignment.id ORDER BY entry.position) AS at
    FROM assess_assignment assignment
    JOIN pooling_poolentry entry ON entry.topic_id = assignment.topic_id
        AND entry.batch_id = %(batch)s AND entry.standing = 'new'
    JOIN collection_item item ON item.id = entry.item_id) AS given
"""


def multiply(row: "Model", source: str, values: dict[str, Any], **columns: str) -> None:
    """Insert a row like this one for each row of a FROM clause, which gives some columns."""
    fields = {
        str(each.column): each
        for each in row._meta.concrete_fields
        if not (each.primary_key or each.generated)
    }
    same = {
        name: each.get_db_prep_save(each.pre_save(row, add=True), connection)
        for name, each in fields.items()
        if name not in columns
    }
    chosen = [columns.get(name, f"%({name})s") for name in fields]
    names = ", ".join(fields)
    table = row._meta.db_table
    with connection.cursor() as cursor:
        statement = f"INSERT INTO {table} ({names}) SELECT {', '.join(chosen)} FROM {source}"  # noqa: S608 - ours
        cursor.execute(statement, {**same, **values})
        cursor.execute(f"ANALYZE {table}")


def judge(batch: "Batch", n_assessors: int, share: float, twice: float) -> int:
    """Have each topic judged by one assessor, some by a second, so much of it; return how much."""
    batch.refresh_from_db()  # it is frozen
    campaign, now = batch.campaign, timezone.now()
    people = User.objects.bulk_create(
        User(username=f"assessor{n}", is_active=True) for n in range(n_assessors)
    )
    Membership.objects.bulk_create(
        Membership(campaign=campaign, user=each, role=Role.ASSESSOR) for each in people
    )
    organizer = campaign.membership_set.earliest("pk").user
    topics = list(campaign.topic_set.order_by("pk").values_list("pk", flat=True))
    n_entries = batch.counts["new"]
    kinds = [Assignment.Kind.PRIMARY] * len(topics)
    kinds += [Assignment.Kind.SECOND] * round(twice * len(topics))
    for place, kind in enumerate(kinds):
        topic = topics[place % len(topics)]
        n = n_entries[str(topic)]
        n_judged = round(share * n)
        Assignment.objects.create(
            topic_id=topic,
            pool=batch.pool,
            assessor=people[(place + (kind == "second")) % len(people)],
            kind=kind,
            seed=1,
            created_by=organizer,
            n_entries=n,
            n_judged=n_judged,
            n_changes=n_judged,
        )
    _write(batch, share, now)
    recount(campaign)
    items = batch.entries.values_list("item", flat=True)
    OfficialGrade.objects.decide(campaign, items)
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")
    return Judgment.objects.filter(topic__campaign=campaign).count()


def _write(batch: "Batch", share: float, now: Any) -> None:
    """Write judgments, their places and events, of the first documents of each assignment."""
    values = {"batch": batch.pk, "share": share, "now": now}
    at = "%(now)s - (given.at %% " + str(MOST_DAYS) + ") * interval '1 day'"
    multiply(
        Judgment(state="judged"),
        f"{GIVEN} WHERE given.at <= round(%(share)s * given.n_entries)",
        values,
        topic_id="given.topic_id",
        item_id="given.item_id",
        assessor_id="given.assessor_id",
        assignment_id="given.id",
        purpose="given.kind",
        answers=ANSWERS.replace("%", "%%"),
        change="given.at",
        changed_at=at,
        decided_at=at,
    )
    multiply(
        AssignmentEntry(),
        f"{GIVEN} LEFT JOIN assess_judgment judgment ON judgment.assignment_id = given.id "
        "AND judgment.item_id = given.item_id",
        values,
        assignment_id="given.id",
        position="given.at - 1",
        item_id="given.item_id",
        purpose="given.kind",
        judgment_id="judgment.id",
    )
    multiply(
        JudgmentEvent(from_state="", to_state="judged", active_ms=ACTIVE_MS, at=now),
        "assess_judgment judgment",
        values,
        judgment_id="judgment.id",
        assignment_id="judgment.assignment_id",
        client_id="gen_random_uuid()",
        to_answers="judgment.answers",
        change="judgment.change",
        pressed_at="judgment.changed_at",
    )
