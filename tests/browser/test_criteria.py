"""Criteria on the judging page: asked after the grade, answered by keys, kept with the act, as is
the evidence beside them.
"""

from copy import deepcopy

import pytest
from playwright.sync_api import expect

from assess.models.history import JudgmentEvent
from assess.models.judging import Judgment
from tests.asked import criterion
from tests.browser.conftest import comment, go, opened, said, served, takes_taps
from tests.browser.further import CREDIBLE, READABLE, TEXT, answer, judgment, press, question
from tests.browser.outbox import cut, mend, not_saved, unsaved
from tests.browser.sight import barriers, faults
from tests.onscreen import saved, shown

pytestmark = pytest.mark.browser


def test_a_grade_asks_what_it_needs_and_is_saved_with_it(asking, asked):
    order = served(asked)
    asking.locator(".document-text p").first.select_text()
    asking.keyboard.press("e")
    asking.keyboard.press("3")
    expect(question(asking)).to_have_text(CREDIBLE)
    expect(not_saved(asking)).to_be_hidden()  # 3 was no answer to it
    press(asking, "3", CREDIBLE)
    expect(not_saved(asking)).to_have_text("3 is not an answer to this question.")
    expect(question(asking)).to_have_text(CREDIBLE)
    expect(asking.locator("[data-pending]")).to_have_attribute("value", "3")
    press(asking, "2", CREDIBLE)
    expect(not_saved(asking)).to_be_hidden()
    expect(asking.locator("#further .steps")).to_have_text("2 of 2")
    press(asking, "0", READABLE)
    expect(shown(asking)).to_have_text(order[1])
    go(asking, "0", order[2])  # nothing is asked at grade 0
    saved(asking)
    first = ["The first paragraph is about nothing."]
    assert judgment(order[0]) == (3, {"credibility": 2, "readability": 0}, first)
    assert judgment(order[1]) == (0, {}, [])
    assert JudgmentEvent.objects.count() == 2


def test_a_question_is_not_answered_before_it_can_have_been_read(pages, asked, ada):
    asked.topic.campaign.least_view_ms = 600
    asked.topic.campaign.save()
    asking = pages(ada)
    opened(asking, asked)
    asking.keyboard.press("1")
    expect(question(asking)).to_have_text(CREDIBLE)
    asking.wait_for_timeout(700)
    asking.keyboard.press("2")
    asking.keyboard.press("0")  # the next one has only just come up
    expect(question(asking)).to_have_text(READABLE)
    expect(not_saved(asking)).to_have_text(
        "Too quick: this question had only just appeared. Press again."
    )
    expect(shown(asking).locator("xpath=ancestor::article")).to_be_focused()
    asking.wait_for_timeout(700)
    go(asking, "1", served(asked)[1])
    saved(asking)
    assert judgment(served(asked)[0])[1] == {"credibility": 2, "readability": 1}


def test_keys_comment_mark_and_menu_are_at_hand_while_a_question_waits(asking, asked):
    asking.keyboard.press("1")
    press(asking, "?", CREDIBLE)
    expect(asking.locator("#help")).to_be_visible()
    asking.keyboard.press("2")  # of no question while the keys are read
    asking.keyboard.press("Escape")
    expect(asking.locator("#help")).to_be_hidden()
    comment(asking, "2 or more")
    expect(asking.locator("#comment")).not_to_be_focused()
    press(asking, "a", CREDIBLE)
    expect(asking.locator("#reading")).to_be_visible()
    asking.keyboard.press("Escape")
    expect(asking.locator("#reading")).to_be_hidden()
    asking.locator(".document-text p").first.select_text()
    press(asking, "e", CREDIBLE)
    expect(asking.locator("#evidence li")).to_have_count(1)
    asking.keyboard.press("u")  # the mark alone
    expect(asking.locator("#evidence ol")).to_be_hidden()
    asking.set_viewport_size({"width": 390, "height": 844})
    asking.locator(".judging-more").click()
    expect(asking.locator("#more")).to_be_visible()
    asking.keyboard.press("Escape")
    expect(asking.locator("#more")).to_be_hidden()
    answer(asking, "2", "0")
    expect(shown(asking)).to_have_text(served(asked)[1])
    saved(asking)
    assert judgment(served(asked)[0])[1] == {"credibility": 2, "readability": 0}
    assert Judgment.objects.get().comment == "2 or more"


