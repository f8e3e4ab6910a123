"""Publish qrels, withdraw a version and reinstate it, download it."""

from typing import Any

from django.db.models.fields.files import FieldFile
from django.utils import timezone

from accounts.access import Refused, check, check_seen
from accounts.models import User
from assess.models.official import OfficialGrade
from campaigns.access.roles import Person, organizes, roles
from campaigns.acting import act, in_campaign
from campaigns.models.campaign import Campaign
from campaigns.models.trail import AuditEvent, check_not_archived
from cleverdon.trec.versions import version
from jobs import work
from jobs.models import Job
from qrels import building, tasks
from qrels.access import QrelsVersions, check_level
from qrels.bases import basis_of
from qrels.events import QrelsEvent
from qrels.models import Qrels
from qrels.rows import OFFICIAL

# So many grades are published while a page waits; more are a worker's.
AT_ONCE = 20_000


@in_campaign
def publish_qrels(
    *,
    user: User,
    campaign: Campaign,
    level: int | None = None,
    seen: str | None = None,
    accepts: str | None = None,
    grades: str = OFFICIAL,
) -> Qrels:
    """Publish grades as the next version: the official ones, or those of another `VersionBasis`.

    `level` is the lowest relevant grade, by default the campaign's. `seen` is of the last version's
    number, 0 for none. A loss of grades of the last version of its kind is refused until `accepts`
    is that sentence, or None.
    """
    return building.build(user, campaign, level=level, seen=seen, accepts=accepts, grades=grades)


@in_campaign
def request_publishing(
    *,
    user: User,
    campaign: Campaign,
    level: int,
    seen: str | None,
    accepts: str | None,
    grades: str = OFFICIAL,
) -> Qrels | Job:
    """Publish the grades as the next version; a worker does it where there are many.

    The arguments are those of `publish_qrels`.
    """
    check(organizes, user, campaign)
    # Existing grades and those of duplicates are among them; a million are not counted to the end.
    some = OfficialGrade.objects.of_documents(campaign)[: AT_ONCE + 1]
    if some.count() <= AT_ONCE:
        asked: dict[str, Any] = {"level": level, "seen": seen, "accepts": accepts}
        return building.build(user, campaign, **asked, grades=grades)
    # The lock makes the second of two requests see the first.
    Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
    job = Job.objects.about(tasks.publish_judgments.name, campaign.pk)
    if job and not job.is_finished:
        raise Refused("The judgments are being published already.")
    check_not_archived(campaign)
    check_level(level, max(grade.value for grade in campaign.scale.grades))
    basis_of(campaign, grades)
    last = Qrels.objects.last_number(campaign)
    check_seen(seen, version(last), f"The list of versions, now {last},")
    asked = {"level": level, "seen": version(last), "accepts": accepts, "grades": grades}
    kind = tasks.publish_judgments
    return work.request(campaign=campaign, kind=kind, subject_id=campaign.pk, user=user, **asked)


def publishing_job(campaign: Campaign) -> Job | None:
    """Return the job that publishes, or the last one if it could not and nothing did since."""
    job = Job.objects.about(tasks.publish_judgments.name, campaign.pk)
    since = Qrels.objects.filter(campaign=campaign)
    if job is None or since.filter(published_at__gte=job.created_at).exists():
        return None
    return job


@in_campaign
def withdraw_qrels(*, user: User, qrels: Qrels, reason: str) -> None:
    """Take a version out of use: it stays listed, but nothing is scored against it."""
    campaign = qrels.campaign
    # The lock keeps what rests on the version from being released meanwhile.
    Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
    check(QrelsVersions.withdraw, user, qrels)
    if not reason.strip():
        raise Refused("Say why the version is withdrawn: everybody who sees it reads this.")
    in_use = Qrels.objects.standing().filter(pk=qrels.pk)
    changes = {"withdrawn_at": timezone.now(), "why_withdrawn": reason.strip()}
    if not in_use.update(withdrawn_by=user, **changes):
        raise Refused(f"Qrels v{qrels.number} have been withdrawn already.")
    AuditEvent.record(campaign, user, QrelsEvent.WITHDRAWN, qrels, reason=reason.strip())


@act(QrelsVersions.reinstate)
def reinstate_qrels(*, user: User, qrels: Qrels) -> None:
    """Take a withdrawn version into use again."""
    withdrawn = Qrels.objects.filter(pk=qrels.pk, withdrawn_at__isnull=False)
    if not withdrawn.update(withdrawn_at=None, withdrawn_by=None, why_withdrawn=""):
        raise Refused(f"Qrels v{qrels.number} are not withdrawn.")
    AuditEvent.record(qrels.campaign, user, QrelsEvent.REINSTATED, qrels)


@act(QrelsVersions.see)
def download_qrels(*, user: Person, qrels: Qrels) -> FieldFile:
    """Open a published file and record which member downloads it."""
    if isinstance(user, User) and roles(user, qrels.campaign):
        AuditEvent.record(qrels.campaign, user, QrelsEvent.DOWNLOADED, qrels)
    qrels.file.open("rb")
    return qrels.file
