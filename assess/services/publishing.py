"""Publish qrels and download them."""

import hashlib

from django.core.files.base import ContentFile
from django.db import transaction
from django.db.models.fields.files import FieldFile

from accounts.models import User
from assess.access import (
    check_can_publish,
)
from assess.events import AssessEvent
from assess.models import Judgment, Qrels
from campaigns.access import check_can_organize
from campaigns.models import AuditEvent, Campaign
from pooling.models import Pool
from trec.qrels import write_qrels


@transaction.atomic
def publish_qrels(*, user: User, campaign: Campaign) -> Qrels:
    """Publish the official grades as the next numbered version, by the rule "primary assessor"."""
    check_can_publish(user, campaign)
    # The lock gives two organizers who publish at once different numbers.
    Campaign.objects.select_for_update().get(pk=campaign.pk)
    rows = Judgment.objects.by_rule(Qrels.Rule.PRIMARY, campaign.pk)
    content = b"".join(write_qrels(rows))
    pool = Pool.objects.get(campaign=campaign, state=Pool.State.FROZEN)
    last = Qrels.objects.filter(campaign=campaign).first()
    sha256 = hashlib.sha256(content).hexdigest()
    qrels = Qrels.objects.create(
        campaign=campaign,
        pool=pool,
        number=last.number + 1 if last else 1,
        level=campaign.level,
        file=ContentFile(content, name="qrels.txt"),
        sha256=sha256,
        n_topics=len({topic for topic, _, _ in rows}),
        n_judgments=len(rows),
        n_relevant=sum(grade >= campaign.level for _, _, grade in rows),
        n_unjudged=pool.n_entries - len(rows),
        published_by=user,
    )
    AuditEvent.record(campaign, user, AssessEvent.QRELS_PUBLISHED, qrels, sha256=sha256)
    return qrels


@transaction.atomic
def download_qrels(*, user: User, qrels: Qrels) -> FieldFile:
    """Open a published file and record who downloads it."""
    check_can_organize(user, qrels.campaign)
    AuditEvent.record(qrels.campaign, user, AssessEvent.QRELS_DOWNLOADED, qrels)
    qrels.file.open("rb")
    return qrels.file
