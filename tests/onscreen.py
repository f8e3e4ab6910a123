"""The judging page as an assessor has it on the screen."""


def shown(page):
    """The docno on the screen, once it is painted: a key pressed before that is not about it."""
    return page.locator(".judging:not([data-arriving]) .judging-document code")