def test_while_a_question_waits_its_grade_can_be_taken_back_or_its_document_left(asking, asked):
    order, toast = served(asked), asking.locator(".judging-toast")
    further, pending = asking.locator("#further"), asking.locator("[data-pending]")
    no_grade = f"{order[0]}: no grade given."
    bar = asking.locator(".grades").bounding_box()
    asking.keyboard.press("3")
    expect(asking.locator("#live")).to_have_text(
        f"{CREDIBLE}, 1 of 3, 0 not credible, 1 partly credible, 2 credible"
    )
    press(asking, "3", CREDIBLE)
    press(asking, "Escape", CREDIBLE)
    expect(toast).to_have_text(no_grade)
    expect(asking.locator("#live")).to_have_text(no_grade)
    expect(not_saved(asking)).to_be_hidden()
    expect(further).to_be_hidden()
    expect(pending).to_have_count(0)
    assert asking.locator(".grades").bounding_box() == bar
    asking.keyboard.press("1")
    press(asking, "x", CREDIBLE)
    expect(asking.locator("#cannot-judge")).to_be_visible()
    asking.keyboard.press("Escape")
    press(asking, "x", CREDIBLE)
    go(asking, "1", order[1])
    asking.keyboard.press("1")
    press(asking, "u", CREDIBLE)  # the grade that was pressed, and no other
    expect(further).to_be_hidden()
    expect(shown(asking)).to_have_text(order[1])
    asking.keyboard.press("1")
    press(asking, "n", CREDIBLE)
    expect(shown(asking)).to_have_text(order[2])
    expect(toast).to_have_text(f"{order[1]}: no grade given.")
    expect(further).to_be_hidden()
    asking.keyboard.press("1")
    press(asking, "l", CREDIBLE)
    expect(shown(asking)).to_have_text(order[3])
    saved(asking)
    assert said(asked) == {order[0]: "cannot_judge", order[2]: "later"}


def test_undo_brings_everything_back_and_enter_keeps_it(asking, asked):
    order = served(asked)
    asking.locator(".document-text p").first.select_text()
    asking.keyboard.press("e")
    asking.keyboard.press("2")
    answer(asking, "2", "0")
    expect(shown(asking)).to_have_text(order[1])
    saved(asking)
    go(asking, "u", order[0])
    expect(asking.locator(".judging-ratings")).to_have_text(
        "credibility: credible · readability: hard"
    )
    expect(asking.locator("#evidence li")).to_have_count(1)
    asking.keyboard.press("3")
    answer(asking, "Enter", "1")
    expect(shown(asking)).to_have_text(order[1])
    saved(asking)
    assert judgment(order[0]) == (
        3,
        {"credibility": 2, "readability": 1},
        ["The first paragraph is about nothing."],
    )
    go(asking, "u", order[0])
    asking.keyboard.press("1")
    expect(question(asking)).to_have_text(CREDIBLE)
    go(asking, "r", order[1])  # while a question waits
    expect(asking.locator(".judging-toast")).to_have_text(
        f"{order[0]}: grade 3, highly relevant, again."
    )
    saved(asking)
    assert judgment(order[0])[:2] == (3, {"credibility": 2, "readability": 1})


