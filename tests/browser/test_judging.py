"""Judging by keys from the first document of a topic to the last."""

import pytest
from playwright.sync_api import expect

from assess.models.history import JudgmentEvent
from assess.models.judging import Judgment
from tests import make
from tests.browser.conftest import address, comment, go, opened, said, served, takes_taps, tap
from tests.browser.outbox import (
    ACTS,
    caught,
    cut,
    document,
    grades,
    hold,
    mend,
    not_saved,
    press,
    unsaved,
)
from tests.onscreen import saved, shown

pytestmark = pytest.mark.browser
FINISHED = "Done, 24 of 24"


def test_a_topic_is_judged_by_keyboard_alone_with_undo_and_reload(pages, assignment, ada):
    order, topic = served(assignment), assignment.topic.campaign.topic_set.get(number="2")
    [item] = make.items(topic, order[0])
    make.pooled(assignment.pool, topic, item)
    following = make.assignment(topic, ada)
    documents = assignment.topic.campaign.document_set
    documents.filter(docno=order[1]).update(title='Of "trees" & leaves')
    page = pages(ada)
    opened(page, assignment)
    for place, docno in enumerate(order):
        title = 'Of "trees" & leaves' if place == 1 else f"Title of {docno}"
        expect(document(page, title)).to_be_focused()
        expect(shown(page)).to_have_text(docno)
        page.keyboard.press(str(place % 4))
        expect(page.locator(".judging-toast")).to_contain_text(f"{docno}: grade {place % 4}")
        if place == 19:
            expect(page.locator(".judging-progress")).to_contain_text("20 of 24 judged")
            saved(page)
            page.keyboard.press("u")
            expect(page.locator(".judging-progress")).to_contain_text("1 reopened")
            saved(page)
            page.reload()
            expect(shown(page)).to_have_text(docno)
            expect(page.locator("[data-former]")).to_have_text("3 highly relevant")
            page.keyboard.press("3")
    for _ in range(2):
        expect(document(page, FINISHED)).to_be_focused()
        expect(page.locator("[data-redo]")).to_be_hidden()
        go(page, "u", order[-1])
        page.keyboard.press("r")
    expect(document(page, FINISHED)).to_be_focused()
    assert page.locator(".judging-given td.number").all_inner_texts() == ["6"] * 4
    saved(page)
    assert said(assignment) == {docno: place % 4 for place, docno in enumerate(order)}
    assert set(JudgmentEvent.objects.values_list("method", flat=True)) == {"key"}
    assert JudgmentEvent.objects.filter(active_ms__gt=0).exists()
    page.keyboard.press("Enter")
    page.wait_for_url(f"**{address(following)}*")
    expect(shown(page)).to_have_text(order[0])


def test_the_other_keys_and_the_list_of_documents(pages, assignment, ada):
    page, order = pages(ada), served(assignment)
    opened(page, assignment)
    for _ in range(3):
        page.keyboard.press("n")
    expect(shown(page)).to_have_text(order[3])
    for at in (2, 1, 0):
        go(page, "p", order[at])
    go(page, "l", order[1])
    page.keyboard.press("x")
    expect(page.locator("#cannot-judge")).to_be_visible()
    page.go_back()  # no reason is given for the document that this brings
    expect(shown(page)).to_have_text(order[0])
    expect(page.locator("#cannot-judge")).to_be_hidden()
    go(page, "n", order[1])
    page.keyboard.press("x")
    expect(page.locator("#cannot-judge")).to_be_visible()
    takes_taps(page)
    page.keyboard.press("Enter")  # no reason has the focus
    go(page, "2", order[2])
    comment(page, "3 l u are only words here")
    expect(page.locator(".judging-document")).to_be_focused()
    go(page, "2", order[3])
    page.go_back()
    expect(shown(page)).to_have_text(order[2])
    expect(page.locator(".grade-button[aria-pressed=true]")).to_have_text("2 relevant")
    go(page, "1", order[3])
    page.keyboard.press("?")
    expect(page.locator("#help")).to_be_visible()
    page.keyboard.press("3")
    page.keyboard.press("Escape")
    expect(page.locator("#help")).to_be_hidden()
    saved(page)
    assert said(assignment) == {order[0]: "later", order[1]: "cannot_judge", order[2]: 1}
    assert Judgment.objects.get(item__key=order[1]).reason == "unreadable"
    assert Judgment.objects.get(item__key=order[2]).comment == "3 l u are only words here"
    go(page, "u", order[2])
    expect(page.locator(".judging-document .state")).to_have_text("reopened")
    saved(page)
    page.goto(address(assignment) + "documents/")
    states = set(page.locator("tbody .state").all_inner_texts())
    assert states == {"later", "cannot judge", "reopened", "unjudged"}
    page.get_by_role("link", name=order[2]).click()
    expect(page.locator("[data-former]")).to_have_text("1 partly relevant")


