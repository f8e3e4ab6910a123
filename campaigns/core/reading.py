"""The text of a document in blocks that can be read: paragraphs without the line ends of the file, code and verse with them."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

PARAGRAPH, LINES, CODE = "paragraph", "lines", "code"

# Narrower lines are an address, a table or verse, and no paragraph that was cut at a margin.
NARROWEST = 40
# A line is cut at the margin if the first word of the next would have reached over this share of the widest line.
REACHED = 0.85
INDENT = 4
FARTHEST = 8  # a line that is indented farther goes on with the one before
ITEM = re.compile(
    r"\s*(?:[-*+\u2022\u2023\u2013]|\(?\d{1,3}[.)]|\(?[a-z][.)]|:[a-z][^:\n]{0,60}:|@[a-z]+)\s"
)
TERM = re.compile(r"\s*[\w.*()\[\]]+(?: \S+)? *(?:--|[-=:\u2013]) ")
PROMPT = re.compile(r"\s*(?:>>>|\.\.\.|\$|In \[\d+\]:)(?:\s|$)")
FENCE = re.compile(r"\s*(?:```|~~~)[\w+-]*\s*$")
STATEMENT = re.compile(
    r"[{}]\s*$|[=()].*;\s*$|^\s*(?:def|class|if|for|while|with|else|try)\b.*:\s*$|^\s*(?:import [\w.]+|from [\w.]+ import .+|#include .+|return\b.*[;)\w])$"
)


PART = 256_000  # characters that are shown at first
BLANK_LINE = re.compile(r"\n[^\S\n]*\n")


class Block(NamedTuple):
    """A piece of a text, and how it is to be read. In a paragraph each line end is a blank, so that it is as long as it was."""

    kind: str
    text: str


def part(text: str, start: int, size: int = PART) -> tuple[str, int | None]:
    r"""Return about so many characters of a text from a place on, and where the next part begins, None after the last.

    It ends at a blank line where there is one in its second half.

    >>> part("a cat\n\na dog", 0, 10), part("a cat\n\na dog", 7, 10)
    (('a cat\n\n', 7), ('a dog', None))
    """
    end = start + size
    if end >= len(text):
        return text[start:], None
    ends = [found.end() for found in BLANK_LINE.finditer(text, start + size // 2, end)]
    end = max(ends, default=end)
    return text[start:end], end


def part_of_lines(html: str, start: int, size: int = PART) -> tuple[str, int | None]:
    r"""Return a `part` that is whole lines: each is a block of an HTML document, and is not cut.

    >>> part_of_lines("<p>a</p>\n<p>bc</p>", 0, 10), part_of_lines("<p>a</p>\n<p>bc</p>", 9, 10)
    (('<p>a</p>\n', 9), ('<p>bc</p>', None))
    """
    if start + size >= len(html):
        return html[start:], None
    end = html.rfind("\n", start, start + size) + 1 or html.find("\n", start + size) + 1
    return (html[start:end], end) if end else (html[start:], None)


def blocks(text: str) -> Iterator[Block]:
    r"""Yield the pieces of a text in their order; only blank lines between them are left out.

    >>> [tuple(block) for block in blocks("One line of text that was cut at the margin,\nand its end.\n\n    x = 1\n")]
    [('paragraph', 'One line of text that was cut at the margin, and its end.'), ('code', '    x = 1')]
    """
    code: list[str] = []
    for lines in _stanzas(text):
        if _is_code(lines):
            code.append("\n".join(lines))
            continue
        if code:
            yield Block(CODE, "\n\n".join(code))
            code = []
        for piece in _pieces(lines):
            yield _block(piece)
    if code:
        yield Block(CODE, "\n\n".join(code))


def _stanzas(text: str) -> Iterator[list[str]]:
    """Yield the lines between blank lines; what is fenced stays together, where every fence that opens is closed."""
    lines: list[str] = []
    every_line, is_fenced = text.splitlines(), False
    fences = {n for n, line in enumerate(every_line) if FENCE.match(line)}
    is_closed = len(fences) % 2 == 0
    for n, line in enumerate(every_line):
        is_fence = is_closed and n in fences
        belongs = is_fenced or bool(line.strip())
        if lines and (not belongs or (is_fence and not is_fenced)):
            yield lines
            lines = []
        if belongs:
            lines.append(line)
        if is_fence and is_fenced:
            yield lines
            lines = []
        is_fenced ^= is_fence
    if lines:
        yield lines


def _is_code(lines: Sequence[str]) -> bool:
    if FENCE.match(lines[0]) or PROMPT.match(lines[0]):
        return True
    n_statements = sum(bool(STATEMENT.search(line)) for line in lines)
    if n_statements * 2 > len(lines) and len(lines) > 1:
        return True
    is_indented = all(_indent(line) >= INDENT for line in lines)
    return is_indented and not ITEM.match(lines[0]) and not _is_cut(lines)


def _pieces(lines: Sequence[str]) -> Iterator[list[str]]:
    """Split lines where an item of a list begins, or where a first line is indented."""
    lowest, piece = min(map(_indent, lines)), [lines[0]]
    is_listed = ITEM.match(lines[0]) is not None
    for before, line in pairwise(lines):
        farther = _indent(line) - lowest
        is_first = (
            not is_listed and 0 < farther <= FARTHEST and _indent(before) == lowest
        )
        if ITEM.match(line) or is_first:
            yield piece
            piece, is_listed = [], ITEM.match(line) is not None
        piece.append(line)
    yield piece


def _block(lines: Sequence[str]) -> Block:
    if len(lines) == 1 or _is_cut(lines):
        return Block(PARAGRAPH, " ".join(lines))
    return Block(LINES, "\n".join(lines))


def _is_cut(lines: Sequence[str]) -> bool:
    """Whether the lines are one paragraph that was cut at a margin, and no list of terms."""
    plain = [line.strip() for line in lines]
    widest = max(map(len, plain))
    n_terms = sum(bool(TERM.match(line)) for line in plain)
    if widest < NARROWEST or len(plain) == 1 or n_terms > 1:
        return False
    return all(
        len(line) + 1 + len(after.split(maxsplit=1)[0]) > REACHED * widest
        for line, after in pairwise(plain)
        if after
    )


def _indent(line: str) -> int:
    return len(line.expandtabs(INDENT)) - len(line.expandtabs(INDENT).lstrip())
