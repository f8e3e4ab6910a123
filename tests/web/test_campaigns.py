"""Setting a campaign up, and what no page sends, over HTTP."""

import gzip
import re
from datetime import UTC, datetime

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from accounts.models import User
from campaigns.models.campaign import Campaign, default_criteria
from campaigns.models.people import Role
from campaigns.web.campaign_forms import SECTIONS
from campaigns.web.criteria_forms import SEE_ROWS
from collection import tasks
from collection.importing import IN_REQUEST_BYTES
from collection.models.imports import Import
from collection.web import topics
from jobs.models import Job
from tests import make
from tests.asked import graded_by, typed
from tests.web.html import source, words
from tests.web.posting import posted


def test_refused_input_comes_back_with_422_and_its_sentence(client, played, olga, pat):
    client.force_login(olga)
    base = f"/campaigns/{played.slug}"
    wrong = {
        f"{base}/topics/": ({"text": "1\tone\n1\tone"}, "Line 2: Topic 1 comes again"),
        f"{base}/documents/": ({"completes_collection": "on"}, "Choose at least one file."),
        f"{base}/people/": ({"role": "participant", "max_uses": 1, "days": 1}, "name the team"),
        "/campaigns/new/": ({"name": "x", "criteria-0-level": "1"}, "This field is required."),
        f"{base}/settings/dates/": ({"time_zone": "America"}, "Choose a time zone from the list."),
        f"{base}/settings/guidelines/": ({"guidelines": "[" * 20_001}, "characters (it has 20"),
    }
    for address, (data, sentence) in wrong.items():
        response = client.post(address, data)
        assert response.status_code == 422, address
        assert sentence in response.text, address
    client.force_login(pat)
    response = client.post(f"{base}/runs/", {"tag": ".bad"})
    assert "not start with a dot" in source(response, 422)


def test_a_scale_is_read_from_its_rows(as_olga):
    """In any order, without those that are blank."""
    grades = {2: "yes", -1: "broken", 0: "no", -2: "spam"}
    rows = typed(graded_by(grades, 2))
    rows |= {"criteria-0-answers-0-description": " it is ", "criteria-0-answers-7-label": " "}
    data = {"name": "Mine", "time_zone": "Asia/Tokyo", **rows}
    assert as_olga.post("/campaigns/new/", data).status_code == 302
    made = Campaign.objects.get(name="Mine")
    assert made.scale.fixed == dict(sorted(grades.items()))
    assert made.scale.grades[-1].description == "it is"
    assert (made.time_zone, made.run_depth, made.level) == ("Asia/Tokyo", 1000, 2)
    page = as_olga.get(f"/campaigns/{made.slug}/settings/grades/").text
    assert 'name="criteria-0-answers-0-value" value="-2"' in page


def test_a_campaign_begins_with_the_usual_scale(as_olga):
    data = {"name": "Mine", "time_zone": "UTC"}
    assert as_olga.post("/campaigns/new/", data).status_code == 302
    assert Campaign.objects.get(name="Mine").criteria == default_criteria()


def test_what_closes_before_it_opens_is_refused_at_its_field(as_olga, campaign):
    for act in ("submission", "judging"):
        times = {f"{act}_opens_at": "2030-01-02T09:00", f"{act}_closes_at": "2030-01-01T09:00"}
        address = f"/campaigns/{campaign.slug}/settings/dates/"
        response = as_olga.post(address, {"time_zone": "UTC", **times})
        assert response.status_code == 422
        errors = response.context["form"].errors
        assert errors == {f"{act}_closes_at": [f"It must be after {act} opens."]}


def test_a_scale_that_makes_no_sense_is_refused_beside_its_field(as_olga):
    row = "criteria-0-answers-1"
    for changed, sentence in (
        ({f"{row}-value": ""}, "This field is required."),
        ({f"{row}-value": "one"}, "Enter a whole number."),
        ({f"{row}-value": "9" * 5000}, "Enter a whole number."),
        ({f"{row}-value": "10"}, "less than or equal to 9."),
        ({f"{row}-value": "0"}, "Two answers of relevance have the same value."),
        ({f"{row}-label": " "}, "This field is required."),
        ({f"{row}-label": "x" * 61}, "at most 60 characters"),
        ({f"{row}-value": "", f"{row}-label": ""}, "relevance needs at least two answers."),
        ({"criteria-0-level": "5"}, "Relevant from grade 5 does not fit this scale"),
        ({"criteria-0-level": "0"}, "relevant from grade 1 at the lowest"),
        ({"criteria-0-level": ""}, "This field is required."),
    ):
        rows = typed(graded_by({0: "no", 1: "yes"})) | changed
        answer = as_olga.post("/campaigns/new/", {"name": "Mine", "time_zone": "UTC", **rows})
        said = words(answer, 422)
        assert sentence in said
        assert SEE_ROWS in said
        for value in changed.values():
            assert f'value="{value}"' in answer.text or not value.strip()


