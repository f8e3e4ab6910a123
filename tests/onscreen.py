"""A page as a person has it on the screen."""

from playwright.sync_api import expect

# a ceiling for a busy machine; a page that is in order is there in a fraction of a second
PATIENCE_MS = 30_000
# htmx marks whatever it asks for, puts on the page, or does not yet listen to.
UNSETTLED = ".htmx-request, .htmx-swapping, .htmx-settling, .htmx-added"


def settled(page) -> None:
    """Wait until everything that the page asked for is on it, and listens."""
    expect(page.locator(UNSETTLED)).to_have_count(0)


def shown(page):
    """The docno on the screen, once a key is about it."""
    return page.locator(".judging:not([data-arriving]) .judging-document code")


def saved(page) -> None:
    """Wait until the server has all that was pressed."""
    expect(page.locator(".judging-saving")).to_have_text("")
