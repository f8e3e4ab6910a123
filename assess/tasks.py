"""The work that a worker does for judging: assign topics by a plan."""

from collections.abc import Sequence
from typing import Any

from accounts.access import Refused
from assess.access.assigning import check_can_assign
from assess.assignments import carry_out, lock_assigning
from assess.models.assigning import Assignment
from assess.models.serving import AssignmentEntry
from assess.planning import plan_for
from campaigns.models.campaign import Campaign
from campaigns.models.trail import AuditEvent, check_not_archived
from collection.bulk import writing
from jobs import work
from jobs.models import Job
from trec.words import counted

ANOTHER_PLAN = (
    "People, topics or limits have changed since this plan was made: look at the new one."
)


@work.kind("assign topics")
def assign_topics(job: Job) -> str:
    """Carry out the plan of an audit event if it is still the same. Running twice assigns once."""
    asked = AuditEvent.objects.get(pk=job.subject_id)
    agreed, share = asked.detail["plan"], asked.detail["second_share"]
    try:
        with work.writing(job):
            _carry_out(job, agreed, share)
    except Refused as refusal:
        raise work.CannotFinish(str(refusal)) from refusal
    writing.tidy(AssignmentEntry)
    return f"{counted(len(agreed), 'assignment')} made."


def _carry_out(job: Job, agreed: list[list[Any]], share: float) -> None:
    check_can_assign(job.created_by, job.campaign)
    check_not_archived(job.campaign)
    pool = lock_assigning(job.campaign)
    if _is_carried_out(agreed, job.campaign):
        return
    plan = plan_for(job.campaign, pool, share)
    if plan.agreed != agreed:
        raise Refused(ANOTHER_PLAN)
    carry_out(plan.given, pool, share, job.created_by)


def _is_carried_out(agreed: Sequence[Sequence[Any]], campaign: Campaign) -> bool:
    """Whether a plan is carried out already, by a worker that was lost before it reported."""
    live = Assignment.objects.in_campaign(campaign).live()
    rows = set(live.values_list("topic__number", "kind", "assessor"))
    return all((topic, kind, assessor) in rows for topic, kind, assessor, _ in agreed)


def last_assigning(campaign: Campaign) -> Job | None:
    return Job.objects.recent(campaign).filter(kind=assign_topics.name).first()
