"""Between an assessor and the server: what was pressed is kept, said, and stored in order."""

import pytest
from playwright.sync_api import expect

from assess.models.assigning import Assignment
from assess.models.judging import Judgment
from tests import make
from tests.browser.conftest import address, comment, go, opened, said, served
from tests.browser.outbox import ACTS, cut, grades, mend, not_saved, press, trouble, unsaved
from tests.onscreen import saved, shown

pytestmark = pytest.mark.browser
UNREACHABLE = "The server cannot be reached."
KEPT = "What you answer is kept in this browser and sent again by itself."


# The way to the server


@pytest.mark.usefixtures("intercepted")
@pytest.mark.parametrize(
    "script",
    [
        "further.js",
        "page.js",
        *(pytest.param(each, marks=pytest.mark.deep) for each in ("evidence.js", "store.js")),
    ],
)
def test_a_script_that_does_not_arrive_is_asked_for_until_it_does(asking, asked, script):
    page, lost = asking, []
    page.context.route(f"**/{script}*", lambda route: (lost.append(route), route.abort()))
    page.reload()
    told = page.get_by_role("alert").or_(not_saved(page))
    expect(told.first).to_have_text("The server cannot be reached. Trying again.")
    while not lost:
        page.wait_for_timeout(100)
    page.context.unroute(f"**/{script}*")
    shown(page).wait_for()
    expect(not_saved(page)).to_be_hidden()
    page.keyboard.press("1")
    expect(page.locator("#further[open]")).to_be_visible()


@pytest.mark.deep  # again.test.js has it, and the next one, without a page
@pytest.mark.usefixtures("intercepted")
def test_a_script_that_is_gone_is_not_asked_for_again(asking, asked):
    page, lost = asking, []
    page.context.route(
        "**/store.js*", lambda route: (lost.append(route), route.fulfill(status=404))
    )
    page.reload()
    told = "The site has changed: load this page again."
    expect(page.get_by_role("alert").or_(not_saved(page)).first).to_have_text(told)
    n = len(lost)
    page.wait_for_timeout(1500)
    assert len(lost) == n
    page.context.unroute("**/store.js*")
    page.reload()
    shown(page).wait_for()


@pytest.mark.deep
@pytest.mark.usefixtures("intercepted")
def test_a_page_whose_script_is_kept_waiting_says_so(asking):
    page, held = asking, []
    page.context.route("**/screen.js*", lambda route, _: held.append(route))
    page.clock.install()
    page.reload(wait_until="commit")
    page.locator("#answer").wait_for()
    while not held:
        page.wait_for_timeout(50)
    page.clock.fast_forward(11_000)
    expect(not_saved(page)).to_contain_text("The server does not answer")
    held[0].continue_()
    page.clock.resume()
    shown(page).wait_for()
    expect(not_saved(page)).to_be_hidden()


@pytest.mark.usefixtures("intercepted")
def test_what_was_not_saved_outlives_its_page_and_is_stored_in_order(judging, assignment):
    order = served(assignment)

    def lost(route) -> None:
        """The server stores it, and the browser never hears."""
        route.fetch()
        route.abort()

    judging.context.route(ACTS, lost)
    press(judging, assignment, "2")
    expect(trouble(judging)).to_contain_text(f"{UNREACHABLE} {KEPT} 1 not yet saved.")
    judging.context.unroute(ACTS)
    cut(judging)
    comment(judging, "only boxes")
    judging.keyboard.press("x")
    go(judging, "2", order[2])
    press(judging, assignment, "0")
    unsaved(judging, 3)
    judging.context.route("**/queue/", lambda route: route.abort())
    judging.reload()
    # This is told before it is known how the documents stand.
    told = f"{UNREACHABLE} {KEPT} 3 not yet saved."
    expect(trouble(judging)).to_have_text(told)
    expect(not_saved(judging)).to_be_hidden()
    judging.context.unroute("**/queue/")
    expect(shown(judging)).to_have_text(order[3])
    unsaved(judging, 3)
    page = judging.context.new_page()
    judging.close()
    page.goto(address(assignment))
    expect(shown(page)).to_have_text(order[3])
    unsaved(page, 3)
    mend(page)
    saved(page)
    expect(trouble(page)).to_be_hidden()
    assert grades() == [
        (order[0], "judged", 2),
        (order[1], "cannot_judge", None),
        (order[2], "judged", 0),
    ]
    judgment = Judgment.objects.get(item__key=order[1])
    assert (judgment.reason, judgment.comment) == ("unreadable", "only boxes")