@pytest.mark.usefixtures("intercepted")
@pytest.mark.parametrize("is_slow", [False, True])
def test_answers_that_a_grade_does_not_ask_for_go_with_it(asking, asked, is_slow):
    """Whether the server has said so by then or not."""
    first, second, *_ = served(asked)
    if is_slow:
        cut(asking)
    asking.keyboard.press("1")
    answer(asking, "2", "1")
    for key in ("0", "l"):
        expect(shown(asking)).to_have_text(second)
        if not is_slow:
            saved(asking)
        go(asking, "p", first)
        go(asking, key, second)
    mend(asking)
    saved(asking)
    assert Judgment.objects.get().ratings == {}


@pytest.mark.usefixtures("intercepted")
def test_nothing_of_it_is_lost_by_a_reload_or_without_a_server(asking, asked):
    order = served(asked)
    cut(asking)
    asking.locator(".document-text p").first.select_text()
    asking.keyboard.press("e")
    asking.keyboard.press("1")
    press(asking, "2", CREDIBLE)
    expect(question(asking)).to_have_text(READABLE)
    asking.reload()  # the grade was not given yet; what was said is offered again
    shown(asking).wait_for()
    expect(asking.locator(".judging-ratings")).to_have_count(0)
    expect(asking.locator("#evidence li")).to_have_count(1)
    asking.keyboard.press("1")
    answer(asking, "Enter", "1")
    expect(shown(asking)).to_have_text(order[1])
    unsaved(asking, 1)
    go(asking, "u", order[0])  # it was never sent
    go(asking, "r", order[1])
    mend(asking)
    saved(asking)
    expected = {"credibility": 2, "readability": 1}
    assert judgment(order[0]) == (1, expected, ["The first paragraph is about nothing."])


def test_what_was_given_up_with_escape_is_not_saved_later(asking, asked):
    order = served(asked)
    asking.keyboard.press("1")
    answer(asking, "2", "1")
    expect(shown(asking)).to_have_text(order[1])
    go(asking, "p", order[0])
    asking.keyboard.press("1")
    press(asking, "0", CREDIBLE)
    expect(question(asking)).to_have_text(READABLE)
    asking.keyboard.press("Escape")
    asking.locator(".document-text p").first.select_text()
    asking.keyboard.press("e")
    expect(asking.locator(".judging-toast")).to_have_text("Marked as evidence.")
    saved(asking)
    assert judgment(order[0])[1:] == (
        {"credibility": 2, "readability": 1},
        ["The first paragraph is about nothing."],
    )
    asking.keyboard.press("u")  # the mark, and not the grade
    expect(asking.locator("#evidence ol")).to_be_hidden()
    saved(asking)
    assert judgment(order[0]) == (1, {"credibility": 2, "readability": 1}, [])
    asking.keyboard.press("u")
    expect(asking.locator(".document-place .state")).to_have_text("reopened")
    asking.locator(".document-text p").nth(2).select_text()
    asking.keyboard.press("e")
    go(asking, "r", order[1])
    saved(asking)
    assert judgment(order[0])[2] == ["The third says more of it."]


def test_a_grade_of_before_is_not_given_again_by_marking(asking, asked):
    order, campaign = served(asked), asked.topic.campaign
    for n in range(3):
        asking.keyboard.press("1")
        answer(asking, "2", "1")
        expect(shown(asking)).to_have_text(order[n + 1])
    saved(asking)
    changes = (
        lambda: campaign.document_set.filter(docno=order[0]).update(version=2),
        lambda: campaign.topic_set.filter(pk=asked.topic_id).update(version=2),
        lambda: (
            type(campaign)
            .objects.filter(pk=campaign.pk)
            .update(criteria=[*campaign.criteria, criterion("style", "Good?", ("no", "yes"))])
        ),
    )
    for n, change in enumerate(changes):
        change()
        asking.goto(f"{asking.url.split('?')[0]}?number={n + 1}")
        expect(shown(asking)).to_have_text(order[n])
        asking.locator(".document-text p").first.select_text()
        asking.keyboard.press("e")
        expect(asking.locator("#evidence-draft")).to_be_visible()
        saved(asking)
        assert JudgmentEvent.objects.count() == 3 + n
        asking.keyboard.press("2")
        press(asking, "Enter", CREDIBLE)
        press(asking, "Enter", READABLE)
        if n == 2:
            press(asking, "1", "Good?")
        expect(shown(asking)).to_have_text(order[3])
        saved(asking)
        assert judgment(order[n])[2] == ["The first paragraph is about nothing."]


