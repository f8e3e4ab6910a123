"""What was meant for one document, or by one person, is not taken for another's."""

import pytest
from django.test import Client
from playwright.sync_api import expect

from assess.models.judging import Judgment
from tests import make
from tests.browser.conftest import address, forgive_requests, opened, said, served
from tests.browser.outbox import caught
from tests.onscreen import saved, shown

pytestmark = pytest.mark.browser
CAME_UP = "this document had only just appeared"


@pytest.fixture
def page(pages, assignment, ada):
    campaign = assignment.topic.campaign
    spam = {"value": -2, "label": "spam", "description": "Made for search engines."}
    campaign.scale_grades = [spam, *campaign.scale_grades]
    campaign.save()
    page = pages(ada)
    opened(page, assignment)
    return page


def notice(page):
    return page.locator("#not-saved")


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


def test_a_minus_sign_ends_with_its_document(page, assignment):
    order = served(assignment)
    page.keyboard.press("-")
    page.keyboard.press("n")
    expect(shown(page)).to_have_text(order[1])
    expect(page.locator("body")).not_to_have_attribute("data-minus", "")
    page.keyboard.press("2")
    expect(shown(page)).to_have_text(order[2])
    saved(page)
    assert said(assignment) == {order[1]: 2}


def test_a_grade_below_0_pressed_too_early_leaves_no_minus_sign(page, assignment):
    order = served(assignment)
    on_arrival(page, order[1], "-", "2")
    page.keyboard.press("n")
    expect(shown(page)).to_have_text(order[1])
    expect(notice(page)).to_contain_text(CAME_UP)
    page.keyboard.press("2")
    expect(shown(page)).to_have_text(order[2])
    saved(page)
    assert said(assignment) == {order[1]: 2}


def test_five_keys_at_once_are_one_answer_and_four_that_are_refused(page, assignment):
    order = served(assignment)
    on_arrival(page, order[1], "0", "1", "2", "3")
    page.keyboard.press("2")
    expect(notice(page)).to_contain_text("Too quick (4 times)")
    expect(shown(page)).to_have_text(order[1])
    saved(page)
    assert said(assignment) == {order[0]: 2}
    page.keyboard.press("3")  # whoever types ahead learns that it was not the first key
    expect(page.locator(".judging-toast")).to_have_text(
        f"{order[1]}: grade 3, highly relevant. 4 keys before it came too early."
    )
    expect(shown(page)).to_have_text(order[2])
    page.keyboard.press("2")
    expect(page.locator(".judging-toast")).not_to_contain_text("too early")


def test_a_document_that_is_not_there_yet_takes_no_grade_and_says_so(page, pages, assignment):
    order = served(assignment)
    page.context.route("**/documents/**", lambda route: route.abort())
    page.goto(f"{address(assignment)}?number=1")
    shown(page).wait_for()
    page.keyboard.press("n")
    expect(page.locator(".judging-document[data-waiting]")).to_contain_text(order[1])
    page.keyboard.press("2")
    expect(notice(page)).to_contain_text(
        "Too quick: this document was not here yet. Press again once it is."
    )
    page.keyboard.press("2")
    expect(notice(page)).to_contain_text("Too quick (2 times): this document was not here yet")
    page.keyboard.press("c")
    page.keyboard.type("slow 2")
    page.keyboard.press("Escape")
    page.context.unroute("**/documents/**")
    expect(shown(page)).to_have_text(order[1])
    expect(page.locator("#comment")).to_have_value("slow 2")
    page.keyboard.press("2")
    expect(page.locator(".judging-toast")).to_contain_text("2 keys before it came too early.")
    expect(shown(page)).to_have_text(order[2])
    saved(page)
    assert said(assignment) == {order[1]: 2}
    forgive_requests(pages)


