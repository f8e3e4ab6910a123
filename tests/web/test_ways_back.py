"""Pages of what can be taken back: a move, a rehearsal, a copy, a consequence accepted."""

import re
from functools import partial

import pytest

from accounts.access import Unconfirmed
from assess.models.controls import KnownGrade
from assess.models.judging import Judgment
from campaigns.models.campaign import Campaign
from campaigns.services.campaign import change_campaign
from qrels.models import Qrels
from runs.models import Run
from tests import make
from tests.db.actions import doing
from tests.db.judging import answer
from tests.web.judging import in_one_line


@pytest.fixture
def base(client, campaign, olga) -> str:
    client.force_login(olga)
    return f"/campaigns/{campaign.slug}/"


def hidden(page: str, name: str) -> str:
    return re.search(rf'name="{name}" value="([^"]*)"', page)[1]


def test_a_run_is_moved_on_its_page(client, base, campaign, pat):
    run = doing.run(campaign)
    at = f"{base}runs/{run.pk}/"
    page = client.get(at).content.decode()
    assert "Move it to another team" in page
    assert ">Aldgate</option>" not in page
    client.post(f"{at}move/", {"team": "baseline", "seen": hidden(page.split("/move/")[1], "seen")})
    assert Run.objects.get().is_baseline
    stale = client.post(
        f"{at}move/", {"team": str(campaign.team_set.get(name="Aldgate").pk), "seen": run.team_id}
    )
    assert stale.status_code == 422
    assert "now with team baselines, changed while you had the page open" in stale.content.decode()
    client.force_login(pat)
    assert client.get(at).status_code == 404


def test_a_rehearsal_is_thrown_away_once_its_numbers_are_seen_and_the_name_is_typed(
    client, base, campaign
):
    assert "There is no rehearsal to throw away" in client.get(f"{base}rehearsal/").content.decode()
    assignment = doing.judged(campaign)
    assert (
        "If it was a rehearsal, throw it away in the settings."
        in client.get(f"{base}pool/").content.decode()
    )
    assert f"{base}rehearsal/" in client.get(f"{base}settings/").content.decode()
    page = client.get(f"{base}rehearsal/").content.decode()
    assert "3 pooled documents, 1 assignment, 1 answer and 1 judgment event" in page
    seen = hidden(page, "seen")
    wrong = client.post(f"{base}rehearsal/", {"name": "Another", "seen": seen})
    assert "This is not the name of the campaign." in wrong.content.decode()
    make.judgment(assignment, "d2", 1)
    late = client.post(f"{base}rehearsal/", {"name": campaign.name, "seen": seen}).content.decode()
    assert "changed while you had the page open" in late
    client.post(f"{base}rehearsal/", {"name": campaign.name, "seen": hidden(late, "seen")})
    assert not Judgment.objects.exists()
    assert client.get(f"{base}delete/").status_code == 200


def test_an_open_page_is_told_that_the_rehearsal_is_gone(client, base, campaign, ada):
    assignment = doing.judged(campaign)
    page = client.get(f"{base}rehearsal/").content.decode()
    client.post(f"{base}rehearsal/", {"name": campaign.name, "seen": hidden(page, "seen")})
    client.force_login(ada)
    act = [
        {
            "docno": "d2",
            "state": "judged",
            "grade": 1,
            "client_id": "6f0f2f1e-3b0a-4b0e-9a8e-000000000001",
        }
    ]
    for name in ("acts", "queue", "lend"):
        at = f"{base}judging/{assignment.pk}/{name}/"
        got = (
            client.get(at)
            if name == "queue"
            else client.post(at, act, content_type="application/json")
        )
        assert got.status_code in {404, 409}, name
    told = client.post(
        f"{base}judging/{assignment.pk}/acts/", act, content_type="application/json"
    ).json()
    assert "the rehearsal was thrown away" in told["refused"]
    assert told["saved"] == []


def test_people_are_copied_only_if_somebody_ticks_them(client, base):
    page = client.get(f"{base}copy/").content.decode()
    boxes = re.findall(r'name="taking" value="([^"]+)"([^>]*)>', page)
    assert {name: "checked" in rest for name, rest in boxes} == {
        "people": False,
        "topics": True,
        "documents": True,
        "known grades": True,
    }
    assert "members see the copy at once, and teams may upload runs" in page


