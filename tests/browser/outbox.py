"""What tests of the judging page's outbox do and look at."""

from playwright.sync_api import expect

from assess.models.history import JudgmentEvent
from tests.browser.conftest import served
from tests.onscreen import shown

ACTS = "**/judge/"


def cut(page) -> None:
    page.context.route(ACTS, lambda route: route.abort())


def hold(page, address: str = ACTS) -> list:
    """Hold requests back, in the list that comes back."""
    held: list = []

    def keep(route) -> None:
        held.append(route)

    page.context.route(address, keep)
    return held


def caught(page, held: list):
    """Return the next of the requests that a route holds back, once it was sent."""
    while not held:
        page.wait_for_timeout(20)
    return held.pop(0)


def mend(page) -> None:
    """Let requests through again; the page notices as when the network comes back."""
    page.context.unroute(ACTS)
    page.evaluate("dispatchEvent(new Event('online'))")


KEPT = """async ([name, n]) => {
  const { Store } = await import("/static/js/judging/store.js");
  return (await (await Store.open(document.body.dataset.user)).all(name)).length === n;
}"""


def keeps(page, name: str, n: int) -> None:
    """Wait until the browser keeps so much of a kind that the server does not have."""
    page.wait_for_function(KEPT, arg=[name, n])


def press(page, assignment, *keys: str) -> None:
    """Press a key for each document in turn, each once it is on the screen."""
    order = served(assignment)
    start = order.index(shown(page).text_content())
    for docno, key in zip(order[start:], keys, strict=False):
        expect(shown(page)).to_have_text(docno)
        page.keyboard.press(key)


def not_saved(page):
    return page.locator("#not-saved")


def trouble(page):
    return page.locator("#trouble")


def returned(page):
    return page.locator("#kept")


def unsaved(page, n: int) -> None:
    expect(page.locator(".judging-saving")).to_have_text(f"{n} not yet saved")


def grades() -> list:
    return list(JudgmentEvent.objects.values_list("judgment__item__key", "to_state", "to_grade"))


def document(page, name: str):
    return page.get_by_role("region", name=name, exact=True)
