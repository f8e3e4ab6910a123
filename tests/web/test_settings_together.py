"""Two organizers at the same settings; dates when the zone changes; the archive."""

from datetime import UTC, datetime, timedelta

import pytest

from campaigns.models.campaign import Campaign
from campaigns.models.people import Role
from campaigns.models.trail import AuditEvent
from campaigns.services.ending import archive_campaign, restore_campaign
from campaigns.web.campaign_forms import SECTIONS
from cleverdon.trec.versions import version
from tests import make
from tests.asked import graded_by, typed
from tests.web.html import source
from tests.web.together import Page, settings_with


@pytest.fixture
def oscar(campaign):
    oscar = make.user("oscar")
    campaign.membership_set.create(user=oscar, role=Role.ORGANIZER)
    return oscar


def opened(user, campaign, field: str = "time_zone") -> Page:
    return Page(user, settings_with(campaign, field))


def stored(campaign) -> Campaign:
    return Campaign.objects.get(pk=campaign.pk)


def test_who_saves_second_reads_what_is_stored_and_loses_nothing(campaign, olga, oscar):
    hers, his = (opened(each, campaign, "least_view_ms") for each in (olga, oscar))
    assert hers.save(least_view_ms=400).status_code == 302
    errors = his.save(seconds_per_judgment=7).context["form"].errors
    assert set(errors) == {"least_view_ms"}, "nobody else changed the other"
    assert "here it now has “400”" in errors["least_view_ms"][0]
    assert his.data["seconds_per_judgment"] == "7"
    assert stored(campaign).least_view_ms == 400
    assert his.save(least_view_ms=400).status_code == 302
    now = stored(campaign)
    assert (now.least_view_ms, now.seconds_per_judgment) == (400, 7)
    last = AuditEvent.objects.filter(campaign=campaign).first()
    assert (last.actor, last.subject) == (oscar, "seconds per judgment")


def test_a_box_that_both_changed_is_said_to_be_ticked_or_not(campaign, olga, oscar):
    Campaign.objects.update(refuses_conflicts=True)
    hers, his = (opened(each, campaign, "refuses_conflicts") for each in (olga, oscar))
    assert hers.save(least_view_ms=400, serves_duplicates_together="on").status_code == 302
    his.data.pop("refuses_conflicts")
    errors = his.save(least_view_ms=400).context["form"].errors
    assert set(errors) == {"serves_duplicates_together"}
    [sentence] = errors["serves_duplicates_together"]
    assert "here it is now ticked. Yours" in sentence
    assert his.save().status_code == 302
    assert not stored(campaign).refuses_conflicts
    Campaign.objects.update(serves_duplicates_together=True)
    his = opened(oscar, campaign, "refuses_conflicts")
    Campaign.objects.update(serves_duplicates_together=False)
    errors = his.save().context["form"].errors
    assert "here it is now not ticked. Yours" in errors["serves_duplicates_together"][0]


def test_what_is_not_sent_has_to_fit_what_is(as_olga, campaign):
    Campaign.objects.update(submission_opens_at=datetime(2031, 3, 19, tzinfo=UTC))
    sent = {"time_zone": "UTC", "submission_closes_at": "2031-03-18T00:00"}
    answer = as_olga.post(settings_with(campaign, "time_zone"), sent)
    assert "It must be after submission opens." in source(answer, 422)


@pytest.mark.parametrize("keep", ["clock", "moment"])
def test_whose_deadline_was_moved_with_the_zone_reads_both_in_one_zone(campaign, olga, oscar, keep):
    Campaign.objects.update(submission_closes_at=datetime(2031, 3, 1, 20, 0, tzinfo=UTC))
    hers, his = opened(olga, campaign), opened(oscar, campaign)
    hers.save(time_zone="Asia/Tokyo")
    typed = {"clock": "2031-03-05T09:30", "moment": "2031-03-05T00:30"}[keep]
    assert hers.save(keep=keep, submission_closes_at=typed).status_code == 302
    refused = his.save(submission_closes_at="2031-03-06T08:00")
    [sentence] = refused.context["form"].errors["submission_closes_at"]
    assert "here it now has “5 March 2031, 00:30 (UTC)”" in sentence
    [sentence] = refused.context["form"].errors["time_zone"]
    assert "here it now has “Asia/Tokyo”" in sentence
    assert his.save(time_zone="Asia/Tokyo").status_code == 302
    assert stored(campaign).submission_closes_at == datetime(2031, 3, 6, 8, 0, tzinfo=UTC)
    assert stored(campaign).time_zone == "Asia/Tokyo"


def test_what_two_changed_must_hold_together(campaign, olga, oscar):
    """Of the grades one and the level, of a beginning and an end: neither alone is wrong."""
    hers, his = (opened(each, campaign, "criteria") for each in (olga, oscar))
    fewer = typed(graded_by({0: "not relevant", 1: "partly relevant", 2: "relevant"}))
    assert hers.save(**fewer).status_code == 302
    assert his.save(**{**his.data, "criteria-0-level": 3}).status_code == 422
    refused = his.save(**{**fewer, "criteria-0-level": 3})
    assert set(refused.context["form"].rows.forms[0].errors) == {"level"}
    assert stored(campaign).level == 1
    hers, his = (opened(each, campaign) for each in (olga, oscar))
    assert hers.save(submission_opens_at="2031-03-19T00:00").status_code == 302
    assert his.save(submission_closes_at="2031-03-18T00:00").status_code == 422
    refused = his.save(submission_opens_at="2031-03-19T00:00")
    assert refused.context["form"].errors["submission_closes_at"] == [
        "It must be after submission opens."
    ]
    assert stored(campaign).submission_closes_at is None


