"""The page of controls: known grades go in, and how often they are given comes out."""

import gzip

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from assess.models.controls import KnownGrade
from campaigns.models.campaign import Campaign
from tests import make
from tests.db.controls import KNOWN, campaign_of, know, number_of, say
from tests.web.heads import press_each
from tests.web.html import words
from tests.web.judging import text as shown
from tests.worlds import once


@pytest.fixture
@once
def mixed(olga, ada, ben, pat):
    campaign = campaign_of(olga, [ada, ben], pat, known_percent=20, repeat_percent=20)
    know(campaign, KNOWN)
    return make.assignment(campaign.topic_set.get(number="1"), ada)


def at(campaign: Campaign, rest: str = "") -> str:
    return f"/campaigns/{campaign.slug}/judging/controls/{rest}"


def upload(client, campaign, content: bytes, **more):
    file = SimpleUploadedFile("known.txt", content)
    return client.post(at(campaign), {"file": file, "how": "add", **more})


def test_what_is_answered_is_shown_with_its_interval_and_never_on_the_board(as_olga, mixed, ada):
    campaign = mixed.topic.campaign
    page = shown(as_olga.get(at(campaign)))
    assert "<h1>Nothing to compare yet</h1>" in page
    assert "No answer to a document with a known grade yet." in page
    assert "No answer to a repeat yet." in page
    assert "Assigned so far: 2 with a known grade, 2 repeats." in page
    numbers = [entry.number for entry in mixed.entries.filter(purpose="known")]
    say(mixed, numbers[0], grade=2)
    say(mixed, numbers[1], grade=0)
    page = shown(as_olga.get(at(campaign)))
    assert "<h1>1 of 2 answers match the known grade</h1>" in page
    assert "count nowhere else" in page
    assert f"{ada}: 1 of 2 the same grade, 50%, 95 % interval 9% to 91%" in page
    assert "1 of 2 the same in all." in page
    assert ">\N{MINUS SIGN}1.00<" in page
    assert "No answer to a repeat yet." in page
    again = number_of(mixed, "repeat")
    make.judgment(mixed, mixed.entries.get(position=again - 1).docno, 1)
    say(mixed, again, grade=2)
    page = shown(as_olga.get(at(campaign)))
    assert f"{ada}: 0 of 1 the same grade, 0%, 95 % interval 0% to 79%" in page
    assert "too few" in page
    assert press_each(as_olga, at(campaign)) == {"known", "repeats", "known-grades"}


def test_the_page_is_reached_from_judging_and_agreement(as_olga, mixed, ben):
    campaign = mixed.topic.campaign
    second = make.assignment(mixed.topic, ben, "second")
    for each in (mixed, second):
        make.judgment(each, "d1", 1)
    for page in ("judging", "agreement"):
        assert f'href="{at(campaign)}"' in shown(as_olga.get(f"/campaigns/{campaign.slug}/{page}/"))
    page = shown(as_olga.get(f"/campaigns/{campaign.slug}/judging/distribute/"))
    assert "up to 20 known grades and 20 repeats per 100 documents" in page
    assert "Shared topics have no controls." in page


def test_the_history_of_a_document_is_without_its_repeat(as_olga, mixed):
    again = number_of(mixed, "repeat")
    docno = mixed.entries.get(position=again - 1).docno
    make.judgment(mixed, docno, 3)
    say(mixed, again, grade=0, comment="only of the repeat")
    address = f"/campaigns/{mixed.topic.campaign.slug}/judging/{mixed.pk}/assignment/"
    response = as_olga.get(address, {"docno": docno})
    assert [event.to_grade for event in response.context["events"]] == [3]
    assert "only of the repeat" not in shown(response)
    assert "1 of 10" in shown(response)


def test_the_organizers_list_says_why_numbers_are_missing(as_olga, mixed, olga, ben):
    address = f"/campaigns/{mixed.topic.campaign.slug}/judging/{mixed.pk}/assignment/"
    assert "Numbers that are missing are those of the 4 controls mixed in" in shown(
        as_olga.get(address)
    )
    say(mixed, number_of(mixed, "known"), grade=2)
    assert (
        "Only controls have been answered so far, so there is nothing to reopen or to set aside."
        in shown(as_olga.get(address))
    )
    Campaign.objects.update(known_percent=0, repeat_percent=0)
    second = make.assignment(mixed.topic, ben, "second")
    plain = shown(as_olga.get(address.replace(f"/{mixed.pk}/", f"/{second.pk}/")))
    assert "Numbers that are missing" not in plain
    assert "Only controls" not in plain


def test_the_settings_say_beforehand_what_a_share_comes_to(as_olga, mixed):
    campaign = mixed.topic.campaign
    rows = words(as_olga.get(f"/campaigns/{campaign.slug}/settings/judging/"))
    assert "Share Topic of 8 Topic of 40 Topic of 100 Known in pool Repeats in pool" in rows
    assert " 5 per 100 none 2 5 up to 1, none in 1 of 2 topics 1, none in 1 of 2 topics " in rows
    assert " 2 per 100 none 1 2 none none " in rows


