"""A campaign is copied: its settings, and what is ticked; what was done in it is not."""

from datetime import UTC, datetime

import pytest

from accounts.access import NotThere, NotYours, Refused, check
from assess.models.controls import KnownGrade
from campaigns.models.campaign import Campaign
from campaigns.models.people import Membership, Role
from campaigns.models.trail import AuditEvent
from campaigns.services import campaign as campaign_services
from campaigns.services import ending
from campaigns.services.ending import erase
from collection.access import Topics
from jobs import work
from jobs.models import Job
from overview.services import copying
from overview.services.copying import PARTS
from tests import make
from tests.db.actions import doing
from tests.db.races import overtaken
from tests.worlds import once

ALL = list(PARTS)
# What is each campaign's own: all else is a setting, and copied.
OWN = {"id", "name", "slug", "seed", "notice", "created_at", "archived_at"} | {
    f"{act}_{what}_at" for act in ("submission", "judging") for what in ("opens", "closes")
}


@pytest.fixture
@once
def source(campaign, olga) -> Campaign:
    """Judged, with everything that can be copied, and with texts that had earlier versions."""
    doing.judged(campaign)
    make.imported(campaign, "documents", b"d5\t\tAnother text.\nd6\t\tYet another.")
    one = campaign.topic_set.get(number="1")
    make.known_grade(one, "d5", 1)  # of an earlier text
    make.known_grade(one, "d6", 2, document_versions=[1, 2])
    make.practice(campaign, "d1\t2\tIt names the bridge.\nd2\t0\tNo.")
    KnownGrade.objects.practice().filter(item__key="d2").update(document_versions=[9])
    changes = {"guidelines": "Judge **strictly**.", "run_depth": 7, "notice": "Closed on Tuesday."}
    changes["judging_closes_at"] = datetime(2100, 1, 1, tzinfo=UTC)
    campaign_services.change_campaign(user=olga, campaign=campaign, changes=changes)
    Campaign.objects.update(has_whole_collection=True)
    Membership.objects.filter(role=Role.ASSESSOR, user__username="ada").update(max_documents=10)
    campaign.team_set.update(submission_closes_at=datetime(2100, 1, 1, tzinfo=UTC))
    return Campaign.objects.get(pk=campaign.pk)


def copied(olga, source, taking=ALL) -> Campaign:
    copy = copying.copy_campaign(user=olga, campaign=source, name="Next year", taking=taking)
    if taking:
        make.worked("copy_parts", source.pk)
    return Campaign.objects.get(pk=copy.pk)


def people(campaign) -> set[tuple]:
    columns = ("user", "role", "team__name", "max_documents")
    return set(campaign.membership_set.values_list(*columns))


def texts(campaign) -> list[tuple]:
    topics = campaign.topic_set.order_by("pk").values_list("number", "title", "sha256")
    rows = campaign.document_set.order_by("pk").values_list("docno", "title", "sha256")
    return [*topics, *rows]


def test_settings_are_copied_and_dates_are_not(source, olga):
    copy = copied(olga, source, [])
    fields = [each.name for each in Campaign._meta.concrete_fields]
    different = {name for name in fields if getattr(copy, name) != getattr(source, name)}
    assert different <= OWN | {"has_fixed_scale", "has_whole_collection"}
    assert (copy.run_depth, copy.rendered_guidelines) == (7, source.rendered_guidelines)
    assert (copy.notice, copy.judging_closes_at, copy.has_fixed_scale) == ("", None, False)
    assert copy.seed != source.seed
    assert [(each.user, each.role) for each in copy.membership_set.all()] == [(olga, "organizer")]
    assert not copy.topic_set.exists()
    assert not Job.objects.filter(campaign=copy).exists()
    again = copied(olga, source, ["topics"])
    assert (copy.slug, again.slug) == ("next-year", "next-year-2")
    assert (again.topic_set.count(), again.membership_set.count()) == (2, 1)
    assert (again.document_set.exists(), again.has_whole_collection) == (False, False)
    for campaign in (source, again):
        event = AuditEvent.objects.filter(campaign=campaign, kind="campaign.copied").first()
        assert event.detail == {"source": source.pk, "copy": again.pk, "parts": ["topics"]}


