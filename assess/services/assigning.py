"""Assign a topic to an assessor."""

from collections.abc import Iterable, Sequence
from itertools import islice

from django.db import connection, transaction

from accounts.access import Refused
from accounts.models import User
from assess.access import (
    check_can_assign,
    check_can_be_assigned,
)
from assess.events import AssessEvent
from assess.models import Assignment
from assess.services.handing import lock_assigning, pass_on
from campaigns.core import chance
from campaigns.models import AuditEvent, Topic
from pooling.models import Pool

Kind = Assignment.Kind
ROWS_A_STATEMENT = 20_000
SERVE = """
    INSERT INTO assess_assignmententry (assignment_id, position, docno)
    SELECT * FROM unnest(%s::bigint[], %s::integer[], %s::text[])
"""
WHOLE_TOPIC = (
    "A primary assessor judges the whole topic: only a second one has a share."
)


@transaction.atomic
def assign(
    *, user: User, topic: Topic, assessor: User, kind: str, share: float = 1.0
) -> Assignment:
    """Assign a topic to an assessor: to a primary assessor all its documents, to a second a sampled share of them.

    A primary assignment that was taken back is gone on with; a new one has its documents in a shuffled order that is stored.
    """
    check_can_assign(user, topic.campaign)
    pool = lock_assigning(topic.campaign)
    check_can_be_assigned(assessor, topic, kind)
    if kind == Kind.PRIMARY and share < 1:
        raise Refused(WHOLE_TOPIC)
    waiting = Assignment.objects.primary().filter(topic=topic).first()
    if kind == Kind.PRIMARY and waiting:
        assignment = Assignment.objects.locked(waiting.pk)
        pass_on(assignment, assessor)
    else:
        assignment = _new(pool, topic, assessor, kind, share, user)
    what = f"{topic} to {assessor} ({kind})"
    AuditEvent.record(
        topic.campaign, user, AssessEvent.TOPIC_ASSIGNED, what, assignment=assignment.pk
    )
    return assignment


def _new(
    pool: Pool, topic: Topic, assessor: User, kind: str, share: float, user: User
) -> Assignment:
    docnos = list(pool.entries.filter(topic=topic).values_list("docno", flat=True))
    assignment, order = prepared(pool, topic, assessor, kind, docnos, share)
    assignment.created_by = user
    assignment.save()
    serve([(assignment, order)])
    return assignment


def prepared(
    pool: Pool, topic: Topic, assessor: User, kind: str, docnos: Sequence[str], share: float
) -> tuple[Assignment, list[str]]:  # fmt: skip
    """Return an assignment, not stored yet, and its documents in the order served: all, or a share drawn from the seed."""
    if share < 1:
        sample_seed = chance.seed_for(pool.seed, topic.number, "sample")
        docnos = chance.sample(docnos, share, sample_seed)
    seed = chance.seed_for(pool.seed, topic.number, assessor.username)
    assignment = Assignment(
        topic=topic, pool=pool, assessor=assessor, kind=kind, seed=seed, n_entries=len(docnos)
    )  # fmt: skip
    return assignment, chance.shuffled(docnos, seed)


def serve(orders: Iterable[tuple[Assignment, Sequence[str]]]) -> None:
    """Store the orders in which documents are served, many thousand rows a statement."""
    rows = (
        (assignment.pk, position, docno)
        for assignment, order in orders
        for position, docno in enumerate(order)
    )
    with connection.cursor() as cursor:
        while batch := list(islice(rows, ROWS_A_STATEMENT)):
            cursor.execute(SERVE, [list(column) for column in zip(*batch, strict=True)])
