"""Assign a topic to an assessor."""

from accounts.access import Refused
from accounts.models import User
from assess.access.assigning import check_can_assign, check_can_be_assigned
from assess.assignments import Kind, lock_assigning, materials, pass_on, prepared, serve
from assess.events import AssessEvent
from assess.models.answering import lock_assignment
from assess.models.assigning import Assignment
from campaigns.acting import in_campaign
from campaigns.models.trail import AuditEvent
from collection.models.texts import Topic
from pooling.models.pools import Pool

WHOLE_TOPIC = "A primary assessor judges the whole topic: only a second one has a share."


@in_campaign
def assign(
    *, user: User, topic: Topic, assessor: User, kind: str, share: float = 1.0
) -> Assignment:
    """Assign a topic to an assessor: all documents to a primary one, to a second a sampled share.

    A primary assignment that was taken back continues; a new one has a shuffled order.
    """
    check_can_assign(user, topic.campaign)
    pool = lock_assigning(topic.campaign)
    check_can_be_assigned(assessor, topic, kind)
    if kind == Kind.PRIMARY and share < 1:
        raise Refused(WHOLE_TOPIC)
    waiting = Assignment.objects.primary().filter(topic=topic).first()
    if kind == Kind.PRIMARY and waiting:
        assignment = lock_assignment(waiting.pk)
        pass_on(assignment, assessor)
    else:
        assignment = _new(pool, topic, assessor, kind, share=share, user=user)
    what = f"{topic} to {assessor} ({kind})"
    sampled = {"share": share} if share < 1 else {}
    AuditEvent.record(
        topic.campaign, user, AssessEvent.TOPIC_ASSIGNED, what, assignment=assignment.pk, **sampled
    )
    return assignment


def _new(
    pool: Pool, topic: Topic, assessor: User, kind: str, *, share: float, user: User
) -> Assignment:
    material = materials(pool, [topic.pk])[topic.pk]
    assignment, order = prepared(pool, topic, assessor, kind, material=material, share=share)
    assignment.created_by = user
    assignment.save()
    serve([(assignment, order)])
    return assignment
