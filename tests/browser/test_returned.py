"""What others do while an answer is on its way: it comes back with a sentence and its content."""

import pytest
from playwright.sync_api import expect

from assess.models.judging import Judgment
from tests import make
from tests.browser.conftest import address, comment, go, opened, said, served
from tests.browser.outbox import ACTS, caught, hold, press, returned
from tests.onscreen import saved, shown

pytestmark = pytest.mark.browser


def test_what_can_no_longer_be_saved_comes_back_with_its_content(judging, assignment):
    order = served(assignment)
    comment(judging, "hard to say")
    assignment.assessor.membership_set.all().delete()
    shown(judging).wait_for()
    judging.keyboard.press("2")
    expect(returned(judging)).to_contain_text(
        "Not saved. You are no longer an assessor of Test campaign."
    )
    mine = f"On {order[0]} you pressed 2 and wrote “hard to say”."
    expect(returned(judging)).to_contain_text(mine)
    expect(judging.locator(".judging-toast")).to_be_hidden()
    saved(judging)
    expect(judging.locator(".grades")).to_be_hidden()
    assert not Judgment.objects.exists()
    judging.goto("/")  # the topic's own page may be closed to them
    expect(judging.get_by_role("alert")).to_contain_text("hard to say")
    judging.get_by_role("button", name="Dismiss").click()
    judging.reload()
    expect(judging.get_by_role("alert")).to_have_count(0)


def test_what_changed_elsewhere_is_shown_before_it_is_replaced(judging, assignment):
    order = served(assignment)
    judging.goto("about:blank")  # the answer waited for is then not one to the page before
    with judging.expect_response("**/queue/"):  # what follows is not in it
        opened(judging, assignment)
    make.judgment(assignment, order[0], 3)
    documents = assignment.topic.campaign.document_set.filter(docno=order[1])
    documents.update(text="Quite another text.", version=2)
    press(judging, assignment, "0", "2")
    rows = returned(judging).locator("p")
    expect(rows.first).to_have_text(
        f"Not saved. You graded {order[0]} elsewhere meanwhile: 3. Here you pressed 0. Dismiss"
    )
    expect(rows.nth(1)).to_contain_text(f"The text of {order[1]} is not the one that was read")
    expect(shown(judging)).to_have_text(order[2])  # nobody is taken from what they read
    returned(judging).get_by_role("link", name=order[0]).click()
    expect(shown(judging)).to_have_text(order[0])
    expect(judging.locator(".grade-button[aria-pressed=true]")).to_have_text("3 highly relevant")
    assert said(assignment) == {order[0]: 3}
    go(judging, "0", order[1])
    expect(judging.locator(".document-text")).to_have_text("Quite another text.")
    go(judging, "2", order[2])
    saved(judging)
    assert said(assignment) == {order[0]: 0, order[1]: 2}
    assert Judgment.objects.get(item__key=order[1]).document_version == 2


@pytest.mark.usefixtures("intercepted")
def test_a_grade_that_the_screen_has_not_shown_is_not_replaced(judging, assignment):
    """The page was told of it with the answer to another act."""
    order, held = served(assignment), hold(judging)
    press(judging, assignment, "1")
    expect(shown(judging)).to_have_text(order[1])
    make.judgment(assignment, order[1], 3)
    caught(judging, held).continue_()
    expect(judging.locator("[data-count=judged]")).to_have_text("2")
    judging.context.unroute(ACTS)
    judging.keyboard.press("0")
    sentence = f"Not saved. You graded {order[1]} elsewhere meanwhile: 3. Here you pressed 0. "
    expect(returned(judging)).to_have_text(f"{sentence}Dismiss")
    assert said(assignment) == {order[0]: 1, order[1]: 3}
    go(judging, "p", order[1])  # where it is shown
    go(judging, "0", order[2])
    saved(judging)
    assert said(assignment) == {order[0]: 1, order[1]: 0}


def test_redo_does_not_replace_what_was_given_since_the_undo(judging, assignment):
    order = served(assignment)
    press(judging, assignment, "2")
    expect(shown(judging)).to_have_text(order[1])
    saved(judging)
    go(judging, "u", order[0])
    saved(judging)
    make.judgment(assignment, order[0], 0)
    go(judging, "n", order[1])
    go(judging, "1", order[2])
    expect(judging.locator("[data-count=judged]")).to_have_text("2")
    judging.keyboard.press("r")
    sentence = f"Not saved. You graded {order[0]} elsewhere meanwhile: 0. Here you pressed 2. "
    expect(returned(judging)).to_have_text(f"{sentence}Dismiss")
    assert said(assignment) == {order[0]: 0, order[1]: 1}


@pytest.mark.usefixtures("intercepted")
def test_what_is_replaced_before_the_page_is_ready_is_shown_first(judging, assignment):
    order, held = served(assignment), hold(judging, "**/queue/")
    judging.goto(f"{address(assignment)}?number=1")
    asked = caught(judging, held)
    campaign = assignment.topic.campaign
    campaign.document_set.filter(docno=order[0]).update(text="Quite another text.", version=2)
    judging.context.unroute("**/queue/")
    asked.continue_()
    expect(judging.locator(".document-text")).to_have_text("Quite another text.")
    campaign.topic_set.update(title="Another topic", version=2)
    judging.reload()
    expect(judging.get_by_role("heading", name="Another topic")).to_be_visible()
    expect(shown(judging)).to_have_text(order[0])
    judging.keyboard.press("2")
    saved(judging)
    judgment = Judgment.objects.get()
    assert (judgment.document_version, judgment.topic_version) == (2, 2)


def test_at_the_end_of_a_topic_an_answer_that_comes_back_opens_its_document(judging, assignment):
    order = served(assignment)
    make.judgments(assignment, dict.fromkeys(order[1:], 1))
    judging.reload()
    expect(shown(judging)).to_have_text(order[0])
    assignment.topic.campaign.document_set.filter(docno=order[0]).update(version=2)
    judging.keyboard.press("2")
    expect(returned(judging)).to_contain_text("is not the one that was read")
    expect(shown(judging)).to_have_text(order[0])


@pytest.mark.usefixtures("intercepted")
def test_who_is_writing_is_not_interrupted(judging, assignment):
    """What comes back meanwhile takes neither the focus, which would make keys of words, nor what
    is written.
    """
    order, held = served(assignment), hold(judging)
    make.judgment(assignment, order[0], 3)
    press(judging, assignment, "0")
    expect(shown(judging)).to_have_text(order[1])
    go(judging, "p", order[0])
    judging.keyboard.press("c")
    judging.keyboard.type("on second")
    caught(judging, held).continue_()
    expect(returned(judging)).to_be_visible()
    judging.keyboard.type(" thought 1 l u")
    expect(judging.locator("#comment")).to_have_value("on second thought 1 l u")
    expect(judging.locator("#comment")).to_be_focused()
    assert said(assignment) == {order[0]: 3}
