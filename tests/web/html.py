"""What a page says, and whether it is whole: its elements nest, it has one heading and a title, and
nothing inline.
"""

import re
from functools import cache
from html import unescape
from html.parser import HTMLParser

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


def words(response) -> str:
    """The text of a page, without its tags."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", response.content.decode())).split())
