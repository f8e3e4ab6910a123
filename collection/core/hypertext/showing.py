"""The blocks of an HTML document as a page shows them, with their direction."""

import re
from collections.abc import Iterator, Sequence
from html import unescape

from collection.core.text_direction import direction

# The page has a heading of the second level above the document.
LEVELS_ABOVE = 2
# Wider tables scroll in a box of their own.
MOST_CELLS = 4
# Of the longest words of a table's columns: cells that need no more leave their words whole, also
# on a phone. So much goes for the space between two.
MOST_OF_WORDS, BETWEEN = 30, 3
_FIRST_TAG = re.compile(r"<(?!pre|hr)[a-z0-9]+")
_CELL = re.compile(r"<t[dh](?=[ >])")
_HEADING = re.compile(r"(</?h)([1-6])(?=[ >])")
_SEAM = re.compile(r'</li>((?:</[uo]l>)+)\n((?:<[uo]l(?: start="\d+")?>)+)<li>')
_LIST = re.compile(r'<([uo])l(?: start="(\d+)")?>')
_TAG = re.compile(r"<[^<>]*>")
_LINK = re.compile(r'<a title="([^"]*)">')


def shown(lines: Sequence[str], *, from_right: bool) -> str:
    """Return blocks, a line each, as the HTML of a page."""
    html = _SEAM.sub(_joined, "\n".join(lines))
    directed = (_directed(line, from_right=from_right) for line in html.split("\n"))
    return "\n".join(directed)


def _joined(seam: re.Match[str]) -> str:
    """Join the items of one list into one; those of different lists stay apart."""
    opened = _LIST.findall(seam[2])
    closed = re.findall("</([uo])l>", seam[1])
    if [kind for kind, _ in opened] != closed[::-1]:
        return seam[0]
    start = opened[-1][1]
    return f'</li>\n<li value="{start}">' if start else "</li>\n<li>"


def _directed(line: str, *, from_right: bool) -> str:
    if not line.startswith("<li"):  # its list has the direction
        way = direction(words_only(line), from_right=from_right)
        line = _FIRST_TAG.sub(rf'\g<0> dir="{way}"', line, count=1)
    n_cells = len(_CELL.findall(line, 0, line.find("</tr>") + 1))
    if line.startswith("<table") and _has_short_words(line):
        line = line.replace("<table", '<table class="whole"', 1)
    line = _CELL.sub(r'\g<0> dir="auto"', line)
    if n_cells > MOST_CELLS:
        label = f'aria-label="Table with {n_cells} columns"'
        return f'<div class="wide" role="region" tabindex="0" {label}>{line}</div>'
    return _HEADING.sub(lambda tag: f"{tag[1]}{min(6, int(tag[2]) + LEVELS_ABOVE)}", line)


def _has_short_words(table: str) -> bool:
    widest: dict[int, int] = {}
    for row in table.split("</tr>"):
        for n, cell in enumerate(_CELL.split(row)[1:]):
            words = words_only(f"<td{cell}").split()
            widest[n] = max(widest.get(n, 0), *map(len, words), 0)
    return sum(widest.values()) + BETWEEN * len(widest) <= MOST_OF_WORDS


def words_only(html: str) -> str:
    """Return the text of blocks, with a blank for each tag.

    >>> words_only("<p>Street <b>trees</b> &amp; shade")
    ' Street  trees  & shade'
    """
    return unescape(_TAG.sub(" ", html))


def addresses(html: str) -> Iterator[str]:
    """Yield the addresses of the links in a document, each once."""
    return map(unescape, dict.fromkeys(_LINK.findall(html)))
