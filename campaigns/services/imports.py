"""Import topics and documents."""

from collections.abc import Sequence

from django.core.files import File
from django.db import transaction

from accounts.models import User
from campaigns import checking, jobs, tasks
from campaigns.access import (
    check_can_organize,
)
from campaigns.bulk import write_topics
from campaigns.events import CampaignEvent
from campaigns.models import (
    AuditEvent,
    Campaign,
    Job,
)
from trec.topics import TopicRecord


@transaction.atomic
def import_topics(
    *, user: User, campaign: Campaign, records: Sequence[TopicRecord]
) -> tuple[int, int]:
    """Add topics, or replace the text of those with the same number; return (added, replaced)."""
    check_can_organize(user, campaign)
    added = write_topics(campaign, records)
    checking.request_recheck(campaign, user)
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
