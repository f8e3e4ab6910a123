"""What a change of the settings was, as the record of the campaign says it."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from campaigns.changes import changes_of
from campaigns.models.campaign import Campaign
from campaigns.models.trail import AuditEvent
from campaigns.services.campaign import change_campaign
from tests.asked import criterion, graded_by

MOMENT = datetime(2031, 3, 5, 12, 0, tzinfo=UTC)
NOW = "0 not relevant, 1 relevant"
WORDED = graded_by({0: "not relevant", 1: "relevant"})
WORDED[0]["question"] = "Is it relevant?"
TRUST = criterion("trust", "Do you?", ("no", "yes"), from_grade=1, is_retired=True)


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("judging_closes_at", MOMENT, ("judging closes at", "none", "5 Mar 2031, 13:00")),
        ("shows_guidelines", True, ("participants read the guidelines too", "no", "yes")),
        ("notice", "Mind the gap.", ("notice", "none", "Mind the gap.")),
        ("guidelines", "word " * 99, ("guidelines for assessors", "none", "a text of 99 words")),
        (
            "criteria",
            graded_by({0: "no", 1: "in part", 2: "yes"}, 2),
            ("relevance", f"{NOW}; relevant from 1", "0 no, 1 in part, 2 yes; relevant from 2"),
        ),
        ("criteria", WORDED, ("relevance", *[f"{NOW}; relevant from 1"] * 2)),
        (
            "criteria",
            graded_by({0: "not relevant", 1: "relevant"}, 1, TRUST),
            ("trust", "none", "0 no, 1 yes; asked from grade 1; no longer asked"),
        ),
    ],
)
def test_a_change_says_what_was_and_what_is(campaign, olga, name, value, said):
    criteria = graded_by({0: "not relevant", 1: "relevant"})
    Campaign.objects.update(criteria=criteria, guidelines="", notice="")
    change_campaign(user=olga, campaign=campaign, changes={name: value})
    event = AuditEvent.objects.filter(campaign=campaign).first()
    assert event.detail["after"][name] == (value.isoformat() if name.endswith("_at") else value)
    [change] = changes_of(event, ZoneInfo("Europe/Paris"))
    subject = "grades and criteria" if name == "criteria" else said[0]
    assert (event.subject, change) == (subject, said)


def test_another_event_changes_no_setting(campaign, olga):
    event = AuditEvent.objects.filter(campaign=campaign).first()
    assert changes_of(event, campaign.zone) == []
