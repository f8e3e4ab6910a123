"""Leases of the documents of shared topics: who has which, and until when.

A document is settled once it has the judgments wanted, or once as many people say that it cannot
be judged. Until then it is leased to no more people than judgments are wanted. Any change of its
leases or counts holds the lock on the document's row, after the lock on the assignment.
"""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db import connection
from django.db.models import Count, Exists, OuterRef, Q
from django.utils import timezone

from assess.models.assigning import Assignment
from assess.models.history import JudgmentEvent
from assess.models.judging import Judgment
from assess.models.serving import AssignmentEntry
from assess.models.sharing import SharedDocument

# With fewer unjudged documents somebody gets more, up to this many: the page looks three ahead.
FEW, ENOUGH = 4, 6
# The most that somebody has at a time, with those put off.
MOST = 20

# A document lacks somebody, as `core.rules.has_room`, with leases counted as judgments.
LACKING = "NOT document.is_settled AND document.n_judged + {} < document.n_wanted"
# Fewest judgments first; then in the queue's order.
FREE = f"""
    SELECT document.id FROM "assess_shareddocument" document
    LEFT JOIN (
        SELECT entry.shared_id, count(*) AS n FROM assess_assignmententry entry
        JOIN assess_shareddocument lent
            ON lent.id = entry.shared_id AND lent.queue_id = %(queue)s
        WHERE entry.leased_until > %(now)s GROUP BY entry.shared_id
    ) lent ON lent.shared_id = document.id
    WHERE document.queue_id = %(queue)s AND {LACKING.format("coalesce(lent.n, 0)")}
    AND NOT EXISTS (
        SELECT FROM assess_assignmententry own
        WHERE own.assignment_id = %(assignment)s AND own.shared_id = document.id
        AND own.given_up_at IS NULL
    )
    ORDER BY document.n_judged + coalesce(lent.n, 0), document.position LIMIT %(n)s
    FOR NO KEY UPDATE OF document
"""  # noqa: S608 - a condition
TO_OTHERS = """(
    SELECT count(*) FROM assess_assignmententry lent
    WHERE lent.shared_id = document.id AND lent.leased_until > %(now)s
    AND lent.assignment_id <> %(assignment)s
)"""
HAS_ROOM = LACKING.format(TO_OTHERS)
WITH_ROOM = f"""
    SELECT document.id FROM assess_shareddocument document
    WHERE document.id = ANY(%(documents)s) AND {HAS_ROOM}
"""  # noqa: S608 - a condition
# Lease those of these locked documents that still have room: what others got between the look and
# the lock is visible only now. What somebody had given up keeps its place; what is new comes last.
TAKE = f"""
    WITH room AS (
        SELECT document.id, document.item_id, locked.turn,
            %(now)s + queue.lease_minutes * interval '1 minute' AS until
        FROM unnest(%(documents)s::bigint[]) WITH ORDINALITY AS locked (id, turn)
        JOIN assess_shareddocument document ON document.id = locked.id
        JOIN assess_sharedqueue queue ON queue.id = document.queue_id
        WHERE {HAS_ROOM}
    ), back AS (
        UPDATE assess_assignmententry entry SET given_up_at = NULL, leased_until = room.until
        FROM room WHERE entry.assignment_id = %(assignment)s AND entry.item_id = room.item_id
        RETURNING entry.position
    ), new AS (
        INSERT INTO assess_assignmententry
            (assignment_id, position, item_id, purpose, shared_id, leased_until)
        SELECT %(assignment)s, last.position + row_number() OVER (ORDER BY room.turn),
            room.item_id, 'shared', room.id, room.until
        FROM room, (
            SELECT coalesce(max(position), -1) AS position FROM assess_assignmententry
            WHERE assignment_id = %(assignment)s
        ) last
        WHERE NOT EXISTS (
            SELECT FROM assess_assignmententry had
            WHERE had.assignment_id = %(assignment)s AND had.item_id = room.item_id
        )
        RETURNING position
    ), counted AS (
        UPDATE assess_assignment SET n_entries = n_entries + (SELECT count(*) FROM room)
        WHERE id = %(assignment)s
    )
    SELECT position FROM back UNION ALL SELECT position FROM new
"""  # noqa: S608 - a condition
# Documents that others have locked are skipped, but the last one is waited for.
ELSEWHERE = " SKIP LOCKED"

# Recount the documents of an assignment. Only one with more judgments wants more than the queue.
RECOUNT = """
    UPDATE assess_shareddocument document
    SET n_judged = counted.n_judged, n_impossible = counted.n_impossible,
        n_wanted = greatest(queue.n_wanted, counted.n_judged)
    FROM assess_sharedqueue queue, (
        SELECT entry.shared_id, count(*) FILTER (WHERE judgment.state = 'judged') AS n_judged,
            count(*) FILTER (WHERE judgment.state = 'cannot_judge') AS n_impossible
        FROM assess_assignmententry entry
        LEFT JOIN assess_judgment judgment ON judgment.id = entry.judgment_id
        WHERE entry.shared_id IN (
            SELECT own.shared_id FROM assess_assignmententry own WHERE own.assignment_id = %s
        )
        GROUP BY entry.shared_id
    ) counted WHERE document.id = counted.shared_id AND queue.id = document.queue_id
"""


def lease_of(assignment: Assignment) -> timedelta:
    assert assignment.queue is not None  # noqa: S101 - the constraint `shared_means_of_a_queue`
    return timedelta(minutes=assignment.queue.lease_minutes)


