"""A whole practice topic, by keyboard and by touch: what it adds to the judging page."""

import pytest
from playwright.sync_api import expect

from assess.models.judging import Judgment
from practice.models import answers_of
from tests import make
from tests.browser.conftest import go, takes_taps
from tests.browser.outbox import cut, mend, unsaved
from tests.browser.sight import barriers
from tests.browser.test_every_page import wrong, wrong_here
from tests.onscreen import shown
from tests.worlds import once

pytestmark = pytest.mark.browser
LINES = (
    "d20\t2\tIt names a bridge, and says no more of it.\nd21\t0\tIt names none.\nd22\t3\t"
    + "It is about nothing but bridges. " * 40
)


@pytest.fixture
@once
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


@pytest.fixture
def begun(pages, at, ada):
    """Ada's judging page of practice."""
    page = pages(ada)
    page.goto(f"{at}practice/")
    expect(shown(page)).to_have_text("d20")
    return page


def known(page):
    return page.locator("#known")


def says(page, *words: str) -> None:
    """What is known of the document on the screen, and the way on, in words."""
    for each in words:
        expect(known(page)).to_contain_text(each)
    expect(page.locator("[data-goes-on]")).to_be_in_viewport()


def first_grades(practice, ada) -> dict[str, int | None]:
    its = answers_of(practice, [ada.pk]).get(ada.pk, {})
    return {docno: each.grade for docno, each in sorted(its.items())}


def test_a_whole_practice_topic_by_keyboard(pages, at, practice, assignment, ada, olga):
    assert wrong(pages, pages(olga), [f"{at}practice/edit/", f"{at}practice/"]) == {}
    page = pages(ada)
    page.goto(at)
    assert wrong_here(page) == {}
    page.keyboard.press("Enter")  # the next thing to do
    expect(shown(page)).to_have_text("d20")
    assert wrong_here(page, turn=1) == {}
    page.keyboard.press("Enter")  # nothing: it is not answered
    for key in "q?":  # nobody is asked anything
        page.keyboard.press(key)
    expect(page.locator("#help")).to_be_visible()
    assert barriers(page) == []
    page.keyboard.press("Escape")
    page.keyboard.press("2")
    said = "It names a bridge, and says no more of it."
    says(page, "You agree", "Known 2 relevant", said, "next document")
    expect(page.locator("#live")).to_have_text(f"You agree. Known 2 relevant. {said}")
    assert wrong_here(page) == {}
    expect(shown(page)).to_have_text("d20")
    go(page, "Enter", "d21")
    expect(known(page)).to_be_hidden()
    page.keyboard.press("1")
    says(page, "You differ", "Known 0 not relevant", "Yours 1 partly relevant", "next document")
    assert wrong_here(page, turn=1) == {}
    page.keyboard.press("u")
    expect(known(page)).to_be_hidden()
    expect(shown(page)).to_have_text("d21")
    page.keyboard.press("0")
    says(page, "You agree", "Known 0 not relevant")
    go(page, "Enter", "d22")
    page.keyboard.press("l")  # the only one left comes again, as on any page
    expect(page.locator(".document-place")).to_contain_text("later")
    expect(shown(page)).to_have_text("d22")
    expect(known(page)).to_be_hidden()
    page.keyboard.press("x")
    page.keyboard.press("3")
    says(page, "It can be judged", "Known 3 highly relevant", "how it went")
    assert wrong_here(page) == {}
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.locator(".judging-document").bounding_box()["height"] > 844 / 3
    page.set_viewport_size({"width": 1280, "height": 800})
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("You agreed on 1 of 3 documents")
    assert wrong_here(page) == {}
    page.keyboard.press("Enter")
    page.wait_for_url(f"**{at}{assignment.pk}/**")
    expect(page.locator("#judging[data-topic='Topic 1']")).to_be_visible()
    assert first_grades(practice, ada) == {"d20": 2, "d21": 1, "d22": None}
    assert not Judgment.objects.counting().exists()


def test_what_is_put_off_comes_last_and_an_answered_one_stays_where_it_was_read(begun):
    go(begun, "l", "d21")
    begun.locator(".judging-document").evaluate("(each) => each.scrollTo(0, 300)")
    begun.keyboard.press("0")
    says(begun, "You agree")
    assert begun.locator(".judging-document").evaluate("(each) => each.scrollTop") == 300
    go(begun, "Enter", "d22")
    go(begun, "u", "d21")
    go(begun, "n", "d22")
    go(begun, "r", "d21")  # redo brings back the document that it answers
    expect(begun.get_by_role("region", name="Title of d21", exact=True)).to_be_focused()
    says(begun, "You agree", "It names none.")
    go(begun, "Enter", "d22")
    begun.keyboard.press("3")
    says(begun, "You agree", "next document")
    go(begun, "Enter", "d20")
    begun.keyboard.press("1")
    says(begun, "You differ", "how it went")


@pytest.mark.usefixtures("intercepted")
def test_what_is_known_appears_when_the_network_is_back_and_again_after_a_reload(begun):
    cut(begun)
    begun.keyboard.press("1")
    unsaved(begun, 1)
    expect(begun.locator(".document-place")).to_contain_text("1 partly relevant")
    says(begun, "Not saved yet", "The known grade comes once your answer is saved.", "go on")
    assert "Known" not in known(begun).locator(".practice-grades").inner_text()
    mend(begun)
    says(begun, "You differ", "It names a bridge")
    begun.reload()
    expect(shown(begun)).to_have_text("d20")
    says(begun, "You differ", "Known 2 relevant", "Yours 1 partly relevant")
    go(begun, "n", "d21")
    expect(known(begun)).to_be_hidden()
    go(begun, "p", "d20")
    says(begun, "You differ")


@pytest.mark.deep  # the room on a phone is looked at in the story above too, without a finger
def test_with_a_finger_there_is_room_for_the_document(pages, at, ada):
    page = pages(ada, width=390, height=844, has_touch=True, is_mobile=True)
    page.goto(f"{at}practice/")
    expect(shown(page)).to_have_text("d20")
    document = page.locator(".judging-document")
    for docno, name in (("d20", "0 not relevant"), ("d21", "1 partly relevant"), ("d22", "")):
        expect(shown(page)).to_have_text(docno)
        takes_taps(page)
        page.locator(".grade-button").nth(0 if name.startswith("0") else 1).tap()
        says(page, "You differ")
        assert document.bounding_box()["height"] > 844 / 3
        assert wrong_here(page, looks=((390, "light"),)) == {}
        page.locator("[data-goes-on]").tap()
    expect(page.get_by_role("heading", level=1)).to_have_text("You agreed on 0 of 3 documents")
