"""A document of TREC's `<DOC>` text, taken apart by the tags of many collections."""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from cleverdon.trec.entities import unescaped
from cleverdon.trec.field_names import Unread
from cleverdon.trec.markup import plain

DOCNO, URL, TEXT = ("DOCNO",), ("URL", "DOCHDR"), ("TEXT", "LP", "LEADPARA")
TITLE = ("TITLE", "HEADLINE", "HL", "TTL", "TI", "DOCTITLE")
# In HTML it is no headline.
HEAD = ("HEAD", "H3")
_ATTRIBUTE = re.compile(
    r"\s(id|docid|docno|title|url)\s*+=\s*+(?:\"([^\"<>]*)\"|'([^'<>]*)'|([^\s<>\"']+))",
    re.IGNORECASE,
)
_HAS_TEXT = re.compile(r"<([A-Za-z][\w-]*+)(?:\s[^<>]*+)?>\s*+[^<\s]")


class Element(NamedTuple):
    """An element of a document: its name, where it begins and ends, and what is in it."""

    name: str
    start: int
    content: str
    end: int


class Parts(NamedTuple):
    """What a DOC holds; in HTML all but docno and address is its source."""

    docno: str
    title: str
    text: str
    url: str
    html: str


def parts_of(tag: str, content: str, unread: Unread | None, *, is_html: bool) -> Parts:
    """Take a DOC apart, given its first tag. Without a TEXT, all but docno, title and url is text.

    The docno is in DOCNO, or an attribute of the tag, or in DOCID; title and url too may be
    attributes. The texts of newswire may begin in LP or LEADPARA.
    """
    stated = _attributes(tag)
    docnos, addresses = list(elements(DOCNO, content)), list(elements(URL, content))
    docno = _first(docnos) or stated.get("id", "")
    if not docno:
        docnos = list(elements(("DOCID",), content))
        docno = _first(docnos)
    # A DOCHDR goes on with the server's answer.
    address = "".join(_first(addresses).split()[:1]) or stated.get("url", "")
    name, found = unescaped(docno).strip(), [*docnos, *addresses]
    if is_html:
        return Parts(name, stated.get("title", ""), "", address, _without(found, content))
    title, text = _texts(content, found, unread)
    return Parts(name, title or stated.get("title", ""), text, address, "")


def _texts(content: str, found: list[Element], unread: Unread | None) -> tuple[str, str]:
    """Return the title and the text, given the elements that are neither."""
    texts, titles = list(elements(TEXT, content)), list(elements(TITLE, content))
    has_text = any(each.name == TEXT[0] for each in texts)
    if has_text and not titles:
        titles = list(elements(HEAD, content))
    rest = _without([*found, *titles], content)
    if not has_text:
        return plain(_first(titles)), plain(rest)
    if unread and not unread.are_more:
        unread.note(_HAS_TEXT.findall(_without([*found, *titles, *texts], content)))
    return plain(_first(titles)), "\n\n".join(plain(each.content) for each in texts)


def _first(found: Iterable[Element]) -> str:
    return next((each.content for each in found), "")


def _attributes(tag: str) -> dict[str, str]:
    """Return what the first tag says: its `id`, by any of the names, its `title` and its `url`."""
    found = dict[str, str]()
    for name, *values in _ATTRIBUTE.findall(tag):
        key = name.lower() if name.lower() in {"title", "url"} else "id"
        found.setdefault(key, unescaped("".join(values)))
    return found


def elements(names: tuple[str, ...], content: str) -> Iterator[Element]:
    r"""Yield the elements of these names.

    They are the matches of `<(names)>(.*?)</\1>`, but in linear time: a missing closing tag is
    searched for once.
    """
    opens = _opens(names)
    unclosed, start = set[str](), 0
    while opening := opens.search(content, start):
        tag, start = opening[1].upper(), opening.end()
        closing = None if tag in unclosed else _closes(tag).search(content, start)
        if closing:
            yield Element(tag, opening.start(), content[start : closing.start()], closing.end())
            start = closing.end()
        else:
            unclosed.add(tag)


def _opens(names: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(rf"<({'|'.join(names)})(?:\s[^<>]*+)?>", re.IGNORECASE)


def _closes(name: str) -> re.Pattern[str]:
    return re.compile(f"</{name}>", re.IGNORECASE)


def _without(found: Iterable[Element], content: str) -> str:
    kept, rest = list[str](), 0
    for each in sorted(found, key=lambda each: each.start):
        if each.start >= rest:
            kept.append(content[rest : each.start])
            rest = each.end
    return "".join([*kept, content[rest:]])
