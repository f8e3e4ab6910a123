"""Whatever comes between an assessor and the server is said, and the next try saves once."""

import re
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from assess.models import Judgment, JudgmentEvent
from assess.views.judging import GONE
from tests import make
from tests.browser.conftest import opened, said, served, tap
from tests.onscreen import shown

pytestmark = pytest.mark.browser
FAILED_REQUEST = re.compile(
    "Failed to load resource|Response Status Error Code|htmx:(afterRequest|sendError|historyCacheMissLoadError)"
)


@pytest.fixture
def judging(pages, assignment, ada):
    """Ada's judging page. Browser and htmx note failed requests on the console; anything else there fails the test."""
    page = pages(ada)
    # Interception begins with the page: switched on later, Chromium may let the next request past it.
    page.route("**/*", lambda route: route.continue_())
    opened(page, assignment)
    yield page
    pages.errors[:] = [text for text in pages.errors if not FAILED_REQUEST.match(text)]


def not_saved(page):
    return page.locator("#not-saved")


def test_an_error_of_the_server_is_said_and_the_next_try_saves(judging, assignment):
    order = served(assignment)
    judging.route("**/judge/", lambda route: route.fulfill(status=500, body="<h1>x"))
    judging.keyboard.press("2")
    expect(not_saved(judging)).to_have_text(
        "Not saved. The server answered with an error (500)."
        " The document stays here: press the key again."
    )
    expect(shown(judging)).to_have_text(order[0])
    judging.unroute("**/judge/")
    judging.keyboard.press("2")
    expect(shown(judging)).to_have_text(order[1])
    expect(not_saved(judging)).to_be_hidden()
    assert said(assignment) == {order[0]: 2}


def test_a_lost_answer_is_no_second_judgment(judging, assignment):
    """The server saved it, but the browser never heard: the same key again is the same act."""
    order = served(assignment)
    lose_the_answer(judging)
    judging.keyboard.press("2")
    expect(not_saved(judging)).to_be_visible()
    judging.unroute("**/judge/")
    judging.keyboard.press("2")
    expect(shown(judging)).to_have_text(order[1])
    assert said(assignment) == {order[0]: 2}
    assert JudgmentEvent.objects.count() == 1


def test_a_comment_written_after_a_lost_answer_is_kept(judging, assignment):
    order = served(assignment)
    lose_the_answer(judging)
    judging.keyboard.press("2")
    expect(not_saved(judging)).to_be_visible()
    judging.unroute("**/judge/")
    judging.keyboard.press("c")
    judging.keyboard.type("on second thoughts")
    judging.keyboard.press("Escape")
    judging.keyboard.press("2")
    expect(shown(judging)).to_have_text(order[1])
    assert Judgment.objects.get(docno=order[0]).comment == "on second thoughts"


def test_an_unreachable_server_is_said_and_the_next_try_saves_once(judging, assignment):
    order = served(assignment)
    judging.route("**/judge/", lambda route: route.abort())
    for _ in range(2):
        with judging.expect_event("requestfailed"):
            judging.keyboard.press("2")
        expect(not_saved(judging)).to_contain_text(
            "Not saved. The server cannot be reached."
        )
        expect(shown(judging)).to_have_text(order[0])
    judging.unroute("**/judge/")
    judging.keyboard.press("2")
    expect(shown(judging)).to_have_text(order[1])
    assert said(assignment) == {order[0]: 2}
    assert JudgmentEvent.objects.count() == 1


def test_keys_pressed_while_a_judgment_is_on_its_way_are_about_the_same_document(
    judging, assignment
):
    order, held = served(assignment), []
    judging.route("**/judge/", lambda route: held.append(route))  # noqa: PLW0108 - Playwright marks the function
    with judging.expect_request("**/judge/"):
        judging.keyboard.press("1")
    judging.keyboard.press("0")
    judging.keyboard.press("3")
    expect(shown(judging)).to_have_text(order[0])
    assert len(held) == 1
    judging.unroute("**/judge/")
    held[0].continue_()
    expect(shown(judging)).to_have_text(order[1])
    assert said(assignment) == {order[0]: 3}
    grades = JudgmentEvent.objects.values_list("from_grade", "to_grade")
    assert list(grades) == [(None, 1), (1, 0), (0, 3)]


def test_a_failure_is_said_even_when_one_moved_on_meanwhile(judging, assignment):
    held = []
    judging.route("**/judge/", lambda route: held.append(route))  # noqa: PLW0108 - as above
    with judging.expect_request("**/judge/"):
        judging.keyboard.press("2")
    judging.keyboard.press("n")
    judging.keyboard.press("u")
    held[0].abort()
    expect(not_saved(judging)).to_contain_text("The server cannot be reached.")
    expect(shown(judging)).to_have_text(served(assignment)[0])
    assert said(assignment) == {}


