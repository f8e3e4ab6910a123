"""A note on a topic is saved as it is typed, kept while it cannot be, and not overwritten."""

import pytest
from playwright.sync_api import expect

from questions.models import TopicNote
from tests.browser.conftest import address
from tests.onscreen import shown

pytestmark = pytest.mark.browser
NOTE = "**/note/"


@pytest.fixture
def page(judging):
    open_note(judging)
    return judging


def open_note(page) -> None:
    if not field(page).is_visible():
        page.get_by_text("My note").click()
    # Its script is on the way at first, and until then nothing can be written.
    expect(field(page)).not_to_have_attribute("readonly", "")


def field(page):
    return page.get_by_label("How I read this topic")


def state(page):
    return page.locator("#note-state")


def wait_for(page, note) -> None:
    for _ in range(100):
        if [each.note for each in TopicNote.objects.all()] == [note]:
            return
        page.wait_for_timeout(50)
    raise AssertionError(list(TopicNote.objects.values()))


def test_it_is_saved_as_it_is_typed_and_only_read_in_a_second_tab(page, assignment):
    docno = shown(page).text_content()
    field(page).press_sequentially("1 l u birds ")
    expect(state(page)).to_have_text("Not yet saved")
    page.get_by_label("How hard it is to judge").select_option("hard")
    page.get_by_label("What makes it so").fill("two senses")
    page.keyboard.press("Escape")
    expect(state(page)).to_contain_text("Saved ")
    expect(shown(page)).to_have_text(docno)
    page.wait_for_function("document.activeElement.matches('.judging-document')")
    wait_for(page, ("1 l u birds ", "hard", "two senses"))
    page.reload()
    open_note(page)
    expect(field(page)).to_have_value("1 l u birds ")
    expect(state(page)).to_contain_text("Saved ")
    second = page.context.new_page()
    second.goto(address(assignment))
    expect(second.locator("#not-saved")).to_contain_text("another tab")
    open_note(second)
    expect(field(second)).to_be_disabled()
    expect(state(second)).to_have_text("Written in the other tab.")


@pytest.mark.usefixtures("intercepted")
def test_until_its_script_is_there_it_takes_the_keys_but_no_text(judging):
    docno = shown(judging).text_content()
    waiting = []
    judging.context.route("**/notes*.js", lambda route, _: waiting.append(route))
    judging.get_by_text("My note").click()
    expect(field(judging)).to_have_attribute("readonly", "")
    field(judging).click()
    judging.keyboard.type("1 l u ")
    expect(field(judging)).to_have_value("")
    expect(shown(judging)).to_have_text(docno)
    waiting[0].continue_()
    open_note(judging)
    field(judging).press_sequentially("1 l u ")
    expect(field(judging)).to_have_value("1 l u ")
    expect(shown(judging)).to_have_text(docno)


@pytest.mark.usefixtures("intercepted")
def test_a_note_whose_script_comes_after_another_tab_has_the_topic_is_only_read(page, assignment):
    second, waiting = page.context.new_page(), []
    second.route("**/notes*.js", lambda route, _: waiting.append(route))
    second.goto(address(assignment))
    expect(second.locator("#not-saved")).to_contain_text("another tab")
    if not field(second).is_visible():
        second.get_by_text("My note").click()
    expect(field(second)).to_have_attribute("readonly", "")
    waiting[0].continue_()
    expect(field(second)).to_be_disabled()
    expect(state(second)).to_have_text("Written in the other tab.")


@pytest.mark.usefixtures("intercepted")
def test_what_cannot_be_sent_is_kept_and_an_answer_that_never_came_is_no_conflict(page):
    page.context.route(NOTE, lambda route: route.abort())
    field(page).fill("Birds.")
    expect(state(page)).to_contain_text("The server cannot be reached. It is kept in this browser.")
    page.reload()
    open_note(page)
    expect(field(page)).to_have_value("Birds.")
    assert not TopicNote.objects.exists()
    page.context.unroute(NOTE)
    page.context.route(NOTE, lambda route: (route.fetch(), route.abort()))
    page.reload()
    wait_for(page, ("Birds.", "", ""))  # though the page is not told
    expect(state(page)).to_contain_text("cannot be reached")
    page.context.unroute(NOTE)
    open_note(page)
    field(page).fill("Birds. And bats.")
    expect(state(page)).to_contain_text("Saved ")
    expect(page.locator("#note-other")).to_be_hidden()
    wait_for(page, ("Birds. And bats.", "", ""))


def test_of_two_computers_neither_overwrites_the_other(page, assignment):
    field(page).fill("Begun.")
    expect(state(page)).to_contain_text("Saved ")
    for n, (button, text) in enumerate(
        (
            ("Put both together", "From afar 0.\n\nBirds 0."),
            ("Keep what is above", "Birds 1."),
            ("Take this one", "From afar 2."),
        )
    ):
        note = TopicNote.objects.get()
        note.text, note.version = f"From afar {n}.", note.version + 1
        note.save()
        field(page).fill(f"Birds {n}.")
        expect(page.locator("#note-other")).to_contain_text(f"From afar {n}.")
        expect(state(page)).to_contain_text("choose below")
        if n == 0:
            page.reload()  # nothing is lost by that
            open_note(page)
            expect(field(page)).to_have_value("Birds 0.")
            expect(page.locator("#note-other")).to_contain_text("From afar 0.")
        page.get_by_role("button", name=button).click()
        expect(state(page)).to_contain_text("Saved ")
        expect(field(page)).to_have_value(text)
        wait_for(page, (text, "", ""))
