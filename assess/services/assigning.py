"""Assign topics to assessors."""

from django.db import transaction

from accounts.access import Refused
from accounts.models import User
from assess.access import (
    assessors_of,
    check_can_assign,
    check_can_be_assigned,
)
from assess.events import AssessEvent
from assess.models import Assignment, AssignmentEntry
from assess.services.handing import lock_assigning, pass_on
from campaigns.core import chance
from campaigns.models import AuditEvent, Campaign, Topic
from pooling.models import Pool, PoolEntry

Kind = Assignment.Kind
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
    if share < 1:
        sample_seed = chance.seed_for(pool.seed, topic.number, "sample")
        docnos = chance.sample(docnos, share, sample_seed)
    seed = chance.seed_for(pool.seed, topic.number, assessor.username)
    assignment = Assignment.objects.create(
        topic=topic, pool=pool, assessor=assessor, kind=kind, seed=seed, n_entries=len(docnos), created_by=user
    )  # fmt: skip
    entries = (
        AssignmentEntry(assignment=assignment, position=position, docno=docno)
        for position, docno in enumerate(chance.shuffled(docnos, seed))
    )
    AssignmentEntry.objects.bulk_create(entries, batch_size=5000)
    return assignment


@transaction.atomic
def distribute(*, user: User, campaign: Campaign, second_share: float = 0.0) -> int:
    """Assign topics without a primary assessor to the assessors in turn, and a share of each to the next assessor.

    Return the number of topics.
    """
    check_can_assign(user, campaign)
    assessors = list(assessors_of(campaign).order_by("pk"))
    if not assessors:
        raise Refused("There is nobody to assign topics to: invite assessors first.")
    if second_share and len(assessors) < 2:
        raise Refused("A second judgment needs a second assessor: invite one more.")
    topics = _unassigned(campaign)
    for turn, topic in enumerate(topics):
        primary, second = (assessors[n % len(assessors)] for n in (turn, turn + 1))
        assign(user=user, topic=topic, assessor=primary, kind=Kind.PRIMARY)
        if second_share:
            assign(
                user=user, topic=topic, assessor=second, kind=Kind.SECOND, share=second_share
            )  # fmt: skip
    return len(topics)


def _unassigned(campaign: Campaign) -> list[Topic]:
    primary = Assignment.objects.primary().live().filter(topic__campaign=campaign)
    pooled = PoolEntry.objects.filter(pool=Pool.objects.frozen_of(campaign))
    topics = campaign.topic_set.exclude(pk__in=primary.values("topic"))
    return list(topics.filter(pk__in=pooled.values("topic")))
