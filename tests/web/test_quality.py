"""The pages of flags and of hours: one step to the documents, for organizers; hours for each."""

import re
from html import unescape

import pytest

from agreement.core.flags import KINDS
from assess.models.history import JudgmentEvent
from tests import make
from tests.web.heads import press_each
from tests.web.html import words
from tests.worlds import once

DOCNOS = [f"d{n:02}" for n in range(40)]


@pytest.fixture
@once
def hasty(olga, ada, ben, pat):
    """Ada is quick with ten documents of topic 1, and gives ten others grade 3 in a row."""
    made = make.campaign(olga, assessors=[ada, ben], participants={"T": [pat]}, docnos=DOCNOS)
    make.frozen_pool(made, [make.run(made, pat, {"1": " ".join(DOCNOS)})], depth=40)
    topic = made.topic_set.get(number="1")
    for person, kind in ((ada, "primary"), (ben, "second")):
        given = make.assignment(topic, person, kind)
        for n, docno in enumerate(DOCNOS):
            quick = person == ada and 15 <= n < 25
            grade = 3 if person == ada and 10 <= n < 20 else n % 2
            make.judgment(given, docno, grade, active_ms=4000 if quick else 40_000)
    return made


@pytest.fixture
def at(hasty):
    return f"/campaigns/{hasty.slug}/judging/"


def sign_in(client, person):
    client.force_login(person)
    return client


def flagged(client, at: str) -> list[str]:
    """The addresses that the flags of the page lead to."""
    found = re.findall(r'href="([^"]*quality/documents/[^"]*)"', client.get(f"{at}quality/").text)
    return [unescape(each) for each in found]


def test_each_flag_says_who_what_and_when_it_is_raised(client, olga, at):
    text = words(sign_in(client, olga).get(f"{at}quality/"))
    assert "2 flags, of 1 person" in text
    assert "Quick documents Ada ada 1 10 of 40 documents took under 7 s each" in text
    assert "10 in a row have grade 3, as 10 of 40 documents do; by chance under 0.001" in text
    assert "A flag is a reason to look at its documents, not a verdict" in text
    for kind in KINDS:
        assert kind.threshold in text
    assert text.count("Raised when: ") == 2


def test_one_step_leads_to_exactly_its_documents(client, olga, at):
    quick, run = flagged(sign_in(client, olga), at)
    for address, docnos in ((quick, DOCNOS[15:25]), (run, DOCNOS[10:20])):
        page = client.get(address)
        assert re.findall(r'<code class="quiet">(.*?)</code>', page.text) == docnos
        assert "10 flagged documents" in words(page)
        file = client.get(address.replace("quality/documents/", "flagged-documents.csv"))
        lines = b"".join(file).decode().splitlines()[1:]
        assert [line.split(",")[3] for line in lines] == docnos
    grades = re.findall(r'href="([^"]*/documents/d10/)"', client.get(run).text)
    assert client.get(grades[0]).status_code == 200


def test_what_is_flagged_no_more_says_so(client, olga, at):
    page = sign_in(client, olga).get(f"{at}quality/documents/?kind=long-run&first=1")
    assert "This is not flagged any more" in words(page)


def test_the_table_of_flags_is_sorted_by_its_heads(client, olga, at):
    assert press_each(sign_in(client, olga), f"{at}quality/") == {"flags"}


def test_no_assessor_learns_of_flags(client, ada, at):
    sign_in(client, ada)
    for page in ("", "quality/", "quality/documents/", "quality-flags.csv"):
        answered = client.get(f"{at}{page}")
        assert answered.status_code == (403 if page else 200)
        assert "quality" not in answered.text
        assert "Flags" not in answered.text
        assert "in a row" not in answered.text


def test_nothing_flagged_still_says_what_is_looked_for(as_olga, played):
    text = words(as_olga.get(f"/campaigns/{played.slug}/judging/quality/"))
    assert "Nothing is flagged" in text
    assert KINDS[0].threshold in text


# Hours


def test_organizers_see_everybodys_hours_with_the_sum(client, olga, at):
    text = words(sign_in(client, olga).get(f"{at}hours/"))
    assert "47 min of active time, of 2 people" in text
    assert re.search(r"Ada ada .{20,30} 0\.34 40 0 ", text)
    assert re.search(r"All 0\.78 80 0", text)


def test_an_assessor_sees_their_own_hours_and_nobody_elses(client, ada, at):
    sign_in(client, ada)
    for asked in ("", "?assessor=ben", "?by=day"):
        page = client.get(f"{at}hours/{asked}")
        assert "Ben" not in page.text
    text = words(client.get(f"{at}hours/"))
    assert "Your active time: 21 min" in text
    assert "ben" not in b"".join(client.get(f"{at}hours.csv?assessor=ben")).decode()
    assert f'href="{at}hours/"' in client.get(at).text


def test_days_are_asked_for_and_the_file_is_of_the_same(client, olga, at):
    make.rewrite(
        JudgmentEvent.objects.filter(judgment__item__key__lt="d20"),
        pressed_at="2026-05-03T12:00Z",
        first_viewed_at=None,
    )
    sign_in(client, olga)
    asked = "?since=2026-05-01&until=2026-05-31&by=week"
    text = words(client.get(f"{at}hours/{asked}"))
    assert "1 May 2026 3 May 2026 " in text
    assert f'hours.csv{asked.replace("&", "&amp;")}"' in client.get(f"{at}hours/{asked}").text
    lines = b"".join(client.get(f"{at}hours.csv{asked}")).decode().splitlines()
    assert [line.split(",")[2:4] for line in lines[1:]] == [["2026-05-01", "2026-05-03"]] * 2
    assert "No hours in that time" in words(client.get(f"{at}hours/?until=2026-04-30"))
    assert "No hours in that time" in words(
        client.get(f"{at}hours/?since=2026-05-31&until=2026-05-01")
    )
    text = words(client.get(f"{at}hours/?since=soon"))
    assert "From: Enter a valid date" in text
    assert "these are the hours of all days" in text


def test_a_file_of_what_cannot_be_asked_for_is_refused_with_a_sentence(client, olga, at):
    sign_in(client, olga)
    assert "hours.csv" not in client.get(f"{at}hours/?since=2026-13-01").text
    for asked, sentence in (
        ("judging/hours.csv?since=2026-13-01", "since: Enter a valid date."),
        ("judging/flagged-documents.csv?kind=zzz", "kind: What was chosen here is not offered"),
        ("agreement/documents.csv?rule=nope&steps=x", "steps: Enter a whole number."),
        ("agreement.csv?rule=nope", "rule: What was chosen here is not offered"),
    ):
        answer = client.get(at.removesuffix("judging/") + asked)
        assert answer.status_code == 422, asked
        assert sentence in words(answer)


def test_documents_without_a_time_and_days_that_are_too_long_are_said(client, olga, at):
    sign_in(client, olga)
    assert "than a day has" not in words(client.get(f"{at}hours/"))
    events = JudgmentEvent.objects.filter(judgment__assessor__username="ada").order_by("pk")
    make.rewrite(JudgmentEvent.objects.filter(pk=events[0].pk), active_ms=90_000_000)
    make.rewrite(JudgmentEvent.objects.filter(pk=events[1].pk), active_ms=0)
    text = words(client.get(f"{at}hours/"))
    assert "On 1 day more active time was sent for one person than a day has" in text
    assert re.search(r"Ada ada .{20,30} 25\.\d\d 40 1 ", text)


def test_nobody_has_hours_yet(as_olga, campaign):
    assert "No hours yet" in words(as_olga.get(f"/campaigns/{campaign.slug}/judging/hours/"))
