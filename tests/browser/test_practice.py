"""A whole practice topic, by keyboard, by touch and without script; its pages without a fault."""

import pytest
from playwright.sync_api import expect

from assess.models.judging import Judgment
from campaigns.models.campaign import Campaign
from practice.models import PracticeAnswer, PracticeSkip
from tests import make
from tests.browser.sight import barriers, own_bytes
from tests.browser.test_every_page import wrong, wrong_here
from tests.onscreen import shown

pytestmark = pytest.mark.browser
LINES = (
    "d20\t2\tIt names a bridge, and says no more of it.\nd21\t0\tIt names none.\nd22\t3\t"
    + "It is about nothing but bridges. " * 40
)


@pytest.fixture
def practice(assignment):
    return make.practice(
        assignment.topic.campaign,
        LINES,
        description="Which bridge is it, of tools.bridges.iron.SuspensionBridgeOverTheTamar?",
        narrative="Any bridge that has a name.",
    )


@pytest.fixture
def at(practice) -> str:
    return f"/campaigns/{practice.campaign.slug}/judging/"


def result(page):
    return page.locator("#result")


def given() -> dict[str, int | None]:
    return dict(PracticeAnswer.objects.order_by("pk").values_list("docno", "grade"))


def test_a_whole_practice_topic_by_keyboard(pages, at, assignment, ada, olga):
    assert wrong(pages, pages(olga), [f"{at}practice/edit/", f"{at}practice/"]) == {}
    page = pages(ada)
    page.goto(at)
    assert wrong_here(page) == {}
    page.keyboard.press("Enter")  # the next thing to do
    expect(shown(page)).to_have_text("d20")
    page.wait_for_load_state("networkidle")
    assert own_bytes(page) < 35_000, "it is lighter than the page that judges"
    assert wrong_here(page, turn=1) == {}
    page.keyboard.press("2")
    said = "It names a bridge, and says no more of it."
    expect(result(page)).to_contain_text("You agree")
    expect(result(page)).to_contain_text(said)
    expect(page.locator("#live")).to_have_text(f"You agree Known 2 relevant {said}")
    assert wrong_here(page) == {}
    page.keyboard.press("0")  # nothing: it is answered
    page.keyboard.press("Enter")
    expect(shown(page)).to_have_text("d21")
    page.keyboard.press("1")
    expect(result(page)).to_contain_text("You differ")
    assert wrong_here(page, turn=1) == {}
    page.get_by_role("link", name="Try again").click()
    expect(page.get_by_text("your first answer is the one that counts")).to_be_visible()
    expect(shown(page)).to_have_text("d21")
    assert wrong_here(page) == {}
    page.keyboard.press("0")
    expect(result(page)).to_contain_text("Your last try: 0 not relevant.")
    expect(result(page)).to_contain_text("Yours 1 partly relevant")
    page.keyboard.press("Enter")
    expect(shown(page)).to_have_text("d22")
    page.keyboard.press("x")
    expect(result(page)).to_contain_text("You said that it cannot be judged.")
    expect(page.get_by_role("link", name="how it went")).to_be_in_viewport()
    page.keyboard.press("Enter")
    expect(page.locator("#summary-title")).to_have_text("You agreed on 1 of 3 documents")
    assert wrong_here(page) == {}
    page.keyboard.press("Enter")
    page.wait_for_url(f"**{at}{assignment.pk}/**")
    expect(page.locator("#judging[data-topic='1']")).to_be_visible()
    assert given() == {"d20": 2, "d21": 1, "d22": None}
    assert not Judgment.objects.exists()


def test_the_other_keys(pages, at, ada):
    page = pages(ada)
    page.goto(f"{at}practice/")
    expect(shown(page)).to_have_text("d20")
    for key, docno in (("n", "d21"), ("p", "d20")):
        page.keyboard.press(key)
        expect(shown(page)).to_have_text(docno)
    expect(page.locator("#topic")).not_to_have_attribute("data-folded", "")
    page.keyboard.press("t")
    expect(page.locator("#topic")).to_have_attribute("data-folded", "")
    page.reload()
    expect(page.locator("#topic")).to_have_attribute("data-folded", "")
    page.keyboard.press("?")
    expect(page.locator("#help")).to_be_visible()
    assert barriers(page) == []
    page.keyboard.press("2")  # of no document while it is read
    page.keyboard.press("Escape")
    expect(page.locator("#help")).to_be_hidden()
    page.keyboard.press("a")
    expect(page.locator("#reading")).to_be_visible()
    assert given() == {}


