"""Publish qrels, withdraw a version and reinstate it, and download it."""

import hashlib
from typing import Any

import numpy as np
from django.core.files.base import ContentFile, File
from django.db.models.fields.files import FieldFile
from django.utils import timezone

from accounts.access import Refused, check_accepted
from accounts.models import User
from assess.models.sharing import SharedQueue
from campaigns.access.roles import check_can_organize, roles
from campaigns.acting import in_campaign
from campaigns.models.campaign import Campaign
from campaigns.models.trail import AuditEvent
from pooling.models import Pool
from qrels.access import (
    Person,
    check_can_publish,
    check_can_see_version,
    check_could_be_read,
    check_is_new,
    check_level,
    check_nothing_rests_on,
    check_nothing_since,
)
from qrels.core import QrelsFacts, loss
from qrels.events import QrelsEvent
from qrels.models import Qrels
from qrels.services.kept_judgments import Kept, kept
from trec.qrels import JudgedPairs, write_qrels


@in_campaign
def publish_qrels(
    *,
    user: User,
    campaign: Campaign,
    level: int | None = None,
    after: int | None = None,
    accepts: str | None = None,
) -> Qrels:
    """Publish the official grades as the next numbered version, by the rule "primary assessor", or "median" where topics are shared.

    `level` is the lowest relevant grade, the campaign's unless it is given. `after` is the number of the last version that the
    person has seen. What would take grades away that the last version has is refused until `accepts` says just that; None:
    nobody is asked.
    """
    check_can_organize(user, campaign)
    number = next_number(campaign, after)
    # From here on nobody throws the judgments away.
    check_can_publish(user, campaign)
    check_could_be_read(campaign)
    level = campaign.level if level is None else level
    check_level(level, max(grade.value for grade in campaign.scale.grades))
    is_shared = SharedQueue.objects.filter(topic__campaign=campaign).exists()
    rule = Qrels.Rule.MEDIAN if is_shared else Qrels.Rule.PRIMARY
    with kept(campaign, rule) as found:
        content = b"".join(write_qrels(found.official))
        sha256 = hashlib.sha256(content).hexdigest()
        told = {"n_cannot_judge": found.n_impossible, "n_earlier": found.n_earlier}
        check_is_new(campaign, sha256=sha256, level=level, **told)
        check_accepted(_loss(campaign, found), accepts)
        qrels = Qrels.objects.create(
            campaign=campaign,
            number=number,
            level=level,
            file=ContentFile(content, name="qrels.txt"),
            sha256=sha256,
            published_by=user,
            rule=rule,
            **_rests_on(found, campaign),
            **told,
            **_counts(found, level),
        )
    hashes = {"sha256": sha256, "judgments_sha256": found.sha256}
    AuditEvent.record(campaign, user, QrelsEvent.PUBLISHED, qrels, level=level, **hashes)
    return qrels


def _loss(campaign: Campaign, found: Kept) -> str:
    """Say which grades of the last version made here would be gone; "" for none."""
    before = Qrels.objects.standing_before(campaign).first()
    if before is None:
        return ""
    now = JudgedPairs.from_rows(found.official)
    return loss(before.pairs(), now, f"v{before.number}")


def _rests_on(found: Kept, campaign: Campaign) -> dict[str, Any]:
    """Return the pool and the judgments that a version is from, and how much of the pool it leaves unjudged."""
    pool = Pool.objects.get(campaign=campaign, state=Pool.State.FROZEN)
    return {
        "pool": pool,
        "judgments": File(found.file, name="judgments.csv.gz"),
        "judgments_sha256": found.sha256,
        "n_unjudged": pool.n_entries - len(found.official),
    }


def _counts(found: Kept, level: int) -> dict[str, Any]:
    grades = np.array([row.grade for row in found.official], dtype=np.int64)
    facts = QrelsFacts.of(len({row.topic for row in found.official}), grades)
    return {**facts.to_json(), "n_relevant": facts.n_from(level)}


def next_number(campaign: Campaign, after: int | None) -> int:
    """Return the number of the next version, which is nobody else's until the transaction ends."""
    # The lock gives two organizers who publish at once different numbers.
    Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
    last = Qrels.objects.filter(campaign=campaign).first()
    check_nothing_since(last, after)
    return last.number + 1 if last else 1


@in_campaign
def withdraw_qrels(*, user: User, qrels: Qrels, reason: str) -> None:
    """Take a version out of use: it stays listed, marked, and can be downloaded, but nothing is scored against it."""
    campaign = qrels.campaign
    check_can_organize(user, campaign)
    # The lock keeps what rests on the version from being released meanwhile.
    Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
    check_nothing_rests_on(qrels)
    if not reason.strip():
        raise Refused("Say why the version is withdrawn: everybody who sees it reads this.")
    standing = Qrels.objects.standing().filter(pk=qrels.pk)
    changes = {"withdrawn_at": timezone.now(), "why_withdrawn": reason.strip()}
    if not standing.update(withdrawn_by=user, **changes):
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
