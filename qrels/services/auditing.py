"""Have the pool of a version audited."""

from accounts.access import Refused
from accounts.models import User
from campaigns.access.roles import check_can_organize
from campaigns.acting import in_campaign
from campaigns.models.campaign import Campaign
from campaigns.models.trail import AuditEvent
from jobs import work
from jobs.models import Job
from qrels import tasks
from qrels.events import QrelsEvent
from qrels.models import Qrels
from runs.models import Run


@in_campaign
def request_audit(*, user: User, qrels: Qrels) -> None:
    """Have a worker find how deep the valid runs are judged in a version."""
    campaign = qrels.campaign
    check_can_organize(user, campaign)
    # The lock makes the second of two requests see the first.
    Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
    job = Job.objects.about(tasks.audit_pool.name, qrels.pk)
    if job and not job.is_finished:
        raise Refused(f"The audit of {qrels} is being made already.")
    if not Run.objects.filter(campaign=campaign).valid().exists():
        raise Refused("There is no valid run to audit.")
    AuditEvent.record(campaign, user, QrelsEvent.AUDITED, qrels)
    work.request(campaign=campaign, kind=tasks.audit_pool, subject_id=qrels.pk, user=user)