def test_what_was_answered_in_another_tab_stands_and_back_shows_the_document(
    pages, at, practice, ada
):
    page = pages(ada)
    page.goto(at)
    page.keyboard.press("Enter")
    expect(shown(page)).to_have_text("d20")
    page.goto(at)
    PracticeAnswer.objects.create(practice=practice, user=ada, docno="d20", grade=2, known=2)
    page.go_back()
    expect(page.locator(".judging-document code")).to_have_text("d20")
    page.keyboard.press("Enter")
    expect(shown(page)).to_have_text("d21")
    page.go_back()
    expect(page.locator(".judging-document code")).to_have_text("d20")
    page.goto(f"{at}practice/?number=2")
    expect(shown(page)).to_have_text("d21")
    PracticeAnswer.objects.create(practice=practice, user=ada, docno="d21", grade=1, known=0)
    page.keyboard.press("3")
    not_saved = "Not saved. You had answered this already, in another tab: that answer stands."
    expect(page.locator("#not-saved")).to_have_text(not_saved)
    expect(result(page)).to_contain_text("Yours 1 partly relevant")
    expect(page.locator("#live")).to_contain_text(f"{not_saved} You differ Known 0")
    assert wrong_here(page) == {}
    pages.errors.clear()  # the browser notes the refusal
    page.reload()  # of the document, as its address says: nothing is sent again
    expect(page.locator("#not-saved")).to_be_hidden()
    assert given() == {"d20": 2, "d21": 1}


def test_a_key_that_is_held_or_comes_too_soon_grades_nothing_and_two_clicks_count_once(
    pages, at, ada
):
    Campaign.objects.update(least_view_ms=600)
    page = pages(ada)
    page.goto(f"{at}practice/")
    page.locator("#judging[data-arriving]").wait_for()
    page.keyboard.press("2")
    expect(page.locator("#not-saved")).to_contain_text("had only just appeared")
    expect(shown(page)).to_have_text("d20")
    page.keyboard.down("2")
    page.keyboard.down("2")  # again while it is held: the browser repeats it
    result(page).wait_for()
    page.keyboard.down("2")
    page.keyboard.up("2")
    page.keyboard.press("Enter")
    expect(shown(page)).to_have_text("d21")
    assert given() == {"d20": 2}
    page.wait_for_timeout(600)  # as long as a tap must wait
    page.get_by_role("button", name="2 relevant", exact=True).dblclick(no_wait_after=True)
    result(page).wait_for()
    assert given() == {"d20": 2, "d21": 2}
    assert PracticeAnswer.objects.get(docno="d21").n_tries == 1


def test_with_a_finger_there_is_room_for_the_document(pages, at, ada):
    page = pages(ada, width=390, height=844, has_touch=True, is_mobile=True)
    page.goto(f"{at}practice/")
    expect(shown(page)).to_have_text("d20")
    page.wait_for_timeout(600)
    page.get_by_role("button", name="0 not relevant").tap()
    expect(result(page)).to_contain_text("You differ")
    assert page.locator(".judging-document").bounding_box()["height"] > 844 / 3
    expect(page.locator("#topic .one-line")).to_be_visible()
    page.get_by_role("link", name="next", exact=True).tap()
    expect(shown(page)).to_have_text("d21")


def test_without_script_it_is_forms_and_links_and_can_be_skipped(pages, at, assignment, ada):
    page = pages(ada, java_script_enabled=False)
    page.goto(f"{at}{assignment.pk}/")
    expect(page.get_by_text("Practice comes before your first topic")).to_be_visible()
    for docno, grade in (
        ("d20", "2 relevant"),
        ("d21", "0 not relevant"),
        ("d22", "3 highly relevant"),
    ):
        expect(page.locator(".judging-document code")).to_have_text(docno)
        page.get_by_role("button", name=grade, exact=True).click()
        expect(result(page)).to_contain_text("You agree")
        page.locator(".practice-acts a.button").last.click()
    expect(page.locator("#summary-title")).to_have_text("You agreed on 3 of 3 documents")
    page.get_by_role("link", name="topic 1").click()
    expect(page.locator("#judging[data-topic='1']")).to_be_visible()
    PracticeAnswer.objects.all().delete()
    page.goto(f"{at}{assignment.pk}/")
    page.get_by_role("button", name="Skip to topic 1").click()
    expect(page.locator("#judging[data-topic='1']")).to_be_visible()
    assert PracticeSkip.objects.count() == 1
