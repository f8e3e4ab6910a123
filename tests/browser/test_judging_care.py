"""What was meant for one document, or by one person, is not taken for another's."""

import pytest
from django.test import Client
from playwright.sync_api import expect

from assess.models import Judgment
from tests import make
from tests.browser.conftest import address, opened, said, served
from tests.onscreen import shown

pytestmark = pytest.mark.browser
CAME_UP = "it came up just as you pressed"


@pytest.fixture
def page(pages, assignment, ada):
    campaign = assignment.topic.campaign
    spam = {"value": -2, "label": "spam", "description": "Made for search engines."}
    campaign.scale_grades = [spam, *campaign.scale_grades]
    campaign.save()
    page = pages(ada)
    opened(page, assignment)
    return page


def notice(page):
    return page.locator("#not-saved")


def while_arriving(page, *keys: str, repeat: bool = False) -> None:
    """Press keys once the next document is there and not painted yet, however slow the machine."""
    page.evaluate(
        """([keys, repeat]) => document.addEventListener("htmx:afterSettle", (event) => {
            if (event.detail.elt.id !== "judging") return;
            for (const key of keys.splice(0)) document.body.dispatchEvent(
                new KeyboardEvent("keydown", {key, repeat, bubbles: true, cancelable: true}));
        })""",
        [keys, repeat],
    )


def test_a_minus_sign_ends_with_its_document(page, assignment):
    order, held = served(assignment), []
    page.route("**/?number=*", lambda route: held.append(route))  # noqa: PLW0108 - Playwright marks the function
    with page.expect_request("**/?number=*"):
        page.keyboard.press("n")
    page.keyboard.press("-")
    held[0].continue_()
    expect(shown(page)).to_have_text(order[1])
    expect(page.locator("body")).not_to_have_attribute("data-minus", "")
    page.keyboard.press("2")  # half of -2: no grade 2 either
    expect(notice(page)).to_contain_text(CAME_UP)
    page.keyboard.press("2")
    expect(shown(page)).to_have_text(order[2])
    assert said(assignment) == {order[1]: 2}


def test_a_grade_below_0_pressed_too_early_leaves_no_minus_sign(page, assignment):
    order = served(assignment)
    while_arriving(page, "-", "2")
    page.keyboard.press("n")
    expect(shown(page)).to_have_text(order[1])
    expect(notice(page)).to_contain_text(CAME_UP)
    page.keyboard.press("2")
    expect(shown(page)).to_have_text(order[2])
    assert said(assignment) == {order[1]: 2}


def test_a_key_held_down_is_no_second_answer(page, assignment):
    order = served(assignment)
    while_arriving(page, "2", repeat=True)
    page.keyboard.press("2")
    expect(shown(page)).to_have_text(order[1])
    expect(notice(page)).to_be_hidden()
    assert said(assignment) == {order[0]: 2}


def test_a_comment_not_saved_is_its_authors_alone(page, assignment, ben):
    page.keyboard.press("c")
    page.keyboard.type("only mine")
    assignment.assessor = ben
    assignment.save()
    client = Client()
    client.force_login(ben)
    login = client.cookies["sessionid"].value
    page.context.add_cookies(
        [{"name": "sessionid", "value": login, "url": page.evaluate("location.origin")}]
    )
    page.reload()
    expect(page.locator("#comment")).to_have_value("")
    kept = "Object.keys(sessionStorage).filter((key) => key.startsWith('comment '))"
    assert page.evaluate(kept) == []


def test_after_a_comment_the_keys_scroll_the_document_again(page):
    page.keyboard.press("c")
    page.keyboard.press("Escape")
    expect(page.locator(".judging-document")).to_be_focused()


def test_a_comment_goes_on_at_its_end(page, assignment):
    make.judgment(assignment, served(assignment)[0], 2)
    Judgment.objects.update(comment="so far")
    page.goto(f"{address(assignment)}?number=1")
    page.keyboard.press("c")
    page.keyboard.type(", so good")
    expect(page.locator("#comment")).to_have_value("so far, so good")


def test_back_shows_what_is_judged_as_judged(page, assignment):
    order = served(assignment)
    page.keyboard.press("n")
    expect(shown(page)).to_have_text(order[1])
    page.keyboard.press("2")
    expect(shown(page)).to_have_text(order[2])
    page.go_back()
    expect(shown(page)).to_have_text(order[1])
    expect(page.locator("[aria-pressed=true]")).to_have_text("2 relevant")
    page.keyboard.press("3")
    expect(shown(page)).to_have_text(order[2])
    assert said(assignment) == {order[1]: 3}


def test_nothing_to_undo_is_said_and_the_document_stays(page, pages, assignment):
    order = served(assignment)
    page.keyboard.press("n")
    expect(shown(page)).to_have_text(order[1])
    page.keyboard.press("u")
    expect(notice(page)).to_have_text("There is nothing to undo.")
    expect(shown(page)).to_have_text(order[1])
    pages.errors[:] = [text for text in pages.errors if "409" not in text]


def test_where_nothing_was_to_be_saved_only_the_reason_is_said(page, pages, assignment):
    assignment.delete()
    page.keyboard.press("n")
    expect(notice(page)).to_contain_text("This topic is not given to you")
    expect(notice(page)).not_to_contain_text("saved")
    pages.errors[:] = [text for text in pages.errors if "409" not in text]


def test_digits_of_another_keyboard_and_capitals_are_the_same_keys(page, assignment):
    """On AZERTY the key of 2 types é, and that of 6 a minus sign."""
    order = served(assignment)
    press = """([key, code]) => document.body.dispatchEvent(
        new KeyboardEvent("keydown", {key, code, bubbles: true, cancelable: true}))"""
    page.evaluate(press, ["é", "Digit2"])
    expect(shown(page)).to_have_text(order[1])
    page.keyboard.press("N")
    expect(shown(page)).to_have_text(order[2])
    page.evaluate(press, ["-", "Digit6"])
    page.keyboard.press("2")
    expect(page.locator(".judging-toast")).to_contain_text("spam")
    assert said(assignment) == {order[0]: 2, order[2]: -2}
