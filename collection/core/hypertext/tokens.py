"""The tags and texts of an HTML source, in one pass, in linear time however broken it is."""

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from cleverdon.trec.entities import unescaped


def names(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Elements whose content is no markup; only that of a title is kept.
RAW = names("script style title textarea iframe noembed noscript template")
_TAG = re.compile(r"<(/?)([A-Za-z][^\s/>]*)")
_TEXT = re.compile(r"(?:[^<]+|<(?![A-Za-z/!?]))+")
_NAME = re.compile(r"[\s/]*([^\s/>=]+)")
_EQUALS = re.compile(r"\s*=\s*")
_BARE = re.compile(r"[^\s>]*")
_CLOSES = {name: re.compile(rf"</{name}[\s/>]", re.IGNORECASE) for name in RAW}


class Tag(NamedTuple):
    """A tag; its name and those of its attributes are in lower case."""

    name: str
    attributes: Mapping[str, str] = {}
    is_end: bool = False


class Raw(NamedTuple):
    """The content of an element without markup."""

    name: str
    content: str


Token = Tag | Raw | str


def tokens(source: str) -> Iterator[Token]:
    """Yield tags and texts, without entities, comments and declarations.

    A comment, tag or script that is not closed goes on to the end, as in a browser.
    """
    at = 0
    while 0 <= at < len(source):
        if text := _TEXT.match(source, at):
            yield unescaped(text[0])
            at = text.end()
        elif tag := _TAG.match(source, at):
            attributes, at = _attributes(source, tag.end())
            name, is_end = tag[2].lower(), bool(tag[1])
            if at >= 0:
                yield Tag(name, attributes, is_end)
            if at >= 0 and name in RAW and not is_end:
                content, at = _raw(source, name, at)
                yield Raw(name, content)
        else:
            end = "-->" if source.startswith("<!--", at) else ">"
            at = _after(source, end, at + 2)


def _attributes(source: str, at: int) -> tuple[dict[str, str], int]:
    """Return a tag's attributes, the first of each name, and the place after it; -1 if unclosed."""
    attributes = dict[str, str]()
    if source.startswith(">", at):  # nearly always
        return attributes, at + 1
    while name := _NAME.match(source, at):
        value, at = "", name.end()
        if equals := _EQUALS.match(source, at):
            value, at = _value(source, equals.end())
        if at < 0:
            break
        attributes.setdefault(name[1].lower(), unescaped(value))
    # Only blanks, slashes and equals signs are left of the tag.
    return attributes, _after(source, ">", at) if at >= 0 else -1


def _value(source: str, at: int) -> tuple[str, int]:
    quote = source[at : at + 1]
    if quote not in {'"', "'"}:
        bare = _BARE.match(source, at)
        return (bare[0], bare.end()) if bare else ("", at)
    end = source.find(quote, at + 1)
    return source[at + 1 : end], end + 1 if end >= 0 else -1


def _raw(source: str, name: str, at: int) -> tuple[str, int]:
    """Return the content of an element without markup, and the place of its end tag."""
    closes = _CLOSES[name].search(source, at)
    end = closes.start() if closes else len(source)
    return unescaped(source[at:end]) if name == "title" else "", end


def _after(source: str, end: str, at: int) -> int:
    """Return the place after the next `end`; -1 without one."""
    start = source.find(end, at)
    return start + len(end) if start >= 0 else -1