def test_a_page_that_stopped_asks_and_marks_no_more(asking, asked):
    asking.keyboard.press("1")
    expect(question(asking)).to_have_text(CREDIBLE)
    other = asking.context.new_page()
    other.goto(asking.url)
    other.get_by_role("button", name="Judge here instead").click()
    expect(asking.locator("#further")).to_be_hidden()
    asking.locator(".document-text p").first.select_text()
    asking.keyboard.press("e")
    expect(asking.locator("#evidence ol")).to_be_hidden()


def test_what_is_asked_covers_nothing_of_the_document_and_is_in_nobodys_way(asking, asked):
    asked.topic.campaign.document_set.update(text="\n\n".join([TEXT] * 20))
    for width, scheme in ((1280, "light"), (390, "dark")):
        asking.set_viewport_size({"width": width, "height": 800})
        asking.emulate_media(color_scheme=scheme)
        asking.reload()
        shown(asking).wait_for()
        if not asking.locator("#evidence li").count():
            asking.locator(".document-text p").first.select_text()
            asking.keyboard.press("e")
        asking.locator(".document-text p").nth(2).select_text()
        expect(asking.locator("#mark button")).to_be_visible()
        assert (faults(asking), barriers(asking)) == ([], [])
        asking.keyboard.press("3")
        expect(question(asking)).to_have_text(CREDIBLE)
        asking.wait_for_timeout(300)  # the flash of the grade is over
        assert (faults(asking), barriers(asking)) == ([], [])
        asking.keyboard.press("End")
        last = asking.locator(".document-text p").last
        expect(last).to_be_in_viewport()
        its, further = last.bounding_box(), asking.locator("#further").bounding_box()
        assert its["y"] + its["height"] <= further["y"]


def test_what_an_answer_means_is_read_without_a_mouse(pages, asked, ada):
    meant = "Its author is named, and has written of the same before, in a place that checks it."
    campaign = asked.topic.campaign
    campaign.criteria = deepcopy(campaign.criteria)
    for n, choice in enumerate(campaign.criteria[1]["answers"]):
        choice["description"] = meant if n else "Nobody says who wrote it."
    campaign.save()
    page = pages(ada, color_scheme="dark", width=390, height=844, has_touch=True)
    opened(page, asked)
    takes_taps(page)
    page.locator(".grade-button").nth(1).tap()
    expect(page.locator("#live")).to_contain_text("0 not credible Nobody says who wrote it., 1 ")
    buttons = page.locator("#further section:not([hidden]) [value]")
    for width, scheme in ((390, "dark"), (1280, "light")):
        page.set_viewport_size({"width": width, "height": 844})
        page.emulate_media(color_scheme=scheme)
        expect(buttons.nth(1).get_by_text(meant)).to_be_visible()
        expect(buttons.nth(1).locator("kbd")).to_be_visible()
        assert (faults(page), barriers(page)) == ([], [])
    assert page.locator("#further [title]").count() == 0


def test_without_keys_the_focus_goes_to_the_question(pages, asked, ada):
    ada.single_key_shortcuts = False
    ada.save()
    page = pages(ada)
    opened(page, asked)
    takes_taps(page)
    page.locator(".grade-button").nth(1).press("Enter")
    expect(question(page)).to_be_focused()
    page.wait_for_timeout(400)
    page.keyboard.press("Enter")  # a key that is held down answers nothing
    expect(question(page)).to_have_text(CREDIBLE)
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(question(page)).to_have_text(READABLE)
