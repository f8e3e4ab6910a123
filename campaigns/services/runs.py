"""Submit runs, withdraw them, download their files."""

from django.core.files import File
from django.db import IntegrityError, transaction
from django.db.models.fields.files import FieldFile

from accounts.access import Refused
from accounts.models import User
from campaigns import jobs, tasks
from campaigns.access import (
    check_can_see_run,
    check_can_submit,
    check_can_withdraw,
)
from campaigns.events import CampaignEvent
from campaigns.models import (
    AuditEvent,
    Campaign,
    Membership,
    Role,
    Run,
)


@transaction.atomic
def submit_run(
    *,
    user: User,
    campaign: Campaign,
    tag: str,
    file: File[bytes],
    description: str = "",
    is_manual: bool = False,
) -> Run:
    """Store the file unchanged and have a worker check it."""
    check_can_submit(user, campaign)
    participant = Membership.objects.get(
        campaign=campaign, user=user, role=Role.PARTICIPANT
    )
    run = Run(
        campaign=campaign,
        team=participant.team,
        submitted_by=user,
        tag=tag,
        description=description,
        is_manual=is_manual,
        file=file,
        file_name=(file.name or tag)[-255:],
        n_bytes=file.size,
    )
    _save_under_free_tag(run)
    AuditEvent.record(campaign, user, CampaignEvent.RUN_SUBMITTED, tag)
    jobs.request(campaign=campaign, kind=tasks.check_run, subject_id=run.pk, user=user)
    return run


def _save_under_free_tag(run: Run) -> None:
    """Save a new run; Refused if another live run of the campaign has its tag."""
    try:
        with transaction.atomic():
            run.save()
    except IntegrityError as error:
        raise Refused(
            f"The tag {run.tag} is taken: another run of this campaign has it."
        ) from error


@transaction.atomic
def withdraw_run(*, user: User, run: Run) -> None:
    """Withdraw a run and end its check; its file and report are kept."""
    check_can_withdraw(user, run)
    jobs.cancel(tasks.check_run, run.pk, f"Run {run} was withdrawn.")
    if not Run.objects.filter(pk=run.pk).move(Run.State.WITHDRAWN):
        raise Refused(f"Run {run} has just changed state. Reload the page.")
    AuditEvent.record(run.campaign, user, CampaignEvent.RUN_WITHDRAWN, run.tag)


@transaction.atomic
def download_run(*, user: User, run: Run) -> FieldFile:
    """Open the uploaded file, and record who downloaded it."""
    check_can_see_run(user, run)
    AuditEvent.record(run.campaign, user, CampaignEvent.RUN_DOWNLOADED, run)
    run.file.open("rb")
    return run.file