def test_controls_lists_known_grades_on_an_earlier_text_until_they_are_confirmed(as_olga, mixed):
    campaign = mixed.topic.campaign
    assert "to be confirmed" not in shown(as_olga.get(at(campaign)))
    make.imported(campaign, "documents", f"{KNOWN[0]}\t\tAnother text.".encode())
    page = shown(as_olga.get(at(campaign)))
    assert "1 known grade to be confirmed" in page
    assert "known-earlier" in press_each(as_olga, at(campaign))
    assert "another text than its grade is known of" in page
    known = KnownGrade.objects.controls().get(item__key=KNOWN[0])
    assert f'<option value="{known.grade}" selected>' in page
    data = {"known": known.pk, "seen": 2, "grade": known.grade}
    stale = as_olga.post(at(campaign, "confirm/"), {**data, "seen": 1})
    assert "changed while you had the page open" in shown(stale)
    assert as_olga.post(at(campaign, "confirm/"), data).status_code == 302
    page = shown(as_olga.get(at(campaign)))
    assert f"{KNOWN[0]} has grade {known.grade} for topic 1." in page
    assert "to be confirmed" not in page


def test_a_file_of_known_grades_is_imported(as_olga, mixed):
    campaign = mixed.topic.campaign
    page = as_olga.get(at(campaign))
    now = KnownGrade.objects.controls_of(campaign).seen
    assert f'name="seen" value="{now()}"' in shown(page)
    packed = gzip.compress(b"1 0 d1 3\r\n1 0 d2 0\r\n")
    assert upload(as_olga, campaign, packed, seen=now()).status_code == 302
    assert KnownGrade.objects.controls().count() == 6
    assert "2 known grades imported." in shown(as_olga.get(at(campaign)))
    upload(as_olga, campaign, b"1 0 d3 1\n2 0 d1 1\n", how="replace", seen=now())
    kept = KnownGrade.objects.controls().order_by("pk")
    assert list(kept.values_list("item__key", "grade")) == [("d3", 1), ("d1", 1)]
    text = b"".join(as_olga.get(f"/campaigns/{campaign.slug}/judging/known-grades.txt"))
    assert text == b"1 0 d3 1\n2 0 d1 1\n"
    two = campaign.topic_set.get(number="2").pk
    for answer in (
        upload(as_olga, campaign, b"1 0 d1 1\n", how="replace", seen=3),
        as_olga.post(at(campaign, "remove/"), {"seen": 5}),
    ):
        assert "now, changed while you had the page open" in shown(answer, 422)
        assert f'name="seen" value="{now()}"' in shown(answer)
    for sent, left in (({"topic": two}, 1), ({}, 0)):
        assert as_olga.post(at(campaign, "remove/"), {**sent, "seen": now()}).status_code == 302
        assert KnownGrade.objects.controls().count() == left
    assert "1 known grade removed." in shown(as_olga.get(at(campaign)))


WRONG = {
    b"1 0 d1 1\n9 0 d1 1\n1 0 d1 2\n1 0 zz 1\n1 0 d2 yes\n1 0 d3 8\n1 0 e\x00 1\n": [
        "Line 2: The campaign has no topic 9.",
        "Line 3: Document d1 is judged twice for topic 1; it was on line 1.",
        "Line 4: Document zz has not been imported.",
        "Line 5: The grade 'yes' is not a whole number",
        "Line 6: 8 is not a grade of the scale.",
        "Line 7: It holds a NUL byte",
    ],
    b"1 0 d1 1\n" * 2 + b"9 0 d1 1\n1 0 d2 x\n" * 11: [
        "Line 21: Document d1 is judged twice for topic 9; it was on line 3.",
        "3 more lines cannot be taken.",
    ],
    b"1 Q0 d1 1 9.5 bm25\n": ["This looks like a run"],
    b"query-id\tcorpus-id\tscore\n1\td1\t1\n": ["Its first line names three columns"],
    "1 0 d1 1\n".encode("utf-16"): ["It is text in UTF-16"],
    b"": ["The submitted file is empty."],
}


def test_a_file_that_cannot_be_taken_changes_nothing_and_says_which_lines(as_olga, mixed):
    for content, sentences in WRONG.items():
        page = shown(upload(as_olga, mixed.topic.campaign, content), 422)
        places = [page.find(sentence) for sentence in sentences]
        assert -1 not in places, sentences
        assert places == sorted(places), "in the order of the lines"
    assert KnownGrade.objects.controls().count() == 4


def test_a_known_grade_off_the_scale_is_said_and_not_compared(as_olga, mixed):
    campaign = mixed.topic.campaign
    KnownGrade.objects.controls().update(grade=7)
    say(mixed, number_of(mixed, "known"), grade=2)
    page = shown(as_olga.get(at(campaign)))
    assert "4 known grades are not on the scale as it is now" in page
    assert "No answer to a document with a known grade yet." in page


def test_the_settings_take_twenty_percent_at_most(as_olga, mixed):
    campaign = mixed.topic.campaign
    address = f"/campaigns/{campaign.slug}/settings/judging/"
    refused = as_olga.post(address, {"known_percent": 21, "repeat_percent": 30})
    assert "At most 20 of 100 documents can be of known grade." in shown(refused, 422)
    assert "At most 20 of 100 documents can be repeats." in shown(refused)
    kept = {"seconds_per_judgment": 9, "least_view_ms": 250, "shared_rule": "median"}
    data = {**kept, "known_percent": 7, "repeat_percent": 0}
    assert as_olga.post(address, data).status_code == 302
    campaign.refresh_from_db()
    assert (campaign.known_percent, campaign.repeat_percent) == (7, 0)
