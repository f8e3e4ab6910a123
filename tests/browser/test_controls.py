"""A topic with controls on the judging page: a document may come twice, each for itself."""

import pytest
from playwright.sync_api import expect

from assess.models.judging import Judgment
from tests import make
from tests.browser import sight
from tests.browser.conftest import address, opened
from tests.browser.outbox import cut, mend, unsaved
from tests.browser.test_every_page import wrong
from tests.db.controls import say
from tests.onscreen import saved, shown
from tests.worlds import once

pytestmark = pytest.mark.browser


@pytest.fixture
@once
def mixed(transactional_db, olga, ada, ben, pat):
    """Ten documents of Ada's, with two of known grades and two to be judged again."""
    docnos, known = [f"d{n:02d}" for n in range(10)], [f"k{n}" for n in range(4)]
    campaign = make.campaign(
        olga,
        assessors=[ada, ben],
        participants={"T": [pat]},
        docnos=[*docnos, *known],
        known_percent=20,
        repeat_percent=20,
    )
    run = make.run(campaign, pat, {"1": " ".join(docnos)})
    make.frozen_pool(campaign, [run], depth=10)
    topic = campaign.topic_set.get(number="1")
    for docno in known:
        make.known_grade(topic, docno, 2)
    return make.assignment(topic, ada)


def order(assignment) -> list[tuple[str, str]]:
    rows = assignment.entries.order_by("position")
    return list(rows.values_list("item__key", "purpose"))


def graded(assignment) -> list[int | None]:
    rows = assignment.entries.order_by("position")
    return list(rows.values_list("judgment__grade", flat=True))


def at(page, number: int):
    """The document with this number is on the screen, of all that are served."""
    expect(page.locator(".document-place")).to_contain_text(f"{number} of 14")


def twice(assignment) -> tuple[str, int, int]:
    """A document that comes twice, and its numbers."""
    served = order(assignment)
    docno = next(docno for docno, control in served if control == "repeat")
    return docno, served.index((docno, "primary")) + 1, served.index((docno, "repeat")) + 1


def test_a_topic_with_controls_is_judged_by_keyboard_over_a_reload(pages, mixed, ada):
    page, served = pages(ada), order(mixed)
    opened(page, mixed)
    page.keyboard.press("d")
    titles = page.locator("#own .own-title")
    expect(titles).to_have_count(14)
    expect(titles.nth(0)).to_have_text(f"Title of {served[0][0]}")
    assert set(titles.all_inner_texts()[1:]) == {"not shown yet"}
    assert sight.faults(page) + sight.barriers(page) == []
    given = []
    for number, (docno, _) in enumerate(served, 1):
        at(page, number)
        expect(shown(page)).to_have_text(docno)
        chosen = page.locator(".grade-button:is([data-former], [aria-pressed=true])")
        expect(chosen).to_have_count(0)
        expect(page.locator("#comment")).to_have_value("")
        page.keyboard.press(str(number % 4))
        given.append(number % 4)
        if number == 7:
            at(page, 8)
            expect(titles.nth(7)).to_have_text(f"Title of {served[7][0]}")
            saved(page)
            page.reload()
            expect(titles.nth(0)).to_have_text(f"Title of {served[0][0]}")
            assert titles.all_inner_texts()[8] == "not shown yet"
    expect(page.get_by_role("heading", name="Done, ")).to_be_visible()
    numbers = [str(given.count(grade)) for grade in range(4)]
    expect(page.locator(".judging-given td.number")).to_have_text(numbers)
    saved(page)
    assert graded(mixed) == given
    mixed.refresh_from_db()
    assert mixed.n_judged == 10
    assert Judgment.objects.counting().count() == 10
    assert Judgment.objects.served().count() == 14


@pytest.mark.usefixtures("intercepted")
def test_a_draft_an_undo_and_what_waits_belong_to_one_of_the_two_places(pages, mixed, ada):
    page, (docno, first, again) = pages(ada), twice(mixed)
    page.goto(f"{address(mixed)}?number={first}")
    expect(shown(page)).to_have_text(docno)
    cut(page)  # what is said is kept in the browser over a reload
    page.keyboard.press("c")
    page.keyboard.type("of the first")
    page.keyboard.press("Escape")
    page.keyboard.press("2")
    expect(shown(page)).not_to_have_text(docno)
    page.goto(f"{address(mixed)}?number={again}")
    at(page, again)
    expect(shown(page)).to_have_text(docno)
    expect(page.locator("#comment")).to_have_value("")
    page.keyboard.press("1")
    expect(shown(page)).not_to_have_text(docno)
    unsaved(page, 2)
    page.reload()
    unsaved(page, 2)
    mend(page)
    saved(page)
    found = graded(mixed)
    assert (found[first - 1], found[again - 1]) == (2, 1)
    page.goto(f"{address(mixed)}?number={again}")
    expect(shown(page)).to_have_text(docno)
    page.keyboard.press("3")
    expect(shown(page)).not_to_have_text(docno)
    page.keyboard.press("u")
    at(page, again)
    expect(shown(page)).to_have_text(docno)
    page.keyboard.press("c")
    page.keyboard.type("of the second")
    page.reload()  # the draft is that of this place
    expect(page.locator("#comment")).to_have_value("of the second")
    page.goto(f"{address(mixed)}?number={first}")
    expect(page.locator("#comment")).to_have_value("of the first")
    expect(page.locator(".grade-button[aria-pressed=true]")).to_contain_text("relevant")
    saved(page)
    states = mixed.judgments.order_by("purpose").values_list("state", "grade")
    assert list(states) == [("judged", 2), ("reopened", None)]


def test_organizers_see_both_tables_at_any_width(pages, mixed, olga):
    for number in range(1, 15):
        say(mixed, number, grade=number % 4)
    page = pages(olga)
    address = f"/campaigns/{mixed.topic.campaign.slug}/judging/controls/"
    assert wrong(pages, page, [address]) == {}
    expect(page.locator("#known tbody tr, #repeats tbody tr")).to_have_count(2)
    page.set_viewport_size({"width": 390, "height": 844})
    for name in ("Off by", "Bias", "Kappa"):
        expect(page.locator(f"#repeats td[data-label='{name}']")).to_be_visible()


@pytest.mark.usefixtures("intercepted")
def test_a_document_on_its_way_is_called_by_its_number(pages, mixed, ada):
    page, last = pages(ada), mixed.entries.count()
    page.context.route(f"**/documents/{last}/*", lambda route: route.abort())
    opened(page, mixed)
    page.keyboard.press("d")
    page.locator(f'#own a[href$="number={last}"]').click()
    name = f"Document {last}. It cannot be shown yet. The server cannot be reached."
    expect(page.get_by_role("region", name=name, exact=True)).to_be_focused()
