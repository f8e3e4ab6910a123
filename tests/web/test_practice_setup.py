"""The organizers' page of practice: known answers, what follows from a change, how it went."""

import gzip
import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from assess.models.controls import KnownGrade
from assess.models.judging import Judgment
from campaigns.models.campaign import Campaign
from campaigns.models.trail import AuditEvent
from practice.models import Practice
from practice.services import skip_practice
from tests import make
from tests.db.practicing import answered
from tests.web.html import words_of_main as text_of
from tests.web.together import Page

LINES = "d1\t2\tIt names one.\nd2\t0"


class Form(Page):
    """The form as it is on the page, with what is typed into it."""

    def read(self, answer) -> None:
        super().read(answer)
        effects = re.findall(r'name="seen_effects" value="([^"]*)"', answer.text)
        self.data["seen_effects"] = effects[0] if effects else ""

    def send(self, act: str = "save", **typed):
        answer = self.save(**typed, act=act)
        if answer.status_code == 200:  # looked at
            self.read(answer)
        return answer


@pytest.fixture
def form(campaign, olga):
    return Form(olga, f"/campaigns/{campaign.slug}/judging/practice/edit/")


@pytest.fixture
def known(campaign, olga):
    """The same page once there is practice."""
    make.practice(campaign, LINES)
    return Form(olga, f"/campaigns/{campaign.slug}/judging/practice/edit/")


def stored() -> Practice:
    return Practice.objects.of(Campaign.objects.get())


def lines() -> list[tuple]:
    return [tuple(each) for each in stored().known]


def test_practice_is_set_up_from_pasted_lines(form, campaign):
    assert "No practice topic yet" in text_of(form.client.get(form.act))
    response = form.send(title="Bridges", known="d2 0\r\nd1\t2\tIt names one.", is_on="on")
    assert response.status_code == 302
    assert lines() == [("d2", 0, ""), ("d1", 2, "It names one.")]
    assert (stored().is_on, stored().may_skip) == (True, True)
    event = AuditEvent.objects.filter(campaign=campaign).first()
    assert str(event) == "Olga changed practice: title, known answers, on or off"
    activity = form.client.get(f"/campaigns/{campaign.slug}/activity/")
    assert "Changed practice: title, known answers, on or off" in text_of(activity)


def test_a_file_takes_the_place_of_what_is_in_the_field(form):
    wrong = SimpleUploadedFile("known.txt", b"d1 2 right\nd1 1 wrong\n")
    form.send(title="Bridges", file=wrong)
    assert form.data["known"] == "d1 2 right\r\nd1 1 wrong\r\n"
    file = SimpleUploadedFile("known.txt", gzip.compress(LINES.encode()))
    assert form.send(title="Bridges", known="x", file=file).status_code == 302
    assert lines() == [("d1", 2, "It names one."), ("d2", 0, "")]


def test_faults_name_their_lines_and_nothing_is_lost(form):
    typed = "\ufeffd1 2 why\n\nd1 1\nd9 1 missing\nd3 8\n" + "d4 x\n" * 50
    said = text_of(form.send(title="Bridges", narrative="Long <text>", known=typed), 422)
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


def test_a_file_that_is_none_is_told_and_what_was_typed_stays(form):
    for content, sentence in (
        (b"d1 2 \xff", "Line 1: It is not UTF-8"),
        (b"%PDF-1.4 and so on", "It is a PDF document, not text."),
        (b"\x1f\x8b\x08 cut", "The gzip"),
        (gzip.compress(b"x" * 2_000_000), "more than 1,048,576 bytes"),
    ):
        file = SimpleUploadedFile("known.txt", content)
        assert sentence in text_of(form.send(title="Bridges", known="d1 2 typed", file=file), 422)
        assert form.data["known"] == "d1 2 typed"


def test_it_can_be_looked_at_before_it_is_saved(form):
    said = text_of(form.send("check", title="Bridges", known=LINES), 200)
    assert "No errors found. Nothing is saved yet." in said
    assert "Title of d1 d1 new 2 relevant It names one." in said
    assert not Practice.objects.exists()
    assert form.send().status_code == 302
    assert len(lines()) == 2


