"""Between an assessor and the server: what was pressed is kept, said, and stored in order."""

import pytest
from django.test import Client
from playwright.sync_api import expect

from assess.models.assigning import Assignment
from assess.models.history import JudgmentEvent
from assess.models.judging import Judgment
from tests import make
from tests.browser.conftest import address, opened, said, served, tap
from tests.browser.outbox import ACTS, caught, cut, grades, mend, not_saved, press, trouble, unsaved
from tests.onscreen import saved, shown

pytestmark = pytest.mark.browser


# The way to the server


def test_without_a_server_judging_goes_on_and_is_stored_in_order_later(judging, assignment):
    order = served(assignment)
    cut(judging)
    press(judging, assignment, "2", "0", "3")
    unsaved(judging, 3)
    expect(trouble(judging)).to_contain_text("The server cannot be reached.")
    assert grades() == []
    mend(judging)
    saved(judging)
    expect(trouble(judging)).to_be_hidden()
    assert grades() == [(order[0], "judged", 2), (order[1], "judged", 0), (order[2], "judged", 3)]


def test_an_error_of_the_server_is_said_and_nothing_is_lost(judging, assignment):
    order = served(assignment)
    judging.context.route(ACTS, lambda route: route.fulfill(status=500, body="<h1>x"))
    press(judging, assignment, "2")
    expect(trouble(judging)).to_have_text(
        "The server answered with an error (500). 1 not yet saved: kept in this browser and sent "
        "again by itself."
    )
    mend(judging)
    saved(judging)
    assert said(assignment) == {order[0]: 2}


def test_a_lost_answer_is_no_second_judgment(judging, assignment):
    """The server stored it, and the browser never heard."""
    order = served(assignment)

    def lost(route) -> None:
        route.fetch()
        route.abort()

    judging.context.route(ACTS, lost)
    press(judging, assignment, "2")
    expect(trouble(judging)).to_be_visible()
    mend(judging)
    saved(judging)
    assert grades() == [(order[0], "judged", 2)]


def test_a_server_that_hangs_is_said_after_three_seconds(judging, assignment):
    order, held = served(assignment), []
    judging.context.route(ACTS, lambda route: held.append(route))  # noqa: PLW0108 - Playwright marks the function
    press(judging, assignment, "2", "1")
    expect(trouble(judging)).to_contain_text("The server does not answer.")
    unsaved(judging, 2)
    judging.context.unroute(ACTS)
    caught(judging, held).continue_()
    saved(judging)
    assert grades() == [(order[0], "judged", 2), (order[1], "judged", 1)]


@pytest.mark.parametrize("how", ["reload", "killed"])
def test_what_was_not_saved_outlives_its_page(judging, assignment, how):
    order = served(assignment)
    cut(judging)
    judging.keyboard.press("c")
    judging.keyboard.type("because")
    judging.keyboard.press("Escape")
    press(judging, assignment, "2", "1")
    unsaved(judging, 2)
    if how == "killed":
        page = judging.context.new_page()
        judging.close()
        page.goto(address(assignment))
    else:
        page = judging
        page.goto(address(assignment))
    expect(shown(page)).to_have_text(order[2])
    unsaved(page, 2)
    mend(page)
    saved(page)
    assert grades() == [(order[0], "judged", 2), (order[1], "judged", 1)]
    assert Judgment.objects.get(docno=order[0]).comment == "because"


def test_what_is_not_saved_is_told_before_it_is_known_how_the_documents_stand(judging, assignment):
    cut(judging)
    press(judging, assignment, "2", "1")
    unsaved(judging, 2)
    judging.context.route("**/queue/", lambda route: route.abort())
    judging.reload()
    unsaved(judging, 2)
    told = (
        "The server cannot be reached. 2 not yet saved: kept in this browser and sent again by "
        "itself."
    )
    expect(trouble(judging)).to_have_text(told)
    expect(not_saved(judging)).to_be_hidden()
    judging.context.unroute("**/queue/")
    expect(shown(judging)).to_have_text(served(assignment)[2])
    mend(judging)
    saved(judging)


def test_what_was_not_saved_is_sent_from_any_page(judging, assignment):
    order = served(assignment)
    cut(judging)
    press(judging, assignment, "2")
    unsaved(judging, 1)
    judging.wait_for_timeout(5_100)  # younger ones are left to the page that they were given on
    judging.goto("/")
    expect(
        judging.get_by_text("1 answer that you gave in this browser is not saved yet")
    ).to_be_visible()
    questions = []
    judging.once("dialog", lambda dialog: (questions.append(dialog.message), dialog.dismiss()))
    with judging.expect_event("dialog"):
        judging.get_by_role("button", name="Sign out").click()
    assert questions[0].startswith("Not saved yet: 1 answer. ")
    mend(judging)
    expect(judging.get_by_text("not saved yet")).to_be_hidden()
    assert said(assignment) == {order[0]: 2}


def test_what_one_topic_left_is_sent_while_another_is_judged(judging, assignment, olga, ada, pat):
    order, docnos = served(assignment)[:6], ["e1", "e2"]
    campaign = make.campaign(olga, assessors=[ada], participants={"T": [pat]}, docnos=docnos)
    make.frozen_pool(campaign, [make.run(campaign, pat, {"1": "e1 e2"})])
    other = make.assignment(campaign.topic_set.get(number="1"), ada)
    judging.set_viewport_size({"width": 390, "height": 844})
    cut(judging)
    press(judging, assignment, *"222222")
    unsaved(judging, 6)
    for docno in order[1:]:
        make.judgment(assignment, docno, 1)  # given on another computer
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


