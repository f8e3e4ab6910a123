"""What stands beside the document: the list, the topic, and how the text is shown."""

import pytest
from playwright.sync_api import expect

from assess.models.judging import Judgment
from tests import make
from tests.browser.conftest import go, opened, said, served, takes_taps, tap
from tests.browser.outbox import not_saved
from tests.onscreen import saved, shown

pytestmark = pytest.mark.browser


def chips(page) -> list[str]:
    return [" ".join(chip.split()) for chip in page.locator("#own .chip").all_inner_texts()]


def test_the_list_shows_each_document_as_it_is_and_is_where_a_mind_is_changed(
    pages, assignment, ada
):
    order = served(assignment)
    make.judgment(assignment, order[0], 2)
    make.judgment(assignment, order[1], 0)
    Judgment.objects.filter(item__key=order[1]).update(comment="mine")
    page = pages(ada)
    opened(page, assignment)
    page.keyboard.press("d")
    rows, row = page.locator("#own ol a"), page.locator("#own a[aria-current=true]")
    expect(rows).to_have_count(24)
    expect(row).to_contain_text(f"Title of {order[2]}")
    assert chips(page) == ["All · 24", "Open · 22", "2 · 1", "0 · 1", "Commented · 1"]
    expect(page.locator("#own ol li").nth(1).locator(".own-comment")).to_have_count(1)
    page.context.set_offline(True)
    go(page, "3", order[3])
    expect(rows.nth(2).locator(".own-mark")).to_have_text("3")
    unsaved = page.locator("#own ol li").nth(2).locator(".own-unsaved")
    expect(unsaved).to_have_text("not yet saved")
    page.context.set_offline(False)
    saved(page)
    expect(unsaved).to_have_count(0)
    go(page, "l", order[4])
    assert chips(page) == [
        "All · 24",
        "Open · 21",
        "3 · 1",
        "2 · 1",
        "0 · 1",
        "Later · 1",
        "Commented · 1",
    ]
    page.locator('#own .chip[value="2"]').click()
    expect(page.locator("#own .chip[aria-pressed=true]")).to_have_text("2 · 1")
    expect(rows).to_have_count(1)
    rows.first.click()
    expect(shown(page)).to_have_text(order[0])
    go(page, "1", order[4])
    saved(page)
    assert said(assignment) == {order[0]: 1, order[1]: 0, order[2]: 3, order[3]: "later"}
    page.reload()
    expect(rows).to_have_count(24)  # it stays open, and shows all again


def test_on_a_narrow_page_the_list_covers_the_document_until_one_is_chosen(pages, assignment, ada):
    page, order = pages(ada, width=390, height=844), served(assignment)
    opened(page, assignment)
    own = page.locator("#own")
    page.locator(".judging-more").click()
    page.locator("#more [data-pane=own]").click()
    expect(own).to_be_visible()
    page.locator("#own ol a").nth(7).click()
    expect(own).to_be_hidden()
    expect(shown(page)).to_have_text(order[7])
    tap(page, 2)
    expect(shown(page)).to_have_text(order[8])
    page.locator(".judging-more").click()
    takes_taps(page)
    page.locator("#more [value=later]").click()
    expect(shown(page)).to_have_text(order[9])
    page.keyboard.press("d")
    expect(page.locator("#own a[aria-current=true]")).to_be_focused()
    for key in "u1l":  # what it covers is not graded
        page.keyboard.press(key)
        expect(not_saved(page)).to_have_text("The list covers the document. Esc closes it.")
    expect(own).to_be_visible()
    page.keyboard.press("d")
    expect(own).to_be_hidden()
    page.keyboard.press("t")
    expect(page.locator(".statement")).to_be_visible()
    page.keyboard.press("?")
    expect(page.locator("#help")).to_be_visible()
    page.keyboard.press("Escape")
    go(page, "l", order[10])
    saved(page)
    assert said(assignment) == {order[7]: 2, order[8]: "later", order[9]: "later"}


def test_the_text_is_shown_as_its_reader_likes_it_everywhere(pages, assignment, ada):
    page = pages(ada)
    opened(page, assignment)
    text = page.locator(".document-text")
    size = "element => parseFloat(getComputedStyle(element).fontSize)"
    before, width = text.evaluate(size), text.bounding_box()["width"]
    page.keyboard.press("a")
    page.get_by_label("very large").check()
    page.get_by_label("narrow").check()
    with page.expect_response("**/account/reading/"):
        page.get_by_label("sans serif").check()
    page.keyboard.press("Escape")
    assert text.evaluate(size) > before
    assert text.bounding_box()["width"] < width
    other = pages(ada)
    opened(other, assignment)
    assert other.locator(".document-text").evaluate(size) == text.evaluate(size)
    page.keyboard.press("2")  # the panel is gone, and keys grade again
    saved(page)
    assert len(said(assignment)) == 1


def test_keys_are_those_that_a_person_has_chosen(pages, assignment, ada):
    """On AZERTY é is typed by the key of the digit 2, and @ by AltGr."""
    ada.chosen_keys = {"comment": "@", "previous": "é"}
    ada.save()
    page, order = pages(ada), served(assignment)
    page.goto("/account/")
    page.get_by_label("later").fill("z")
    page.get_by_role("button", name="Save keys").click()
    opened(page, assignment)
    page.keyboard.press("l")  # nobody's key now
    go(page, "Z", order[1])
    press = """(options) => document.activeElement.dispatchEvent(
      new KeyboardEvent("keydown", { bubbles: true, cancelable: true, ...options }))"""
    page.evaluate(press, {"key": "é", "code": "Digit2"})
    expect(shown(page)).to_have_text(order[0])
    alt_gr = {"ctrlKey": True, "altKey": True, "modifierAltGraph": True}
    page.evaluate(press, {"key": "@", "code": "Digit0", **alt_gr})
    expect(page.locator("#comment")).to_be_focused()
    saved(page)
    assert said(assignment) == {order[0]: "later"}
