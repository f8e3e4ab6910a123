from itertools import combinations

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from assess.models.history import JudgmentEvent
from assess.models.judging import Judgment
from pooling.models import PoolEntry
from tests import make
from tests.browser.conftest import address, intercept, opened, said, served, tap
from tests.onscreen import saved, shown

pytestmark = pytest.mark.browser


def test_twenty_documents_are_judged_by_keyboard_alone(pages, assignment, ada):
    page, order = pages(ada), served(assignment)
    opened(page, assignment)
    for place, docno in enumerate(order[:20]):
        expect(shown(page)).to_have_text(docno)
        page.keyboard.press(str(place % 4))
        expect(page.locator(".judging-toast")).to_contain_text(f"{docno}: grade {place % 4}")
    expect(page.locator(".judging-progress")).to_contain_text("20 of 24 judged")
    saved(page)
    assert said(assignment) == {docno: place % 4 for place, docno in enumerate(order[:20])}
    assert set(JudgmentEvent.objects.values_list("method", flat=True)) == {"key"}
    assert JudgmentEvent.objects.filter(active_ms__gt=0).exists()


def test_at_the_end_of_a_topic_its_grades_are_shown_and_enter_opens_the_next(
    pages, assignment, ada
):
    order, topic = served(assignment), assignment.topic.campaign.topic_set.get(number="2")
    for place, docno in enumerate(order[1:]):
        make.judgment(assignment, docno, place % 3)
    PoolEntry.objects.create(
        pool=assignment.pool, topic=topic, docno=order[0], run_ids=[], ranks=[]
    )
    following = make.assignment(topic, ada)
    page = pages(ada)
    opened(page, assignment)
    page.keyboard.press("3")
    expect(page.get_by_text("Every document of this topic is judged")).to_be_visible()
    assert page.locator(".judging-given td.number").all_inner_texts() == ["8", "8", "7", "1"]
    saved(page)
    page.keyboard.press("Enter")
    page.wait_for_url(f"**{address(following)}*")
    expect(shown(page)).to_have_text(order[0])


def test_the_other_keys(pages, assignment, ada):
    page, order = pages(ada), served(assignment)
    opened(page, assignment)
    page.keyboard.press("n")
    expect(shown(page)).to_have_text(order[1])
    page.keyboard.press("p")
    expect(shown(page)).to_have_text(order[0])
    page.keyboard.press("l")
    expect(shown(page)).to_have_text(order[1])
    page.keyboard.press("x")
    expect(page.locator("#cannot-judge")).to_be_visible()
    page.keyboard.press("2")
    expect(shown(page)).to_have_text(order[2])
    page.keyboard.press("c")
    page.keyboard.type("3 l u are only words here")
    page.keyboard.press("Escape")
    page.keyboard.press("1")
    expect(shown(page)).to_have_text(order[3])
    page.keyboard.press("?")
    expect(page.locator("#help")).to_be_visible()
    page.keyboard.press("3")
    page.keyboard.press("Escape")
    expect(page.locator("#help")).to_be_hidden()
    saved(page)
    assert said(assignment) == {order[0]: "later", order[1]: "cannot_judge", order[2]: 1}
    assert Judgment.objects.get(docno=order[1]).reason == "unreadable"
    assert Judgment.objects.get(docno=order[2]).comment == "3 l u are only words here"
    saved(page)
    page.keyboard.press("u")
    expect(shown(page)).to_have_text(order[2])
    expect(page.locator(".judging-document .state")).to_have_text("reopened")
    saved(page)
    page.goto(address(assignment) + "documents/")
    states = set(page.locator("tbody .state").all_inner_texts())
    assert states == {"later", "cannot judge", "reopened", "unjudged"}


def test_the_list_of_ones_documents_leads_back_to_each(pages, assignment, ada):
    page, order = pages(ada), served(assignment)
    opened(page, assignment)
    page.keyboard.press("2")
    expect(shown(page)).to_have_text(order[1])
    saved(page)
    page.goto(address(assignment) + "documents/?state=judged")
    page.get_by_role("link", name=order[0]).click()
    expect(page.locator(".judging-document .grade")).to_contain_text("2 relevant")
    expect(page.locator(".grade-button[aria-pressed=true]")).to_have_text("2 relevant")


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (390, 844), (360, 640)])
def test_the_grades_never_leave_the_screen(pages, assignment, ada, width, height):
    page = pages(ada, width=width, height=height)
    opened(page, assignment)
    page.locator(".judging-document").evaluate("pane => pane.scrollTo(0, pane.scrollHeight)")
    for button in page.locator(".grade-button").all():
        expect(button).to_be_in_viewport(ratio=1)
        assert button.bounding_box()["height"] >= 30
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    tap(page, 0)
    expect(page.locator(".judging-progress")).to_contain_text("1 of 24 judged")
    assert page.locator(".judging-document").evaluate("pane => pane.scrollTop") == 0


