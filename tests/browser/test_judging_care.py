"""What was meant for one document, or by one person, is not taken for another's."""

import re

import pytest
from playwright.sync_api import expect

from assess.models.history import JudgmentEvent
from assess.models.judging import Judgment
from tests.asked import graded_by
from tests.browser.conftest import address, comment, go, opened, said, served, tap
from tests.browser.outbox import caught, grades, hold, mend, not_saved
from tests.onscreen import saved, shown

pytestmark = pytest.mark.browser
CAME_UP = "this document had only just appeared"
NOT_READY = "Nothing was saved: this page is not ready yet. Press again in a moment."


@pytest.fixture
def page(pages, assignment, ada):
    campaign = assignment.topic.campaign
    campaign.criteria = graded_by({-2: "spam", **campaign.scale.fixed})
    campaign.save()
    page = pages(ada)
    opened(page, assignment)
    return page


def knows_its_queue(page) -> None:
    """Wait until the page knows how its documents stand, whether a key is about the one on the
    screen yet or not.
    """
    page.locator(".judging-document[data-version]").wait_for()


def on_arrival(page, docno: str, *keys: str, repeat: bool = False) -> None:
    """Press keys the moment a document is on the screen, however slow the machine."""
    page.evaluate(
        """([docno, keys, repeat]) => new MutationObserver((_, observer) => {
            const article = document.querySelector(".judging-document");
            if ("waiting" in article.dataset) return;
            if (article.querySelector("code").textContent !== docno) return;
            observer.disconnect();
            for (const key of keys) document.body.dispatchEvent(
                new KeyboardEvent("keydown", {key, repeat, bubbles: true, cancelable: true}));
        }).observe(document.getElementById("judging"), {childList: true})""",
        [docno, keys, repeat],
    )


def test_a_grade_below_0_takes_a_minus_and_a_digit_of_one_document(page, assignment):
    order, body = served(assignment), page.locator("body")
    page.keyboard.press("-")
    expect(body).to_have_attribute("data-minus", "")
    page.keyboard.press("1")  # there is no -1, and 1 was not meant
    expect(body).not_to_have_attribute("data-minus", "")
    page.keyboard.press("-")
    go(page, "2", order[1])
    page.keyboard.press("-")
    page.keyboard.press("Escape")
    go(page, "2", order[2])
    page.keyboard.press("-")
    go(page, "n", order[3])  # it ends with its document
    expect(body).not_to_have_attribute("data-minus", "")
    on_arrival(page, order[4], "-", "2")
    go(page, "2", order[4])
    expect(not_saved(page)).to_contain_text(CAME_UP)
    go(page, "2", order[5])
    saved(page)
    assert said(assignment) == {order[0]: -2, order[1]: 2, order[3]: 2, order[4]: 2}


def test_keys_that_come_too_early_are_refused_and_counted(page, assignment):
    order, toast = served(assignment), page.locator(".judging-toast")
    on_arrival(page, order[1], "0", "1", "2", "3")
    page.keyboard.press("2")
    expect(not_saved(page)).to_contain_text("Too quick (4 times)")
    expect(shown(page)).to_have_text(order[1])
    saved(page)
    assert said(assignment) == {order[0]: 2}
    page.keyboard.press("3")  # somebody who types ahead learns that it was not the first key
    expect(toast).to_have_text(
        f"{order[1]}: grade 3, highly relevant. 4 keys before it came too early."
    )
    expect(shown(page)).to_have_text(order[2])
    on_arrival(page, order[3], "2", repeat=True)  # a key that is held down
    page.keyboard.press("2")
    expect(toast).not_to_contain_text("too early")
    expect(shown(page)).to_have_text(order[3])
    expect(not_saved(page)).to_be_hidden()
    on_arrival(page, order[4], "x")
    go(page, "n", order[4])
    expect(not_saved(page)).to_contain_text(CAME_UP)
    page.wait_for_timeout(200)
    page.keyboard.press("2")  # it was to say why the document cannot be judged
    expect(not_saved(page)).to_contain_text("Too quick (2 times): the key before it was refused.")
    page.go_back()
    expect(shown(page)).to_have_text(order[3])
    expect(not_saved(page)).to_be_hidden()
    saved(page)
    assert said(assignment) == {order[0]: 2, order[1]: 3, order[2]: 2}


