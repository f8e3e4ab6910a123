"""An HTML source of any depth, length or damage as a flat sequence of blocks."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from collection.core.hypertext.inline import Inline
from collection.core.hypertext.tokens import Tag, Token, names

# Elements that end a block where they begin and where they end.
BOUNDARIES = names(
    """address article aside blockquote body button caption center dd details dialog dir div dl dt
    fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 head header hr html legend li listing
    main menu nav ol optgroup option p pre search section select summary table tbody td tfoot th
    thead tr ul xmp"""
)
LISTS = {"ul": "ul", "menu": "ul", "dir": "ul", "ol": "ol"}
CODE = frozenset({"pre", "listing", "xmp"})
PROSE = "<p>"
HEADING = re.compile("h[1-6]")
MOST_LISTS = 4  # nested; items of deeper ones are in the last of these


class HtmlBlock(NamedTuple):
    """A piece of a document: HTML in one line, and its text. Prose can be in a table's cell."""

    html: str
    text: str
    is_prose: bool = False

    @property
    def inner(self) -> str:
        return self.html[len(PROSE) : -len(PROSE) - 1]


class BlockWriter:
    """Takes the tokens of a source outside of tables, and yields the blocks that have ended."""

    def __init__(self) -> None:
        self._inline = Inline()
        self._lists: list[tuple[str, int]] = []  # with the number of items
        self._n_deeper = self._n_quotes = self._heading = self._last_heading = 0
        self._kind = "p"  # or li, dt, dd, until the next block has begun
        self._is_code = False

    def take(self, token: Token) -> Iterator[HtmlBlock]:
        if isinstance(token, str):
            yield from self._text(token)
        elif isinstance(token, Tag) and token.name in BOUNDARIES:
            yield from self.end()
            self._boundary(token)
            if token.name == "hr":
                yield HtmlBlock("<hr>", "")
        elif isinstance(token, Tag):
            self._inline.tag(token)

    def _text(self, text: str) -> Iterator[HtmlBlock]:
        for _ in self._inline.write(text, is_code=self._is_code):
            yield from self.end()  # it is full

    def end(self) -> Iterator[HtmlBlock]:
        html, text = self._inline.ended()
        if text.strip():
            before, after = self._wrapping()
            yield HtmlBlock(f"{before}{html}{after}", text.rstrip(), before == PROSE)
            self._kind = "p" if self._kind == "li" else self._kind
            if self._heading:
                self._last_heading = min(self._heading, self._last_heading + 1)

    def _wrapping(self) -> tuple[str, str]:
        quote = ("<blockquote>", "</blockquote>") if self._n_quotes else ("", "")
        if self._kind == "li" and not self._is_code:
            names = [name for name, _ in self._lists] or ["ul"]
            start = self._lists[-1][1] if self._lists else 1
            opening = "".join(f"<{name}>" for name in names[:-1])
            last = f'<ol start="{start}">' if names[-1] == "ol" else "<ul>"
            closing = "".join(f"</{name}>" for name in reversed(names))
            return f"{quote[0]}{opening}{last}<li>", f"</li>{closing}{quote[1]}"
        if self._kind in {"dt", "dd"} and not self._is_code:
            return f"{quote[0]}<dl><{self._kind}>", f"</{self._kind}></dl>{quote[1]}"
        name = "p"
        if self._is_code:
            name = "pre"
        elif self._heading:  # no level is left out on the way down
            name = f"h{min(self._heading, self._last_heading + 1)}"
        return f"{quote[0]}<{name}>", f"</{name}>{quote[1]}"

    def leave(self) -> None:
        """Close lists, headings and code, at the border of a cell."""
        self._lists, self._n_deeper, self._n_quotes, self._heading = [], 0, 0, 0
        self._kind, self._is_code = "p", False

    def _boundary(self, tag: Tag) -> None:
        name = tag.name
        if name in LISTS:
            self._list(tag)
        elif name == "li":
            self._item(is_end=tag.is_end)
        elif name in {"dt", "dd", "dl"}:
            self._kind = "p" if tag.is_end or name == "dl" else name
        elif name in CODE:
            self._is_code = not tag.is_end
            self._inline.begin_code()
        elif name == "blockquote":
            self._n_quotes = max(0, self._n_quotes + (-1 if tag.is_end else 1))
        if HEADING.fullmatch(name):
            self._heading = 0 if tag.is_end else int(name[1])
        elif name not in {"div", "p"}:
            self._heading = 0

    def _list(self, tag: Tag) -> None:
        self._kind = "p"
        if not tag.is_end and len(self._lists) == MOST_LISTS:
            self._n_deeper += 1
        elif not tag.is_end:
            start = tag.attributes.get("start", "1")
            first = int(start) if re.fullmatch(r"\d{1,6}", start) else 1
            self._lists.append((LISTS[tag.name], first - 1))
        elif self._n_deeper:
            self._n_deeper -= 1
        elif self._lists:
            self._lists.pop()

    def _item(self, *, is_end: bool) -> None:
        self._kind = "p" if is_end else "li"
        if self._lists and not is_end:
            name, n = self._lists[-1]
            self._lists[-1] = (name, n + 1)
