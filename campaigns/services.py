"""What people do in a campaign before its pool: set it up, invite, import, submit runs."""

import secrets
from collections.abc import Mapping, Sequence
from datetime import timedelta
from itertools import chain, count
from typing import Any

from django.core.files import File
from django.db import IntegrityError, transaction
from django.db.models.fields.files import FieldFile
from django.utils import timezone
from django.utils.text import slugify

from accounts.access import NameTaken, NotThere, Refused
from accounts.models import User
from campaigns import jobs, tasks
from campaigns.access import (
    check_can_change_scale,
    check_can_join,
    check_can_organize,
    check_can_see_run,
    check_can_submit,
    check_can_withdraw,
)
from campaigns.bulk import write_topics
from campaigns.core.guidelines import rendered
from campaigns.events import CampaignEvent
from campaigns.models import (
    AuditEvent,
    Campaign,
    Invitation,
    Job,
    Membership,
    Role,
    Run,
    Team,
)
from trec.topics import TopicRecord

INVITATION_DAYS = 30
# Addresses beside those of the campaigns: /campaigns/new/.
RESERVED_SLUGS = {"new"}


@transaction.atomic
def create_campaign(*, user: User, name: str, **settings: Any) -> Campaign:
    """Create a campaign and make the user its organizer."""
    campaign = Campaign(name=name, seed=secrets.randbits(62), **settings)
    campaign.rendered_guidelines = rendered(campaign.guidelines)
    _save_under_free_slug(campaign)
    Membership.objects.create(campaign=campaign, user=user, role=Role.ORGANIZER)
    AuditEvent.record(campaign, user, CampaignEvent.CREATED, campaign)
    return campaign


def _save_under_free_slug(campaign: Campaign) -> None:
    """Save a new campaign, with a number after its slug if another has that one or has just taken it."""
    campaign.slug = _free_slug(campaign.name)
    try:
        with transaction.atomic():
            campaign.save()
    except IntegrityError:
        taken = campaign.slug
        campaign.slug = _free_slug(campaign.name)
        if campaign.slug == taken:
            raise  # it was something else
        campaign.save()


def _free_slug(name: str) -> str:
    base = slugify(name)[:50] or "campaign"
    slugs = chain([base], (f"{base}-{number}" for number in count(2)))
    return next(slug for slug in slugs if not _is_taken(slug))


def _is_taken(slug: str) -> bool:
    return slug in RESERVED_SLUGS or Campaign.objects.filter(slug=slug).exists()


@transaction.atomic
def change_campaign(
    *, user: User, campaign: Campaign, changes: Mapping[str, Any]
) -> Campaign:
    """Change settings; the audit event names those that changed."""
    check_can_organize(user, campaign)
    if "scale_grades" in changes:
        values = [grade["value"] for grade in changes["scale_grades"]]
        check_can_change_scale(campaign, values)
    changed = [
        name for name, value in changes.items() if getattr(campaign, name) != value
    ]
    for name in changed:
        setattr(campaign, name, changes[name])
    campaign.rendered_guidelines = rendered(campaign.guidelines)
    campaign.save(update_fields=[*changed, "rendered_guidelines"])
    AuditEvent.record(campaign, user, CampaignEvent.CHANGED, ", ".join(changed))
    return campaign


@transaction.atomic
def import_topics(
    *, user: User, campaign: Campaign, records: Sequence[TopicRecord]
) -> tuple[int, int]:
    """Add topics, or replace the text of those with the same number; return (added, replaced)."""
    check_can_organize(user, campaign)
    added = write_topics(campaign, records)
    AuditEvent.record(
        campaign,
        user,
        CampaignEvent.TOPICS_IMPORTED,
        f"{added} new, {len(records) - added} replaced",
    )
    return added, len(records) - added