def test_the_campaign_says_for_how_long_a_document_is_seen_first(page, assignment):
    order, campaign = served(assignment), assignment.topic.campaign
    campaign.least_view_ms = 4_000
    campaign.save()
    page.set_viewport_size({"width": 390, "height": 844})
    page.reload()
    page.locator("#topic[data-placed]").wait_for(state="attached")
    knows_its_queue(page)
    page.locator(".judging-more").click()
    page.locator("#more [data-pane=own]").click()  # panels open meanwhile
    expect(page.locator("#own")).to_be_visible()
    expect(not_saved(page)).to_be_hidden()
    page.keyboard.press("Escape")
    page.reload()
    knows_its_queue(page)
    for key in "x2":
        page.keyboard.press(key)
        expect(not_saved(page)).to_contain_text(CAME_UP)
    expect(page.locator("#cannot-judge")).to_be_hidden()
    expect(shown(page)).to_have_text(order[0])
    page.keyboard.press("2")
    expect(page.locator(".judging-document code")).to_have_text(order[1])


def test_a_document_that_is_not_there_yet_takes_no_grade_and_says_so(page, assignment):
    order = served(assignment)
    page.context.route("**/documents/**", lambda route: route.abort())
    page.goto(f"{address(assignment)}?number=1")
    shown(page).wait_for()
    held = hold(page, "**/documents/2/*")
    page.keyboard.press("n")
    expect(page.locator(".judging-document[data-waiting]")).to_contain_text(order[1])
    expect(page.get_by_text("It is on its way.")).to_be_visible()
    caught(page, held).abort()
    page.context.unroute("**/documents/2/*")
    for _ in range(2):
        page.keyboard.press("2")
        expect(not_saved(page)).to_have_text("Still loading: nothing was graded.")
    comment(page, "slow 2")
    page.context.unroute("**/documents/**")
    expect(shown(page)).to_have_text(order[1])
    expect(page.locator("#comment")).to_have_value("slow 2")
    page.keyboard.press("2")
    expect(page.locator(".judging-toast")).to_contain_text("2 keys before it came too early.")
    expect(shown(page)).to_have_text(order[2])
    saved(page)
    assert said(assignment) == {order[1]: 2}


def test_a_key_before_the_page_is_ready_grades_nothing(page, assignment):
    """Its scripts come after the document: none of them presses the plain form meanwhile. Nor is
    it known how the documents stand.
    """
    order = served(assignment)
    scripts, queues = hold(page, "**/judging/arrival*.js"), hold(page, "**/queue/")
    page.reload(wait_until="commit")
    script = caught(page, scripts)
    expect(page.locator(".judging-document code")).to_have_text(order[0])
    for key in "12":
        page.keyboard.press(key)
    script.continue_()
    queue = caught(page, queues)
    for key in "2u":
        page.keyboard.press(key)
        expect(not_saved(page)).to_have_text(NOT_READY)
        page.evaluate("document.getElementById('not-saved').textContent = ''")
    page.keyboard.press("c")
    page.keyboard.type("early")
    page.context.unroute("**/queue/")
    queue.continue_()
    expect(shown(page)).to_have_text(order[0])
    page.keyboard.type(" bird")
    expect(page.locator("#comment")).to_have_value("early bird")
    assert not said(assignment)


def test_a_comment_typed_before_the_page_is_ready_is_there_after_a_reload(page, assignment):
    page.context.route("**/queue/", lambda route: route.abort())
    page.reload()
    expect(not_saved(page)).to_have_text("The server cannot be reached.")
    comment(page, "doubt, quoted")
    page.reload()
    expect(not_saved(page)).to_have_text("The server cannot be reached.")
    field, toast = page.locator("#comment"), page.locator(".judging-toast")
    expect(field).to_have_value("doubt, quoted")
    expect(toast).to_have_text("A comment that you were writing is still there.")
    page.context.unroute("**/queue/")
    page.reload()
    expect(shown(page)).to_have_text(served(assignment)[0])
    expect(field).to_have_value("doubt, quoted")
    page.keyboard.press("2")
    saved(page)
    assert assignment.judgments.get().comment == "doubt, quoted"


def test_a_comment_not_saved_comes_back_with_its_document(page, assignment):
    order, field = served(assignment), page.locator("#comment")
    comment(page, "so far")
    go(page, "n", order[1])
    expect(field).to_have_value("")
    page.reload()
    go(page, "p", order[0])
    expect(field).to_have_value("so far")
    comment(page, ", so good")  # at its end
    go(page, "1", order[1])
    saved(page)
    assert Judgment.objects.get().comment == "so far, so good"
    Judgment.objects.update(comment="corrected elsewhere")
    page.reload()
    expect(shown(page)).to_have_text(order[1])
    go(page, "p", order[0])
    expect(field).to_have_value("corrected elsewhere")


