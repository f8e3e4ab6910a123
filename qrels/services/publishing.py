"""Publish qrels, withdraw a version and reinstate it, download it, and have its pool audited."""

import hashlib
from typing import Any

import numpy as np
from django.core.files.base import ContentFile, File
from django.db.models.fields.files import FieldFile
from django.utils import timezone

from accounts.access import Refused, check_accepted, check_seen
from accounts.models import User
from assess.models.sharing import SharedQueue
from campaigns.access.roles import check_can_organize, roles
from campaigns.acting import in_campaign
from campaigns.models.campaign import Campaign
from campaigns.models.trail import AuditEvent
from jobs import work
from jobs.models import Job
from pooling.models.pools import Pool
from pooling.models.populations import n_undrawn
from qrels import tasks
from qrels.access import (
    Person,
    check_can_publish,
    check_can_see_version,
    check_could_be_read,
    check_is_new,
    check_level,
    check_nothing_rests_on,
)
from qrels.core import QrelsFacts, loss
from qrels.events import QrelsEvent
from qrels.models import Qrels
from qrels.services.kept_judgments import KeptJudgments, kept
from runs.models import Run
from trec.qrels import JudgedPairs, write_qrels
from trec.versions import version


@in_campaign
def publish_qrels(
    *,
    user: User,
    campaign: Campaign,
    level: int | None = None,
    seen: str | None = None,
    accepts: str | None = None,
) -> Qrels:
    """Publish the official grades as the next version; by the median where topics are shared.

    `level` is the lowest relevant grade, by default the campaign's. `seen` is of the last version's
    number, 0 for none. A loss of its grades is refused until `accepts` is that sentence, or None.
    """
    check_can_organize(user, campaign)
    number = next_number(campaign, seen)
    # From here on the judgments cannot be thrown away.
    check_can_publish(user, campaign)
    check_could_be_read(campaign)
    level = campaign.level if level is None else level
    check_level(level, max(grade.value for grade in campaign.scale.grades))
    with kept(campaign, rule := _rule(campaign)) as judgments:
        content = b"".join(write_qrels(judgments.official))
        sha256 = hashlib.sha256(content).hexdigest()
        counts = {"n_cannot_judge": judgments.n_impossible, "n_earlier": judgments.n_earlier}
        check_is_new(campaign, sha256=sha256, level=level, **counts)
        check_accepted(_loss(campaign, judgments), accepts)
        qrels = Qrels.objects.create(
            campaign=campaign,
            number=number,
            round=campaign.round,
            level=level,
            file=ContentFile(content, name="qrels.txt"),
            rule=rule,
            sha256=sha256,
            published_by=user,
            **counts,
            **_facts(judgments, campaign, level),
        )
    hashes = {"sha256": sha256, "judgments_sha256": judgments.sha256}
    AuditEvent.record(campaign, user, QrelsEvent.PUBLISHED, qrels, level=level, **hashes)
    return qrels


def _rule(campaign: Campaign) -> Qrels.GradeRule:
    is_shared = SharedQueue.objects.filter(topic__campaign=campaign).exists()
    return Qrels.GradeRule.MEDIAN if is_shared else Qrels.GradeRule.PRIMARY


def _loss(campaign: Campaign, judgments: KeptJudgments) -> str:
    """Say which grades of the last version made here would be gone; "" for none."""
    before = Qrels.objects.standing_before(campaign).first()
    if before is None:
        return ""
    now = JudgedPairs.from_rows(judgments.official)
    return loss(before.pairs(), now, f"v{before.number}")


def _facts(judgments: KeptJudgments, campaign: Campaign, level: int) -> dict[str, Any]:
    """Return the pool and the judgments that a version is from, and how many of each grade."""
    pool = Pool.objects.get(campaign=campaign)
    grades = np.array([row.grade for row in judgments.official], dtype=np.int64)
    facts = QrelsFacts.of(len({row.topic for row in judgments.official}), grades)
    return {
        "pool": pool,
        "pool_version": pool.version,
        "judgments": File(judgments.file, name="judgments.csv.gz"),
        "judgments_sha256": judgments.sha256,
        "n_carried": judgments.n_carried,
        "n_undrawn": n_undrawn(pool.batches.all()),
        "n_unjudged": pool.n_entries - (len(judgments.official) - judgments.n_carried),
        "n_relevant": facts.n_from(level),
        **facts.to_json(),
    }


def next_number(campaign: Campaign, seen: str | None) -> int:
    """Return the number of the next version, which is nobody else's until the transaction ends.

    Its round is that of the campaign, which is read anew.
    """
    # The lock gives two organizers who publish at once different numbers.
    campaign.round = Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk).round
    last = Qrels.objects.last_number(campaign)
    check_seen(seen, version(last), f"The list of versions, now {last},")
    return last + 1


@in_campaign
def withdraw_qrels(*, user: User, qrels: Qrels, reason: str) -> None:
    """Take a version out of use: it stays listed, but nothing is scored against it."""
    campaign = qrels.campaign
    check_can_organize(user, campaign)
    # The lock keeps what rests on the version from being released meanwhile.
    Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
    check_nothing_rests_on(qrels)
    if not reason.strip():
        raise Refused("Say why the version is withdrawn: everybody who sees it reads this.")
    in_use = Qrels.objects.standing().filter(pk=qrels.pk)
    changes = {"withdrawn_at": timezone.now(), "why_withdrawn": reason.strip()}
    if not in_use.update(withdrawn_by=user, **changes):
        raise Refused(f"Qrels v{qrels.number} have been withdrawn already.")
    AuditEvent.record(campaign, user, QrelsEvent.WITHDRAWN, qrels, reason=reason.strip())


@in_campaign
def reinstate_qrels(*, user: User, qrels: Qrels) -> None:
    """Take a withdrawn version into use again."""
    check_can_organize(user, qrels.campaign)
    withdrawn = Qrels.objects.filter(pk=qrels.pk, withdrawn_at__isnull=False)
    if not withdrawn.update(withdrawn_at=None, withdrawn_by=None, why_withdrawn=""):
        raise Refused(f"Qrels v{qrels.number} are not withdrawn.")
    AuditEvent.record(qrels.campaign, user, QrelsEvent.REINSTATED, qrels)


@in_campaign
def download_qrels(*, user: Person, qrels: Qrels) -> FieldFile:
    """Open a published file and record which member downloads it."""
    check_can_see_version(user, qrels)
    if isinstance(user, User) and roles(user, qrels.campaign):
        AuditEvent.record(qrels.campaign, user, QrelsEvent.DOWNLOADED, qrels)
    qrels.file.open("rb")
    return qrels.file


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
