"""Assign all topics at once, by a plan that has been looked at."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from django.db import transaction

from accounts.access import Refused
from accounts.models import User
from assess.access import check_can_assign, check_can_distribute
from assess.core.plan import Given, Plan
from assess.events import AssessEvent
from assess.models import Assignment
from assess.planning import plan_for
from assess.services.assigning import Kind, prepared, serve
from assess.services.handing import lock_assigning, pass_on
from campaigns.models import AuditEvent, Campaign, Membership, Role
from pooling.models import Pool

ANOTHER_PLAN = "People, topics or limits have changed since this plan was made: look at the new one."  # fmt: skip


@transaction.atomic
def distribute(
    *, user: User, campaign: Campaign, second_share: float = 0.0, fingerprint: str = ""
) -> int:
    """Assign what `plan_for` says: primary assessors, and seconds for a share of each topic. Return how many assignments.

    With the fingerprint of the plan that somebody agreed to, another plan is refused.
    """
    check_can_assign(user, campaign)
    check_can_distribute(campaign, second_share)
    pool = lock_assigning(campaign)
    plan = plan_for(campaign, pool, second_share)
    if fingerprint and fingerprint != plan.fingerprint:
        raise Refused(ANOTHER_PLAN)
    if plan.given:
        _carry_out(plan.given, pool, second_share, user)
        AuditEvent.record(
            campaign, user, AssessEvent.TOPICS_ASSIGNED, _summary(plan),
            second_share=second_share, plan=[[each.topic, each.kind, each.assessor] for each in plan.given],
        )  # fmt: skip
    return len(plan.given)


@transaction.atomic
def limit_assessors(
    *, user: User, campaign: Campaign, limits: Mapping[int, int | None]
) -> int:
    """Set how many documents automatic assignment may give to each of these assessors, by user id; None for any number.

    Return how many were changed.
    """
    check_can_assign(user, campaign)
    members = Membership.objects.filter(campaign=campaign, role=Role.ASSESSOR)
    changed: dict[str, int | None] = {}
    assessors: dict[int, int | None] = {}
    for member in members.filter(user__in=limits).select_related("user"):
        limit = limits[member.user_id]
        if limit != member.max_documents:
            members.filter(pk=member.pk).update(max_documents=limit)
            changed[member.user.username] = limit
            assessors[member.user_id] = limit
    if changed:
        names = ", ".join(sorted(changed))
        AuditEvent.record(
            campaign, user, AssessEvent.LIMITS_CHANGED, names, limits=changed, assessors=assessors
        )  # fmt: skip
    return len(changed)


def _carry_out(
    given: Sequence[Given], pool: Pool, second_share: float, user: User
) -> None:
    """Store the assignments of a plan; a primary assignment that was taken back is gone on with."""
    numbers = {each.topic for each in given}
    topics = {
        topic.number: topic
        for topic in pool.campaign.topic_set.filter(number__in=numbers)
    }
    people = User.objects.in_bulk({each.assessor for each in given})
    waiting = Assignment.objects.primary().filter(pool=pool, topic__number__in=numbers)
    by_topic = {one.topic_id: one for one in waiting.select_for_update(of=("self",))}
    docnos: dict[int, list[str]] = defaultdict(list)
    pooled = pool.entries.filter(topic__number__in=numbers)
    for pk, docno in pooled.values_list("topic", "docno"):
        docnos[pk].append(docno)
    made = []
    for each in given:
        topic, assessor = topics[each.topic], people[each.assessor]
        if each.kind == Kind.PRIMARY and topic.pk in by_topic:
            pass_on(by_topic[topic.pk], assessor)
        else:
            share = 1.0 if each.kind == Kind.PRIMARY else second_share
            made.append(prepared(pool, topic, assessor, each.kind, docnos[topic.pk], share))  # fmt: skip
    for assignment, _ in made:
        assignment.created_by = user
    Assignment.objects.bulk_create(assignment for assignment, _ in made)
    serve(made)


def _summary(plan: Plan) -> str:
    kinds = [each.kind for each in plan.given]
    n, n_second = kinds.count("primary"), kinds.count("second")
    return f"{n:,} primary, {n_second:,} second"
