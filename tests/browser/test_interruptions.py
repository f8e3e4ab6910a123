"""Whatever comes between an assessor and the server: what was pressed is kept, said, and stored once and in order."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone
from playwright.sync_api import expect

from assess.models import Assignment, Judgment, JudgmentEvent
from tests import make
from tests.browser.conftest import address, opened, said, served, tap
from tests.onscreen import saved, shown

pytestmark = pytest.mark.browser
FAILED_REQUEST = re.compile("Failed to load resource")
ACTS = "**/acts/"
GONE = "This topic is not given to you"


@pytest.fixture
def judging(pages, assignment, ada):
    """Ada's judging page. The browser notes failed requests on the console; anything else there fails the test."""
    page = pages(ada)
    # Interception begins with the page: switched on later, Chromium may let the next request past it.
    page.context.route("**/*", lambda route: route.continue_())
    opened(page, assignment)
    yield page
    pages.errors[:] = [text for text in pages.errors if not FAILED_REQUEST.match(text)]


def cut(page) -> None:
    page.context.route(ACTS, lambda route: route.abort())


def mend(page) -> None:
    """Let requests through again; the page notices as when the network comes back."""
    page.context.unroute(ACTS)
    page.evaluate("dispatchEvent(new Event('online'))")


def press(page, assignment, *keys: str) -> None:
    """Press a key for each document in turn, each once it is on the screen."""
    order = served(assignment)
    start = order.index(shown(page).text_content())
    for docno, key in zip(order[start:], keys, strict=False):
        expect(shown(page)).to_have_text(docno)
        page.keyboard.press(key)


def not_saved(page):
    return page.locator("#not-saved")


def trouble(page):
    return page.locator("#trouble")


def returned(page):
    return page.locator("#kept")


def unsaved(page, n: int) -> None:
    expect(page.locator(".judging-saving")).to_have_text(f"{n} not yet saved")


def grades() -> list:
    return list(JudgmentEvent.objects.values_list("judgment__docno", "to_state", "to_grade"))  # fmt: skip


# The way to the server


def test_without_a_server_judging_goes_on_and_is_stored_in_order_later(
    judging, assignment
):
    order = served(assignment)
    cut(judging)
    press(judging, assignment, "2", "0", "3")
    unsaved(judging, 3)
    expect(trouble(judging)).to_contain_text("The server cannot be reached.")
    assert grades() == []
    mend(judging)
    saved(judging)
    expect(trouble(judging)).to_be_hidden()
    assert grades() == [(order[0], "judged", 2), (order[1], "judged", 0), (order[2], "judged", 3)]  # fmt: skip


