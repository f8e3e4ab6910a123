"""Assign a topic to an assessor, or all topics at once by a plan that somebody has seen."""

from collections.abc import Mapping

from accounts.access import Refused, check_seen
from accounts.models import User
from assess import tasks
from assess.access.assigning import (
    Assignments,
    check_can_be_assigned,
    check_can_distribute,
    check_can_draw_by_grade,
)
from assess.assignments import Kind, carry_out, lock_assigning
from assess.core.plan import Given, Plan
from assess.core.sampling import Sample
from assess.events import AssessEvent
from assess.models.assigning import Assignment
from assess.planning import plan_for
from campaigns.acting import act
from campaigns.models.campaign import Campaign
from campaigns.models.people import Membership, Role
from campaigns.models.trail import AuditEvent
from collection.models.texts import Topic
from jobs import work
from jobs.models import Job

WHOLE_TOPIC = "A primary assessor judges the whole topic: only a second one has a sample."


@act(Assignments.assign)
def assign(
    *,
    user: User,
    topic: Topic,
    assessor: User,
    kind: str,
    share: float = 1.0,
    n: int = 0,
    by_grade: bool = False,
) -> Assignment:
    """Assign a topic to an assessor: all documents to a primary one, to a second a sample.

    That is a share, or n documents; `by_grade` has as many of each first grade. A primary
    assignment that was taken back continues; a new one has a shuffled order.
    """
    pool = lock_assigning(topic.campaign)
    check_can_be_assigned(assessor, topic, kind)
    sample = Sample(share, n, by_grade)
    if kind == Kind.PRIMARY and sample != ALL:
        raise Refused(WHOLE_TOPIC)
    if by_grade:
        check_can_draw_by_grade(topic)
    given = Given(topic.number, kind, assessor.pk, n_documents=0, is_in_conflict=False)
    [assignment] = carry_out([given], pool, sample, user)
    what = f"{topic} to {assessor} ({kind})"
    sampled = sample._asdict() if sample != ALL else {}
    AuditEvent.record(
        topic.campaign, user, AssessEvent.TOPIC_ASSIGNED, what, assignment=assignment.pk, **sampled
    )
    return assignment


ALL = Sample(1.0)
NOTHING_LEFT = "There is nothing to assign: every topic has its assessors."
NOTHING_GRADED = (
    "There is nothing to assign: no topic without a second assessor has all its first grades yet."
)
UNDER_WAY = "Topics are being assigned at this moment: wait until that is done."


@act(Assignments.distribute)
def distribute(
    *,
    user: User,
    campaign: Campaign,
    second_share: float = 0.0,
    second_n: int = 0,
    by_grade: bool = False,
    seen: str | None = None,
) -> Job:
    """Have a worker carry out `plan_for`: primary assessors, and seconds for a sample of topics.

    That is a share, or `second_n` documents; `by_grade` has as many of each first grade, where
    first assessors are done.
    With `seen`, the version of a plan that somebody agreed to, another one is refused; the worker
    refuses another one than this. The audit event has the plan.
    """
    second = Sample(second_share, second_n, by_grade)
    check_can_distribute(campaign, second)
    pool = lock_assigning(campaign)
    last = tasks.last_assigning(campaign)
    if last and not last.is_finished:
        raise Refused(UNDER_WAY)
    plan = plan_for(campaign, pool, second)
    check_seen(seen, plan.version, "The plan")
    if not plan.given:
        raise Refused(NOTHING_GRADED if by_grade and plan.left else NOTHING_LEFT)
    people = User.objects.filter(pk__in={each.assessor for each in plan.given})
    detail = {
        "second_share": second_share,
        "second_n": second_n,
        "by_grade": by_grade,
        "plan": plan.agreed,
        "people": dict(people.values_list("pk", "username")),
    }
    kind = AssessEvent.TOPICS_ASSIGNED
    asked = AuditEvent.record(campaign, user, kind, _summary(plan), **detail)
    return work.request(campaign=campaign, kind=tasks.assign_topics, subject_id=asked.pk, user=user)


@act(Assignments.limit_assessors)
def limit_assessors(*, user: User, campaign: Campaign, limits: Mapping[int, int | None]) -> int:
    """Set how many documents automatic assignment may give to assessors, by user id.

    None is no limit. Return how many limits were changed.
    """
    members = Membership.objects.filter(campaign=campaign, role=Role.ASSESSOR)
    rows = members.filter(user__in=limits).select_related("user")
    changed = [each for each in rows if each.max_documents != limits[each.user_id]]
    for each in changed:
        members.filter(pk=each.pk).update(max_documents=limits[each.user_id])
    if changed:
        detail = {
            "before": {each.user_id: each.max_documents for each in changed},
            "after": {each.user_id: limits[each.user_id] for each in changed},
        }
        names = ", ".join(sorted(each.user.username for each in changed))
        AuditEvent.record(campaign, user, AssessEvent.LIMITS_CHANGED, names, **detail)
    return len(changed)


def _summary(plan: Plan) -> str:
    kinds = [each.kind for each in plan.given]
    n, n_second = kinds.count("primary"), kinds.count("second")
    return f"{n:,} primary, {n_second:,} second"
