"""Where things are on the judging page: by width, by height, and for a finger or a keyboard."""

from itertools import combinations

import pytest
from django.test import Client
from django.urls import reverse
from playwright.sync_api import expect

from tests.asked import graded_by
from tests.browser.conftest import (
    address,
    go,
    intercept,
    let_the_server_finish,
    opened,
    served,
    tap,
)
from tests.browser.outbox import ACTS, caught, hold, unsaved
from tests.conftest import chromium_path
from tests.onscreen import saved, shown

pytestmark = pytest.mark.browser
TOUCH = {"has_touch": True, "is_mobile": True}
# The share of the height that the document has; 640 wide is a laptop at 200 %.
SIZES = {
    (1440, 900): 0.8,
    (1280, 800): 0.8,
    (844, 390): 0,
    (640, 400): 0.5,
    (390, 844): 0.6,
    (360, 640): 0,
}
USUAL = ((1280, 800), (844, 390), (390, 844))
ALL_SIZES = ((1600, 900), (1280, 800), (1000, 700), (640, 400), (390, 844))


def of_sizes(usual, every):
    """Look at the usual sizes, and in `make test-deep` at every one."""
    deep = pytest.param(tuple(every), marks=pytest.mark.deep)
    return pytest.mark.parametrize("sizes", [usual, deep], ids=["usual", "all"])


PARTS = ".judging-actions :is(.grade-button, button.plain, .comment summary, .judging-toast, "


def box(page, selector: str) -> dict[str, float]:
    return page.locator(selector).bounding_box()


def keys_shown(page, within: str) -> list[str]:
    return page.locator(f"{within} kbd").filter(visible=True).all_text_contents()


def resized(page, width: int, height: int) -> None:
    page.set_viewport_size({"width": width, "height": height})
    page.reload()
    shown(page).wait_for()


def in_order_beside_undo(page) -> None:
    for width in (1280, 1060, 900, 800, 768, 600, 390, 360):
        page.set_viewport_size({"width": width, "height": 800})
        parts = [
            box(page, f".judging-actions {part}")
            for part in (".comment summary", ".judging-toast", "#undo button")
        ]
        edges = [edge for part in parts for edge in (part["x"], part["x"] + part["width"])]
        assert edges == sorted(edges)
        assert edges[-1] <= width


def all_is_in_sight(page, width: int, height: int) -> None:
    page.locator(".judging-document").evaluate("pane => pane.scrollTo(0, pane.scrollHeight)")
    grades = page.locator(".grade-button").evaluate_all(
        "all => all.map((each) => each.getBoundingClientRect().toJSON())"
    )
    assert len(grades) == 4
    assert all(each["left"] >= 0 and each["right"] <= width for each in grades)
    assert all(each["bottom"] <= height and each["height"] >= 30 for each in grades)
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def says_what_was_done(page, words: str, height: int) -> None:
    """In the upper bar where the lower has no room, and nowhere twice."""
    below, above = page.locator(".judging-toast"), page.locator(".judging-moment")
    expect(below).to_contain_text(words)
    told = above if height < 480 else below
    expect(told).to_be_visible()
    expect(above).to_have_text(below.text_content())
    expect(page.locator(":is(.judging-toast, .judging-moment):visible")).to_have_count(1)
    edges = told.evaluate("e => [e.scrollWidth, e.clientWidth]")
    assert edges[0] <= edges[1]


