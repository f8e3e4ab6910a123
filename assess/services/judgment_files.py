"""Download judgments, and what else is said of a campaign's judging, as files."""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from accounts.access import check
from accounts.models import User
from assess.access.judging import Judging
from assess.core.records import (
    JudgmentEventRecord,
    JudgmentRecord,
    OfficialRecord,
    PassageRecord,
    RatingRecord,
)
from assess.events import AssessEvent
from assess.models.records import (
    event_records,
    judgment_records,
    official_records,
    passage_records,
    rating_records,
)
from campaigns.acting import in_campaign
from campaigns.models.campaign import Campaign
from campaigns.models.trail import AuditEvent
from cleverdon.trec.cells import records_csv


class JudgingFile(NamedTuple):
    """A table of a campaign's judging: its name, that in the audit trail, and its rows."""

    name: str
    what: str
    record: Any  # a NamedTuple, whose fields are the columns
    read: Callable[[Campaign], Iterator[Any]]


JUDGMENTS = JudgingFile("judgments.csv", "all judgments", JudgmentRecord, judgment_records)
EVENTS = JudgingFile(
    "judgment-events.csv", "all judgment events", JudgmentEventRecord, event_records
)
OFFICIAL = JudgingFile(
    "official-grades.csv", "all official grades", OfficialRecord, official_records
)
RATINGS = JudgingFile("ratings.csv", "all answers to criteria", RatingRecord, rating_records)
PASSAGES = JudgingFile(
    "evidence.csv", "all passages marked as evidence", PassageRecord, passage_records
)


def note_download(user: User, campaign: Campaign, what: str) -> None:
    """Check that somebody may download judgments, and record it."""
    check(Judging.download, user, campaign)
    AuditEvent.record(campaign, user, AssessEvent.JUDGMENTS_DOWNLOADED, what)


@in_campaign
def download(*, user: User, campaign: Campaign, file: JudgingFile) -> Iterator[str]:
    """Record the download, and return the file as lines of CSV, read while they are sent."""
    note_download(user, campaign, file.what)
    return records_csv(file.record, file.read(campaign))
