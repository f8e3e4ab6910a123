"""Dates in two zones: the campaign's, and beside it the reader's own."""

from datetime import UTC, datetime

import pytest
from playwright.sync_api import expect

from campaigns.models.campaign import Campaign
from tests import make

pytestmark = pytest.mark.browser
CLOSES = datetime(2031, 3, 1, 11, 59, tzinfo=UTC)


@pytest.mark.parametrize(
    ("zone", "own"), [("Asia/Tokyo", "1 March 2031, 20:59 where you are"), ("Etc/GMT+12", None)]
)
def test_a_deadline_is_shown_in_the_readers_zone_too(pages, transactional_db, olga, pat, zone, own):
    campaign = make.campaign(olga, participants={"T": [pat]})
    Campaign.objects.update(submission_closes_at=CLOSES, time_zone="Etc/GMT+12")
    page = pages(pat, timezone_id=zone)
    page.goto(f"/campaigns/{campaign.slug}/")
    deadline = page.locator("main time[data-zone]")
    expect(deadline).to_contain_text("28 February 2031, 23:59")
    expect(deadline).to_contain_text("Anywhere on Earth")
    if own:
        expect(deadline).to_contain_text(own)
    else:
        expect(deadline).not_to_contain_text("where you are")
