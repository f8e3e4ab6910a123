"""Where things are on the judging page: by width, by height, and for a finger or a keyboard."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from tests.browser.conftest import address, opened, served, tap
from tests.onscreen import saved, shown

pytestmark = pytest.mark.browser
TOUCH = {"has_touch": True, "is_mobile": True}


def box(page, selector: str) -> dict[str, float]:
    return page.locator(selector).bounding_box()


def keys_shown(page, within: str) -> list[str]:
    return page.locator(f"{within} kbd").filter(visible=True).all_text_contents()


@pytest.mark.parametrize("width", [1440, 1920])
def test_the_text_of_a_wide_page_stands_in_the_middle_with_what_was_saved_beneath_it(
    pages, assignment, ada, width
):
    page = pages(ada, width=width, height=900)
    opened(page, assignment)
    page.keyboard.press("3")
    saved(page)
    pane, text = box(page, ".judging-document"), box(page, ".document-text")
    left, right = (text["x"] - pane["x"], pane["x"] + pane["width"] - text["x"] - text["width"])
    assert abs(left - right) <= 16  # a scroll bar's width
    toast, undo = box(page, ".judging-toast"), box(page, "#undo button")
    for each in (toast, undo):
        assert text["x"] - 12 <= each["x"] <= text["x"] + text["width"] / 2
        assert 0 <= each["y"] - (pane["y"] + pane["height"]) < 40
    assert box(page, ".judging-topic")["width"] >= 340
    assert 0 < box(page, "#words-rail")["x"] - (text["x"] + text["width"]) < 48


@pytest.mark.parametrize("width", [1280, 1440])
def test_all_of_the_bar_stands_on_one_line(pages, assignment, ada, width):
    page = pages(ada, width=width, height=900)
    opened(page, assignment)
    parts = page.locator(
        ".judging-actions :is(.grade-button, .others .plain, .comment summary)"
    ).filter(visible=True)
    boxes = [part.bounding_box() for part in parts.all()]
    assert len(boxes) == 7
    assert {(round(each["y"]), round(each["height"])) for each in boxes} == {
        (round(boxes[0]["y"]), round(boxes[0]["height"]))
    }


def test_who_zooms_has_a_keyboard(pages, assignment, ada):
    """A laptop at 200 %: every key is shown, the tools of the bar stand, and no label is cut."""
    page = pages(ada, width=640, height=400)
    opened(page, assignment)
    assert keys_shown(page, ".judging-bar") == ["t", "d", "q", "?"]
    assert keys_shown(page, ".grades") == ["0", "1", "2", "3"]
    assert keys_shown(page, ".judging-steps") == ["n"]
    assert keys_shown(page, ".comment") == ["c"]
    for label in page.locator(".grade-button > span").all():
        assert label.evaluate(
            "each => each.scrollWidth <= each.clientWidth && each.scrollHeight <= "
            "each.clientHeight + 1"
        )
    page.goto(reverse("desk:judging", args=[assignment.topic.campaign.slug]))
    assert keys_shown(page, ".going-on") == ["Enter"]


@pytest.mark.parametrize(("width", "height"), [(390, 844), (768, 1024), (844, 390)])
def test_a_finger_is_shown_no_keys_and_has_room(pages, assignment, ada, width, height):
    page = pages(ada, width=width, height=height, **TOUCH)
    page.goto(f"{address(assignment)}?number=2")
    expect(shown(page)).to_have_text(served(assignment)[1])
    assert keys_shown(page, ".judging") == ["0", "1", "2", "3"]
    before, after = (box(page, f".judging-steps [data-step='{step}']") for step in (-1, 1))
    assert min(each[side] for each in (before, after) for side in ("width", "height")) >= 44
    assert after["x"] - before["x"] - before["width"] >= 8


def test_a_phone_on_its_side_keeps_the_document_beside_a_comment(pages, assignment, ada):
    page = pages(ada, width=844, height=390, **TOUCH)
    opened(page, assignment)
    tap(page, 1)
    saved(page)
    page.locator(".comment summary").click()
    expect(page.locator("#comment")).to_be_focused()
    assert box(page, ".judging-document")["height"] >= 0.6 * 390
    undo = box(page, "#undo button")
    assert undo["x"] + undo["width"] <= 844


def test_the_list_shows_the_document_on_the_screen_as_a_whole(pages, assignment, ada):
    page = pages(ada, height=400)
    for number in (1, 14, 24):
        page.goto(f"{address(assignment)}?number={number}")
        shown(page).wait_for()
        if not page.locator("#own").is_visible():
            page.keyboard.press("d")
        current = page.locator("#own [aria-current]")
        expect(current).to_be_in_viewport(ratio=1)
        row, rows = current.bounding_box(), box(page, "#own ol")
        assert rows["y"] <= row["y"]
        assert row["y"] + row["height"] <= rows["y"] + rows["height"]
