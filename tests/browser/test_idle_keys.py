"""No key of the table is silent: in every state each does something or says why it does not."""

import pytest
from playwright.sync_api import expect

from campaigns.services.ending import archive_campaign
from tests import make
from tests.browser.conftest import address, forgive_requests, intercept, opened, served, takes_taps
from tests.browser.outbox import ACTS, not_saved
from tests.onscreen import saved, shown

pytestmark = pytest.mark.browser
# What a person can see or hear of a key; what is said is told apart by an empty place.
SEEN = """() => {
  document.getElementById("live").textContent = "";
  const hit = [...(CSS.highlights.get("words-hit") ?? [])].map((each) => each.startOffset);
  return JSON.stringify([document.body.outerHTML, location.href, hit, document.activeElement.id,
    document.querySelectorAll(":popover-open").length]);
}"""
PRESS = """(key) => (document.activeElement ?? document.body).dispatchEvent(
  new KeyboardEvent("keydown", { key, code: /^\\d$/.test(key) ? `Digit${key}` : "",
    bubbles: true, cancelable: true }))"""
ENDED = """([before]) => document.getElementById("live").textContent
  || document.querySelector("dialog .judging-told")
  || document.querySelectorAll(":popover-open").length || (() => {
    const hit = [...(CSS.highlights.get("words-hit") ?? [])].map((each) => each.startOffset);
    const now = [document.body.outerHTML, location.href, hit, document.activeElement.id, 0];
    return JSON.stringify(now) !== before;
  })()"""


def missing(page, assignment, olga) -> None:
    assignment.topic.campaign.document_set.filter(docno=served(assignment)[0]).delete()
    opened(page, assignment)


def garbled(page, assignment, olga) -> None:
    text = "\ufffd" * 300
    docnos = assignment.topic.campaign.document_set.filter(docno=served(assignment)[0])
    docnos.update(title="", text=text)
    opened(page, assignment)


def first(page, assignment, olga) -> None:
    opened(page, assignment)


def last(page, assignment, olga) -> None:
    page.goto(f"{address(assignment)}?number=24")
    shown(page).wait_for()


def judged(page, assignment, olga) -> None:
    for docno in served(assignment):
        make.judgment(assignment, docno, 1)
    page.goto(address(assignment))
    page.locator("[data-finished]").wait_for()
    page.locator(".judging-progress", has_text="24 of 24").wait_for()


def not_ready(page, assignment, olga) -> None:
    page.context.route("**/queue/", lambda route: route.abort())
    page.goto(address(assignment))
    expect(not_saved(page)).to_have_text("The server cannot be reached.")


def stopped(page, assignment, olga) -> None:
    opened(page, assignment)
    assignment.assessor.membership_set.all().delete()
    page.keyboard.press("2")
    expect(not_saved(page)).to_contain_text("no longer an assessor")


def closed(page, assignment, olga) -> None:
    archive_campaign(user=olga, campaign=assignment.topic.campaign)
    page.goto(f"{address(assignment)}?number=1")
    page.locator(".judging-closed").wait_for()


def with_help(page, assignment, olga) -> None:
    opened(page, assignment)
    page.keyboard.press("?")
    page.locator("#help[open]").wait_for()


def with_reasons(page, assignment, olga) -> None:
    opened(page, assignment)
    page.keyboard.press("x")
    page.locator("#cannot-judge[open]").wait_for()


def with_list_on_a_phone(page, assignment, olga) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    opened(page, assignment)
    page.keyboard.press("d")
    page.locator("#own").wait_for()


STATES = [
    first,
    last,
    missing,
    garbled,
    judged,
    not_ready,
    stopped,
    closed,
    with_help,
    with_reasons,
    with_list_on_a_phone,
]


@pytest.mark.parametrize("state", STATES, ids=lambda state: state.__name__)
def test_every_key_of_the_table_does_something_or_says_why_not(pages, assignment, ada, olga, state):
    page = pages(ada)
    intercept(page)
    state(page, assignment, olga)
    page.context.route(ACTS, lambda route: route.abort())
    table = page.locator("#help dt kbd").all_text_contents()
    assert len(table) >= 20
    for key in [*table, "7", "-"]:
        before = page.evaluate(SEEN)
        page.evaluate(PRESS, key)
        page.wait_for_function(ENDED, arg=[before])
        if page.evaluate("location.href") != page.url or page.locator("dialog:modal").count():
            page.keyboard.press("Escape")
        page.evaluate(
            "document.activeElement?.matches('textarea, input') && document.activeElement.blur()"
        )
        page.evaluate("document.querySelector(':popover-open')?.hidePopover()")
    forgive_requests(pages)
    page.goto("about:blank")


def says(page, key: str, sentence: str) -> None:
    page.keyboard.press(key)
    expect(not_saved(page)).to_have_text(sentence)
    expect(page.locator("#live")).to_have_text(sentence)


def test_what_cannot_be_graded_says_what_to_press(pages, assignment, ada, olga):
    page = pages(ada)
    missing(page, assignment, olga)
    says(page, "2", "This document cannot be graded: m says that it is missing.")
    says(page, "r", "There is nothing to redo.")
    says(page, "p", "This is the first document.")
    page.keyboard.press("m")
    expect(shown(page)).to_have_text(served(assignment)[1])
    says(page, "7", "7 is not a grade here.")
    says(page, "m", "This document is here and can be read, so it can be graded.")
    saved(page)


def test_a_minus_sign_without_grades_below_0_says_so(pages, assignment, ada, olga):
    page = pages(ada)
    first(page, assignment, olga)
    says(page, "-", "\u2212 is not a grade here.")


def test_a_digit_over_the_list_of_keys_is_told_in_it(pages, assignment, ada, olga):
    page = pages(ada)
    with_help(page, assignment, olga)
    page.keyboard.press("2")
    told = page.get_by_role("dialog").get_by_role("alert")
    expect(told).to_have_text("2 does nothing here. Esc goes back to the document.")
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    expect(told).to_have_count(0)


def test_a_comment_typed_before_the_page_is_ready_is_there_after_a_reload(pages, assignment, ada):
    page = pages(ada)
    page.context.route("**/queue/", lambda route: route.abort())
    page.goto(address(assignment))
    expect(not_saved(page)).to_have_text("The server cannot be reached.")
    page.keyboard.press("c")
    page.keyboard.type("doubt, quoted")
    page.keyboard.press("Escape")
    page.reload()
    expect(not_saved(page)).to_have_text("The server cannot be reached.")
    field, toast = page.locator("#comment"), page.locator(".judging-toast")
    expect(field).to_have_value("doubt, quoted")
    expect(toast).to_have_text("A comment that you were writing is still there.")
    page.context.unroute("**/queue/")
    page.reload()
    expect(shown(page)).to_have_text(served(assignment)[0])
    expect(field).to_have_value("doubt, quoted")
    takes_taps(page)
    page.keyboard.press("2")
    saved(page)
    assert assignment.judgments.get().comment == "doubt, quoted"
    forgive_requests(pages)
