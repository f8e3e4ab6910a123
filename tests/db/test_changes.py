"""What a change of the settings was, as the record of the campaign says it."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from campaigns.changes import changes_of
from campaigns.models.campaign import Campaign
from campaigns.models.trail import AuditEvent
from campaigns.services.campaign import change_campaign

MOMENT = datetime(2031, 3, 5, 12, 0, tzinfo=UTC)
SCALE = [{"value": n, "label": f"grade {n}", "description": ""} for n in (0, 1, 2)]


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("level", 2, ("relevant from", "1", "2")),
        ("judging_closes_at", MOMENT, ("judging closes at", "none", "5 Mar 2031, 13:00")),
        ("shows_guidelines", True, ("participants read the guidelines too", "no", "yes")),
        ("notice", "Mind the gap.", ("notice", "none", "Mind the gap.")),
        ("guidelines", "word " * 99, ("guidelines for assessors", "none", "a text of 99 words")),
        (
            "scale_grades",
            SCALE,
            ("grades", "0 not relevant, 1 relevant", "0 grade 0, 1 grade 1, 2 grade 2"),
        ),
    ],
)
def test_a_change_says_what_was_and_what_is(campaign, olga, name, value, said):
    labels = enumerate(("not relevant", "relevant"))
    scale = [{"value": n, "label": label, "description": ""} for n, label in labels]
    Campaign.objects.update(scale_grades=scale, level=1, guidelines="", notice="")
    change_campaign(user=olga, campaign=campaign, changes={name: value})
    event = AuditEvent.objects.filter(campaign=campaign).first()
    assert event.detail["after"][name] == (value.isoformat() if name.endswith("_at") else value)
    [change] = changes_of(event, ZoneInfo("Europe/Paris"))
    assert (event.subject, change) == (said[0], said)


def test_another_event_changes_no_setting(campaign, olga):
    event = AuditEvent.objects.filter(campaign=campaign).first()
    assert changes_of(event, campaign.zone) == []
