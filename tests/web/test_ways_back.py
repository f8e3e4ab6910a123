"""Pages of what can be taken back: a move, a rehearsal, a copy, a consequence accepted."""

import re
from functools import partial

import pytest

from accounts.access import Unconfirmed
from assess.models.judging import Judgment
from campaigns.models.campaign import Campaign
from campaigns.services.campaign import change_campaign
from qrels.models import Qrels
from runs.models import Run
from tests import make
from tests.api.addresses import judging
from tests.asked import graded_by, typed
from tests.db.actions import doing
from tests.db.judging import answer
from tests.web.html import source
from tests.web.judging import read
from tests.web.together import Page


@pytest.fixture
def base(as_olga, campaign) -> str:
    return f"/campaigns/{campaign.slug}/"


def hidden(page: str, name: str) -> str:
    return re.search(rf'name="{name}" value="([^"]*)"', page.replace(' id="id_accepts"', ""))[1]


def test_a_run_is_moved_on_its_page(client, base, campaign, pat):
    run = doing.run(campaign)
    at = f"{base}runs/{run.pk}/"
    page = client.get(at).text
    assert "Move it to another team" in page
    assert ">Aldgate</option>" not in page
    client.post(f"{at}move/", {"team": "baseline", "seen": hidden(page.split("/move/")[1], "seen")})
    assert Run.objects.get().is_baseline
    stale = client.post(
        f"{at}move/", {"team": str(campaign.team_set.get(name="Aldgate").pk), "seen": run.team_id}
    )
    assert "now with team baselines, changed while you had the page open" in source(stale, 422)
    client.force_login(pat)
    assert client.get(at).status_code == 404


def test_a_rehearsal_is_thrown_away_by_who_saw_it_and_typed_the_name(client, base, campaign, ada):
    there = f"{base}rehearsal/"
    assert "There is no rehearsal to throw away" in read(client, there)
    assert there not in read(client, f"{base}settings/")
    assignment = doing.judged(campaign)
    said = "If it was a rehearsal, throw it away in the settings."
    assert said in read(client, f"{base}pool/batches/{assignment.pool.last_batch.pk}/")
    assert there in read(client, f"{base}settings/")
    page = read(client, there)
    assert "3 pooled documents, 1 assignment, 1 answer and 1 judgment event" in page
    seen = hidden(page, "seen")
    assert "This is not the name of the campaign." in read(client, there, name="Another", seen=seen)
    make.judgment(assignment, "d2", 1)
    late = read(client, there, name=campaign.name, seen=seen)
    assert "changed while you had the page open" in late
    read(client, there, name=campaign.name, seen=hidden(late, "seen"))
    assert not Judgment.objects.exists()
    assert client.get(f"{base}delete/").status_code == 200
    # A page that was open is told.
    client.force_login(ada)
    at = f"{base}judging/{assignment.pk}/"
    assert client.get(f"{at}queue/").status_code == 404
    lend, acts = (
        client.post(address, [{}], content_type="application/json")
        for address in (f"{at}lend/", judging(assignment))
    )
    assert (lend.status_code, acts.status_code) == (404, 404)
    assert "the rehearsal was thrown away" in acts.json()["detail"]
    assert acts.json()["saved"] == []


def test_people_are_copied_only_if_somebody_ticks_them(client, base):
    page = read(client, f"{base}copy/")
    boxes = re.findall(r'name="taking" value="([^"]+)"([^>]*)>', page)
    ticked = {name for name, rest in boxes if "checked" in rest}
    assert ticked == {name for name, _ in boxes} - {"people"}
    assert "members see the copy at once, and teams may upload runs" in page


def test_a_campaign_is_copied_from_its_settings_or_the_page_of_a_new_one(client, base, campaign):
    there = f"{base}copy/"
    for page in (f"{base}settings/", "/campaigns/new/"):
        assert there in read(client, page)
    shown = "What is released to everybody is then shown to assessors and visitors"
    assert shown in read(client, f"{base}settings/")
    assert "Other dates, extensions, releases, the notice" in read(client, there)
    told = read(client, there, name="Next", taking=["topics", "known grades"])
    assert "Known grades are about documents: copy these too." in told
    assert "Copy a campaign" in read(client, there, name="Next", taking=["topics"])
    make.worked("copy_parts", campaign.pk)
    assert Campaign.objects.get(slug="next").topic_set.count() == 2


def test_a_depth_that_would_make_a_run_invalid_is_saved_by_a_tick(base, campaign, olga):
    doing.run(campaign)
    settings = Page(olga, f"{base}settings/runs/")
    assert not settings.data.get("accepts")
    told = settings.save(run_depth=1)
    assert told.status_code == 422
    accepts = "1 of 1 valid run would become invalid: one (Aldgate)."
    assert hidden(told.text, "accepts") == accepts
    assert settings.save(accepts=accepts).status_code == 302
    campaign.refresh_from_db()
    assert campaign.run_depth == 1


def test_a_scale_that_known_grades_would_fall_off_is_saved_by_a_tick(base, campaign, olga):
    topic = campaign.topic_set.get(number="1")
    for docno, grade in (("d1", 2), ("d2", 2), ("d3", 1)):
        make.known_grade(topic, docno, grade)
    make.practice(campaign, "d1\t2\nd2\t1")
    settings = Page(olga, f"{base}settings/grades/")
    told = settings.save(**typed(graded_by({0: "no", 1: "partly", 3: "highly"})))
    said = (
        "2 known grades and 1 practice grade would no longer be on the scale: "
        "until corrected, nothing is compared with them."
    )
    assert told.status_code == 422
    assert hidden(told.text, "accepts") == said
    assert len(Campaign.objects.get().scale.grades) == 4
    assert settings.save(accepts=said).status_code == 302
    assert [each.value for each in Campaign.objects.get().scale.grades] == [0, 1, 3]


def test_a_depth_and_a_scale_are_accepted_together(campaign, olga):
    doing.run(campaign)
    make.known_grade(campaign.topic_set.get(number="1"), "d1", 2)
    criteria = graded_by({0: "no", 1: "partly", 3: "highly"})
    changes = {"criteria": criteria, "run_depth": 1}
    change = partial(change_campaign, user=olga, campaign=campaign, changes=changes)
    with pytest.raises(Unconfirmed) as refused:
        change(accepts="")
    assert "1 known grade would" in str(refused.value)
    assert "1 of 1 valid run would" in str(refused.value)
    assert change(accepts=str(refused.value)).run_depth == 1


def test_grades_that_would_be_gone_are_published_without_by_a_tick(client, base, campaign):
    assignment = doing.published(campaign) and Judgment.objects.get().assignment
    answer(assignment, "d1", "later")
    make.judgment(assignment, "d2", 1)
    accepts = "1 grade of v1 would be gone. Gone from topic 1."
    assert hidden(read(client, f"{base}qrels/publish/", level=1, seen=1), "accepts") == accepts
    read(client, f"{base}qrels/publish/", level=1, seen=1, accepts=accepts)
    assert Qrels.objects.count() == 2
