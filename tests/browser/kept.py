"""Pages that are kept from one test to the next, as a new one takes Chromium twice as long."""

import re

from tests.onscreen import PATIENCE_MS

NOWHERE = "/static/js/element.js"  # of the same origin, so that Chromium keeps the process
# What Chromium notes of a request that a test broke off, or that had no network, and htmx of one
# in whose place another came, or whose page was left. What else fails, htmx says a second time.
BROKEN_OFF = re.compile(
    r"Failed to load resource: net::ERR_(FAILED|INTERNET_DISCONNECTED)"
    r"|htmx:(sendAbort|afterRequest)\b"
)
# What belongs to a tab is emptied on the way.
NAMES = "sessionStorage.clear() ?? Object.getOwnPropertyNames(window).join()"


class Kept:
    """A test has nothing of the last one's but the files of script and style. A page whose window
    was changed for good, as by a clock, is given up; but only new or lost names tell that.
    """

    def __init__(self, browser, url: str) -> None:
        self.browser, self.url = browser, url
        self.errors: list[str] = []
        self.idle: list = []
        self.names = ""  # of what is in a window that no test has changed for good

    def new(self, **options):
        context = self.browser.new_context(base_url=self.url, **options)
        page = context.new_page()
        page.set_default_timeout(PATIENCE_MS)
        page.on("console", self._hear)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        return page

    def _hear(self, message) -> None:
        if message.type == "error" and not BROKEN_OFF.match(message.text):
            self.errors.append(f"{message.text} {message.location.get('url', '')}".strip())

    def take(self):
        if self.idle:
            return self.idle.pop()
        page = self.new()
        page.goto(NOWHERE)
        self.names = self.names or page.evaluate(NAMES)
        return page

    def give_back(self, page) -> None:
        context = page.context
        for other in context.pages:
            if other != page:
                other.close()
        if not page.is_closed() and self.is_emptied(page):
            self.idle.append(page)
        else:
            context.close()

    def is_emptied(self, page) -> bool:
        page.unroute_all()
        page.context.unroute_all()
        page.context.set_offline(False)
        page.emulate_media(media="null", color_scheme="null", forced_colors="null")
        page.goto(NOWHERE)
        session = page.context.new_cdp_session(page)
        session.send("Storage.clearDataForOrigin", {"origin": self.url, "storageTypes": "all"})
        session.detach()
        return page.evaluate(NAMES) == self.names