@of_sizes(USUAL, SIZES)
def test_document_grades_and_what_was_done_have_their_room(pages, assignment, ada, sizes):
    page, order = pages(ada), served(assignment)
    opened(page, assignment)
    for width, height in sizes:
        share = SIZES[width, height]
        resized(page, width, height)
        all_is_in_sight(page, width, height)
        assert box(page, ".judging-document")["height"] >= share * height
        bar = box(page, ".judging-bar")
        go(page, "3", order[1])
        says_what_was_done(page, "grade 3, highly relevant", height)
        assert page.locator(".judging-document").evaluate("pane => pane.scrollTop") == 0
        assert box(page, ".judging-document")["height"] >= share * height
        if 600 < width < 1440 and height > 390:
            assert box(page, ".judging-actions")["height"] <= 56
        saved(page)
        for key, words in (("u", "taken back"), ("h", "Nothing is highlighted here.")):
            page.keyboard.press(key)
            says_what_was_done(page, words, height)
            assert box(page, ".judging-bar") == bar
        saved(page)
    go(page, "3", order[1])
    saved(page)
    in_order_beside_undo(page)
    expect(page.locator(".judging-moment")).to_have_count(0)
    expect(page.locator(".judging-progress a")).to_be_visible()


def test_what_is_sought_is_one_tap_away_on_a_phone(pages, assignment, ada):
    page = pages(ada, width=390, height=844)
    opened(page, assignment)
    counts = page.get_by_role("link", name="0 of 24 judged : your documents")
    expect(counts).to_be_visible()  # their words are there for a screen reader
    sought = page.get_by_text("What is sought.").last
    expect(page.locator(".statement")).to_be_hidden()
    one_line = page.locator(".judging-topic .one-line")
    one_line.click()
    expect(sought).to_be_visible()
    tap(page, 0)
    expect(page.locator(".judging-progress")).to_contain_text("1 of 24 judged")
    expect(sought).to_be_visible()  # as it was left
    one_line.click()
    page.reload()
    expect(page.locator(".statement")).to_be_hidden()
    assert box(page, ".judging-document")["height"] >= 0.6 * 844


def apart(page) -> list[dict]:
    """Return the places of the grades; nothing in the bar lies over anything else."""
    boxes = page.locator(PARTS + ".judging-saving)").evaluate_all(
        """all => all.filter(e => e.checkVisibility()).map(e => [e, e.getBoundingClientRect()])
          .map(([e, { x, y, width, height }]) =>
            ({ x, y, width, height, isGrade: e.matches(".grade-button") }))"""
    )
    for one, other in combinations([each for each in boxes if each["width"]], 2):
        is_apart = any(
            a[at] + a[size] <= b[at]
            for at, size in (("x", "width"), ("y", "height"))
            for a, b in ((one, other), (other, one))
        )
        assert is_apart, (one, other)
    return [each for each in boxes if each["isGrade"]]


@of_sizes(((1280, 800), (390, 844)), ALL_SIZES)
def test_nothing_in_the_bar_moves_from_under_a_finger_or_over_another(
    pages, assignment, ada, sizes
):
    campaign = assignment.topic.campaign
    below = {-n: f"spam of kind {n}" for n in (2, 1)}
    campaign.criteria = graded_by({**below, **campaign.scale.fixed})
    campaign.save()
    page, order = pages(ada), served(assignment)
    intercept(page)
    opened(page, assignment)
    for n, (width, height) in enumerate(sizes):
        resized(page, width, height)
        grades, held = apart(page), hold(page)
        go(page, "2", order[n + 1])
        unsaved(page, 1)
        assert apart(page) == grades
        undo = box(page, "#undo button")
        go(page, "u", order[n])
        expect(page.locator("[data-redo]")).to_be_visible()
        assert (apart(page), box(page, "#undo button")) == (grades, undo)
        go(page, "r", order[n + 1])
        hung = caught(page, held)
        page.context.unroute(ACTS)
        hung.continue_()
        saved(page)


