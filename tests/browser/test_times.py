"""How long a document was looked at, by a clock that the test turns."""

from datetime import timedelta

import pytest
from playwright.sync_api import expect

from assess.models.history import JudgmentEvent
from tests.browser.conftest import address, forgive_requests, served
from tests.onscreen import saved, shown

pytestmark = pytest.mark.browser
MINUTE = 60_000


def begun(page, assignment) -> None:
    """Open the judging page under a clock of our own; the topic was given long before."""
    assignment.given_at -= timedelta(days=1)
    assignment.save()
    page.clock.install()
    page.goto(address(assignment))
    page.clock.run_for(3000)
    expect(shown(page)).to_have_text(served(assignment)[0])


def press(page, key: str, docno: str) -> None:
    """Press a key, and wait for the document that comes up by it."""
    page.keyboard.press(key)
    for _ in range(20):
        page.clock.run_for(300)
        if shown(page).count() and shown(page).inner_text() == docno:
            return
    raise AssertionError(f"{docno} does not come up")


def times() -> list[tuple[str, float, float]]:
    """The document, the active and the away minutes of each event."""
    events = JudgmentEvent.objects.order_by("pk").values_list(
        "judgment__docno", "active_ms", "away_ms"
    )
    return [
        (docno, round(active / MINUTE, 1), round(away / MINUTE, 1))
        for docno, active, away in events
    ]


def test_without_any_input_a_minute_counts_and_from_then_on_nobody_is_there(pages, assignment, ada):
    page, order = pages(ada), served(assignment)
    begun(page, assignment)
    page.mouse.move(600, 300)
    page.clock.run_for(5 * MINUTE)
    press(page, "1", order[1])
    for place in range(4):
        page.clock.run_for(MINUTE - 6000)
        page.mouse.move(500, 300 + place)
    press(page, "2", order[2])
    page.clock.run_for(3000)
    saved(page)
    (first, active, away), (second, steady, none) = times()
    assert (first, second) == (order[0], order[1])
    assert active == pytest.approx(1, abs=0.2)
    assert away == pytest.approx(4, abs=0.2)
    assert steady == pytest.approx(3.6, abs=0.2)
    assert none == 0


def test_looks_at_a_document_add_up_until_it_is_judged(pages, assignment, ada):
    page, order = pages(ada), served(assignment)
    begun(page, assignment)
    page.mouse.move(600, 300)
    page.clock.run_for(30_000)
    press(page, "n", order[1])
    page.clock.run_for(12_000)
    press(page, "p", order[0])
    page.clock.run_for(18_000)
    press(page, "1", order[1])
    page.clock.run_for(6_000)
    press(page, "2", order[2])
    page.clock.run_for(3000)
    saved(page)
    (_, first, _), (_, second, _) = times()
    assert first == pytest.approx(0.9, abs=0.15)
    assert second == pytest.approx(0.4, abs=0.15)
    one = JudgmentEvent.objects.earliest("pk")
    looked = one.pressed_at - one.first_viewed_at
    assert timedelta(seconds=60) <= looked <= timedelta(seconds=75)


def test_what_was_pressed_without_a_network_was_done_then(pages, assignment, ada):
    page, order = pages(ada), served(assignment)
    begun(page, assignment)
    page.context.route("**/acts/", lambda route: route.abort())
    press(page, "1", order[1])
    # It is tried again and again, and again once the lid of the laptop is opened.
    page.clock.run_for(10 * MINUTE)
    page.clock.fast_forward(170 * MINUTE)
    page.context.unroute("**/acts/")
    for _ in range(20):
        page.clock.run_for(3000)
        if not page.locator(".judging-saving").text_content():
            break
    saved(page)
    event = JudgmentEvent.objects.get()
    assert event.at - event.pressed_at == pytest.approx(
        timedelta(hours=3), abs=timedelta(minutes=2)
    )
    forgive_requests(pages)