@pytest.mark.usefixtures("intercepted")
def test_an_answer_given_anew_leaves_nothing_to_redo(judging, assignment):
    first, second, *_ = served(assignment)
    held = hold(judging)
    go(judging, "l", second)
    go(judging, "p", first)
    go(judging, "2", second)
    go(judging, "u", first)
    judging.keyboard.press("u")
    expect(judging.locator(".judging-toast")).to_contain_text("later, taken back")
    expect(shown(judging)).to_have_text(first)
    go(judging, "3", second)
    judging.keyboard.press("r")
    expect(not_saved(judging)).to_have_text("There is nothing to redo.")
    caught(judging, held).continue_()
    mend(judging)
    saved(judging)
    assert said(assignment) == {first: 3}


def test_undo_goes_back_step_by_step_and_redo_gives_again(judging, assignment):
    order, state = served(assignment), judging.locator(".document-place .state")
    press(judging, assignment, "1", "2", "3")
    expect(shown(judging)).to_have_text(order[3])
    saved(judging)  # what was never sent is taken back without a trace
    for docno, label in ((order[2], "3 highly relevant"), (order[1], "2 relevant")):
        go(judging, "u", docno)
        expect(state).to_have_text("reopened")
        expect(judging.locator("[data-former]")).to_have_text(label)
    expect(judging.locator(".judging-progress")).to_contain_text("2 reopened")
    comment(judging, "on second thought")
    judging.keyboard.press("r")
    judging.keyboard.press("r")
    saved(judging)
    assert said(assignment) == {order[0]: 1, order[1]: 2, order[2]: 3}
    assert Judgment.objects.get(item__key=order[1]).comment == "on second thought"
    undone = [(docno, state) for docno, state, _ in grades()][3:]
    assert undone == [
        (order[2], "reopened"),
        (order[1], "reopened"),
        (order[1], "judged"),
        (order[2], "judged"),
    ]
    for n in (2, 1, 0):
        go(judging, "u", order[n])
    saved(judging)
    judging.reload()
    expect(judging.locator("[data-former]")).to_have_text("1 partly relevant")
    judging.keyboard.press("u")
    expect(not_saved(judging)).to_have_text("There is nothing to undo.")


@pytest.mark.usefixtures("intercepted")
def test_undo_of_what_was_never_sent(judging, assignment):
    order, held = served(assignment), hold(judging)
    press(judging, assignment, "1", "2")  # the second waits for the first
    expect(shown(judging)).to_have_text(order[2])
    go(judging, "u", order[1])
    unsaved(judging, 1)
    expect(judging.locator(".document-place")).to_contain_text("it was 2 relevant")
    first = caught(judging, held)
    judging.context.unroute(ACTS)
    first.continue_()
    saved(judging)
    assert grades() == [(order[0], "judged", 1)]
    # A change opens the document all the same.
    cut(judging)
    go(judging, "p", order[0])
    comment(judging, "on second thought")
    go(judging, "2", order[1])
    judging.keyboard.press("u")
    expect(judging.locator(".document-place .state")).to_have_text("reopened")
    expect(judging.locator("#comment")).to_have_value("on second thought")
    expect(judging.locator(".judging-toast")).to_have_text(
        f"{order[0]}: grade 2, relevant, taken back."
    )
    mend(judging)
    saved(judging)
    assert said(assignment) == {order[0]: "reopened"}


def test_keys_can_be_switched_off(pages, assignment, ada):
    ada.single_key_shortcuts = False
    ada.save()
    page, order = pages(ada), served(assignment)
    opened(page, assignment)
    page.keyboard.press("2")
    tap(page, 3)
    expect(shown(page)).to_have_text(order[1])
    saved(page)
    assert said(assignment) == {order[0]: 3}
    assert JudgmentEvent.objects.get().method == "click"


def test_without_script_the_page_says_that_judging_needs_it(pages, assignment, ada):
    page, order = pages(ada, java_script_enabled=False), served(assignment)
    page.goto(address(assignment))
    expect(page.locator(".judging-notices noscript p")).to_contain_text("Judging needs JavaScript")
    page.locator(".grade-button").nth(1).click()
    expect(page.locator(".judging-document code")).to_have_text(order[0])
    assert said(assignment) == {}


def test_a_missing_document_is_said_to_be_missing_by_one_key(pages, assignment, ada):
    page, order = pages(ada), served(assignment)
    documents = assignment.topic.campaign.document_set
    documents.filter(docno=order[0]).delete()
    documents.filter(docno=order[1]).update(title="", text="\ufffd" * 9)
    opened(page, assignment)
    for n in (1, 2):
        expect(page.locator(".grades")).to_be_hidden()
        page.keyboard.press("2")
        go(page, "m", order[n])
    saved(page)
    reasons = dict(Judgment.objects.values_list("item__key", "reason"))
    assert reasons == {order[0]: "missing", order[1]: "unreadable"}


def test_how_long_the_rest_takes_is_told_by_ones_own_pace(pages, assignment, ada):
    order = served(assignment)
    for docno in order[:20]:
        make.judgment(assignment, docno, 1, active_ms=90_000)
    page = pages(ada)
    opened(page, assignment)
    expect(page.locator(".judging-left")).to_have_text("6 min left")
    page.keyboard.press("1")
    expect(page.locator(".judging-left")).to_have_text("5 min left")
    saved(page)