def test_a_wide_page_has_the_text_in_the_middle_and_the_bar_on_one_line(pages, assignment, ada):
    page = pages(ada)
    opened(page, assignment)
    page.keyboard.press("3")
    saved(page)
    parts = ".judging-actions :is(.grade-button, .others .plain, .comment summary)"
    for width in (1280, 1440, 1920):
        page.set_viewport_size({"width": width, "height": 900})
        boxes = [part.bounding_box() for part in page.locator(parts).filter(visible=True).all()]
        assert len(boxes) == 7
        assert len({(round(each["y"]), round(each["height"])) for each in boxes}) == 1
        if width == 1280:
            continue
        pane, text = box(page, ".judging-document"), box(page, ".document-text")
        left, right = (text["x"] - pane["x"], pane["x"] + pane["width"] - text["x"] - text["width"])
        assert abs(left - right) <= 16  # a scroll bar's width
        for each in (box(page, ".judging-toast"), box(page, "#undo button")):
            assert text["x"] - 12 <= each["x"] <= text["x"] + text["width"] / 2
            assert 0 <= each["y"] - (pane["y"] + pane["height"]) < 40
        assert box(page, ".judging-topic")["width"] >= 340
        assert 0 < box(page, "#words-rail")["x"] - (text["x"] + text["width"]) < 48


def test_who_zooms_has_a_keyboard(pages, assignment, ada):
    """A laptop at 200 %: every key is shown, the tools of the bar stand, and no label is cut."""
    page = pages(ada, width=640, height=400)
    opened(page, assignment)
    assert keys_shown(page, ".judging-bar") == ["t", "d", "/", "q", "?"]
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


def test_a_finger_is_shown_no_keys_and_has_room(pages, assignment, ada):
    page = pages(ada, **TOUCH)
    page.goto(f"{address(assignment)}?number=2")
    for width, height in ((390, 844), (768, 1024), (844, 390)):
        resized(page, width, height)
        expect(shown(page)).to_have_text(served(assignment)[1])
        assert keys_shown(page, ".judging") == ["0", "1", "2", "3"]
        before, after = (box(page, f".judging-steps [data-step='{step}']") for step in (-1, 1))
        assert min(each[side] for each in (before, after) for side in ("width", "height")) >= 44
        assert after["x"] - before["x"] - before["width"] >= 8
    tap(page, 1)
    saved(page)
    page.locator(".comment summary").click()
    expect(page.locator("#comment")).to_be_focused()
    assert box(page, ".judging-document")["height"] >= 0.6 * 390
    undo = box(page, "#undo button")
    assert undo["x"] + undo["width"] <= 844
    resized(page, 390, 844)
    assert box(page, "#undo .word")["width"] > 20
    assert box(page, ".judging-bar h1")["width"] > 40, "the number of the topic"


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


BARS = """() => {
  const shown = [document.documentElement, ...document.querySelectorAll(".judging, .judging *")];
  const has = (each) => each.checkVisibility() && each.scrollHeight > each.clientHeight &&
    (each === document.documentElement ? innerWidth > each.clientWidth :
      ["auto", "scroll"].includes(getComputedStyle(each).overflowY));
  return shown.filter(has).map((each) => each.id || each.classList[0] || each.tagName);
}"""


@pytest.fixture
def with_bars(browser, kept, ada):
    """Ada's page in a browser that shows scrollbars, as those of a desktop do."""
    path = chromium_path()
    shows = {"executable_path": path, "ignore_default_args": ["--hide-scrollbars"]}
    chromium = browser.browser_type.launch(args=["--no-sandbox", "--disable-gpu"], **shows)
    page = chromium.new_page(base_url=kept.url, viewport={"width": 1280, "height": 800})
    client = Client()
    client.force_login(ada)
    value = client.cookies["sessionid"].value
    page.context.add_cookies([{"name": "sessionid", "value": value, "url": kept.url}])
    yield page
    chromium.close()
    let_the_server_finish()


def test_the_document_alone_has_a_scrollbar(with_bars, asked):
    asked.topic.campaign.document_set.update(text="A long line of words.\n\n" * 400)
    page = with_bars
    opened(page, asked)
    for width, height in ((1920, 1080), (1280, 800)):
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(BARS) == ["judging-document"]
    page.keyboard.press("2")
    expect(page.locator("#further[open]")).to_be_visible()
    assert page.evaluate(BARS) == ["judging-document"]
