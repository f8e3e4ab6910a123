"""Where a page is, what it says, and whether it is whole: its elements nest, it has one heading and
a title, and nothing inline.
"""

import re
from functools import cache
from html import unescape
from html.parser import HTMLParser

from django.urls import reverse

TOKEN = re.compile(r"[\w-]{64}")


class Page(HTMLParser):
    """Counts elements and checks that they nest."""

    VOID = {"meta", "link", "input", "br", "img", "hr"}

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open, self.counts, self.wrong = [], {}, []
        self.feed(html)
        self.wrong += self.open

    def handle_starttag(self, tag, attrs):
        self.counts[tag] = self.counts.get(tag, 0) + 1
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        """What ends itself, as marks of pictures do, has nothing inside."""
        self.counts[tag] = self.counts.get(tag, 0) + 1

    def handle_endtag(self, tag):
        if tag in self.VOID:
            return
        if self.open and self.open[-1] == tag:
            self.open.pop()
        else:
            self.wrong.append(f"</{tag}>")


def check_whole(name: str, html: str) -> None:
    wrong = wrong_with(TOKEN.sub("", html))
    assert not wrong, f"{name}: {wrong}"


@cache  # many pages differ in their tokens alone
def wrong_with(html: str) -> str:
    page = Page(html)
    if page.wrong:
        return f"Elements do not nest: {page.wrong}"
    if loose := re.search(r"\n[.,;:](?=[\s<])", html):
        before = html[: loose.end()]
        return f"A space stands before a full stop or comma: {before[-80:]!r}"
    if inline := re.search(r"\sstyle=|\son[a-z]+=|<script>", html):
        return f"{inline[0]} is inline."
    if "<html" in html:
        if page.counts["h1"] != 1:
            return f"It has {page.counts['h1']} headings."
        if not re.search(r"<title>\S.* · Cleverdon</title>", html):
            return "It has no title."
    return ""


def at(campaign, name: str, *rest: object) -> str:
    """The address of that name in a campaign."""
    return reverse(name, args=[campaign.slug, *rest])


def content(response) -> str:
    """What an answer holds, be it a page or a file that is sent in pieces."""
    return response.getvalue().decode()


def source(response, status: int | None = None) -> str:
    """The HTML of an answer, which has this status if one is given."""
    assert status in {None, response.status_code}, response.status_code
    return response.text


def words(response, status: int | None = None) -> str:
    """The text of a page, without its tags."""
    return text_in(source(response, status))


def words_of_main(response, status: int | None = None) -> str:
    """The text of what the page is about, without its frame."""
    return text_in(re.search("<main.*</main>", source(response, status), re.DOTALL)[0])


def text_in(html: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", html)).split())
