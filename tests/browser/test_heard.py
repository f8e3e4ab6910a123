"""What a screen reader is told on the judging page: each thing once, and where its reader is."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import go, opened, served
from tests.browser.outbox import ACTS, caught, cut, document, hold, mend, press, trouble, unsaved
from tests.onscreen import saved, shown

pytestmark = pytest.mark.browser
LIVE = "[aria-live], [role=status], [role=alert]"
# What is said, and that the dialog has closed, in their order.
LISTEN = """() => {
  window.told = [];
  const [live, dialog] = ["live", "cannot-judge"].map((id) => document.getElementById(id));
  dialog.addEventListener("close", () => told.push("closed"));
  new MutationObserver(() => live.textContent && told.push(live.textContent))
    .observe(live, { childList: true });
}"""


def live(page):
    return page.locator("#live")


@pytest.mark.usefixtures("intercepted")
def test_while_all_is_well_only_the_answer_is_said_and_then_that_all_is_saved(judging, assignment):
    order, held = served(assignment), hold(judging)
    judging.evaluate(
        "getSelection().collapse(document.querySelector('.statement').firstElementChild)"
    )
    judging.keyboard.press("2")
    unsaved(judging, 1)
    expect(live(judging)).to_have_text(f"{order[0]}: grade 2, relevant.")
    said = judging.locator(LIVE).evaluate_all("all => all.map(e => e.innerText).join()")
    assert "not yet saved" not in said
    # The place of reading comes along to the next document.
    expect(document(judging, f"Title of {order[1]}")).to_be_focused()
    assert judging.evaluate("getSelection().rangeCount") == 0
    expect(trouble(judging)).to_contain_text("1 not yet saved")  # the server takes its time
    go(judging, "1", order[2])
    unsaved(judging, 2)
    caught(judging, held).continue_()
    unsaved(judging, 1)
    second = caught(judging, held)
    judging.context.unroute(ACTS)
    second.continue_()
    expect(live(judging)).to_have_text("All saved.")  # after the last of several requests


@pytest.mark.usefixtures("intercepted")
def test_what_keeps_answers_from_being_saved_is_said_once_and_not_with_each(judging, assignment):
    cut(judging)
    press(judging, assignment, "2")
    said = trouble(judging).locator("[role=status]")
    expect(said).to_contain_text("The server cannot be reached. What you answer is kept")
    said.evaluate("""each => {
      window.again = 0;
      new MutationObserver(() => window.again++).observe(each, { childList: true, subtree: true });
    }""")
    press(judging, assignment, "1")
    expect(trouble(judging)).to_contain_text("2 not yet saved.")
    assert judging.evaluate("again") == 0
    mend(judging)
    saved(judging)
    expect(said).to_be_empty()  # so that the next trouble is said


@pytest.mark.usefixtures("intercepted")
def test_a_document_that_is_waited_for_takes_the_focus_once(pages, assignment, ada):
    page, order, asked = pages(ada), served(assignment), []

    def fail(route) -> None:
        asked.append(route.request.url)
        route.abort()

    page.clock.install()
    page.context.route("**/documents/**", fail)
    opened(page, assignment)
    page.keyboard.press("n")
    waited = page.locator(".judging-document[data-waiting]")
    expect(waited).to_have_accessible_name(
        f"{order[1]}. It cannot be shown yet. The server cannot be reached."
    )
    expect(waited).to_be_focused()
    waited.evaluate("each => each.dataset.first = ''")
    page.evaluate("document.querySelector('[data-key=t]').focus()")
    n = len(asked)
    while len(asked) < n + 3:
        page.clock.run_for(2000)
    expect(page.locator(".judging-document[data-first]")).to_have_count(1)
    expect(waited).not_to_be_focused()
    page.context.unroute("**/documents/**")
    page.clock.run_for(2000)
    expect(shown(page)).to_have_text(order[1])
    expect(page.locator(".judging-document")).to_be_focused()


def test_panels_keys_reasons_and_the_parts_of_a_document_are_said(judging, assignment):
    order = served(assignment)
    place = " ".join(judging.locator(".document-place").text_content().split())
    assert place.startswith(f"{order[0]}, unjudged, document 1 of 24")
    for key, pane, states in (
        ("d", "Your documents", ("shown", "hidden")),
        ("t", "Topic", ("hidden", "shown")),
    ):
        for state in states:
            judging.keyboard.press(key)
            expect(live(judging)).to_have_text(f"{pane}: {state}.")
    judging.keyboard.press("c")
    expect(judging.get_by_role("textbox", name="Comment", exact=True)).to_be_focused()
    judging.keyboard.press("Escape")
    judging.keyboard.press("1")
    expect(live(judging)).to_contain_text("grade 1")
    judging.keyboard.press("?")
    expect(judging.get_by_role("heading", name="Keys")).to_be_focused()
    expect(live(judging)).to_have_text("")  # nothing is said again after the keys
    judging.keyboard.press("Escape")
    expect(document(judging, f"Title of {order[1]}")).to_be_focused()
    for name, key in (("previous", "p"), ("next", "n")):
        link = judging.get_by_role("link", name=name, exact=True)
        expect(link).to_have_attribute("aria-keyshortcuts", key)
    judging.evaluate(LISTEN)
    judging.keyboard.press("x")
    judging.keyboard.press("1")
    expect(live(judging)).to_have_text(f"{order[1]}: cannot judge, the document is missing.")
    assert judging.evaluate("told") == ["closed", live(judging).text_content()]
    saved(judging)