@pytest.mark.parametrize(("act", "status"), [("check", 200), ("save", 422)])
def test_a_file_that_changes_what_was_answered_is_shown_first(known, campaign, ada, act, status):
    answered(ada, stored(), "d1", 2)
    file = SimpleUploadedFile("known.txt", b"d1\t1\tAnother grade.\nd2\t0")
    assert known.send(act, file=file).status_code == status
    assert known.data["known"].startswith("d1\t1\tAnother grade.")
    assert lines()[0][1] == 2


def test_what_follows_for_answers_is_shown_before_it_is_saved(known, campaign, ada, ben):
    answered(ada, stored(), "d1", 2)
    assert known.send(known="d1\t2\tIt names two.\nd2\t0").status_code == 302, "no effect"
    known.read(known.client.get(known.act))
    shown = known.send(known="d1\t1\tIt names half of one.\nd2\t0")
    assert shown.status_code == 422
    for said in (
        "1 assessor answered d1 and will still be compared with the grade that was known then.",
        "Nothing is saved yet. Save again to go ahead.",
        "grade changed",
    ):
        assert said in text_of(shown)
    answered(ben, stored(), "d1", 2)
    again = known.send()
    assert again.status_code == 422, "somebody has answered since: another effect"
    assert "2 assessors answered d1 and" in text_of(again)
    assert lines()[0][1] == 2
    assert known.send().status_code == 302
    assert lines()[0][1] == 1
    assert set(Judgment.every.values_list("known", flat=True)) == {2}
    said = text_of(known.client.get(known.act))
    assert "2 of 2 agreed; 2 answered before the grade was corrected and are compared" in said


def test_how_it_went_is_in_a_table_and_in_a_file(known, campaign, ada, ben):
    answered(ada, stored(), "d1", 1)
    answered(ada, stored(), "d2", 0)
    answered(ada, stored(), "d2", 1)
    skip_practice(user=ben, campaign=campaign)
    said = text_of(known.client.get(known.act))
    assert "1 of 2 assessors have finished practice" in said
    assert re.search(r"Ada ada 2 of 2 1 1 \N{MINUS SIGN}0\.50 \d+ \w+ 20\d\d", said)
    assert "Ben ben 0 of 2 skipped" in said
    assert "2 relevant · 0 of 1 agreed" in said
    file = known.client.get(f"/campaigns/{campaign.slug}/judging/practice.csv")
    head, hers, his = b"".join(file.streaming_content).decode().splitlines()
    assert (
        head == "user,name,documents,answered,right,off_by_one,cannot_judge,mean_difference,"
        "tried_again,skipped_at,finished_at"
    )
    assert re.fullmatch(r"ada,Ada,2,2,1,1,0,-0\.5,1,,20\S+Z", hers)
    assert re.fullmatch(r"ben,Ben,2,0,0,0,0,,0,20\S+Z,", his)


def test_documents_that_are_left_out_or_have_another_text_are_named(known, campaign):
    campaign.document_set.filter(docno="d1").delete()
    make.imported(campaign, "documents", b'{"docno": "d2", "text": "Other."}\n')
    said = text_of(known.client.get(known.act))
    assert "d1 has not been imported, so it is left out of practice." in said
    assert "d2 has another text than its grade is known of, 0 not relevant." in said
    assert "text changed" in said
    assert known.send(is_on="").status_code == 302, "it can be switched off all the same"
    d2 = KnownGrade.every.get(item__key="d2").pk
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


def test_who_had_judged_before_practice_was_on_is_counted_apart(known, campaign, ada, pat):
    make.frozen_pool(campaign, [make.run(campaign, pat, {"1": "d4 d5"})], depth=3)
    make.judgment(make.assignment(campaign.topic_set.get(number="1"), ada), "d4", 1)
    said = text_of(known.client.get(known.act))
    assert "0 of 1 assessor has finished practice" in said
    assert "Ada ada 0 of 2 judged before practice" in said
    assert "Ben ben 0 of 2 not started" in said
    assert "1 had already judged without it and is not counted above." in said
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