def test_a_document_that_is_not_here_yet_cannot_be_graded(judging, assignment):
    order, held = served(assignment), []
    judging.context.route(("**/documents/20/*"), lambda route: held.append(route))  # noqa: PLW0108 - as above
    judging.evaluate(
        "history.pushState(null, '', '?number=20'); dispatchEvent(new PopStateEvent('popstate'))"
    )
    expect(judging.get_by_text("It is on its way.")).to_be_visible()
    judging.keyboard.press("3")
    expect(not_saved(judging)).to_contain_text("this document was not here yet")
    first = caught(judging, held)
    judging.context.unroute("**/documents/20/*")
    first.continue_()
    expect(judging.locator(".document-text")).to_be_visible()
    expect(shown(judging)).to_have_text(order[19])
    judging.keyboard.press("3")
    saved(judging)
    assert said(assignment) == {order[19]: 3}


def test_the_rest_of_a_long_text_follows_when_it_can(judging, assignment):
    order = served(assignment)
    text = "\n\n".join(f"paragraph {n} " + "word " * 40 for n in range(3000))
    assignment.topic.campaign.document_set.filter(docno=order[10]).update(text=text)
    judging.context.route("**/*from=*", lambda route: route.abort())
    judging.evaluate(
        "history.pushState(null, '', '?number=11'); dispatchEvent(new PopStateEvent('popstate'))"
    )
    expect(shown(judging)).to_have_text(order[10])
    judging.get_by_text("The text goes on").click()
    expect(not_saved(judging)).to_contain_text("The rest of the text comes by itself")
    expect(shown(judging)).to_have_text(order[10])
    judging.context.unroute("**/*from=*")
    expect(judging.get_by_text("paragraph 2999 ")).to_be_attached()
    assert judging.locator(".document-text p").count() == 3000


def test_next_pressed_three_times_at_once_goes_three_documents_on(judging, assignment):
    for _ in range(3):
        judging.keyboard.press("n")
    expect(shown(judging)).to_have_text(served(assignment)[3])


# Who is signed in, and where


def sign_in(page, person) -> None:
    page.fill("#id_username", person.username)
    page.fill("#id_password", "a password of tests")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("link", name=str(person))).to_be_visible()


def test_after_a_session_has_ended_signing_in_again_saves(judging, assignment, ada):
    order = served(assignment)
    judging.context.clear_cookies()
    press(judging, assignment, "2", "1")
    expect(trouble(judging)).to_contain_text(
        "You have been signed out: sign in again in another tab. 2 not yet saved"
    )
    other = judging.context.new_page()
    other.goto("/sign-in/")
    sign_in(other, ada)
    judging.evaluate("dispatchEvent(new Event('focus'))")
    saved(judging)
    assert said(assignment) == {order[0]: 2, order[1]: 1}


def test_somebody_else_neither_sends_nor_sees_what_is_unsaved(judging, assignment, ada, ben):
    order = served(assignment)
    other = judging.context.new_page()
    other.goto("/")
    other.get_by_role("button", name="Sign out").click()
    sign_in(other, ben)
    press(judging, assignment, "2")
    expect(trouble(judging)).to_contain_text(f"{ben} has signed in since.")
    # Handed over to Ben, so that he could judge it; on a page of his own.
    Assignment.objects.update(assessor=ben)
    other.goto(address(assignment))
    expect(shown(other)).to_have_text(order[0])
    expect(other.locator(".judging-saving")).to_have_text("")
    assert said(assignment) == {}
    Assignment.objects.update(assessor=ada)
    other.goto("/")
    other.get_by_role("button", name="Sign out").click()
    sign_in(other, ada)
    judging.evaluate("dispatchEvent(new Event('focus'))")
    saved(judging)
    assert said(assignment) == {order[0]: 2}


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


# The browser


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


def test_cannot_judge_is_kept_with_its_reason_and_its_comment(judging, assignment):
    order = served(assignment)
    cut(judging)
    judging.keyboard.press("c")
    judging.keyboard.type("only boxes")
    judging.keyboard.press("Escape")
    judging.keyboard.press("x")
    judging.keyboard.press("2")
    expect(shown(judging)).to_have_text(order[1])
    mend(judging)
    saved(judging)
    judgment = Judgment.objects.get()
    assert (judgment.state, judgment.reason, judgment.comment) == (
        "cannot_judge",
        "unreadable",
        "only boxes",
    )


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


def test_a_double_click_is_one_judgment(judging, assignment):
    order = served(assignment)
    shown(judging).wait_for()
    judging.wait_for_timeout(600)
    judging.locator(".grade-button").nth(1).dblclick()
    expect(shown(judging)).to_have_text(order[1])
    saved(judging)
    assert grades() == [(order[0], "judged", 1)]


def test_a_session_of_another_browser_is_not_needed_to_replay(pages, assignment, ada):
    """Acts that arrive twice, in one request or in two, are recorded once."""
    client = Client()
    client.force_login(ada)
    act = {
        "client_id": "11111111-1111-4111-8111-111111111111",
        "docno": served(assignment)[0],
        "choice": "2",
    }
    for body in ([act, act], [act]):
        answer = client.post(f"{address(assignment)}acts/", body, "application/json")
        assert {result["refused"] for result in answer.json()["results"]} == {""}
    assert JudgmentEvent.objects.count() == 1
