"""Import existing qrels: upload a file, look at what it holds, import or discard it."""

from typing import TYPE_CHECKING, cast

from django.core.files import File

from accounts.access import Invalid, Refused, check
from accounts.models import User
from campaigns.access.roles import organizes
from campaigns.acting import act, in_campaign
from campaigns.models.campaign import Campaign
from campaigns.models.trail import AuditEvent
from jobs import work
from qrels import tasks
from qrels.access import QrelsImports, check_is_new, check_level
from qrels.building import next_number
from qrels.events import QrelsEvent
from qrels.models import Qrels, QrelsImport

if TYPE_CHECKING:
    from qrels.core import QrelsFacts

State = QrelsImport.State
WHERE_FROM = "Say where these judgments are from."


@act(QrelsImports.upload)
def upload_qrels(*, user: User, campaign: Campaign, file: File[bytes], source: str) -> QrelsImport:
    """Store a file of qrels and have a worker read it."""
    if not source.strip():
        raise Invalid("source", WHERE_FROM)
    name = (file.name or "qrels.txt")[-255:]
    upload = QrelsImport.objects.create(
        campaign=campaign, file=file, file_name=name, source=source.strip(), created_by=user
    )
    AuditEvent.record(campaign, user, QrelsEvent.UPLOADED, name)
    work.request(campaign=campaign, kind=tasks.read_uploaded_qrels, subject_id=upload.pk, user=user)
    return upload


@in_campaign
def import_qrels(*, user: User, upload: QrelsImport, level: int, seen: str | None = None) -> Qrels:
    """Make an uploaded file the next version, byte for byte.

    The arguments are those of `publish_qrels`.
    """
    campaign = upload.campaign
    check(organizes, user, upload)
    number = next_number(campaign, seen)
    upload.refresh_from_db()
    check(QrelsImports.confirm, user, upload)
    facts = cast("QrelsFacts", upload.facts)
    check_level(level, facts.highest)
    check_is_new(campaign, sha256=upload.sha256, level=level)
    qrels = Qrels.objects.create(
        campaign=campaign,
        number=number,
        round=campaign.round,
        source=upload.source,
        file_name=upload.file_name,
        level=level,
        file=upload.content.name,
        sha256=upload.sha256,
        n_relevant=facts.n_from(level),
        published_by=user,
        **facts.to_json(),
    )
    QrelsImport.objects.filter(pk=upload.pk).move(State.IMPORTED, qrels=qrels)
    origin = {"sha256": upload.sha256, "level": level, "source": upload.source}
    AuditEvent.record(campaign, user, QrelsEvent.IMPORTED, qrels, **origin)
    return qrels


@act(QrelsImports.discard)
def discard_qrels(*, user: User, upload: QrelsImport) -> None:
    """Drop a file of qrels that was read and is not to be imported."""
    if not QrelsImport.objects.filter(pk=upload.pk).move(State.DISCARDED):
        upload.refresh_from_db()
        raise Refused(f"{upload.file_name} is {upload.state} already.")
    AuditEvent.record(upload.campaign, user, QrelsEvent.DISCARDED, upload.file_name)
