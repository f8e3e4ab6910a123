"""Topics that a worker imports, and guidelines rendered when they are saved."""

import gzip

import pytest

from campaigns.services import campaign as campaign_services
from collection.models.texts import Topic
from tests import make


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"t5\ta title\n" * 2, "Line 2: Topic t5 comes again"),
        (gzip.compress(b"x" * 30_000_000, mtime=0), "become more than 100 times as long"),
        (b"x" * ((1 << 24) + 1), "holds more than 16,777,216 bytes"),
    ],
)
def test_of_topics_with_a_fault_none_is_imported(campaign, content, sentence):
    before = campaign.topic_set.count()
    row = make.uploaded(campaign, "topics", content)
    assert row.state == "unreadable"
    assert sentence in row.outcome
    assert campaign.topic_set.count() == before


def test_guidelines_are_rendered_when_they_are_saved(olga, campaign, monkeypatch):
    campaign_services.change_campaign(
        user=olga, campaign=campaign, changes={"guidelines": "*a* <b>[x](javascript:y)"}
    )
    monkeypatch.setattr(campaign_services, "rendered", None)  # called by no page
    campaign.refresh_from_db()
    safe = "<p><em>a</em> &lt;b&gt;[x](javascript:y)</p>\n"
    assert campaign.guidelines_html == safe


def test_topics_are_in_natural_order_however_they_are_written(campaign):
    numbers = ["10", "2", "4b", "003", "4", "t9", "t10"]
    rows = [Topic(campaign=campaign, number=number, title="x") for number in numbers]
    campaign.topic_set.all().delete()
    Topic.objects.bulk_create(rows[:4])
    for row in rows[4:]:
        row.save()
    ordered = list(campaign.topic_set.values_list("number", flat=True))
    assert ordered == ["2", "003", "4", "4b", "10", "t9", "t10"]