def test_a_campaign_is_copied_from_its_settings_and_from_the_page_of_a_new_one(
    client, base, campaign
):
    assert f"{base}copy/" in client.get(f"{base}settings/").content.decode()
    shown = "What is released to everybody is then shown to assessors and visitors"
    assert shown in in_one_line(client.get(f"{base}settings/").content.decode())
    assert f"{base}copy/" in client.get("/campaigns/new/").content.decode()
    assert (
        "Other dates, extensions, releases, the notice"
        in client.get(f"{base}copy/").content.decode()
    )
    told = client.post(f"{base}copy/", {"name": "Next", "taking": ["topics", "known grades"]})
    assert "Known grades are about documents: copy these too." in told.content.decode()
    sent = client.post(f"{base}copy/", {"name": "Next", "taking": ["topics"]}, follow=True)
    assert sent.redirect_chain == [("/campaigns/next/", 302)]
    assert "Copy a campaign" in sent.content.decode()
    make.worked("copy_parts", campaign.pk)
    assert Campaign.objects.get(slug="next").topic_set.count() == 2


def test_a_depth_that_would_make_a_run_invalid_is_saved_by_a_tick(client, base, campaign):
    doing.run(campaign)
    page = client.get(f"{base}settings/").content.decode()
    assert "accepts" not in page
    told = settings_sent(client, base, campaign, run_depth=1)
    assert told.status_code == 422
    accepts = "1 of 1 valid run would become invalid: one (Aldgate)."
    page = told.content.decode()
    assert hidden(page.replace(' id="id_accepts"', ""), "accepts") == accepts
    assert 'value="1"' in page
    assert settings_sent(client, base, campaign, run_depth=1, accepts=accepts).status_code == 302
    campaign.refresh_from_db()
    assert campaign.run_depth == 1


def test_a_scale_that_known_grades_would_fall_off_is_saved_by_a_tick(client, base, campaign):
    topic = campaign.topic_set.get(number="1")
    for docno, grade in (("d1", 2), ("d2", 2), ("d3", 1)):
        KnownGrade.objects.create(topic=topic, docno=docno, grade=grade)
    make.practice(campaign, "d1\t2\nd2\t1")
    was = campaign.scale_grades
    campaign.scale_grades = [each for each in was if each["value"] != 2]
    told = settings_sent(client, base, campaign, "grades")
    said = (
        "2 known grades and 1 practice grade would no longer be on the scale: "
        "until corrected, nothing is compared with them."
    )
    page = told.content.decode()
    assert told.status_code == 422
    assert hidden(page.replace(' id="id_accepts"', ""), "accepts") == said
    values = [each.value for each in Campaign.objects.get(pk=campaign.pk).scale.grades]
    assert 2 in values
    saved = settings_sent(client, base, campaign, "grades", accepts=said)
    assert saved.status_code == 302
    scale = Campaign.objects.get(pk=campaign.pk).scale
    assert [each.value for each in scale.grades] == [n for n in values if n != 2]
    campaign.scale_grades.append({"value": 7, "label": "new", "description": ""})
    assert settings_sent(client, base, campaign, "grades").status_code == 302


def test_a_depth_and_a_scale_are_accepted_together(campaign, olga):
    doing.run(campaign)
    topic = campaign.topic_set.get(number="1")
    KnownGrade.objects.create(topic=topic, docno="d1", grade=2)
    grades = [each for each in campaign.scale_grades if each["value"] != 2]
    changes = {"scale_grades": grades, "run_depth": 1}
    change = partial(change_campaign, user=olga, campaign=campaign, changes=changes)
    with pytest.raises(Unconfirmed) as refused:
        change(accepts="")
    assert "1 known grade would" in str(refused.value)
    assert "1 of 1 valid run would" in str(refused.value)
    assert change(accepts=str(refused.value)).run_depth == 1


def settings_sent(client, base, campaign, section="runs", **changes):
    grades = "\n".join(
        f"{each['value']}|{each['label']}|{each['description']}" for each in campaign.scale_grades
    )
    sent = {
        "name": campaign.name,
        "grades": grades,
        "level": 1,
        "run_depth": 1000,
        "seconds_per_judgment": 30,
        "least_view_ms": 250,
        "known_percent": 0,
        "repeat_percent": 0,
        "time_zone": "UTC",
        "visibility": "organizers",
    }
    return client.post(f"{base}settings/{section}/", {**sent, **changes})


def test_grades_that_would_be_gone_are_published_without_by_a_tick(client, base, campaign):
    assignment = doing.published(campaign) and Judgment.objects.get().assignment
    answer(assignment, "d1", "later")
    make.judgment(assignment, "d2", 1)
    told = client.post(f"{base}qrels/publish/", {"level": 1, "seen": 1})
    page = told.content.decode()
    accepts = "1 grade of v1 would be gone. Gone from topic 1."
    assert hidden(page.replace(' id="id_accepts"', ""), "accepts") == accepts
    client.post(f"{base}qrels/publish/", {"level": 1, "seen": 1, "accepts": accepts})
    assert Qrels.objects.count() == 2