def test_grades_that_were_given_stay_and_may_be_described(as_olga, campaign):
    campaign.criteria, campaign.has_fixed_scale = graded_by({0: "no", 1: "yes"}), True
    campaign.save()
    address = f"/campaigns/{campaign.slug}/settings/grades/"
    refused = as_olga.post(address, typed(graded_by({0: "no", 1: "perfect"})))
    assert "Documents have been judged, so the answers of relevance keep" in words(refused, 422)
    # What was typed can be corrected; what is as it was cannot be changed.
    is_text = {
        field.value(): field.is_hidden
        for row in refused.context["form"].rows.forms[0].rows
        for field in [row["label"]]
    }
    assert is_text == {"no": True, "perfect": False}
    described = typed(graded_by({0: "no", 1: "yes"}))
    described["criteria-0-answers-0-description"] = "Not at all."
    assert as_olga.post(address, described).status_code == 302


# What no page sends


def test_nonsense_is_refused_or_ignored_and_never_an_error(as_olga, played):
    base = f"/campaigns/{played.slug}"
    expected = {
        "/documents/?page=x&docno=%00": 200,
        "/documents/?page=-1": 200,
        f"/documents/?page={'9' * 5000}": 200,
        "/documents/%00/": 404,
        f"/runs/{'9' * 30}/": 404,
        f"/jobs/{'9' * 30}/": 404,
        "/pool/extend/?strategy=depth&depth-depth=x&runs=x": 200,
        f"/pool/extend/?strategy=depth&runs={'9' * 30}": 200,
        "/leaderboard/?by=x": 200,
        "/leaderboard/score/?qrels=x": 409,
        f"/leaderboard/score/?qrels={'9' * 30}": 409,
        "/leaderboard/preliminary/?version=x&by=%00": 200,
        f"/qrels/{'9' * 30}.txt": 404,
    }
    found = {path: as_olga.get(base + path).status_code for path in expected}
    assert found == expected
    assert as_olga.get("/invitations/%00/").status_code == 404


def test_long_topics_are_left_to_a_worker_and_watched(client, campaign, olga, pat, monkeypatch):
    monkeypatch.setattr(topics, "TOPICS_PER_PAGE", 40)
    client.force_login(olga)
    address = f"/campaigns/{campaign.slug}/topics/"
    short = "".join(f"s{i}\ttitle\n" for i in range(60))
    shown = client.post(address, {"text": short}, follow=True)
    assert "60" in shown.text
    assert campaign.topic_set.count() == 2
    form = {"seen": Import.objects.get().previewed}
    done = client.post(shown.redirect_chain[-1][0], form, follow=True)
    assert "60 new, 0 changed, 0 unchanged." in done.text
    assert campaign.topic_set.filter(number__startswith="s").count() == 60
    assert not Job.objects.filter(campaign=campaign, kind__endswith="_import").exists()
    assert "Page 1 of 2" in client.get(address).text
    long = short + "x" * IN_REQUEST_BYTES
    upload = SimpleUploadedFile("topics.gz", gzip.compress(long.encode()))
    for data in ({"text": long}, {"file": upload}):
        shown = client.post(address, data, follow=True).text
        assert "A worker reads the file." in shown
        assert "hx-get" in shown
    for job in Job.objects.filter(kind="read_import"):
        tasks.read_import(job.pk)
    sentence = "Line 61: It has 1 tab-separated column"
    assert client.get(address).text.count(sentence) == 2
    client.force_login(pat)
    assert sentence not in client.get(address).text


def test_topics_that_cannot_be_read_are_refused_with_a_sentence(as_olga, campaign):
    for field, content, sentence in (
        ("text", "x" * 1_000_001, "Pasted topics have at most 1,000,000 characters."),
        ("file", b"x" * ((1 << 24) + 1), "16,777,217 bytes; at most 16,777,216 are accepted."),
        ("file", b"1\tone\r\r2\t\xff", "Line 3: It is not UTF-8: byte 3 of the line cannot be"),
        ("file", gzip.compress(b"1\tone", mtime=0)[:-3], "The gzip file is cut short"),
        ("text", "\ufeff\ufeff1\tone", "Line 1: It begins with a byte order mark"),
        ("text", "  \n", "There is no topic in it."),
        ("text", "", "Choose a file or paste the topics."),
        ("file", b"", "The submitted file is empty."),
    ):
        given = SimpleUploadedFile("t", content) if field == "file" else content
        response = as_olga.post(f"/campaigns/{campaign.slug}/topics/", {field: given})
        assert sentence in source(response, 422)
        assert response.text.count('class="errorlist') == 1
    assert not Job.objects.exists()
    assert not Import.objects.exists()


