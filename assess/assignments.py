"""Writes assignments: one of a topic, or all those of a plan."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from itertools import islice

import numpy as np
from django.db import connection
from django.utils import timezone

from accounts.access import Refused
from accounts.models import User
from assess.core.controls import Served, Wanted, mixed
from assess.core.plan import Given
from assess.models.assigning import Assignment
from assess.models.controls import KnownGrade
from campaigns.core import seeds
from campaigns.models.campaign import Campaign
from collection.models.texts import Topic
from pooling.models import Pool

Kind = Assignment.Kind
NOT_FROZEN = "The pool is no longer frozen."
ROWS_A_STATEMENT = 20_000
SERVE = """
    INSERT INTO assess_assignmententry (assignment_id, position, docno, purpose)
    SELECT * FROM unnest(%s::bigint[], %s::integer[], %s::text[], %s::text[])
"""


def lock_assigning(campaign: Campaign) -> Pool:
    """Return the frozen pool, locked before any assignment: two people assign one after the other.

    Judging is not blocked.
    """
    frozen = Pool.objects.filter(campaign=campaign, state=Pool.State.FROZEN)
    pool = frozen.select_for_update(no_key=True).first()
    if pool is None:
        raise Refused(NOT_FROZEN)
    return pool


def pass_on(assignment: Assignment, assessor: User) -> None:
    assignment.assessor, assignment.taken_back_at = assessor, None
    assignment.given_at = timezone.now()
    assignment.save(update_fields=["assessor", "taken_back_at", "given_at"])


def prepared(
    pool: Pool,
    topic: Topic,
    assessor: User,
    kind: str,
    *,
    docnos: Sequence[str],
    share: float,
    known: Collection[str],
) -> tuple[Assignment, list[Served]]:
    """Return a new assignment and its documents in order: all, or a share drawn from the seed.

    Controls are mixed in; `known` are the docnos of the topic with known grades.
    """
    if share < 1:
        sample_seed = seeds.seed_for(pool.seed, topic.number, "sample")
        docnos = seeds.sample(docnos, share, sample_seed)
    seed = seeds.seed_for(pool.seed, topic.number, assessor.username)
    assignment = Assignment(
        topic=topic, pool=pool, assessor=assessor, kind=kind, seed=seed, n_entries=len(docnos)
    )
    order = seeds.shuffled(docnos, seed)
    wanted = Wanted(pool.campaign.known_percent, pool.campaign.repeat_percent)
    drawing = np.random.default_rng(seeds.seed_for(seed, "controls"))
    served = mixed(order, set(known).difference(docnos), wanted, drawing, kind)
    return assignment, served


def serve(orders: Iterable[tuple[Assignment, Sequence[Served]]]) -> None:
    """Store the orders in which documents are served, with few statements."""
    rows = (
        (assignment.pk, position, each.docno, each.purpose)
        for assignment, order in orders
        for position, each in enumerate(order)
    )
    with connection.cursor() as cursor:
        while batch := list(islice(rows, ROWS_A_STATEMENT)):
            cursor.execute(SERVE, [list(column) for column in zip(*batch, strict=True)])


def carry_out(given: Sequence[Given], pool: Pool, second_share: float, user: User) -> None:
    """Store the assignments of a plan; a primary one that was taken back continues."""
    numbers = {each.topic for each in given}
    topics = {topic.number: topic for topic in pool.campaign.topic_set.filter(number__in=numbers)}
    people = User.objects.in_bulk({each.assessor for each in given})
    waiting = Assignment.objects.primary().filter(pool=pool, topic__number__in=numbers)
    by_topic = {one.topic_id: one for one in waiting.select_for_update(of=("self",), no_key=True)}
    docnos: dict[int, list[str]] = defaultdict(list)
    pooled = pool.entries.filter(topic__number__in=numbers)
    for pk, docno in pooled.values_list("topic", "docno"):
        docnos[pk].append(docno)
    known, made = KnownGrade.objects.by_topic(docnos), []
    for each in given:
        topic, assessor = topics[each.topic], people[each.assessor]
        if each.kind == Kind.PRIMARY and topic.pk in by_topic:
            pass_on(by_topic[topic.pk], assessor)
        else:
            share = 1.0 if each.kind == Kind.PRIMARY else second_share
            rows = {"docnos": docnos[topic.pk], "known": known.get(topic.pk, ())}
            made.append(prepared(pool, topic, assessor, each.kind, share=share, **rows))
    for assignment, _ in made:
        assignment.created_by = user
    Assignment.objects.bulk_create(assignment for assignment, _ in made)
    serve(made)
