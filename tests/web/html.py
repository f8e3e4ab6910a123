"""A page is whole: its elements nest, it has one heading and a title, and nothing inline."""

import re
from html.parser import HTMLParser


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
    page = Page(html)
    assert page.wrong == [], name
    assert not re.search(r"\sstyle=|\son[a-z]+=|<script>", html), name
    if "<html" in html:
        assert page.counts["h1"] == 1, name
        assert re.search(r"<title>\S.* · Cleverdon</title>", html), name
