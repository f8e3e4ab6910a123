"""The organizers' page of practice: known answers, what follows from a change, how it went."""

import re

import pytest

from assess.models.controls import KnownGrade
from assess.models.judging import Judgment
from campaigns.models.campaign import Campaign
from campaigns.models.trail import AuditEvent
from practice.models import Practice
from tests import make
from tests.db.practicing import answered
from tests.web.html import words_of_main as text_of
from tests.web.together import Page

LINES = "d1\t2\tIt names one.\nd2\t0"


@pytest.fixture
def form(campaign, olga):
    return Page(olga, f"/campaigns/{campaign.slug}/judging/practice/edit/")


@pytest.fixture
def known(campaign, olga):
    """The same page once there is practice."""
    make.practice(campaign, LINES)
    return Page(olga, f"/campaigns/{campaign.slug}/judging/practice/edit/")


def stored() -> Practice:
    return Practice.objects.of(Campaign.objects.get())


def lines() -> list[tuple]:
    return [tuple(each) for each in stored().known]


def test_practice_is_set_up_from_pasted_lines(form, campaign):
    assert "No practice topic yet" in text_of(form.client.get(form.act))
    response = form.save(title="Bridges", known="d2 0\r\nd1\t2\tIt names one.", is_on="on")
    assert response.status_code == 302
    assert lines() == [("d2", 0, ""), ("d1", 2, "It names one.")]
    assert (stored().is_on, stored().may_skip) == (True, True)
    event = AuditEvent.objects.filter(campaign=campaign).first()
    assert str(event) == "Olga changed practice: title, known answers, on or off"
    activity = form.client.get(f"/campaigns/{campaign.slug}/activity/")
    assert "Changed practice: title, known answers, on or off" in text_of(activity)


def test_faults_name_their_lines_and_nothing_is_lost(form):
    typed = "\ufeffd1 2 why\n\nd1 1\nd9 1 missing\nd3 8\n" + "d4 x\n" * 50
    said = text_of(form.save(title="Bridges", narrative="Long <text>", known=typed), 422)
    for sentence in (
        "Line 3: d1 is in line 1 already.",
        "Line 4: d9 has not been imported, so nobody can grade it.",
        "Line 5: 8 is not a grade of this campaign's scale, which has 0, 1, 2, 3.",
        "And 20 more, below.",
        "Line 22: “x” is not a grade: write a whole number.",
        "33 more lines cannot be taken.",
    ):
        assert sentence in said
    assert not re.search("Line (1|23):", said)
    assert said.count("Line 3:") == 2, "in the summary and at the field"
    assert form.data["narrative"] == "Long <text>"
    assert "d4 x" in form.data["known"]
    assert not Practice.objects.exists()


def test_answers_stay_compared_with_the_grade_known_when_they_were_given(known, campaign, ada):
    answered(ada, stored(), "d1", 2)
    assert known.save(known="d1\t1\tIt names half of one.\nd2\t0").status_code == 302
    assert set(Judgment.objects.values_list("known", flat=True)) == {2}
    said = text_of(known.client.get(known.act))
    assert "1 of 1 agreed; 1 answered before the grade was corrected and is compared" in said


def test_how_it_went_is_in_a_table_and_in_a_file(known, campaign, ada, ben):
    answered(ada, stored(), "d1", 1)
    answered(ada, stored(), "d2", 0)
    answered(ada, stored(), "d2", 1)
    said = text_of(known.client.get(known.act))
    assert "1 of 2 assessors have finished practice" in said
    assert re.search(r"Ada ada 2 of 2 1 1 \N{MINUS SIGN}0\.50 \d+ \w+ 20\d\d", said)
    assert "Ben ben 0 of 2 not started" in said
    assert "2 relevant · 0 of 1 agreed" in said
    file = known.client.get(f"/campaigns/{campaign.slug}/judging/practice.csv")
    head, hers, his = b"".join(file.streaming_content).decode().splitlines()
    assert (
        head == "user,name,documents,answered,right,off_by_one,cannot_judge,mean_difference,"
        "tried_again,finished_at"
    )
    assert re.fullmatch(r"ada,Ada,2,2,1,1,0,-0\.5,1,20\S+Z", hers)
    assert re.fullmatch(r"ben,Ben,2,0,0,0,0,,0,", his)


def test_documents_that_are_left_out_or_have_another_text_are_named(known, campaign):
    campaign.document_set.filter(docno="d1").delete()
    make.imported(campaign, "documents", b'{"docno": "d2", "text": "Other."}\n')
    said = text_of(known.client.get(known.act))
    assert "d1 has not been imported, so it is left out of practice." in said
    assert "d2 has another text than its grade is known of, 0 not relevant." in said
    assert "text changed" in said
    assert known.save(is_on="").status_code == 302, "it can be switched off all the same"
    d2 = KnownGrade.objects.get(item__key="d2").pk
    for sent, why in (
        ({"known": d2, "seen": 1}, "The text of d2 changed while you had the page open"),
        ({"known": d2 + 999, "seen": 1}, "It was removed while you had the page open"),
        ({"known": d2}, "This page does not say what it showed"),
    ):
        response = known.client.post(known.act, {"act": "confirm", "grade": 0, **sent})
        assert why in text_of(response, 422)
    sent = {"act": "confirm", "known": d2, "grade": 0, "seen": 2}
    assert known.client.post(known.act, sent).status_code == 302
    assert "text changed" not in text_of(known.client.get(known.act))
    event = AuditEvent.objects.filter(campaign=campaign).first()
    assert str(event) == "Olga confirmed or corrected the known grade of practice, d2: 0"


def test_who_judged_without_practice_is_counted_apart(known, campaign, ada, pat):
    make.frozen_pool(campaign, [make.run(campaign, pat, {"1": "d4 d5"})], depth=3)
    make.judgment(make.assignment(campaign.topic_set.get(number="1"), ada), "d4", 1)
    said = text_of(known.client.get(known.act))
    assert "0 of 1 assessor has finished practice" in said
    assert "Ada ada 0 of 2 judged without it" in said
    assert "Ben ben 0 of 2 not started" in said
    assert "1 judged without it and is not counted above." in said
    answered(ada, stored(), "d1", 2)
    said = text_of(known.client.get(known.act))
    assert "0 of 2 assessors have finished practice" in said
    assert "Ada ada 1 of 2 1 0 0.00 not yet" in said


def test_the_page_of_judging_leads_to_it_from_the_beginning(client, campaign, olga, ada):
    address = f"/campaigns/{campaign.slug}/judging/"
    client.force_login(olga)
    assert f'href="{address}practice/edit/"' in client.get(address).text
    client.force_login(ada)
    assert "practice" not in client.get(address).text.partition("<main")[2]