def test_the_document_has_most_of_a_phone_and_what_is_sought_is_one_tap_away(
    pages, assignment, ada
):
    page = pages(ada, width=390, height=844)
    opened(page, assignment)
    document, sought = page.locator(".judging-document"), page.get_by_text("What is sought.").last
    assert document.bounding_box()["height"] >= 0.6 * 844
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
    assert document.bounding_box()["height"] >= 0.6 * 844


@pytest.mark.parametrize(
    ("width", "height", "share"),
    [(1280, 800, 0.8), (390, 844, 0.6), (640, 400, 0.5), (640, 450, 0.5)],
)
def test_the_document_has_its_share_of_the_page(pages, assignment, ada, width, height, share):
    """The last two are a laptop's at 200 %."""
    page = pages(ada, width=width, height=height)
    opened(page, assignment)
    page.keyboard.press("1")
    expect(page.locator(".judging-progress")).to_contain_text("1 of 24")
    document = page.locator(".judging-document").bounding_box()
    assert document["height"] >= share * height
    if width > 600:
        assert page.locator(".judging-actions").bounding_box()["height"] <= 56


def test_the_bar_says_what_was_saved_beside_undo(pages, assignment, ada):
    page, order = pages(ada), served(assignment)
    opened(page, assignment)
    page.keyboard.press("3")
    saved(page)
    for width in (1280, 1060, 900, 800, 768, 600, 390, 360):
        page.set_viewport_size({"width": width, "height": 800})
        toast = page.locator(".judging-toast")
        expect(toast).to_have_text(f"{order[0]}: grade 3, highly relevant.")
        parts = [
            page.locator(f".judging-actions {part}").bounding_box()
            for part in (".comment summary", ".judging-toast", "#undo button")
        ]
        edges = [edge for part in parts for edge in (part["x"], part["x"] + part["width"])]
        assert edges == sorted(edges)
        assert edges[-1] <= width


@pytest.mark.parametrize(("width", "height"), [(640, 400), (844, 390), (390, 844), (1280, 800)])
def test_what_was_done_is_said_in_the_upper_bar_where_the_lower_has_no_room(
    pages, assignment, ada, width, height
):
    page, order = pages(ada, width=width, height=height), served(assignment)
    opened(page, assignment)
    below, above = page.locator(".judging-toast"), page.locator(".judging-moment")
    bar = page.locator(".judging-bar").bounding_box()
    for key, words in (("3", "grade 3, highly relevant"), ("u", "taken back"), ("h", "")):
        page.keyboard.press(key)
        expect(below).to_contain_text(words or "Nothing is highlighted here.")
        told = above if height < 480 else below
        expect(told).to_be_visible()
        expect(above).to_have_text(below.text_content())
        expect(page.locator(":is(.judging-toast, .judging-moment):visible")).to_have_count(1)
        edges = told.evaluate("e => [e.scrollWidth, e.clientWidth]")
        assert edges[0] <= edges[1]
        assert page.locator(".judging-bar").bounding_box() == bar
        if key == "3":
            expect(shown(page)).to_have_text(order[1])
    expect(above).to_have_count(0)
    expect(page.locator(".judging-progress a")).to_be_visible()


@pytest.mark.parametrize(
    ("width", "height"),
    [(1280, 800), (1100, 800), (1000, 700), (768, 1024), (640, 400), (390, 844)],
)
def test_nothing_in_the_bar_moves_from_under_a_finger_or_over_another(
    pages, assignment, ada, width, height
):
    campaign = assignment.topic.campaign
    below = [{"value": -n, "label": f"spam of kind {n}", "description": ""} for n in (2, 1)]
    campaign.scale_grades = [*below, *campaign.scale_grades]
    campaign.save()
    page, order = pages(ada, width=width, height=height), served(assignment)
    intercept(page)
    opened(page, assignment)

    def boxes(parts: str) -> list[dict]:
        return [box for each in page.locator(parts).all() if (box := each.bounding_box())]

    def in_order() -> list[dict]:
        """Return the places of the grades; nothing lies over anything else."""
        parts = boxes(
            ".judging-actions :is(.grade-button, button.plain, .comment summary, .judging-toast, "
            ".judging-saving)"
        )
        for one, other in combinations(parts, 2):
            beside = (
                one["x"] + one["width"] <= other["x"] or other["x"] + other["width"] <= one["x"]
            )
            above = (
                one["y"] + one["height"] <= other["y"] or other["y"] + other["height"] <= one["y"]
            )
            assert beside or above, (one, other)
        return boxes(".grade-button")

    grades = in_order()
    page.context.route("**/acts/", lambda route: None)  # it hangs
    page.keyboard.press("2")
    expect(shown(page)).to_have_text(order[1])
    expect(page.locator(".judging-saving")).to_have_text("1 not yet saved")
    assert in_order() == grades
    page.keyboard.press("u")
    expect(shown(page)).to_have_text(order[0])
    expect(page.locator("[data-redo]")).to_be_visible()
    assert in_order() == grades
    page.context.unroute("**/acts/")


def test_keys_can_be_switched_off(pages, assignment, ada):
    ada.single_key_shortcuts = False
    ada.save()
    page, order = pages(ada), served(assignment)
    opened(page, assignment)
    page.keyboard.press("2")
    tap(page, 3)
    expect(shown(page)).to_have_text(order[1])
    saved(page)
    assert said(assignment) == {order[0]: 3}
    assert JudgmentEvent.objects.get().method == "click"


