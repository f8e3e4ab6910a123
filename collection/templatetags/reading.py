"""Tags that show the text of a document."""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

from collection.core.hypertext.showing import addresses, shown, words_only
from collection.core.reading import CODE, LINES, TABLE, TextBlock, blocks
from collection.core.text_direction import direction, is_from_right, is_mostly_from_right
from collection.models.texts import Document, DocumentVersion

register = template.Library()

T = TypeVar("T")

# Blocks, and about their characters, that a browser lays out together, once they are near.
PART = 100
PART_CHARACTERS = 20_000
# Addresses of links that are shown.
MOST_ADDRESSES = 200
# Each block has a direction of its own.
ELEMENTS = {CODE: '<pre class="code">{}</pre>', LINES: '<p class="lines" dir="{}">{}</p>'}


@register.filter
def runs_from_right(document: Document | DocumentVersion) -> bool:
    """Return whether a document runs from right to left, by its language or the part read."""
    if document.language:
        return is_from_right(document.language)
    part = document.part
    return is_mostly_from_right(words_only(part.text) if part.is_html else part.text)


@register.simple_tag
def readable(document: Document | DocumentVersion) -> SafeString:
    part, from_right = document.part, runs_from_right(document)
    elements = (_html if part.is_html else _plain)(part.text, from_right=from_right)
    return format_html_join("\n", "<div>{}</div>", ((each,) for each in elements))


def _html(html: str, *, from_right: bool) -> Iterator[SafeString]:
    for lines in _together(html.split("\n"), len):
        some = shown(lines, from_right=from_right)
        yield mark_safe(some)  # noqa: S308  # sanitized when it was imported


def _plain(text: str, *, from_right: bool) -> Iterator[SafeString]:
    for some in _together(blocks(text), lambda block: len(block.text)):
        elements = ((_element(block, from_right=from_right),) for block in some)
        yield format_html_join("\n", "{}", elements)


def _together(blocks: Iterable[T], length: Callable[[T], int]) -> Iterator[list[T]]:
    part, n = list[T](), 0
    for block in blocks:
        if len(part) == PART or (part and n + length(block) > PART_CHARACTERS):
            yield part
            part, n = [], 0
        part.append(block)
        n += length(block)
    if part:
        yield part


def _element(block: TextBlock, *, from_right: bool) -> SafeString:
    if block.kind == CODE:
        return format_html(ELEMENTS[CODE], block.text)
    if block.kind == TABLE:
        return mark_safe(shown([_table(block.text)], from_right=from_right))  # noqa: S308  # escaped
    way = direction(block.text, from_right=from_right)
    return format_html(ELEMENTS.get(block.kind, '<p dir="{}">{}</p>'), way, block.text)


def _table(text: str) -> str:
    rows = (((cell,) for cell in line.split("\t")) for line in text.split("\n"))
    cells = ((format_html_join("", "<td>{}</td>", row),) for row in rows)
    return format_html(
        "<table><tbody>{}</tbody></table>", format_html_join("", "<tr>{}</tr>", cells)
    )


@register.filter
def way_of(title: str, document: Document | DocumentVersion) -> str:
    return direction(title, from_right=runs_from_right(document))


@register.simple_tag
def links_of(document: Document | DocumentVersion) -> dict[str, object]:
    """Return the addresses of links in the part that was read, and how many more there are."""
    links = list(addresses(document.part.text))
    return {"addresses": links[:MOST_ADDRESSES], "n_more": max(0, len(links) - MOST_ADDRESSES)}
