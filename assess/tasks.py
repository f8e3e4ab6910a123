"""The work that a worker does for judging: assign topics by a plan."""

from collections.abc import Sequence
from typing import Any

from django.db.models import F

from accounts.access import Refused, check
from assess.access.assigning import Assignments
from assess.assignments import carry_out, lock_assigning
from assess.core.sampling import Sample
from assess.from_above import JUDGED
from assess.models.assigning import Assignment
from assess.models.official import OfficialGrade
from assess.models.serving import AssignmentEntry
from assess.models.sharing import SharedQueue
from assess.planning import plan_for
from campaigns.models.campaign import Campaign
from campaigns.models.trail import AuditEvent, check_not_archived
from cleverdon.trec.words import counted
from collection.bulk import writing
from jobs import work
from jobs.models import Job

ANOTHER_PLAN = (
    "People, topics or limits have changed since this plan was made: look at the new one."
)


@work.kind("assign topics")
def assign_topics(job: Job) -> str:
    """Carry out the plan of an audit event if it is still the same. Running twice assigns once."""
    asked = AuditEvent.objects.get(pk=job.subject_id)
    agreed, its = asked.detail["plan"], asked.detail
    # An event of an earlier release has a share alone.
    second = Sample(its["second_share"], its.get("second_n", 0), its.get("by_grade", False))
    try:
        with work.writing(job):
            _carry_out(job, agreed, second)
    except Refused as refusal:
        raise work.CannotFinish(str(refusal)) from refusal
    writing.tidy(AssignmentEntry)
    return f"{counted(len(agreed), 'assignment')} made."


@work.kind("decide the grades of shared topics again")
def decide_again(job: Job) -> str:
    """Decide the official grades of shared topics by the campaign's rule, topic by topic."""
    queues = SharedQueue.objects.filter(topic__campaign=job.campaign_id).order_by("pk")
    work.report(job, 0, len(queues))
    for n, queue in enumerate(queues, start=1):
        with work.writing(job):
            # The rule is read once nobody judges: it may have been changed again meanwhile.
            judging = queue.assignments.counting()
            judging.lock()
            campaign = Campaign.objects.get(pk=job.campaign_id)
            items = queue.documents.values_list("item", flat=True)
            OfficialGrade.objects.decide(campaign, items)
            judging.update(n_changes=F("n_changes") + 1)  # which boards compare
        work.report(job, n)
    JUDGED(job.campaign_id)
    return f"{counted(len(queues), 'shared topic')} decided again."


def _carry_out(job: Job, agreed: list[list[Any]], second: Sample) -> None:
    check(Assignments.distribute, job.created_by, job.campaign)
    check_not_archived(job.campaign)
    pool = lock_assigning(job.campaign)
    if _is_carried_out(agreed, job.campaign):
        return
    plan = plan_for(job.campaign, pool, second)
    if plan.agreed != agreed:
        raise Refused(ANOTHER_PLAN)
    carry_out(plan.given, pool, second, job.created_by, goes_on=True)


def _is_carried_out(agreed: Sequence[Sequence[Any]], campaign: Campaign) -> bool:
    """Whether a plan is carried out already, by a worker that was lost before it reported."""
    live = Assignment.objects.in_campaign(campaign).live()
    rows = set(live.values_list("topic__number", "kind", "assessor"))
    return all((topic, kind, assessor) in rows for topic, kind, assessor, _ in agreed)


def last_assigning(campaign: Campaign) -> Job | None:
    return Job.objects.recent(campaign).filter(kind=assign_topics.name).first()
