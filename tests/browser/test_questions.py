"""A question is asked from the document on the screen, kept until it is sent, and answered where it
was asked.
"""

import time
from uuid import uuid4

import pytest
from playwright.sync_api import expect

from questions import services as asking
from questions.models import AnswerSeen, Question
from tests.browser.conftest import go, opened, said, served
from tests.browser.outbox import ACTS, keeps, mend
from tests.browser.sight import barriers
from tests.browser.test_every_page import wrong
from tests.onscreen import shown

pytestmark = pytest.mark.browser
ASK, NOTE = "**/questions/", "**/note/"


@pytest.fixture
def page(judging):
    return judging


def begin(page, text: str) -> None:
    page.keyboard.press("q")
    expect(page.locator("#ask")).to_be_visible()
    page.keyboard.type(text)


def send(page) -> None:
    page.get_by_role("button", name="Send").click()
    expect(page.locator("#ask")).to_be_hidden()


def listed(page):
    return page.locator("#questions-list")


def unsent(page):
    return page.locator("#questions-unsent")


def test_a_question_is_about_a_document_or_the_topic_and_what_was_begun_stays(page, assignment):
    order = served(assignment)
    page.keyboard.press("n")
    expect(shown(page)).to_have_text(order[1])
    begin(page, "1 q u does it count?")
    assert barriers(page) == []
    send(page)
    expect(listed(page)).to_contain_text(f"You asked about {order[1]}")
    expect(page.locator("#live")).to_have_text("Your question is with the organizers.")
    page.keyboard.press("3")  # keys are about the document again
    expect(shown(page)).to_have_text(order[2])
    begin(page, "Is this one a fa")
    page.keyboard.press("Escape")
    page.keyboard.press("n")
    expect(shown(page)).to_have_text(order[3])
    page.reload()
    expect(shown(page)).to_have_text(order[3])
    begin(page, "ke?")
    expect(page.locator("#ask-text")).to_have_value("Is this one a fake?")
    expect(page.locator("#ask-docno")).to_have_text(order[2])
    send(page)
    expect(listed(page)).to_contain_text(f"You asked about {order[2]}")
    page.set_viewport_size({"width": 640, "height": 400})  # Send is in view in the lowest window
    begin(page, "What is a dot?")
    box = page.get_by_role("button", name="Send").bounding_box()
    dialog = page.locator("#ask").bounding_box()
    assert box["y"] + box["height"] <= dialog["y"] + dialog["height"] <= 400
    page.locator("#ask-text").scroll_into_view_if_needed()
    page.get_by_label("topic 1").check()
    send(page)
    expect(listed(page)).to_contain_text("What is a dot?")
    page.set_viewport_size({"width": 1280, "height": 800})
    page.keyboard.press("q")
    expect(page.locator("#ask-text")).to_have_value("")
    page.keyboard.press("Escape")
    page.locator("#questions").evaluate("(panel) => { panel.open = true; }")
    page.get_by_role("button", name="Withdraw").first.click()
    expect(page.get_by_role("button", name="Withdraw")).to_have_count(2)
    asked = Question.objects.order_by("pk")
    assert list(asked.values_list("docno", "text")) == [
        (order[1], "1 q u does it count?"),
        (order[2], "Is this one a fake?"),
        ("", "What is a dot?"),
    ]
    assert asked.filter(withdrawn_at__isnull=False).count() == 1


@pytest.mark.usefixtures("intercepted")
def test_without_a_network_it_is_kept_told_of_at_signing_out_and_sent_later_and_once(
    page, assignment
):
    order = served(assignment)
    for address in (ACTS, ASK, NOTE):
        page.context.route(address, lambda route: route.abort())
    go(page, "2", order[1])
    begin(page, "Do bats count?")
    send(page)
    expect(unsent(page)).to_contain_text("Not yet sent. The server cannot be reached.")
    page.locator("#note").evaluate("(form) => (form.closest('details').open = true)")
    page.locator("#note [name=text]").fill("All that flies.")
    expect(page.locator("#note-state")).to_contain_text("It is kept in this browser.")
    # Younger acts are left to the page that they were given on.
    page.clock.set_fixed_time(time.time() + 6)
    page.goto("/")
    told = page.get_by_text("1 answer that you gave in this browser is not saved yet")
    expect(told).to_be_visible()
    questions = []
    page.once("dialog", lambda dialog: (questions.append(dialog.message), dialog.dismiss()))
    with page.expect_event("dialog"):
        page.get_by_role("button", name="Sign out").click()
    assert questions[0].startswith("Not saved yet: 1 answer, 1 note and 1 question. ")
    expect(page.get_by_role("button", name="Sign out")).to_be_visible()
    mend(page)  # any page of theirs sends what is left
    expect(told).to_be_hidden()
    assert said(assignment) == {order[0]: 2}
    for address in (ASK, NOTE):
        page.context.unroute(address)
    page.goto("/")
    for name in ("questions", "notes"):
        keeps(page, name, 0)
    opened(page, assignment)
    expect(unsent(page)).to_have_text("")
    page.locator("#note").evaluate("(form) => (form.closest('details').open = true)")
    expect(page.locator("#note-state")).to_contain_text("Saved ")
    assert [each.text for each in Question.objects.all()] == ["Do bats count?"]


def test_one_that_is_refused_stays_with_its_words(page, assignment):
    campaign = assignment.topic.campaign
    campaign.judging_closes_at = campaign.created_at
    campaign.save()
    page.set_viewport_size({"width": 390, "height": 844})
    begin(page, "Too late?")
    send(page)
    expect(unsent(page)).to_be_visible()
    expect(unsent(page)).to_contain_text("Not sent. Judging closed")
    expect(unsent(page)).to_contain_text("“Too late?”")
    unsent(page).get_by_role("button", name="Dismiss").click()
    expect(unsent(page)).to_have_text("")


def test_an_answer_is_new_until_it_was_seen_and_its_pages_have_no_fault(
    pages, assignment, olga, ada
):
    asked = asking.ask(
        user=ada, assignment=assignment, client_id=uuid4(), text="Do bats count? " * 40, docno="d01"
    )
    asking.answer(user=olga, question=asked, text="They do not.", audience="topic")
    base = f"/campaigns/{assignment.topic.campaign.slug}/judging/"
    addresses = [f"{base}questions/?state=", f"{base}questions/{asked.pk}/"]
    assert wrong(pages, pages(olga), addresses) == {}
    page = pages(ada)
    assert wrong(pages, page, [base, f"{base}{assignment.pk}/questions/"]) == {}
    opened(page, assignment)
    expect(page.locator("#questions-new")).to_have_text("1 new")
    expect(page.locator("[data-tells-new][data-new]").first).to_be_visible()
    page.locator("#questions summary").click()
    expect(listed(page)).to_contain_text("They do not.")
    page.get_by_role("button", name="Seen").click()
    expect(page.locator("#questions-new")).to_be_hidden()
    expect(page.locator("[data-tells-new][data-new]")).to_have_count(0)
    expect(listed(page)).to_contain_text("They do not.")
    assert AnswerSeen.objects.get().reader == ada
