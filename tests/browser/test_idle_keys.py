"""No key of the table is silent: in every state each does something or says why it does not."""

import pytest
from playwright.sync_api import expect

from campaigns.services.ending import archive_campaign
from tests import make
from tests.browser.conftest import address, forgive_requests, go, opened, served
from tests.browser.kept import NOWHERE
from tests.browser.outbox import ACTS, not_saved
from tests.onscreen import saved, shown

pytestmark = pytest.mark.browser
# Presses each key, and returns those after which nothing can be seen or heard. The place of
# messages is emptied before each.
SILENT = """async (keys) => {
  const live = document.getElementById("live");
  const BY_ITSELF = "#trouble, .judging-saving, .judging-moment, #words";
  const seen = () => {
    const hit = [...(CSS.highlights.get("words-hit") ?? [])].map((each) => each.startOffset);
    const body = document.body.cloneNode(true);
    for (const each of body.querySelectorAll(BY_ITSELF)) each.remove();
    return JSON.stringify([body.outerHTML, location.href, hit, document.activeElement.id]);
  };
  let isLeft; // by a link that the script leaves to the browser
  addEventListener("click", (event) => {
    if (event.defaultPrevented || !event.target.closest("a")) return;
    event.preventDefault();
    isLeft = true;
  });
  const isHeard = () => isLeft || live.textContent || document.querySelector("dialog .judging-told")
    || document.querySelector(":popover-open");
  const later = setTimeout.bind(window);
  window.setTimeout = (act, ms) => later(act, ms === 100 ? 0 : ms); // what is said is said at once
  const pause = () => new Promise((resolve) => later(resolve, 10));
  const silent = [];
  for (const key of keys) {
    [live.textContent, isLeft] = ["", false];
    const before = seen();
    const code = /^\\d$/.test(key) ? `Digit${key}` : "";
    document.activeElement.dispatchEvent(
      new KeyboardEvent("keydown", { key, code, bubbles: true, cancelable: true }));
    let waits = 300;
    do await pause(); while (!isHeard() && seen() === before && waits--);
    if (waits < 0) silent.push(key);
    document.querySelector("dialog:modal")?.close();
    if (document.activeElement.matches("textarea, input")) document.activeElement.blur();
    document.querySelector(":popover-open")?.hidePopover();
  }
  return silent;
}"""


def missing(page, assignment, olga) -> None:
    assignment.topic.campaign.document_set.filter(docno=served(assignment)[0]).delete()
    opened(page, assignment)


def first(page, assignment, olga) -> None:
    opened(page, assignment)


def last(page, assignment, olga) -> None:
    page.goto(f"{address(assignment)}?number=24")
    shown(page).wait_for()


def judged(page, assignment, olga) -> None:
    make.judgments(assignment, dict.fromkeys(served(assignment), 1))
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


def with_list_on_a_phone(page, assignment, olga) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    opened(page, assignment)
    page.keyboard.press("d")
    page.locator("#own").wait_for()


USUAL = [first, missing, judged, not_ready, stopped]
FURTHER = [last, closed, with_help, with_list_on_a_phone]
STATES = [*USUAL, *(pytest.param(each, marks=pytest.mark.deep) for each in FURTHER)]


@pytest.mark.usefixtures("intercepted")
@pytest.mark.parametrize("state", STATES, ids=lambda state: state.__name__)
def test_every_key_of_the_table_does_something_or_says_why_not(pages, assignment, ada, olga, state):
    page = pages(ada)
    state(page, assignment, olga)
    page.context.route(ACTS, lambda route: route.abort())
    table = page.locator("#help dt kbd").all_text_contents()
    assert len(table) >= 20
    assert page.evaluate(SILENT, [*table, "7", "-"]) == []
    page.goto(NOWHERE)
    forgive_requests(pages)


def says(page, key: str, sentence: str) -> None:
    page.keyboard.press(key)
    expect(not_saved(page)).to_have_text(sentence)
    expect(page.locator("#live")).to_have_text(sentence)


def test_a_key_that_does_nothing_says_what_to_press(pages, assignment, ada, olga):
    page = pages(ada)
    missing(page, assignment, olga)
    says(page, "2", "This document cannot be graded: m says that it is missing.")
    says(page, "r", "There is nothing to redo.")
    says(page, "p", "This is the first document.")
    go(page, "m", served(assignment)[1])
    says(page, "7", "7 is not a grade here.")
    says(page, "-", "\u2212 is not a grade here.")
    says(page, "m", "This document is here and can be read, so it can be graded.")
    saved(page)
    page.keyboard.press("?")
    page.locator("#help[open]").wait_for()
    page.keyboard.press("2")
    told = page.get_by_role("dialog").get_by_role("alert")
    expect(told).to_have_text("2 does nothing here. Esc goes back to the document.")
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    expect(told).to_have_count(0)
