"""Finding in the text of the document that is judged, and in one's list of documents."""

import re

import pytest
from playwright.sync_api import expect

from assess.models.judging import Judgment
from tests.browser.conftest import forgive_requests, opened, served
from tests.browser.sight import barriers, faults
from tests.onscreen import saved, shown

MARKED = "() => [...(CSS.highlights.get('found') ?? [])].map((each) => each.startOffset).length"


@pytest.fixture
def page(pages, assignment, ada):
    documents = assignment.topic.campaign.document_set
    documents.update(text=f"Street trees.\n\nA tree in 2 streets.\n\n{'Leaves. ' * 2000}\n\nTrees.")
    return pages(ada)


def field(page):
    return page.get_by_role("textbox", name="Find in the text")


def told(page):
    return page.locator(".judging-find [role=status]")


def find(page, text: str) -> None:
    page.keyboard.press("/")
    expect(field(page)).to_be_focused()
    field(page).fill(text)


def test_what_is_typed_is_found_counted_and_gone_through_and_grades_nothing(page, assignment):
    order = served(assignment)
    opened(page, assignment)
    find(page, "tree")
    expect(told(page)).to_have_text("1 of 5")
    assert page.evaluate(MARKED) == 5
    page.keyboard.press("Shift+Enter")
    expect(told(page)).to_have_text("5 of 5")
    assert page.locator("article").evaluate("(each) => each.scrollTop") > 200
    page.keyboard.press("Enter")
    expect(told(page)).to_have_text("1 of 5")
    page.get_by_role("button", name="Next match").click()
    expect(told(page)).to_have_text("2 of 5")
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.type("2 su")
    expect(told(page)).to_have_text("no match")
    page.keyboard.press("Backspace")
    expect(told(page)).to_have_text("1 of 1")
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        assert (faults(page), barriers(page)) == ([], [])
    page.keyboard.press("Escape")
    expect(page.locator("article.judging-document")).to_be_focused()
    expect(field(page)).to_be_hidden()
    assert page.evaluate(MARKED) == 0
    expect(shown(page)).to_have_text(order[0])
    assert not Judgment.objects.exists()


@pytest.mark.usefixtures("intercepted")
def test_what_is_typed_before_its_script_is_there_answers_nothing(pages, page, assignment):
    order = served(assignment)
    held = []
    page.context.route("**/judging/find.js", lambda route, _: route.abort())
    page.context.route("**/judging/find.js?again=1", lambda route, _: held.append(route))
    opened(page, assignment)
    page.keyboard.press("/")
    page.keyboard.type("2")
    expect(told(page)).to_have_text("The server cannot be reached.")
    page.keyboard.type(" street")
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    expect(field(page)).to_be_hidden()
    page.keyboard.press("/")
    expect(field(page)).to_have_value("2 street")
    held[0].continue_()
    expect(told(page)).to_have_text("1 of 1")
    expect(shown(page)).to_have_text(order[0])
    assert not Judgment.objects.exists()
    forgive_requests(pages)


@pytest.mark.usefixtures("intercepted")
def test_it_stays_open_from_document_to_document_and_says_what_has_not_arrived(page, assignment):
    order = served(assignment)
    text = f"{'A line of words, and a tree. ' * 50}\n\n" * 190
    assignment.topic.campaign.document_set.filter(docno=order[1]).update(text=text)
    held = []
    page.context.route("**/documents/*/?*from=*", lambda route, _: held.append(route))
    opened(page, assignment)
    find(page, "TREE")
    expect(told(page)).to_have_text("1 of 5")
    page.locator("article").click()
    page.keyboard.press("1")
    expect(shown(page)).to_have_text(order[1])
    expect(told(page)).to_have_text(re.compile("^[0-9],[0-9]{3} matches so far$"))
    held[0].continue_()
    expect(told(page)).to_have_text("9,500 matches")
    saved(page)


def test_the_list_is_narrowed_by_title_or_docno(page, assignment):
    order = served(assignment)
    opened(page, assignment)
    page.keyboard.press("n")
    expect(shown(page)).to_have_text(order[1])
    page.keyboard.press("d")
    rows = page.locator("#own ol li")
    expect(rows).to_have_count(24)
    page.locator("#own ol a").first.focus()
    page.keyboard.press("/")
    its = page.get_by_role("searchbox", name="Find by title or docno")
    expect(its).to_be_focused()
    page.keyboard.type(order[0].upper())
    expect(rows).to_have_count(1)
    rows.first.click()
    expect(shown(page)).to_have_text(order[0])
    its.fill("not there")
    expect(rows).to_have_text(["None shown so far has this."])
    its.press("Escape")
    expect(page.locator("article.judging-document")).to_be_focused()
    expect(rows).to_have_count(24)
    assert not Judgment.objects.exists()


def test_a_phone_finds_by_its_menu_and_a_narrow_page_in_the_list_that_covers_the_text(
    pages, page, assignment, ada
):
    phone = pages(ada, width=390, height=800, has_touch=True, is_mobile=True)
    opened(phone, assignment)
    phone.get_by_role("button", name="More").tap()
    phone.get_by_role("button", name="find in the text").tap()
    expect(field(phone)).to_be_focused()
    field(phone).fill("tree")
    expect(told(phone)).to_have_text("1 of 5")
    assert (faults(phone), barriers(phone)) == ([], [])
    phone.get_by_role("button", name="Close").tap()
    page.set_viewport_size({"width": 640, "height": 800})
    opened(page, assignment)
    page.keyboard.press("d")
    expect(page.locator("#own ol li")).to_have_count(24)
    page.keyboard.press("/")
    expect(page.get_by_role("searchbox", name="Find by title or docno")).to_be_focused()
    assert (faults(page), barriers(page)) == ([], [])
