"""What was answered to controls, as a file."""

from collections.abc import Iterator

from accounts.models import User
from agreement.models import ControlRecord, control_records
from assess.services.judgment_files import note_download
from campaigns.acting import in_campaign
from campaigns.models.campaign import Campaign
from trec.cells import records_csv


@in_campaign
def download_controls(*, user: User, campaign: Campaign) -> Iterator[str]:
    """Record who downloads what was answered to controls, and return it as lines of CSV, read while they are sent."""
    note_download(user, campaign, "the answers to controls")
    return records_csv(ControlRecord, control_records(campaign))
