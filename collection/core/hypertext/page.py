"""An HTML document as it is kept: sanitized, in one line for each block, with its text."""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import nh3

from cleverdon.trec.documents import MAX_BYTES
from cleverdon.trec.streams import FormatError, storable
from collection.core.hypertext.blocks import HtmlBlock
from collection.core.hypertext.hidden import HiddenFilter
from collection.core.hypertext.tables import blocks
from collection.core.hypertext.tokens import Raw, Tag, Token, names, tokens

# Characters of blocks sanitized together, so that memory does not depend on the document.
AT_ONCE = 1 << 18
_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,3}")
# The only tags and attributes that are kept. No browser loads anything for any of them.
_CLEANER = nh3.Cleaner(
    tags=set(
        names(
            """p h1 h2 h3 h4 h5 h6 pre blockquote ul ol li dl dt dd hr table tbody tr th td
            b strong i em u s code sub sup mark br a span"""
        )
    ),
    attributes={
        "a": {"title"},
        "ol": {"start"},
        "td": {"colspan", "rowspan"},
        "th": {"colspan", "rowspan"},
    },
    allowed_classes={"span": {"image"}},
    link_rel=None,
)


class Page(NamedTuple):
    """What is kept of an HTML document.

    `html` has a line for each block. `text` has the same characters as the blocks show, white space
    aside. Both are empty if the document says nothing.
    """

    title: str
    html: str
    text: str
    language: str


def read_page(source: str) -> Page:
    """Return what is kept of an HTML source, in linear time. FormatError if it becomes too long."""
    head = _Head()
    lines, texts, chunk, n = list[str](), list[str](), list[str](), 0
    for block in _limited(blocks(HiddenFilter().through(head.through(tokens(storable(source)))))):
        chunk.append(block.html)
        texts.append(block.text)
        n += len(block.html)
        if n >= AT_ONCE:
            lines.append(_CLEANER.clean("\n".join(chunk)))
            chunk, n = [], 0
    lines.append(_CLEANER.clean("\n".join(chunk)))
    text = "\n\n".join(filter(None, texts))
    html = "\n".join(filter(None, lines)) if text else ""
    return Page(head.title, html, text, head.language)


class _Head:
    """The title and the language of a page, read from its tokens as they pass."""

    title = ""
    language = ""
    _n_drawings = 0  # around a token; a title in one is the drawing's

    def through(self, source: Iterable[Token]) -> Iterator[Token]:
        for token in source:
            if isinstance(token, Raw):
                if not self._n_drawings:
                    self.title = self.title or " ".join(token.content.split())
            else:
                self._note(token)
                yield token

    def _note(self, token: Tag | str) -> None:
        if isinstance(token, Tag) and token.name == "svg":
            self._n_drawings = max(0, self._n_drawings + (-1 if token.is_end else 1))
        elif isinstance(token, Tag) and token.name == "html" and not self.language:
            stated = token.attributes.get("lang", "").strip()
            self.language = stated if _LANGUAGE.fullmatch(stated) else ""


def _limited(source: Iterable[HtmlBlock]) -> Iterator[HtmlBlock]:
    n = 0
    for block in source:
        n += len(block.html)
        if n > MAX_BYTES:
            message = f"Its HTML, taken apart, is longer than {MAX_BYTES:,} characters."
            raise FormatError(None, message)
        yield block