@pytest.mark.parametrize(
    ("setting", "page"), [("MAX_RUN_BYTES", "runs"), ("MAX_EXPANDED_BYTES", "documents")]
)
def test_a_file_too_long_is_not_even_stored(client, campaign, olga, pat, settings, setting, page):
    setattr(settings, setting, 1000)
    client.force_login(olga if page == "documents" else pat)
    address = f"/campaigns/{campaign.slug}/{page}/"
    for size, status in ((1001, 422), (1000, 302)):
        upload = SimpleUploadedFile("file", b"x" * size)
        response = client.post(address, {"tag": "one", "file": upload})
        assert response.status_code == status
        too_long = "has 1,001 bytes; at most 1,000 are accepted"
        assert (too_long in response.text) == (status == 422)
        assert Job.objects.count() == (status == 302)


CLOCKS = {
    "2027-03-14T02:30": "2:30 on 14 March 2027 does not exist in America/New_York, where clocks go "
    "forward then: choose another time.",
    "2027-11-07T01:30": "1:30 on 7 November 2027 comes twice in America/New_York, where clocks go "
    "back then: choose another time.",
}


@pytest.mark.parametrize("typed", CLOCKS)
def test_a_time_that_clocks_skip_or_show_twice_is_refused_with_the_reason(as_olga, campaign, typed):
    campaign.time_zone = zone = "America/New_York"
    campaign.submission_closes_at = datetime(2027, 1, 1, tzinfo=UTC)
    campaign.save()
    base = f"/campaigns/{campaign.slug}"
    team = campaign.team_set.get(name="Aldgate").pk
    dates = {"submission_closes_at": typed, "time_zone": zone, "times_are_in": zone}
    for address, data in {
        f"{base}/settings/dates/": dates,
        f"{base}/runs/extensions/": {"team": team, "closes_at": typed},
    }.items():
        assert CLOCKS[typed] in source(as_olga.post(address, data), 422)


def test_dates_are_drawn_while_they_are_typed_and_nothing_is_stored(as_olga):
    typed = {
        "time_zone": "Asia/Tokyo",
        "judging_opens_at": "2031-03-05T09:00",
        "judging_closes_at": "2031-04-01T09:00",
        "submission_closes_at": "soon",
    }
    line = as_olga.post("/campaigns/new/dates/", typed).text
    assert 'aria-label="Judging from 5 March 2031 until 1 April 2031"' in line
    assert "Submission" not in line
    assert as_olga.post("/campaigns/new/dates/", {}).text.strip() == ""
    assert not Campaign.objects.exists()


def test_each_section_of_the_settings_leads_to_all_others(as_olga, campaign):
    base = f"/campaigns/{campaign.slug}/settings/"
    addresses = [base, *(f"{base}{name}/" for name in [*list(SECTIONS)[1:], "rounds", "releases"])]
    for address in addresses:
        page = as_olga.get(address).text
        nav = page.split('class="steps-nav"')[1].split("</nav>")[0]
        assert re.findall(r'href="([^"]+)"', nav) == addresses
        assert re.findall(r'href="([^"]+)"\s+aria-current', nav) == [address]
    assert f'<a href="{base}dates/">Dates</a></p>' in page


@pytest.mark.parametrize(
    ("creators", "who"),
    [("everybody", "sam olga staff"), ("organizers", "olga staff"), ("staff", "staff")],
)
def test_the_site_says_who_makes_campaigns(played, sam, olga, settings, creators, who):
    settings.CAMPAIGN_CREATORS = creators
    people = {"sam": sam, "olga": olga, "staff": make.user("staff")}
    User.objects.filter(username="staff").update(is_staff=True)
    played.membership_set.create(user=people["staff"], role=Role.ORGANIZER)
    for name, person in people.items():
        client, may = Client(), name in who.split()
        client.force_login(person)
        assert ("/campaigns/new/" in client.get("/").text) == may
        assert client.get("/campaigns/new/").status_code == (200 if may else 403)
        made = client.post("/campaigns/new/", posted(played)["campaigns:create"])
        assert made.status_code == (302 if may else 403)
        if name != "sam":
            copied = client.post(f"/campaigns/{played.slug}/copy/", {"name": "A copy"})
            assert copied.status_code == (302 if may else 403)
