"""Undo and redo on the judging page, of what was saved and of what was never sent."""

import pytest
from playwright.sync_api import expect

from assess.models.judging import Judgment
from tests.browser.conftest import said, served
from tests.browser.outbox import ACTS, caught, cut, grades, hold, mend, not_saved, press, unsaved
from tests.onscreen import saved, shown

pytestmark = pytest.mark.browser


def test_undo_goes_back_step_by_step_and_redo_gives_again(judging, assignment):
    order, state = served(assignment), judging.locator(".document-place .state")
    press(judging, assignment, "1", "2", "3")
    expect(shown(judging)).to_have_text(order[3])
    saved(judging)  # what was never sent is taken back without a trace
    for docno, label in ((order[2], "3 highly relevant"), (order[1], "2 relevant")):
        judging.keyboard.press("u")
        expect(shown(judging)).to_have_text(docno)
        expect(state).to_have_text("reopened")
        expect(judging.locator("[data-former]")).to_have_text(label)
    expect(judging.locator(".judging-progress")).to_contain_text("2 reopened")
    judging.keyboard.press("c")
    judging.keyboard.type("on second thought")
    judging.keyboard.press("Escape")
    judging.keyboard.press("r")
    judging.keyboard.press("r")
    saved(judging)
    assert said(assignment) == {order[0]: 1, order[1]: 2, order[2]: 3}
    assert Judgment.objects.get(docno=order[1]).comment == "on second thought"
    undone = [(docno, state) for docno, state, _ in grades()][3:]
    assert undone == [
        (order[2], "reopened"),
        (order[1], "reopened"),
        (order[1], "judged"),
        (order[2], "judged"),
    ]
    for n in (2, 1, 0):
        judging.keyboard.press("u")
        expect(shown(judging)).to_have_text(order[n])
    saved(judging)
    judging.reload()
    expect(judging.locator("[data-former]")).to_have_text("1 partly relevant")
    judging.keyboard.press("u")
    expect(not_saved(judging)).to_have_text("There is nothing to undo.")


def test_undo_of_what_was_never_sent(judging, assignment):
    order, held = served(assignment), hold(judging)
    press(judging, assignment, "1", "2")  # the second waits for the first
    expect(shown(judging)).to_have_text(order[2])
    judging.keyboard.press("u")
    expect(shown(judging)).to_have_text(order[1])
    unsaved(judging, 1)
    expect(judging.locator(".document-place")).to_contain_text("it was 2 relevant")
    first = caught(judging, held)
    judging.context.unroute(ACTS)
    first.continue_()
    saved(judging)
    assert grades() == [(order[0], "judged", 1)]
    # A change opens the document all the same.
    cut(judging)
    judging.keyboard.press("p")
    expect(shown(judging)).to_have_text(order[0])
    judging.keyboard.press("c")
    judging.keyboard.type("on second thought")
    judging.keyboard.press("Escape")
    judging.keyboard.press("2")
    expect(shown(judging)).to_have_text(order[1])
    judging.keyboard.press("u")
    expect(judging.locator(".document-place .state")).to_have_text("reopened")
    expect(judging.locator("#comment")).to_have_value("on second thought")
    expect(judging.locator(".judging-toast")).to_have_text(
        f"{order[0]}: grade 2, relevant, taken back."
    )
    mend(judging)
    saved(judging)
    assert said(assignment) == {order[0]: "reopened"}