def test_without_script_the_page_says_that_judging_needs_it(pages, assignment, ada):
    page, order = pages(ada, java_script_enabled=False), served(assignment)
    page.goto(address(assignment))
    expect(page.locator(".judging-notices noscript p")).to_contain_text("Judging needs JavaScript")
    page.locator(".grade-button").nth(1).click()
    expect(page.locator(".judging-document code")).to_have_text(order[0])
    assert said(assignment) == {}


def test_a_grade_below_0_takes_a_minus_and_a_digit(pages, assignment, ada):
    campaign = assignment.topic.campaign
    spam = {"value": -2, "label": "spam", "description": "Made for search engines."}
    campaign.scale_grades = [spam, *campaign.scale_grades]
    campaign.save()
    page, order = pages(ada), served(assignment)
    opened(page, assignment)
    page.keyboard.press("-")
    expect(page.locator("body")).to_have_attribute("data-minus", "")
    page.keyboard.press("1")  # there is no -1, and 1 was not meant
    expect(page.locator("body")).not_to_have_attribute("data-minus", "")
    page.keyboard.press("-")
    page.keyboard.press("2")
    expect(shown(page)).to_have_text(order[1])
    page.keyboard.press("-")
    page.keyboard.press("Escape")
    page.keyboard.press("2")
    expect(shown(page)).to_have_text(order[2])
    saved(page)
    assert said(assignment) == {order[0]: -2, order[1]: 2}


def test_a_missing_document_is_said_to_be_missing_by_one_key(pages, assignment, ada):
    page, order = pages(ada), served(assignment)
    campaign = assignment.topic.campaign
    campaign.document_set.filter(docno=order[0]).delete()
    campaign.document_set.filter(docno=order[1]).update(title="", text=" ")
    campaign.document_set.filter(docno=order[2]).update(title="", text="\ufffd" * 9)
    opened(page, assignment)
    for docno in order[:3]:
        expect(shown(page)).to_have_text(docno)
        expect(page.locator(".grades")).to_be_hidden()
        page.keyboard.press("2")
        page.keyboard.press("m")
    expect(shown(page)).to_have_text(order[3])
    saved(page)
    reasons = dict(Judgment.objects.values_list("docno", "reason"))
    assert reasons == dict(zip(order, ["missing", "missing", "unreadable"], strict=False))


def test_the_space_key_scrolls_the_first_document_too(pages, assignment, ada):
    page = pages(ada)
    opened(page, assignment)
    expect(page.locator(".judging-document")).to_be_focused()


def test_after_closing_ones_own_judgments_are_read_and_not_changed(pages, assignment, ada):
    order, campaign = served(assignment), assignment.topic.campaign
    make.judgment(assignment, order[0], 2)
    campaign.judging_closes_at = timezone.now()
    campaign.save()
    page = pages(ada)
    page.goto(address(assignment))
    expect(page.get_by_text("You can still read your judgments.")).to_be_visible()
    page.get_by_role("link", name=order[0]).click()
    expect(page.locator(".judging-closed")).to_contain_text("Judging closed on")
    expect(page.locator(".judging-document .grade")).to_contain_text("2 relevant")
    expect(shown(page)).to_have_text(order[0])
    page.keyboard.press("3")
    page.keyboard.press("n")
    expect(shown(page)).to_have_text(order[1])
    assert said(assignment) == {order[0]: 2}


def test_a_comment_not_saved_comes_back_with_its_document(pages, assignment, ada):
    page, order = pages(ada), served(assignment)
    opened(page, assignment)
    page.keyboard.press("c")
    page.keyboard.type("so far")
    page.keyboard.press("Escape")
    page.keyboard.press("n")
    expect(shown(page)).to_have_text(order[1])
    expect(page.locator("#comment")).to_have_value("")
    page.reload()
    page.keyboard.press("p")
    expect(shown(page)).to_have_text(order[0])
    expect(page.locator("#comment")).to_have_value("so far")
    page.keyboard.press("1")
    expect(shown(page)).to_have_text(order[1])
    saved(page)
    assert Judgment.objects.get().comment == "so far"
    Judgment.objects.update(comment="corrected elsewhere")
    page.reload()
    expect(shown(page)).to_have_text(order[1])
    page.keyboard.press("p")
    expect(shown(page)).to_have_text(order[0])
    expect(page.locator("#comment")).to_have_value("corrected elsewhere")
    page.locator("#comment").fill("and again")
    page.locator("#comment").press("Escape")
    page.wait_for_function("""async () => {
        const user = document.getElementById("judging").dataset.user;
        const { src } = document.querySelector("script[src*='judging/page']");
        const { Store } = await import(src.replace("page.js", "store.js"));
        return (await (await Store.open(user)).all("drafts")).length > 0;
    }""")
    Judgment.objects.update(comment="once more elsewhere")
    page.reload()
    expect(page.locator("#comment")).to_have_value("once more elsewhere\nand again")