def test_both_may_make_the_same_change(campaign, olga, oscar):
    hers, his = (opened(each, campaign, "notice") for each in (olga, oscar))
    assert hers.save(notice="Same.").status_code == 302
    assert his.save(notice="Same.").status_code == 302


def test_saving_unchanged_settings_changes_and_records_nothing(campaign, olga):
    closes = datetime(2031, 1, 1, 0, 0, 31, tzinfo=UTC)
    Campaign.objects.update(guidelines="One\ntwo", submission_closes_at=closes)
    before = stored(campaign).__dict__ | {"_state": None}
    n_events = AuditEvent.objects.count()
    for section, (_, fields) in SECTIONS.items():
        assert opened(olga, campaign, fields[0]).save().status_code == 302, section
    assert stored(campaign).__dict__ | {"_state": None} == before
    assert AuditEvent.objects.count() == n_events


# The zone


@pytest.mark.parametrize(
    ("keep", "hour"),
    [("clock", 14), ("moment", 23)],  # 23:59 in Tokyo is 14:59 in UTC
)
def test_a_change_of_zone_asks_whether_the_clock_stays_or_the_moment(campaign, olga, keep, hour):
    closes = datetime(2031, 3, 1, 23, 59, tzinfo=UTC)
    Campaign.objects.update(submission_closes_at=closes)
    teams = campaign.team_set.filter(name="Aldgate")
    teams.update(submission_closes_at=closes + timedelta(days=1))
    page = opened(olga, campaign)
    asked = page.save(time_zone="Asia/Tokyo")
    assert "Choose what happens to the dates" in source(asked, 422)
    assert "This applies to the extended deadline of 1 team." in asked.text
    assert stored(campaign).submission_closes_at == closes
    assert page.save(keep=keep).status_code == 302
    now = stored(campaign)
    assert (now.time_zone, now.submission_closes_at.hour) == ("Asia/Tokyo", hour)
    extended = closes.replace(hour=hour) + timedelta(days=1)
    assert teams.get().submission_closes_at == extended
    event = AuditEvent.objects.filter(kind="campaign.changed").first()
    assert ("extensions_before" in event.detail) == (keep == "clock")


def test_first_dates_are_in_the_zone_chosen_with_them_and_nothing_is_asked(campaign, olga):
    dates = {"time_zone": "Asia/Tokyo", "judging_closes_at": "2031-03-01T09:00"}
    assert opened(olga, campaign).save(**dates).status_code == 302
    assert stored(campaign).judging_closes_at == datetime(2031, 3, 1, 0, 0, tzinfo=UTC)


def test_anywhere_on_earth_stands_in_the_list_by_that_name(client, campaign, olga):
    client.force_login(olga)
    html = client.get("/campaigns/new/").text
    name = "Anywhere on Earth, UTC-12"
    assert html.count(f'value="{name}"') == 1
    assert "Etc/GMT+12" not in html.replace('value="Etc/GMT+12"', "", 1)
    typed = {"judging_closes_at": "2031-03-01T23:59", "time_zone": name}
    assert opened(olga, campaign).save(**typed).status_code == 302
    assert stored(campaign).time_zone == "Etc/GMT+12"
    assert stored(campaign).judging_closes_at == datetime(2031, 3, 2, 11, 59, tzinfo=UTC)
    assert opened(olga, campaign).data["time_zone"] == name
    refused = opened(olga, campaign).save(time_zone="Paris")
    assert "Choose a time zone from the list." in refused.text


# The archive


def test_an_archived_campaign_leaves_the_list_and_comes_back(client, campaign, olga, pat):
    for change, is_listed in ((archive_campaign, False), (restore_campaign, True)):
        change(user=olga, campaign=campaign)
        for person in (olga, pat):
            client.force_login(person)
            rows = client.get("/").context["rows"]
            assert ([row["campaign"] for row in rows] == [campaign]) == is_listed
            page = client.get(f"/campaigns/{campaign.slug}/").text
            assert ("This campaign is archived" in page) != is_listed


def test_deleting_asks_for_the_name(as_olga, campaign):
    address = f"/campaigns/{campaign.slug}/delete/"
    assert "2 topics, 6 documents, 0 runs and 4 members" in as_olga.get(address).text
    seen = version("2 topics, 6 documents, 0 runs and 4 members")
    wrong, right = ({"name": name, "seen": seen} for name in ("test campaign", "Test campaign"))
    assert as_olga.post(address, wrong).status_code == 422
    assert Campaign.objects.filter(pk=campaign.pk).exists()
    assert as_olga.post(address, right).status_code == 302
    assert not Campaign.objects.filter(pk=campaign.pk).exists()