def test_a_key_before_the_page_is_ready_grades_nothing(page, assignment):
    """Its scripts come after the document: none of them presses the plain form meanwhile."""
    order, held = served(assignment), []
    page.context.route(("**/judging/arrival*.js"), lambda route: held.append(route))  # noqa: PLW0108 - Playwright marks the function
    page.reload(wait_until="commit")
    caught(page, held)
    expect(page.locator(".judging-document code")).to_have_text(order[0])
    for key in "12":
        page.keyboard.press(key)
    page.context.unroute("**/judging/arrival*.js")
    expect(shown(page)).to_have_text(order[0])
    assert not said(assignment)


def test_a_key_before_the_page_knows_how_the_documents_stand_says_so(page, assignment):
    order, held = served(assignment), []
    page.context.route(("**/queue/"), lambda route: held.append(route))  # noqa: PLW0108 - Playwright marks the function
    page.reload(wait_until="commit")
    caught(page, held)
    for key in "2u":
        page.keyboard.press(key)
        expect(notice(page)).to_have_text(
            "Nothing was saved: this page is not ready yet. Press again in a moment."
        )
        page.evaluate("document.getElementById('not-saved').textContent = ''")
    page.context.unroute("**/queue/")
    expect(shown(page)).to_have_text(order[0])
    page.keyboard.press("2")
    expect(shown(page)).to_have_text(order[1])


def test_what_was_said_of_a_document_goes_with_it(page, assignment):
    order = served(assignment)
    on_arrival(page, order[1], "2")
    page.keyboard.press("n")
    expect(notice(page)).to_contain_text(CAME_UP)
    page.go_back()
    expect(shown(page)).to_have_text(order[0])
    expect(notice(page)).to_be_hidden()


def test_a_document_is_graded_only_after_the_time_that_the_campaign_asks_for(page, assignment):
    order, campaign = served(assignment), assignment.topic.campaign
    campaign.least_view_ms = 4_000
    campaign.save()
    page.reload()
    knows_its_queue(page)
    page.keyboard.press("2")
    expect(notice(page)).to_contain_text(CAME_UP)
    expect(shown(page)).to_have_text(order[0])
    page.keyboard.press("2")
    expect(page.locator(".judging-document code")).to_have_text(order[1])


def test_a_digit_after_a_key_that_was_refused_says_not_why(page, assignment):
    """What was to say why a document cannot be judged is no grade of it."""
    order = served(assignment)
    on_arrival(page, order[1], "x")
    page.keyboard.press("n")
    expect(shown(page)).to_have_text(order[1])
    expect(notice(page)).to_contain_text(CAME_UP)
    page.keyboard.press("2")
    expect(notice(page)).to_contain_text("(2 times)")
    page.keyboard.press("2")
    expect(shown(page)).to_have_text(order[2])
    saved(page)
    assert said(assignment) == {order[1]: 2}


def test_panels_open_while_it_is_too_early_to_grade(page, assignment):
    campaign = assignment.topic.campaign
    campaign.least_view_ms = 30_000
    campaign.save()
    page.set_viewport_size({"width": 390, "height": 844})
    page.reload()
    page.locator("#topic[data-placed]").wait_for(state="attached")
    knows_its_queue(page)
    page.locator(".judging-more").click()
    page.locator("#more [data-pane=own]").click()
    expect(page.locator("#own")).to_be_visible()
    expect(notice(page)).to_be_hidden()
    page.keyboard.press("Escape")
    page.keyboard.press("x")
    expect(notice(page)).to_contain_text(CAME_UP)
    expect(page.locator("#cannot-judge")).to_be_hidden()


def test_a_key_held_down_is_no_second_answer(page, assignment):
    order = served(assignment)
    on_arrival(page, order[1], "2", repeat=True)
    page.keyboard.press("2")
    expect(shown(page)).to_have_text(order[1])
    expect(notice(page)).to_be_hidden()
    saved(page)
    assert said(assignment) == {order[0]: 2}


