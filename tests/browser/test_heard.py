"""What a screen reader is told on the judging page: each thing once, and where its reader is."""

import pytest
from playwright.sync_api import expect

from campaigns.core.criteria import read
from tests.browser.conftest import forgive_requests, opened, served
from tests.browser.outbox import caught, cut, mend, trouble, unsaved
from tests.onscreen import saved, shown

pytestmark = pytest.mark.browser
FINISHED = "Every document of this topic is judged"
LIVE = "[aria-live], [role=status], [role=alert]"


def live(page):
    return page.locator("#live")


def document(page, name: str):
    return page.get_by_role("region", name=name, exact=True)


def test_every_document_and_the_end_is_a_region_with_its_title_and_the_focus(
    pages, assignment, ada
):
    documents = assignment.topic.campaign.document_set
    documents.update(text="Short.")
    order = served(assignment)
    documents.filter(docno=order[1]).update(title='Of "trees" & leaves')
    page = pages(ada)
    opened(page, assignment)
    expect(document(page, f"Title of {order[0]}")).to_be_focused()
    page.keyboard.press("1")
    expect(document(page, 'Of "trees" & leaves')).to_be_focused()
    expect(shown(page)).to_have_text(order[1])
    page.keyboard.press("1")
    for docno in order[2:]:
        expect(document(page, f"Title of {docno}")).to_be_focused()
        expect(shown(page)).to_have_text(docno)
        page.keyboard.press("1")
    expect(document(page, FINISHED)).to_be_focused()
    saved(page)


def test_the_place_of_reading_comes_along_to_the_next_document(judging, assignment):
    order = served(assignment)
    judging.evaluate(
        "getSelection().collapse(document.querySelector('.statement').firstElementChild)"
    )
    judging.keyboard.press("1")
    expect(document(judging, f"Title of {order[1]}")).to_be_focused()
    assert judging.evaluate("getSelection().rangeCount") == 0


def test_while_all_is_well_only_the_answer_is_said(judging, assignment):
    order, held = served(assignment), []
    judging.context.route(("**/acts/"), lambda route: held.append(route))  # noqa: PLW0108 - it takes no method of a list
    judging.keyboard.press("2")
    unsaved(judging, 1)
    expect(live(judging)).to_have_text(f"{order[0]}: grade 2, relevant.")
    said = judging.locator(LIVE).evaluate_all("all => all.map(e => e.innerText).join()")
    assert "not yet saved" not in said
    caught(judging, held).continue_()
    saved(judging)


def test_that_the_server_is_back_is_said(judging):
    cut(judging)
    judging.keyboard.press("2")
    expect(trouble(judging)).to_contain_text("The server cannot be reached.")
    mend(judging)
    expect(live(judging)).to_have_text("All saved.")


def test_that_all_is_saved_is_said_after_the_last_of_several_requests(judging, assignment):
    order, held = served(assignment), []
    judging.context.route("**/acts/", lambda route: held.append(route))  # noqa: PLW0108 - as above
    judging.keyboard.press("2")
    expect(trouble(judging)).to_contain_text("1 not yet saved")
    judging.keyboard.press("1")
    expect(shown(judging)).to_have_text(order[2])
    unsaved(judging, 2)
    caught(judging, held).continue_()
    unsaved(judging, 1)
    second = caught(judging, held)
    judging.context.unroute("**/acts/")
    second.continue_()
    expect(live(judging)).to_have_text("All saved.")


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
    forgive_requests(pages)


@pytest.mark.parametrize(
    ("key", "pane", "after"),
    [("d", "Your documents", ["shown", "hidden"]), ("t", "Topic", ["hidden", "shown"])],
)
def test_a_panel_that_a_key_opens_or_closes_is_said(judging, key, pane, after):
    for state in after:
        judging.keyboard.press(key)
        expect(live(judging)).to_have_text(f"{pane}: {state}.")


def test_the_keys_are_read_from_their_heading_and_nothing_is_said_again_after_them(
    judging, assignment
):
    order = served(assignment)
    judging.keyboard.press("1")
    expect(live(judging)).to_contain_text("grade 1")
    judging.keyboard.press("?")
    expect(judging.get_by_role("heading", name="Keys")).to_be_focused()
    expect(live(judging)).to_have_text("")
    judging.keyboard.press("Escape")
    expect(document(judging, f"Title of {order[1]}")).to_be_focused()


def test_what_is_answered_in_a_dialog_is_said_once_it_has_closed(judging, assignment):
    order = served(assignment)
    judging.evaluate(
        """() => {
            window.told = [];
            const [live, dialog] =
              ["live", "cannot-judge"].map((id) => document.getElementById(id));
            dialog.addEventListener("close", () => told.push("closed"));
            new MutationObserver(() => live.textContent && told.push(live.textContent))
              .observe(live, { childList: true });
        }"""
    )
    judging.keyboard.press("x")
    judging.keyboard.press("1")
    expect(live(judging)).to_have_text(f"{order[0]}: cannot judge, the document is missing.")
    assert judging.evaluate("told") == ["closed", live(judging).text_content()]


def test_the_comment_says_once_what_it_is(judging):
    judging.keyboard.press("c")
    expect(judging.get_by_role("textbox", name="Comment", exact=True)).to_be_focused()


def test_the_ways_to_other_documents_are_read_without_their_keys(judging, assignment):
    order = served(assignment)
    judging.keyboard.press("n")
    expect(shown(judging)).to_have_text(order[1])
    for name, key in (("previous", "p"), ("next", "n")):
        link = judging.get_by_role("link", name=name, exact=True)
        expect(link).to_have_attribute("aria-keyshortcuts", key)


def test_docno_state_and_number_are_read_apart(judging, assignment):
    said = " ".join(judging.locator(".document-place").text_content().split())
    assert said.startswith(f"{served(assignment)[0]}, unjudged, document 1 of 24")


def test_that_a_question_was_left_is_said(pages, assignment, ada):
    campaign = assignment.topic.campaign
    criteria = read("credibility | How credible is it? | from 1\n0 | no\n1 | yes")
    campaign.criteria = [each.to_json() for each in criteria]
    campaign.save()
    page = pages(ada)
    opened(page, assignment)
    page.keyboard.press("1")
    expect(live(page)).to_have_text("How credible is it?, 0 no, 1 yes")
    page.keyboard.press("Escape")
    expect(live(page)).to_have_text(f"{served(assignment)[0]}: no grade given.")