def test_people_texts_and_what_is_known_are_copied_and_nothing_that_was_done(
    source, olga, monkeypatch
):
    copy = copying.copy_campaign(user=olga, campaign=source, name="Next year", taking=ALL)
    with monkeypatch.context() as patch:
        patch.setattr("overview.services.copying.counted", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            make.worked("copy_parts", source.pk)
    assert not copy.topic_set.exists(), "whole or nothing"
    for numbers in ((3, 2, 6, 4), (0, 0, 0, 0)):  # a copy that is made twice is made once
        Job.objects.filter(campaign=copy).update(state="waiting")
        job = make.worked("copy_parts", source.pk)
        said = "{} members, {} topics, {} documents and {} known grades copied."
        assert job.outcome == said.format(*numbers)
    copy.refresh_from_db()
    assert people(copy) == people(source)
    assert {each.campaign for each in copy.team_set.all()} == {copy}
    assert copy.team_set.get().submission_closes_at is None
    assert texts(copy) == texts(source)
    versions = copy.document_set.values_list("version", "last_version", "imported_in")
    assert set(versions) == {(1, 1, None)}
    assert copy.has_whole_collection
    known = KnownGrade.objects.controls_of(copy).order_by("item__key")
    rows = known.values_list("item__topic__number", "item__key", "grade", "document_versions")
    assert list(rows) == [("1", "d5", 1, [0]), ("1", "d6", 2, [1])]
    assert [each.docno for each in KnownGrade.objects.controls_of(copy).on_earlier()] == ["d5"]
    practice = copy.practice.documents.values_list("item__key", "grade", "document_versions")
    assert list(practice) == [("d1", 2, [1]), ("d2", 0, [0])]  # known of an earlier text
    assert (source.practice.is_on, copy.practice.is_on) == (True, False)
    assert not copy.run_set.exists()
    assert not copy.batch_set.exists()
    assert not copy.import_set.exists()


def test_a_copy_can_be_used_and_shows_no_topic_earlier_than_its_source(source, olga, pat):
    moment = datetime(2099, 1, 1, tzinfo=UTC)
    Campaign.objects.update(topics_open_at=moment, archived_at=datetime(2026, 1, 1, tzinfo=UTC))
    source.refresh_from_db()
    copy = copied(olga, source)
    assert copy.archived_at is None
    for campaign in (source, copy):
        with pytest.raises(NotYours, match="The topics are shown from 1 Jan"):
            check(Topics.see, pat, campaign)
    Campaign.objects.update(topics_open_at=None)
    copy.refresh_from_db()
    make.frozen_pool(copy, [make.run(copy, pat, {"1": "d1 d2"})])
    make.judgment(make.assignment(copy.topic_set.get(number="1"), doing.person("ada")), "d1", 1)
    assert source.run_set.get().pk != copy.run_set.get().pk


def test_who_no_longer_organizes_gets_nothing(campaign, olga):
    copying.copy_campaign(user=olga, campaign=campaign, name="Next year", taking=ALL)
    campaign.membership_set.filter(user=olga).delete()
    job = make.worked("copy_parts", campaign.pk)
    assert (job.state, job.outcome) == ("failed", "There is nothing here.")


def test_what_is_to_be_copied_and_is_gone_is_told_of(campaign, olga):
    copy = copying.copy_campaign(user=olga, campaign=campaign, name="Next year", taking=ALL)
    erase(Campaign.objects.filter(pk=campaign.pk))
    with pytest.raises(Refused, match="There is nothing here"):
        copying.copy_campaign(user=olga, campaign=campaign, name="Next year")
    job = Job.objects.get(campaign=copy)
    work.kinds[job.kind](job.pk)
    job.refresh_from_db()
    assert job.outcome == "The campaign that was to be copied has been deleted."


@pytest.mark.django_db(transaction=True)
def test_a_campaign_is_copied_or_deleted(campaign, olga, queued):
    def delete() -> None:
        ending.delete_campaign(user=olga, campaign=campaign)

    def copy() -> Campaign:
        return copying.copy_campaign(user=olga, campaign=campaign, name="Next year", taking=ALL)

    assert "is being copied: delete it once that is done" in str(overtaken(copy, delete))
    make.worked("copy_parts", campaign.pk)
    assert isinstance(overtaken(delete, copy), NotThere)


@pytest.mark.django_db(transaction=True)
def test_two_copies_at_once_have_addresses_of_their_own(campaign, olga, ben, queued):
    campaign.membership_set.filter(user=ben).update(role=Role.ORGANIZER)

    def copy(user) -> Campaign:
        return copying.copy_campaign(user=user, campaign=campaign, name="Next year")

    assert overtaken(lambda: copy(olga), lambda: copy(ben)).slug == "next-year-2"