def test_a_comment_not_saved_is_its_authors_alone(page, pages, assignment, ada, ben):
    page.keyboard.press("c")
    page.keyboard.type("only mine")
    assignment.assessor = ben
    assignment.save()
    client = Client()
    client.force_login(ben)
    login = client.cookies["sessionid"].value
    page.context.add_cookies(
        [{"name": "sessionid", "value": login, "url": page.evaluate("location.origin")}]
    )
    page.reload()
    expect(page.locator("#comment")).to_have_value("")
    stores = "indexedDB.databases().then((all) => all.map(({name}) => name))"
    names = {f"cleverdon-{person.pk}" for person in (ben, ada)}
    assert set(page.evaluate(stores)) == names
    forgive_requests(pages)  # what Ada's page still asked for was refused to Ben


def test_after_a_comment_the_keys_scroll_the_document_again(page):
    page.keyboard.press("c")
    page.keyboard.press("Escape")
    expect(page.locator(".judging-document")).to_be_focused()


def test_a_comment_goes_on_at_its_end(page, assignment):
    make.judgment(assignment, served(assignment)[0], 2)
    Judgment.objects.update(comment="so far")
    page.goto(f"{address(assignment)}?number=1")
    expect(shown(page)).to_have_text(served(assignment)[0])
    page.keyboard.press("c")
    page.keyboard.type(", so good")
    expect(page.locator("#comment")).to_have_value("so far, so good")


def test_what_is_written_before_the_page_is_ready_stays(page, assignment):
    held = []
    page.route(("**/queue/"), lambda route: held.append(route))  # noqa: PLW0108 - Playwright marks the function
    page.goto(f"{address(assignment)}?number=1")
    page.keyboard.press("c")
    page.keyboard.type("early")
    caught(page, held).continue_()
    shown(page).wait_for()
    page.keyboard.type(" bird")
    expect(page.locator("#comment")).to_have_value("early bird")


def test_back_shows_what_is_judged_as_judged(page, assignment):
    order = served(assignment)
    page.keyboard.press("n")
    expect(shown(page)).to_have_text(order[1])
    page.keyboard.press("2")
    expect(shown(page)).to_have_text(order[2])
    page.go_back()
    expect(shown(page)).to_have_text(order[1])
    expect(page.locator(".grade-button[aria-pressed=true]")).to_have_text("2 relevant")
    page.keyboard.press("3")
    expect(shown(page)).to_have_text(order[2])
    saved(page)
    assert said(assignment) == {order[1]: 3}


def test_nothing_to_undo_is_said_and_the_document_stays(page, assignment):
    order = served(assignment)
    page.keyboard.press("n")
    expect(shown(page)).to_have_text(order[1])
    page.keyboard.press("u")
    expect(notice(page)).to_have_text("There is nothing to undo.")
    expect(shown(page)).to_have_text(order[1])


def test_digits_of_another_keyboard_and_capitals_are_the_same_keys(page, assignment):
    """On AZERTY the key of 2 types é, and that of 6 a minus sign."""
    order = served(assignment)
    press = """([key, code]) => document.body.dispatchEvent(
        new KeyboardEvent("keydown", {key, code, bubbles: true, cancelable: true}))"""
    page.evaluate(press, ["é", "Digit2"])
    expect(shown(page)).to_have_text(order[1])
    page.keyboard.press("N")
    expect(shown(page)).to_have_text(order[2])
    page.evaluate(press, ["-", "Digit6"])
    page.keyboard.press("2")
    expect(page.locator(".judging-toast")).to_contain_text("spam")
    saved(page)
    assert said(assignment) == {order[0]: 2, order[2]: -2}


def test_on_a_phone_the_counts_keep_their_words_for_whoever_hears_them(judging):
    judging.set_viewport_size({"width": 390, "height": 844})
    expect(judging.get_by_role("link", name="0 of 24 judged : your documents")).to_be_visible()
    assert judging.evaluate("document.documentElement.scrollWidth") == 390