@pytest.mark.usefixtures("intercepted")
def test_what_one_topic_left_is_sent_while_another_is_judged(judging, assignment, olga, ada, pat):
    order, docnos = served(assignment)[:6], ["e1", "e2"]
    campaign = make.campaign(olga, assessors=[ada], participants={"T": [pat]}, docnos=docnos)
    make.frozen_pool(campaign, [make.run(campaign, pat, {"1": "e1 e2"})])
    other = make.assignment(campaign.topic_set.get(number="1"), ada)
    judging.set_viewport_size({"width": 390, "height": 844})
    cut(judging)
    press(judging, assignment, *"222222")
    unsaved(judging, 6)
    make.judgments(assignment, dict.fromkeys(order[1:], 1))  # given on another computer
    opened(judging, other)
    expect(
        judging.get_by_text("6 answers that you gave in this browser are not saved yet")
    ).to_be_visible()
    mend(judging)
    expect(judging.get_by_text("Here you pressed")).to_have_count(5)
    expect(judging.get_by_text("6 answers that you gave")).to_be_hidden()
    expect(judging.locator(".grade-button").first).to_be_in_viewport(ratio=1)
    assert judging.locator(".judging-document").bounding_box()["height"] > 300
    expect(judging.locator("#topic .one-line")).to_be_visible()
    for _ in range(5):
        judging.get_by_role("button", name="Dismiss").first.click()
    expect(judging.locator(".messages")).to_be_hidden()
    assert said(assignment) == {order[0]: 2} | dict.fromkeys(order[1:], 1)


@pytest.mark.usefixtures("intercepted")
def test_the_rest_of_a_long_text_follows_when_it_can(judging, assignment):
    order = served(assignment)
    text = "\n\n".join(f"paragraph {n} " + "word " * 40 for n in range(1500))
    assignment.topic.campaign.document_set.filter(docno=order[10]).update(text=text)
    judging.context.route("**/*from=*", lambda route: route.abort())
    judging.evaluate(
        "history.pushState(null, '', '?number=11'); dispatchEvent(new PopStateEvent('popstate'))"
    )
    expect(shown(judging)).to_have_text(order[10])
    judging.get_by_text("The text goes on").click()
    # What is seen passes after a moment; what is read aloud stays.
    expect(judging.locator("#live")).to_contain_text("The rest of the text comes by itself")
    expect(shown(judging)).to_have_text(order[10])
    judging.context.unroute("**/*from=*")
    expect(judging.get_by_text("paragraph 1499 ")).to_be_attached()
    assert judging.locator(".document-text p").count() == 1500


# Who is signed in, and where


def sign_in(page, person) -> None:
    page.fill("#id_username", person.username)
    page.fill("#id_password", "a password of tests")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("link", name=str(person))).to_be_visible()


def test_somebody_else_neither_sends_nor_sees_what_is_unsaved(judging, assignment, ada, ben):
    order = served(assignment)
    judging.context.clear_cookies()
    press(judging, assignment, "2", "1")
    expect(trouble(judging)).to_contain_text(
        f"You have been signed out: sign in again in another tab. {KEPT} 2 not yet saved."
    )
    for n in (1, 0):
        go(judging, "p", order[n])
    comment(judging, "only mine")
    other = judging.context.new_page()
    other.goto("/sign-in/")
    sign_in(other, ben)
    judging.evaluate("dispatchEvent(new Event('focus'))")
    expect(trouble(judging)).to_contain_text(f"{ben} has signed in since.")
    # Handed over to Ben, so that he could judge it; on a page of his own.
    Assignment.objects.update(assessor=ben)
    other.goto(address(assignment))
    expect(shown(other)).to_have_text(order[0])
    expect(other.locator(".judging-saving")).to_have_text("")
    expect(other.locator("#comment")).to_have_value("")
    assert said(assignment) == {}
    Assignment.objects.update(assessor=ada)
    other.goto("/")
    other.get_by_role("button", name="Sign out").click()
    sign_in(other, ada)
    judging.evaluate("dispatchEvent(new Event('focus'))")
    saved(judging)
    assert said(assignment) == {order[0]: 2, order[1]: 1}


def test_of_two_tabs_the_first_judges_until_the_other_takes_over(judging, assignment):
    order = served(assignment)
    second = judging.context.new_page()
    second.goto(address(assignment))
    expect(not_saved(second)).to_contain_text("Topic 1 is open in another tab of this browser")
    second.keyboard.press("3")
    press(judging, assignment, "1")
    saved(judging)
    assert said(assignment) == {order[0]: 1}
    second.get_by_role("button", name="Judge here instead").click()
    expect(not_saved(judging)).to_contain_text("is open in another tab")
    judging.keyboard.press("3")
    second.goto(address(assignment))
    press(second, assignment, "2")
    saved(second)
    assert said(assignment) == {order[0]: 1, order[1]: 2}


def test_where_the_browser_cannot_keep_an_answer_judging_stops(judging, assignment):
    order = served(assignment)
    judging.evaluate(
        """() => { IDBObjectStore.prototype.put = () => {
             throw new DOMException("full", "QuotaExceededError"); }; }"""
    )
    press(judging, assignment, "2")
    expect(not_saved(judging)).to_contain_text(
        "cannot keep what you press (QuotaExceededError), so judging stops here. The last answer, "
        f"on {order[0]}, was not saved."
    )
    expect(judging.locator(".grades")).to_be_hidden()
    assert said(assignment) == {}