def test_a_grade_pressed_while_the_next_document_is_on_its_way_is_about_the_one_on_screen(
    judging, assignment
):
    order, held = served(assignment), []
    judging.route("**/?number=*", lambda route: held.append(route))  # noqa: PLW0108 - as above
    with judging.expect_request("**/?number=*"):
        judging.keyboard.press("n")
    judging.keyboard.press("3")
    held[0].continue_()
    expect(shown(judging)).to_have_text(order[1])
    assert said(assignment) == {order[0]: 3}


def test_next_pressed_three_times_at_once_goes_three_documents_on(judging, assignment):
    for _ in range(3):
        judging.keyboard.press("n")
    expect(shown(judging)).to_have_text(served(assignment)[3])


def test_a_comment_begun_while_the_grade_is_on_its_way_is_not_lost(judging, assignment):
    order, held = served(assignment), []
    judging.route("**/judge/", lambda route: held.append(route))  # noqa: PLW0108 - as above
    with judging.expect_request("**/judge/"):
        judging.keyboard.press("2")
    judging.keyboard.press("c")
    judging.keyboard.type("because")
    judging.unroute("**/judge/")
    held[0].continue_()
    expect(judging.locator(".judging-toast")).to_contain_text("Saved.")
    expect(shown(judging)).to_have_text(order[0])
    judging.keyboard.press("Escape")
    judging.keyboard.press("2")
    expect(shown(judging)).to_have_text(order[1])
    judgment = Judgment.objects.get()
    assert (judgment.grade, judgment.comment) == (2, "because")


def test_a_second_tap_grades_no_document_that_just_came_up(judging, assignment):
    order = served(assignment)
    # Within the page: on a slow machine the test itself would come too late. Each tap of a finger is a first one: detail 1.
    judging.evaluate("""() => new MutationObserver((_, observer) => {
        const judging = document.querySelector("#judging:not([data-arriving])");
        if (!judging) return;
        observer.disconnect();
        const tap = new MouseEvent("click", {detail: 1, bubbles: true, cancelable: true});
        setTimeout(() => judging.querySelectorAll(".grade-button")[2].dispatchEvent(tap), 0);
    }).observe(document.body, {subtree: true, attributeFilter: ["data-arriving"]})""")
    tap(judging, 2)
    expect(shown(judging)).to_have_text(order[1])
    expect(not_saved(judging)).to_contain_text("it came up just as you pressed")
    assert said(assignment) == {order[0]: 2}


# What others do, and what one does in another tab


def write(judging, comment: str) -> None:
    judging.keyboard.press("c")
    judging.keyboard.type(comment)
    judging.keyboard.press("Escape")


def taken_back(assignment) -> None:
    type(assignment).objects.update(taken_back_at=timezone.now())


REMOVALS = {
    "removed": (
        lambda assignment: assignment.assessor.membership_set.all().delete(),
        "Not saved. You are no longer an assessor of Test campaign.",
    ),
    "taken back": (taken_back, "Not saved. Topic 1 was taken back from you."),
    "gone": (
        lambda assignment: assignment.delete(),
        f"Not saved. {GONE}",
    ),
}


@pytest.mark.parametrize(("act", "sentence"), REMOVALS.values(), ids=REMOVALS)
def test_who_may_no_longer_judge_reads_so_and_keeps_what_was_typed(
    judging, assignment, act, sentence
):
    write(judging, "hard to say")
    act(assignment)
    judging.keyboard.press("2")
    expect(not_saved(judging)).to_have_text(
        f"{sentence} What you wrote stays on this page."
    )
    expect(judging.locator("#comment")).to_have_value("hard to say")
    assert not Judgment.objects.exists()


def test_a_newer_grade_of_another_tab_is_shown_before_it_is_replaced(
    judging, assignment
):
    order = served(assignment)
    make.judgment(assignment, order[0], 3)
    write(judging, "mine")
    judging.keyboard.press("0")
    expect(not_saved(judging)).to_contain_text(
        "Now: grade 3, highly relevant. Your answer: grade 0, not relevant."
    )
    expect(judging.locator("[aria-pressed=true]")).to_have_text("3 highly relevant")
    expect(judging.locator("#comment")).to_have_value("mine")
    assert said(assignment) == {order[0]: 3}
    judging.keyboard.press("0")
    expect(shown(judging)).to_have_text(order[1])
    judgment = Judgment.objects.get()
    assert (judgment.grade, judgment.comment) == (0, "mine")


