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
from campaigns.core import chance
from campaigns.models import AuditEvent, Campaign, Topic
from pooling.models import Pool, PoolEntry

Kind = Assignment.Kind


@transaction.atomic
def assign(
    *, user: User, topic: Topic, assessor: User, kind: str, share: float = 1.0
) -> Assignment:
    """Assign a topic to an assessor: all its documents, or a sampled share of them, in a shuffled order that is stored."""
    check_can_assign(user, topic.campaign)
    check_can_be_assigned(assessor, topic, kind)
    pool = Pool.objects.get(campaign=topic.campaign, state=Pool.State.FROZEN)
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
    what = f"{topic} to {assessor} ({kind})"
    AuditEvent.record(topic.campaign, user, AssessEvent.TOPIC_ASSIGNED, what)
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
    primary = Assignment.objects.primary().filter(topic__campaign=campaign)
    pooled = PoolEntry.objects.filter(pool=Pool.objects.frozen_of(campaign))
    topics = campaign.topic_set.exclude(pk__in=primary.values("topic"))
    return list(topics.filter(pk__in=pooled.values("topic")))
