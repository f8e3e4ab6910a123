"""Answers to controls, as a file."""

from collections.abc import Iterator

from accounts.models import User
from agreement.models import ControlRecord, control_records
from assess.services.judgment_files import note_download
from campaigns.acting import in_campaign
from campaigns.models.campaign import Campaign
from trec.cells import records_csv


@in_campaign
def download_controls(*, user: User, campaign: Campaign) -> Iterator[str]:
    """Record the download, and return the answers to controls as lines of CSV."""
    note_download(user, campaign, "the answers to controls")
    return records_csv(ControlRecord, control_records(campaign))