def test_an_error_of_the_server_is_said_and_nothing_is_lost(judging, assignment):
    order = served(assignment)
    judging.context.route(ACTS, lambda route: route.fulfill(status=500, body="<h1>x"))
    press(judging, assignment, "2")
    expect(trouble(judging)).to_have_text(
        "The server answered with an error (500). 1 not yet saved: kept in this browser and sent again by itself."
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
    held[0].continue_()
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


def test_what_was_not_saved_is_sent_from_any_page(judging, assignment):
    order = served(assignment)
    cut(judging)
    press(judging, assignment, "2")
    unsaved(judging, 1)
    judging.wait_for_timeout(
        5_100
    )  # younger ones are left to the page that they were given on
    judging.goto("/")
    expect(judging.get_by_text("1 answer that you gave in this browser is not saved yet")).to_be_visible()  # fmt: skip
    questions = []
    judging.once("dialog", lambda dialog: (questions.append(dialog.message), dialog.dismiss()))  # fmt: skip
    judging.get_by_role("button", name="Sign out").click()
    assert "Sign out all the same?" in questions[0]
    mend(judging)
    expect(judging.get_by_text("not saved yet")).to_be_hidden()
    assert said(assignment) == {order[0]: 2}


def test_a_document_that_is_not_here_yet_cannot_be_graded(judging, assignment):
    order, held = served(assignment), []
    judging.context.route("**/documents/20/*", lambda route: held.append(route))  # noqa: PLW0108 - as above
    judging.evaluate("history.pushState(null, '', '?number=20'); dispatchEvent(new PopStateEvent('popstate'))")  # fmt: skip
    expect(judging.get_by_text("It is on its way.")).to_be_visible()
    expect(judging.locator(".grades")).to_be_hidden()
    judging.keyboard.press("3")
    judging.context.unroute("**/documents/20/*")
    held[0].continue_()
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
    judging.evaluate("history.pushState(null, '', '?number=11'); dispatchEvent(new PopStateEvent('popstate'))")  # fmt: skip
    expect(shown(judging)).to_have_text(order[10])
    expect(judging.get_by_text("The rest of the text is on its way.")).to_be_visible()
    judging.context.unroute("**/*from=*")
    expect(judging.get_by_text("paragraph 2999 ")).to_be_attached()
    assert judging.locator(".document-text p").count() == 3000


def test_next_pressed_three_times_at_once_goes_three_documents_on(judging, assignment):
    for _ in range(3):
        judging.keyboard.press("n")
    expect(shown(judging)).to_have_text(served(assignment)[3])


# Undo and redo


def test_undo_of_what_was_never_sent_cancels_it(judging, assignment):
    order = served(assignment)
    held = []
    judging.context.route(ACTS, lambda route: held.append(route))  # noqa: PLW0108 - as above
    press(judging, assignment, "1", "2")  # the second waits for the first
    expect(shown(judging)).to_have_text(order[2])
    judging.keyboard.press("u")
    expect(shown(judging)).to_have_text(order[1])
    unsaved(judging, 1)
    expect(judging.locator(".document-place")).to_contain_text("it was 2 relevant")
    judging.context.unroute(ACTS)
    held[0].continue_()
    saved(judging)
    assert grades() == [(order[0], "judged", 1)]


def test_undo_goes_back_step_by_step_and_redo_gives_again(judging, assignment):
    order = served(assignment)
    press(judging, assignment, "1", "2", "3")
    expect(shown(judging)).to_have_text(order[3])
    saved(judging)  # what was never sent is taken back without a trace
    for docno, label in ((order[2], "3 highly relevant"), (order[1], "2 relevant")):
        judging.keyboard.press("u")
        expect(shown(judging)).to_have_text(docno)
        expect(judging.locator(".document-place .state")).to_have_text("reopened")
        expect(judging.locator("[data-former]")).to_have_text(label)
    expect(judging.locator(".judging-progress")).to_contain_text("2 reopened")
    judging.keyboard.press("r")
    judging.keyboard.press("r")
    saved(judging)
    assert said(assignment) == {order[0]: 1, order[1]: 2, order[2]: 3}
    undone = [(docno, state) for docno, state, _ in grades()][3:]
    assert undone == [(order[2], "reopened"), (order[1], "reopened"), (order[1], "judged"), (order[2], "judged")]  # fmt: skip


def test_undo_of_a_change_that_was_never_sent_opens_the_document_all_the_same(
    judging, assignment
):
    order = served(assignment)
    press(judging, assignment, "1")
    saved(judging)
    cut(judging)
    judging.keyboard.press("p")
    expect(shown(judging)).to_have_text(order[0])
    judging.keyboard.press("2")
    expect(shown(judging)).to_have_text(order[1])
    judging.keyboard.press("u")
    expect(judging.locator(".document-place .state")).to_have_text("reopened")
    mend(judging)
    saved(judging)
    assert said(assignment) == {order[0]: "reopened"}


def test_undo_and_redo_lose_no_comment(judging, assignment):
    order, field = served(assignment), judging.locator("#comment")
    press(judging, assignment, "1")
    saved(judging)
    judging.keyboard.press("p")
    expect(shown(judging)).to_have_text(order[0])
    judging.keyboard.press("c")
    judging.keyboard.type("on second thought")
    judging.keyboard.press("Escape")
    judging.keyboard.press("u")
    expect(shown(judging)).to_have_text(order[0])
    expect(field).to_have_value("on second thought")
    judging.keyboard.press("r")
    expect(judging.locator(".judging-document code")).to_have_text(order[1])
    saved(judging)
    judgment = Judgment.objects.get()
    assert (judgment.grade, judgment.comment) == (1, "on second thought")


def test_a_reason_is_not_given_for_the_document_that_back_brings(judging, assignment):
    order = served(assignment)
    judging.keyboard.press("n")
    expect(shown(judging)).to_have_text(order[1])
    judging.keyboard.press("x")
    expect(judging.locator("#cannot-judge")).to_be_visible()
    judging.go_back()
    expect(shown(judging)).to_have_text(order[0])
    expect(judging.locator("#cannot-judge")).to_be_hidden()


def test_after_a_reload_what_is_reopened_still_shows_its_grade(judging, assignment):
    order = served(assignment)
    press(judging, assignment, "2")
    expect(shown(judging)).to_have_text(order[1])
    saved(judging)
    judging.keyboard.press("u")
    saved(judging)
    judging.reload()
    expect(judging.locator("[data-former]")).to_have_text("2 relevant")
    judging.keyboard.press("u")
    expect(not_saved(judging)).to_have_text("There is nothing to undo.")


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
    expect(trouble(judging)).to_contain_text("You have been signed out: sign in again in another tab. 2 not yet saved")  # fmt: skip
    other = judging.context.new_page()
    other.goto("/sign-in/")
    sign_in(other, ada)
    judging.evaluate("dispatchEvent(new Event('focus'))")
    saved(judging)
    assert said(assignment) == {order[0]: 2, order[1]: 1}


def test_somebody_else_neither_sends_nor_sees_what_is_unsaved(
    judging, assignment, ada, ben
):
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
    expect(not_saved(second)).to_contain_text("Topic 1 is open in another tab of this browser")  # fmt: skip
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


# What others do meanwhile


def taken_back(assignment) -> None:
    Assignment.objects.update(taken_back_at=timezone.now())


def closed(assignment) -> None:
    campaign = assignment.topic.campaign
    campaign.judging_closes_at = timezone.now() - timedelta(days=1)
    campaign.save()


ENDS = {
    "removed": (
        lambda assignment: assignment.assessor.membership_set.all().delete(),
        "You are no longer an assessor of Test campaign.",
    ),
    "taken back": (taken_back, "Topic 1 was taken back from you."),
    "gone": (lambda assignment: assignment.delete(), GONE),
    "closed": (closed, "Judging closed on "),
}


@pytest.mark.parametrize(("act", "sentence"), ENDS.values(), ids=ENDS)
def test_what_can_no_longer_be_saved_comes_back_with_its_content(
    judging, assignment, act, sentence
):
    order = served(assignment)
    judging.keyboard.press("c")
    judging.keyboard.type("hard to say")
    judging.keyboard.press("Escape")
    act(assignment)
    shown(judging).wait_for()
    judging.keyboard.press("2")
    expect(returned(judging)).to_contain_text(f"Not saved. {sentence}")
    mine = f"Your answer on {order[0]}: grade 2, relevant, “hard to say”."
    expect(returned(judging)).to_contain_text(mine)
    saved(judging)
    expect(judging.locator(".grades")).to_be_hidden()
    assert not Judgment.objects.exists()
    judging.goto("/")  # the topic's own page may be closed to them
    expect(judging.get_by_role("alert")).to_contain_text("hard to say")
    judging.get_by_role("button", name="Dismiss").click()
    judging.reload()
    expect(judging.get_by_role("alert")).to_have_count(0)


def test_a_newer_grade_from_elsewhere_is_shown_before_it_is_replaced(
    judging, assignment
):
    order = served(assignment)
    make.judgment(assignment, order[0], 3)
    press(judging, assignment, "0")
    expect(returned(judging)).to_contain_text("Now: grade 3, highly relevant. Your answer: grade 0, not relevant.")  # fmt: skip
    expect(shown(judging)).to_have_text(order[1])  # nobody is taken from what they read
    returned(judging).get_by_role("link", name=order[0]).click()
    expect(shown(judging)).to_have_text(order[0])
    expect(judging.locator("[aria-pressed=true]")).to_have_text("3 highly relevant")
    assert said(assignment) == {order[0]: 3}
    judging.keyboard.press("0")
    expect(judging.locator(".judging-document code")).to_have_text(order[1])
    saved(judging)
    assert said(assignment) == {order[0]: 0}


def test_a_text_replaced_meanwhile_is_shown_before_it_is_judged(judging, assignment):
    order = served(assignment)
    documents = assignment.topic.campaign.document_set.filter(docno=order[0])
    documents.update(text="Quite another text.", version=2)
    press(judging, assignment, "2")
    expect(returned(judging)).to_contain_text(f"The text of {order[0]} was replaced")
    judging.keyboard.press("p")
    expect(judging.locator(".document-text")).to_have_text("Quite another text.")
    expect(shown(judging)).to_have_text(order[0])
    assert said(assignment) == {}
    judging.keyboard.press("2")
    expect(judging.locator(".judging-document code")).to_have_text(order[1])
    saved(judging)
    assert Judgment.objects.get().document_version == 2


def test_what_is_replaced_before_the_page_is_ready_is_shown_first(judging, assignment):
    order, held = served(assignment), []
    judging.context.route("**/queue/", lambda route: held.append(route))  # noqa: PLW0108 - as above
    judging.goto(f"{address(assignment)}?number=1")
    while not held:
        judging.wait_for_timeout(20)
    campaign = assignment.topic.campaign
    campaign.document_set.filter(docno=order[0]).update(text="Quite another text.", version=2)  # fmt: skip
    judging.context.unroute("**/queue/")
    held[0].continue_()
    expect(judging.locator(".document-text")).to_have_text("Quite another text.")
    campaign.topic_set.update(title="Another topic", version=2)
    judging.reload()
    expect(judging.get_by_role("heading", name="Another topic")).to_be_visible()
    expect(shown(judging)).to_have_text(order[0])
    judging.keyboard.press("2")
    saved(judging)
    judgment = Judgment.objects.get()
    assert (judgment.document_version, judgment.topic_version) == (2, 2)


def test_at_the_end_of_a_topic_an_answer_that_comes_back_opens_its_document(
    judging, assignment
):
    order = served(assignment)
    for docno in order[1:]:
        make.judgment(assignment, docno, 1)
    judging.reload()
    expect(shown(judging)).to_have_text(order[0])
    assignment.topic.campaign.document_set.filter(docno=order[0]).update(version=2)
    judging.keyboard.press("2")
    expect(returned(judging)).to_contain_text("was replaced")
    expect(shown(judging)).to_have_text(order[0])


def test_who_is_writing_is_not_interrupted(judging, assignment):
    """What comes back meanwhile takes neither the focus, which would make keys of words, nor what is written."""
    order, held = served(assignment), []
    make.judgment(assignment, order[0], 3)
    judging.context.route(ACTS, lambda route: held.append(route))  # noqa: PLW0108 - as above
    press(judging, assignment, "0")
    expect(shown(judging)).to_have_text(order[1])
    judging.keyboard.press("p")
    expect(shown(judging)).to_have_text(order[0])
    judging.keyboard.press("c")
    judging.keyboard.type("on second")
    held[0].continue_()
    expect(returned(judging)).to_be_visible()
    judging.keyboard.type(" thought 1 l u")
    expect(judging.locator("#comment")).to_have_value("on second thought 1 l u")
    expect(judging.locator("#comment")).to_be_focused()
    assert said(assignment) == {order[0]: 3}


# The browser


def test_where_the_browser_cannot_keep_an_answer_judging_stops(judging, assignment):
    order = served(assignment)
    judging.evaluate("() => { IDBObjectStore.prototype.put = () => { throw new DOMException('full', 'QuotaExceededError'); }; }")  # fmt: skip
    press(judging, assignment, "2")
    expect(not_saved(judging)).to_contain_text(f"cannot keep what you press (QuotaExceededError), so judging stops here. The last answer, on {order[0]}, was not saved.")  # fmt: skip
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
    assert (judgment.state, judgment.reason, judgment.comment) == ("cannot_judge", "unreadable", "only boxes")  # fmt: skip


def test_a_second_tap_grades_no_document_that_just_came_up(judging, assignment):
    order = served(assignment)
    # Within the page: on a slow machine the test itself would come too late. Each tap of a finger is a first one: detail 1.
    judging.evaluate("""() => new MutationObserver((_, observer) => {
        observer.disconnect();
        const tap = new MouseEvent("click", {detail: 1, bubbles: true, cancelable: true});
        setTimeout(() => document.querySelectorAll(".grade-button")[2].dispatchEvent(tap), 0);
    }).observe(document.getElementById("judging"), {attributes: true, attributeOldValue: true, attributeFilter: ["data-arriving"]})""")
    tap(judging, 2)
    expect(shown(judging)).to_have_text(order[1])
    expect(not_saved(judging)).to_contain_text("it came up just as you pressed")
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
    act = {"client_id": "11111111-1111-4111-8111-111111111111", "docno": served(assignment)[0], "choice": "2"}  # fmt: skip
    for body in ([act, act], [act]):
        answer = client.post(f"{address(assignment)}acts/", body, "application/json")
        assert {result["refused"] for result in answer.json()["results"]} == {""}
    assert JudgmentEvent.objects.count() == 1