def test_a_comment_replaces_one_that_is_still_on_its_way(page, assignment):
    order, held = served(assignment), hold(page)
    comment(page, "first ")  # as written, with its space
    go(page, "2", order[1])
    go(page, "p", order[0])
    page.locator("#comment").fill("second")
    page.keyboard.press("Escape")
    caught(page, held).continue_()
    mend(page)
    saved(page)
    go(page, "n", order[1])
    go(page, "p", order[0])
    expect(page.locator("#comment")).to_have_value("second")
    go(page, "1", order[1])
    saved(page)
    comments = JudgmentEvent.objects.order_by("pk").values_list("comment", flat=True)
    assert list(comments) == ["first ", "second"]
    comment(page, " ")
    go(page, "0", order[2])
    saved(page)
    assert JudgmentEvent.objects.latest("pk").comment == ""


def test_a_key_while_the_page_begins_brings_its_document(pages, assignment, ada):
    page = pages(ada, locale="en-GB")  # a new one, as the script stays in it
    page.add_init_script(
        """const getAll = IDBObjectStore.prototype.getAll;
        IDBObjectStore.prototype.getAll = function () {
            const loaded = performance.getEntriesByType("resource").map(({name}) => name);
            if (this.name === "returned" && loaded.some((name) => name.endsWith("/queue/")))
                if (!location.search) document.querySelector("[data-key=n]").click();
            return getAll.call(this);
        };"""
    )
    page.goto(address(assignment))
    expect(shown(page)).to_have_text(served(assignment)[1])


def test_a_second_tap_grades_no_document_that_just_came_up(judging, assignment):
    order = served(assignment)
    # Within the page: on a slow machine the test itself would come too late. Each tap of a finger
    # is a first one: detail 1.
    judging.evaluate("""() => new MutationObserver((_, observer) => {
        if (document.querySelector(".judging-document[data-waiting]")) return;
        observer.disconnect();
        const tap = new MouseEvent("click", {detail: 1, bubbles: true, cancelable: true});
        setTimeout(() => document.querySelectorAll(".grade-button")[2].dispatchEvent(tap), 0);
    }).observe(document.getElementById("judging"), {
        attributes: true, attributeOldValue: true, attributeFilter: ["data-arriving"]})""")
    tap(judging, 2)
    expect(shown(judging)).to_have_text(order[1])
    expect(not_saved(judging)).to_contain_text("had only just appeared")
    saved(judging)
    assert said(assignment) == {order[0]: 2}
    judging.wait_for_timeout(600)
    judging.locator(".grade-button").nth(1).dblclick()
    expect(shown(judging)).to_have_text(order[2])
    expect(judging.locator("article.judging-document")).to_be_focused()
    judging.wait_for_timeout(600)
    judging.keyboard.press("Space")  # scrolls, wherever the second click was
    saved(judging)
    assert grades()[1:] == [(order[1], "judged", 1)]


def test_what_is_said_of_a_key_ends_with_its_cause_or_after_five_seconds(page, assignment):
    page.clock.install()
    opened(page, assignment)
    page.clock.pause_at(page.evaluate("Date.now()") + 1000)  # otherwise it goes on by itself
    page.keyboard.press("u")
    expect(not_saved(page)).to_have_text("There is nothing to undo.")
    page.clock.run_for(4_900)
    expect(not_saved(page)).to_be_visible()
    page.clock.run_for(200)
    expect(not_saved(page)).to_be_hidden()
    page.keyboard.press("u")
    expect(not_saved(page)).to_be_visible()
    page.keyboard.press("d")
    expect(page.locator("#own")).to_be_visible()
    expect(not_saved(page)).to_be_hidden()


def test_short_documents_are_kept_ahead_for_a_time_without_a_network(page, assignment):
    assignment.topic.campaign.document_set.update(text="Short.", version=2)
    order = served(assignment)
    opened(page, assignment)
    with page.expect_response(lambda response: "/documents/21/?" in response.url):
        page.reload()
    shown(page).wait_for()
    page.wait_for_timeout(300)
    page.context.set_offline(True)
    for docno in order[1:21]:
        go(page, "2", docno)
    page.keyboard.press("2")
    expect(page.locator(".judging-document[data-waiting]")).to_contain_text(order[21])
    page.context.set_offline(False)
    saved(page)
    assert len(said(assignment)) == 21


def test_of_long_documents_few_are_kept_ahead(page, assignment):
    # Another version: the browser keeps the texts of the one that it has read.
    long = {"text": "A long line of words. " * 1000, "version": 2}
    assignment.topic.campaign.document_set.update(**long)
    page.goto("about:blank")
    asked: list[str] = []
    page.on("request", lambda request: asked.extend(re.findall(r"documents/(\d+)/\?", request.url)))
    opened(page, assignment)
    page.wait_for_timeout(1_000)
    assert set(asked) == {"2", "3", "4"}