def test_a_text_replaced_meanwhile_is_shown_before_it_is_judged(judging, assignment):
    order = served(assignment)
    documents = assignment.topic.campaign.document_set.filter(docno=order[0])
    documents.update(text="Quite another text.", version=2)
    write(judging, "mine")
    judging.keyboard.press("2")
    expect(not_saved(judging)).to_contain_text(f"The text of {order[0]} was replaced")
    expect(judging.locator(".document-text")).to_have_text("Quite another text.")
    expect(judging.locator("#comment")).to_have_value("mine")
    assert said(assignment) == {}
    judging.keyboard.press("2")
    expect(shown(judging)).to_have_text(order[1])
    assert Judgment.objects.get().document_version == 2


def test_closed_judging_says_its_sentence(judging, assignment):
    campaign = assignment.topic.campaign
    campaign.judging_closes_at = timezone.now() - timedelta(days=1)
    campaign.save()
    judging.keyboard.press("2")
    expect(not_saved(judging)).to_contain_text("Not saved. Judging closed on ")
    expect(not_saved(judging)).not_to_contain_text("<")
    assert said(assignment) == {}


def test_the_reason_of_a_failure_to_say_cannot_judge_is_shown_too(judging, assignment):
    order = served(assignment)
    judging.route("**/judge/", lambda route: route.abort())
    judging.keyboard.press("x")
    judging.keyboard.press("1")
    expect(not_saved(judging)).to_be_visible()
    judging.unroute("**/judge/")
    judging.keyboard.press("1")
    expect(shown(judging)).to_have_text(order[1])
    assert said(assignment) == {order[0]: "cannot_judge"}


def test_after_signing_in_again_in_another_tab_the_same_key_saves(
    judging, assignment, ada
):
    order = served(assignment)
    other = judging.context.new_page()
    other.goto("/")
    other.get_by_role("button", name="Sign out").click()
    judging.keyboard.press("2")
    expect(not_saved(judging)).to_contain_text(
        "You have been signed out: sign in again in another tab."
    )
    other.fill("#id_username", ada.username)
    other.fill("#id_password", "a password of tests")
    other.get_by_role("button", name="Sign in").click()
    expect(other.get_by_role("link", name=str(ada))).to_be_visible()
    judging.keyboard.press("2")
    expect(shown(judging)).to_have_text(order[1])
    assert said(assignment) == {order[0]: 2}


def test_somebody_else_signing_in_in_another_tab_judges_nothing(
    judging, assignment, ada, ben
):
    order = served(assignment)
    judging.keyboard.press("n")
    expect(shown(judging)).to_have_text(order[1])
    write(judging, "hard to say")
    other = judging.context.new_page()
    other.goto("/")
    other.get_by_role("button", name="Sign out").click()
    other.fill("#id_username", ben.username)
    other.fill("#id_password", "a password of tests")
    other.get_by_role("button", name="Sign in").click()
    expect(other.get_by_role("link", name=str(ben))).to_be_visible()
    judging.keyboard.press("2")
    expect(not_saved(judging)).to_contain_text(f"{ben} has signed in since.")
    # Handed over to Ben, so that he could judge it; on a page of his own.
    type(assignment).objects.update(assessor=ben)
    judging.keyboard.press("2")
    expect(not_saved(judging)).to_contain_text(f"{ben} has signed in since.")
    expect(not_saved(judging)).to_contain_text("What you wrote stays on this page.")
    for go in (lambda: judging.keyboard.press("n"), judging.go_back):
        judging.evaluate("document.getElementById('not-saved').textContent = ''")
        go()
        expect(not_saved(judging)).to_contain_text(f"{ben} has signed in since.")
        expect(shown(judging)).to_have_text(order[1])
        expect(judging.locator("#comment")).to_have_value("hard to say")
        expect(judging.locator(".judging-reader")).to_have_text(str(ada))
    assert said(assignment) == {}


def test_with_the_cookies_gone_the_sign_in_is_asked_for_and_the_comment_stays(
    judging, assignment
):
    write(judging, "hard to say")
    judging.context.clear_cookies()
    judging.keyboard.press("2")
    expect(not_saved(judging)).to_contain_text(
        "Not saved. You have been signed out: sign in again in another tab."
    )
    expect(judging.locator("#comment")).to_have_value("hard to say")
    assert said(assignment) == {}


def test_a_double_click_is_one_judgment(judging, assignment):
    order = served(assignment)
    shown(judging).wait_for()
    judging.wait_for_timeout(600)
    judging.locator(".grade-button").nth(1).dblclick()
    expect(shown(judging)).to_have_text(order[1])
    assert said(assignment) == {order[0]: 1}
    assert JudgmentEvent.objects.count() == 1


def lose_the_answer(page) -> None:
    """Let requests through and drop what the server says."""

    def lost(route) -> None:
        route.fetch()
        route.abort()

    page.route("**/judge/", lost)