@transaction.atomic
def request_topic_import(*, user: User, campaign: Campaign, file: File[bytes]) -> Job:
    """Store the uploaded file and have a worker read it: what is too long to be read in a request."""
    check_can_organize(user, campaign)
    AuditEvent.record(campaign, user, CampaignEvent.TOPICS_UPLOADED, file.name or "")
    return _request_import(tasks.import_topics, user, campaign, file)


@transaction.atomic
def request_document_import(
    *, user: User, campaign: Campaign, file: File[bytes], is_whole_collection: bool
) -> Job:
    """Store the uploaded file and have a worker read it."""
    check_can_organize(user, campaign)
    if is_whole_collection != campaign.has_whole_collection:
        campaign.has_whole_collection = is_whole_collection
        campaign.save(update_fields=["has_whole_collection"])
    AuditEvent.record(campaign, user, CampaignEvent.DOCUMENTS_UPLOADED, file.name or "")
    return _request_import(tasks.import_documents, user, campaign, file)


def _request_import(
    kind: jobs.JobKind, user: User, campaign: Campaign, file: File[bytes]
) -> Job:
    return jobs.request(
        campaign=campaign, kind=kind, subject_id=campaign.pk, user=user, file=file
    )


@transaction.atomic
def invite(
    *, user: User, campaign: Campaign, role: str, team_name: str = ""
) -> Invitation:
    """Make a link that gives a role; a participant joins the named team."""
    check_can_organize(user, campaign)
    team = None
    if role == Role.PARTICIPANT:
        if not team_name:
            raise Refused("A participant submits runs for a team: name the team.")
        team, _ = Team.objects.get_or_create(campaign=campaign, name=team_name)
    expires_at = timezone.now() + timedelta(days=INVITATION_DAYS)
    invitation = Invitation.objects.create(
        campaign=campaign, role=role, team=team, created_by=user, expires_at=expires_at
    )
    AuditEvent.record(
        campaign, user, CampaignEvent.INVITED, f"{role} {team or ''}".strip()
    )
    return invitation


@transaction.atomic
def withdraw_invitation(*, user: User, invitation: Invitation) -> None:
    check_can_organize(user, invitation.campaign)
    AuditEvent.record(
        invitation.campaign, user, CampaignEvent.INVITATION_WITHDRAWN, invitation.role
    )
    invitation.delete()


@transaction.atomic
def accept_invitation(*, user: User, invitation: Invitation) -> Membership:
    """Give the role, creating the account of somebody new. Following the same link twice changes nothing."""
    if not Invitation.objects.select_for_update().filter(pk=invitation.pk).exists():
        raise NotThere  # withdrawn since the page was opened
    check_can_join(user, invitation)
    if user.pk is None:
        _save_under_free_name(user)
    membership, is_new = Membership.objects.get_or_create(
        campaign=invitation.campaign,
        user=user,
        role=invitation.role,
        defaults={"team": invitation.team},
    )
    if is_new:
        AuditEvent.record(
            invitation.campaign, user, CampaignEvent.JOINED, f"as {invitation.role}"
        )
    return membership


def _save_under_free_name(user: User) -> None:
    """Save a new account. The form looked for the name too, but two people may have been doing so at once."""
    try:
        with transaction.atomic():
            user.save()
    except IntegrityError as error:
        raise NameTaken from error


@transaction.atomic
def remove_member(*, user: User, membership: Membership) -> None:
    check_can_organize(user, membership.campaign)
    if membership.user == user and membership.role == Role.ORGANIZER:
        raise Refused(
            "Another organizer must remove you: a campaign needs at least one."
        )
    AuditEvent.record(
        membership.campaign,
        user,
        CampaignEvent.MEMBER_REMOVED,
        f"{membership.user}, {membership.role}",
    )
    membership.delete()


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


@transaction.atomic
def retry_job(*, user: User, job: Job) -> None:
    """Queue a failed job again."""
    check_can_organize(user, job.campaign)
    if not jobs.retry(job):
        raise Refused("Only a failed job can be tried again.")
    AuditEvent.record(job.campaign, user, CampaignEvent.JOB_RETRIED, job.label)