def has_few(assignment: Assignment) -> bool:
    """Whether `lend` has something to do: few documents are left, or the time of some is over."""
    if not assignment.is_shared:
        return False
    now = timezone.now()
    is_over = Q(leased_until__lte=now) | Q(shared__is_settled=True)
    held = assignment.entries.counting().still_open().order_by()
    found = held.aggregate(
        n_ready=Count("pk", filter=Q(judgment=None)), n_over=Count("pk", filter=is_over)
    )
    return bool(found["n_ready"] < FEW or found["n_over"])


def lend(assignment: Assignment, now: datetime) -> list[int]:
    """Renew or give up leases, and lease until enough are open. Return the changed positions."""
    held = list(assignment.entries.counting().still_open().select_related("shared", "judgment"))
    n_ready = sum(each.judgment_id is None for each in held)
    over = [each for each in held if _is_over(each, now)]
    if n_ready >= FEW and not over:
        return []
    lost = _renewed(assignment, over, now)
    n_ready -= sum(each.judgment_id is None for each in lost)
    give_up(assignment, lost, now)
    n_held = len(held) - len(lost)
    n = min(ENOUGH - n_ready, MOST - n_held) if n_ready < FEW else 0
    if lost:
        assignment.save(update_fields=["n_entries", "n_later"])
    lent = _lend(assignment, n, now, waits=not held)
    return sorted([*(each.position for each in lost), *lent])


def _is_over(entry: AssignmentEntry, now: datetime) -> bool:
    document = entry.shared
    if document is None or entry.leased_until is None:
        return False
    if entry.leased_until <= now:
        return True
    return document.is_settled and not can_give_again(entry)


def can_give_again(entry: AssignmentEntry) -> bool:
    """Whether a settled document takes back a grade whose place nobody else has taken since.

    Then it had more judgments than the number wanted, which had been lowered.
    """
    judgment, graded = entry.judgment, Judgment.State.JUDGED
    if judgment is None or judgment.state != Judgment.State.REOPENED:
        return False
    taken_back = judgment.events.filter(change=judgment.change, from_state=graded)
    since = JudgmentEvent.objects.filter(
        judgment__item=entry.item_id,
        assignment__queue=entry.assignment.queue_id,
        to_state=graded,
        pk__gt=OuterRef("pk"),
    )
    by_others = since.exclude(from_state=graded).exclude(assignment=entry.assignment_id)
    return taken_back.exclude(Exists(by_others)).exists()


def _renewed(
    assignment: Assignment, over: Sequence[AssignmentEntry], now: datetime
) -> list[AssignmentEntry]:
    if not over:
        return []
    documents = [each.pk for each in lock({each.shared_id for each in over if each.shared_id})]
    free = _column(WITH_ROOM, assignment=assignment.pk, documents=documents, now=now)
    again = [each.pk for each in over if each.shared_id in free]
    until = now + lease_of(assignment)
    assignment.entries.counting().filter(pk__in=again).update(leased_until=until)
    return [each for each in over if each.shared_id not in free]


def lock(documents: Collection[int]) -> list[SharedDocument]:
    """Return these documents, locked in the order that everybody uses."""
    rows = SharedDocument.objects.filter(pk__in=documents).order_by("pk")
    return list(rows.select_for_update(no_key=True))


def _lend(assignment: Assignment, n: int, now: datetime, *, waits: bool) -> list[int]:
    """Lease up to n documents that are new to the assessor or given up. Return the positions."""
    lent: list[int] = []
    values = {"queue": assignment.queue_id, "assignment": assignment.pk, "now": now}
    while len(lent) < n:
        documents = _column(FREE + ELSEWHERE, **values, n=n - len(lent))
        if not documents and waits:
            documents = _column(FREE, **values, n=1)
        waits = False  # with some locked, waiting for others could deadlock
        if not documents:
            break
        lent += _column(TAKE, **values, documents=documents)
    assignment.n_entries += len(lent)
    return lent


def _column(sql: str, **values: Any) -> list[int]:
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        return [value for (value,) in cursor.fetchall()]


def give_up(assignment: Assignment, entries: Sequence[AssignmentEntry], now: datetime) -> None:
    """Withdraw undecided documents. Their judgments, put off or reopened, are set aside.

    The caller saves the counts of the assignment.
    """
    put_off = [each.judgment_id for each in entries if each.judgment_id]
    Judgment.objects.filter(pk__in=put_off).update(set_aside_at=now)
    given_up = AssignmentEntry.objects.filter(pk__in=[each.pk for each in entries])
    given_up.update(judgment=None, leased_until=None, given_up_at=now)
    assignment.n_entries -= len(entries)
    assignment.n_later -= len(put_off)


def end(assignment: Assignment) -> None:
    """Let others have all undecided documents of somebody who leaves a shared topic."""
    give_up(assignment, list(assignment.entries.counting().still_open()), timezone.now())
    assignment.save(update_fields=["n_entries", "n_later"])


def settle(assignment: Assignment) -> None:
    """Adjust leases and counts to the judgments of a locked assignment with locked documents.

    Decided documents are not leased, reopened ones are leased anew, others stay as they are.
    Somebody who has left gets no lease.
    """
    entries = assignment.entries.counting()
    decided = entries.filter(judgment__state__in=Judgment.DECIDED_STATES)
    decided.update(leased_until=None, given_up_at=None)
    reopened = entries.filter(judgment__state__in=Judgment.OPEN_STATES, leased_until=None)
    reopened.update(leased_until=timezone.now() + lease_of(assignment), given_up_at=None)
    with connection.cursor() as cursor:
        cursor.execute(RECOUNT, [assignment.pk])
    assignment.n_entries = entries.held().count()
    assignment.save(update_fields=["n_entries"])
    if assignment.taken_back_at:
        end(assignment)
