"""Download judgments as files."""

from collections.abc import Iterator

from accounts.models import User
from assess.core.records import JudgmentEventRecord, JudgmentRecord, PassageRecord, RatingRecord
from assess.events import AssessEvent
from assess.models.records import event_records, judgment_records, passage_records, rating_records
from campaigns.access.roles import check_can_organize
from campaigns.acting import in_campaign
from campaigns.models.campaign import Campaign
from campaigns.models.trail import AuditEvent
from trec.cells import records_csv


def note_download(user: User, campaign: Campaign, what: str) -> None:
    """Check that somebody may download judgments, and record it."""
    check_can_organize(user, campaign)
    AuditEvent.record(campaign, user, AssessEvent.JUDGMENTS_DOWNLOADED, what)


@in_campaign
def download_judgments(*, user: User, campaign: Campaign) -> Iterator[str]:
    note_download(user, campaign, "all judgments")
    return records_csv(JudgmentRecord, judgment_records(campaign))


@in_campaign
def download_judgment_events(*, user: User, campaign: Campaign) -> Iterator[str]:
    note_download(user, campaign, "all judgment events")
    return records_csv(JudgmentEventRecord, event_records(campaign))


@in_campaign
def download_ratings(*, user: User, campaign: Campaign) -> Iterator[str]:
    note_download(user, campaign, "all answers to criteria")
    return records_csv(RatingRecord, rating_records(campaign))


@in_campaign
def download_passages(*, user: User, campaign: Campaign) -> Iterator[str]:
    note_download(user, campaign, "all passages marked as evidence")
    return records_csv(PassageRecord, passage_records(campaign))
