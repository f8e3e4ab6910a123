"""Adjudication by keys: what two assessors said stands beside the document, and one is taken."""

import pytest
from playwright.sync_api import expect

from assess.models.assigning import Assignment
from assess.models.official import OfficialGrade
from assess.services.adjudicating import adjudicate
from tests import make
from tests.browser.conftest import LEAST_VIEW_MS, opened
from tests.browser.further import ask_more
from tests.db.judging import answer
from tests.onscreen import saved, shown

pytestmark = pytest.mark.browser

GRADES = {"d00": (0, 3), "d01": (2, 1), "d02": (3, 1), "d03": (2, 2)}
BESIDE = {"credibility": 1, "readability": 0}
PASSAGES = {"d02": "The second says what one wants to know."}


@pytest.fixture
def disputed(assignment, olga, ben) -> Assignment:
    """Cleo's adjudication of three documents: ten by two judged, three of them differently."""
    campaign, cleo = assignment.topic.campaign, make.user("cleo")
    ask_more(campaign)
    campaign.membership_set.create(user=cleo, role="assessor")
    second = make.assignment(assignment.topic, ben, "second")
    for docno, (one, other) in GRADES.items():
        for given, grade in ((assignment, one), (second, other)):
            ratings = BESIDE if grade else {}
            answer(given, docno, grade=grade, ratings=ratings, comment=f"I say {grade}.")
    [made] = adjudicate(user=olga, campaign=campaign, assessor=cleo).made
    return made


@pytest.fixture
def page(pages, disputed):
    page = pages(disputed.assessor)
    opened(page, disputed)
    return page


def letter_of(page, grade: int) -> str:
    """The letter under which a grade stands beside the document."""
    found = page.locator(f"#opinions .opinion[data-grade='{grade}'] .letter")
    return found.text_content()


KEYS = {"A": "ArrowLeft", "B": "ArrowRight"}


def official(docno: str) -> tuple[int, str]:
    now = OfficialGrade.objects.current().get(item__key=docno)
    return now.grade, now.rule


def test_the_farthest_comes_first_with_both_opinions_and_no_names(page):
    expect(shown(page)).to_have_text("d00")
    opinions = page.locator("#opinions")
    expect(opinions).to_contain_text("3 steps apart")
    expect(opinions).to_contain_text("I say 0.")
    expect(opinions).to_contain_text("I say 3.")
    assert "Ada" not in page.locator("#judging").text_content()
    assert "Ben" not in page.locator("#judging").text_content()


def test_a_key_takes_a_grade_with_what_was_said_beside_it_and_names_come_then(page, disputed):
    page.keyboard.press(KEYS[letter_of(page, 3)])
    expect(page.locator(".judging-toast")).to_contain_text("d00: 3 ·")
    expect(page.locator(".judging-toast")).to_contain_text("Ada 0")
    expect(page.locator(".judging-toast")).to_contain_text("Ben 3")
    expect(shown(page)).to_have_text("d02")
    assert official("d00") == (3, "adjudication")
    assert disputed.judgments.get(item__key="d00").ratings == BESIDE
    page.keyboard.press("u")
    expect(shown(page)).to_have_text("d00")
    saved(page)
    expect(page.locator("#opinions .name").first).to_have_text("")
    assert official("d00") == (0, "primary")


def test_another_grade_is_a_digit_and_all_are_decided_in_a_row(page):
    page.keyboard.press("0")
    expect(shown(page)).to_have_text("d02")
    page.keyboard.press(KEYS[letter_of(page, 1)])
    expect(shown(page)).to_have_text("d01")
    page.keyboard.press(KEYS[letter_of(page, 2)])
    expect(page.locator(".judging-finished, .judging-given").first).to_be_visible()
    saved(page)
    assert [official(docno) for docno in ("d00", "d01", "d02")] == [
        (0, "adjudication"),
        (2, "adjudication"),
        (1, "adjudication"),
    ]


@pytest.mark.parametrize("n", [12, pytest.param(100, marks=pytest.mark.deep)])
def test_what_is_pressed_in_a_row_over_a_slow_network_is_decided_as_it_was_pressed(
    pages, transactional_db, olga, ada, ben, pat, n
):
    docnos = [f"d{number:03}" for number in range(n)]
    people = {"assessors": [ada, ben], "participants": {"T": [pat]}}
    campaign, cleo = make.campaign(olga, docnos=docnos, **people), make.user("cleo")
    campaign.membership_set.create(user=cleo, role="assessor")
    type(campaign).objects.filter(pk=campaign.pk).update(least_view_ms=LEAST_VIEW_MS)
    make.frozen_pool(campaign, [make.run(campaign, pat, {"1": " ".join(docnos)})], depth=n)
    topic = campaign.topic_set.get(number="1")
    for person, kind, grade in ((ada, "primary", 0), (ben, "second", 3)):
        make.judgments(make.assignment(topic, person, kind), dict.fromkeys(docnos, grade))
    [made] = adjudicate(user=olga, campaign=campaign, assessor=cleo).made
    page = pages(cleo, is_kept=False)
    slow = {"offline": False, "latency": 300, "downloadThroughput": -1, "uploadThroughput": -1}
    opened(page, made)
    devtools = page.context.new_cdp_session(page)
    devtools.send("Network.enable")
    devtools.send("Network.emulateNetworkConditions", slow)
    wanted = {}
    for number in range(n):
        docno = shown(page).text_content()
        grade = (0, 3)[number % 2]
        wanted[docno] = grade
        page.keyboard.press(KEYS[letter_of(page, grade)])
        if number < n - 1:
            expect(shown(page)).not_to_have_text(docno)
    expect(page.locator(".judging-given")).to_be_visible()
    saved(page)
    given = made.judgments.values_list("item__key", "grade")
    assert dict(given) == wanted
    assert len(wanted) == n
    assert OfficialGrade.objects.current().filter(rule="adjudication").count() == n


def test_what_is_agreed_on_meanwhile_is_told_and_not_recorded(page, disputed, ben):
    second = Assignment.objects.get(assessor=ben)
    answer(second, "d00", grade=0)
    page.keyboard.press(KEYS[letter_of(page, 3)])
    expect(page.locator("#kept")).to_contain_text("d00 is no longer in dispute")
    assert official("d00") == (0, "primary")
