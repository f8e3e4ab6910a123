"""The text of a document in blocks: paragraphs without line ends, code, verse, tables with them."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

PARAGRAPH, LINES, CODE, TABLE = "paragraph", "lines", "code", "table"

# Narrower lines are an address, a table or verse, not a paragraph cut at a margin.
NARROWEST = 40
# Of lines up to so wide, each of which begins with a capital, at least so many are verse.
VERSE, LEAST_VERSE = 50, 3
# A line is cut at the margin if the next word would pass this share of the widest line.
REACHED = 0.85
INDENT = 4
FARTHEST = 8  # a line indented farther continues the one before
ITEM = re.compile(
    r"\s*(?:[-*+\u2022\u2023\u2013]|\(?\d{1,3}[.)]|\(?[a-z][.)]|\[ ?-?\d{1,3}\]"
    r"|:[a-z][^:\n]{0,60}:|@[a-z]+)\s"
)
TERM = re.compile(r"\s*[\w.*()\[\]]+(?: \S+)? *(?:--|[-=:\u2013]) ")
PROMPT = re.compile(r"\s*>>>(?:\s|$)")
# A prompt, or a comment of C.
CODE_BEGINS = re.compile(r"\s*(?:(?:>>>|\.\.\.|\$|In \[\d+\]:)(?:\s|$)|/\*)")
FENCE = re.compile(r"\s*(?:```|~~~)[\w+-]*\s*$")
# A line of a program, by its end or its beginning. Each pattern takes linear time.
OPERATOR = re.compile(r"[=()]")
BRANCH = re.compile(r"(?:def|class|if|for|while|with|else|try)\b")
STATEMENT = re.compile(r"import [\w.]+|from [\w.]+ import .+|#include .+|return\b.*[;)\w]")
ASSIGNMENT_OR_CALL = re.compile(r"[\w.\[\]'\"]{1,80}(?: ?[-+*/|&%]?= ?[^=\s]|\()")
COMMENT = re.compile(r"\s*(?:#(?:[ !]|$)|//|/\*)")
REMARK = re.compile(r"\S +# ")
# What is said above an example of code, or of a command below it.
USE = re.compile(r"\s*(?:usage|synopsis|examples?)\b[^.\n]{0,40}:\s*$", re.IGNORECASE)
COMMAND = re.compile(r"\s*usage:", re.IGNORECASE)
LIKELY = re.compile(f"{COMMENT.pattern}|{ASSIGNMENT_OR_CALL.pattern}")
AFTER_GAP = re.compile(r"(?<=[^ ])( {2,})([^ ]+)")
MOST_ROWS = 200  # of a table
WIDE_GAP = 3  # blanks; prose has two after a sentence, or if it was justified
SENTENCE_ENDS = tuple(".?!:;\"')]\u201d\u2019\u3002")

PART = 256_000  # characters shown at first
BLANK_LINE = re.compile(r"\n[^\S\n]*\n")


class TextBlock(NamedTuple):
    """A piece of a text. In a paragraph blanks replace line ends, so its length is the same."""

    kind: str
    text: str


def part(text: str, size: int = PART, *, is_html: bool = False) -> int:
    r"""Return how many characters of a text to show first; all if it is no longer than `size`.

    They end at a blank line in their second half, else with a line, else at a blank. HTML is cut
    only between its lines, each of which is a block shorter than half a part.

    >>> part("a cat\n\na dog", 10), part("a cat and a dog", 10), part("a cat", 10)
    (7, 10, 5)
    >>> part("<p>a</p>\n<p>b</p>", 12, is_html=True)
    9
    """
    if len(text) <= size:
        return len(text)
    if is_html:
        return text.rfind("\n", 0, size) + 1 or size
    blank_lines = [each.end() for each in BLANK_LINE.finditer(text, size // 2, size)]
    ends = (text.rfind(mark, size // 2, size) + 1 for mark in "\n ")
    return max(blank_lines, default=0) or next(filter(None, ends), size)


def blocks(text: str) -> Iterator[TextBlock]:
    r"""Yield the pieces of a text; only the blank lines between them are left out.

    >>> text = "One line that was cut at the margin of text,\nthe end.\n\n    x = 1"
    >>> for block in blocks(text):
    ...     print(f"{block.kind}: {block.text}")
    paragraph: One line that was cut at the margin of text, the end.
    code:     x = 1
    """
    code: list[str] = []
    stanzas = list(_stanzas(text))
    for lines, is_code in zip(stanzas, _coded(stanzas), strict=True):
        if is_code:
            code.append("\n".join(lines))
            continue
        if code:
            yield TextBlock(CODE, "\n\n".join(code))
            code = []
        yield from _pieces(lines)
    if code:
        yield TextBlock(CODE, "\n\n".join(code))


def _stanzas(text: str) -> Iterator[list[str]]:
    """Yield the lines between blank lines; fenced lines stay together if every fence is closed."""
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


def _coded(stanzas: Sequence[Sequence[str]]) -> list[bool]:
    """Return which stanzas are code: by themselves, or as likely ones between others that are."""
    above = [""] + [lines[-1] for lines in stanzas]
    stated = [
        (_is_code(lines) or (USE.match(use) is not None and _is_likely(lines)), _is_likely(lines))
        for use, lines in zip(above, stanzas, strict=False)
    ]
    before = list(_reached(stated))
    after = list(_reached(stated[::-1]))[::-1]
    return [
        is_code or (is_likely and is_after and is_before)
        for (is_code, is_likely), is_after, is_before in zip(stated, before, after, strict=True)
    ]


def _reached(stated: Iterable[tuple[bool, bool]]) -> Iterator[bool]:
    """Yield for each stanza whether code is before it, with only likely code between."""
    is_reached = False
    for is_code, is_likely in stated:
        yield is_reached
        is_reached = is_code or (is_reached and is_likely)


def _is_code(lines: Sequence[str]) -> bool:
    if FENCE.match(lines[0]) or CODE_BEGINS.match(lines[0]):
        return True
    if len(lines) > 1 and sum(map(_is_statement, lines)) * 2 > len(lines):
        return True
    if COMMENT.match(lines[0]) and len(lines) > 1 and _is_likely(lines):
        return True
    if _is_command(lines) or sum(map(_is_remarked, lines)) * 2 > len(lines):
        return True
    is_indented = all(_indent(line) >= INDENT for line in lines)
    return is_indented and not ITEM.match(lines[0]) and not _is_cut(lines)


def _is_command(lines: Sequence[str]) -> bool:
    """Return whether it is how a command is used: all that is below "usage:" is indented."""
    if len(lines) == 1 or not COMMAND.match(lines[0]):
        return False
    return all(_indent(line) > _indent(lines[0]) + 1 for line in lines[1:])


def _is_remarked(line: str) -> bool:
    return bool(REMARK.search(line) and ASSIGNMENT_OR_CALL.match(line.strip()))


def _is_likely(lines: Sequence[str]) -> bool:
    """Return whether more than half of the lines begin like those of a program."""
    n_likely = sum(_is_statement(line) or LIKELY.match(line.strip()) is not None for line in lines)
    return n_likely * 2 > len(lines)


def _is_statement(line: str) -> bool:
    line = line.strip()
    if line.endswith(";"):
        return OPERATOR.search(line) is not None
    if line.endswith(":") and BRANCH.match(line):
        return True
    return line.endswith(("{", "}")) or STATEMENT.fullmatch(line) is not None


def _pieces(lines: Sequence[str]) -> Iterator[TextBlock]:
    """Split lines at items of a list, at indented first lines, and below a colon."""
    if _is_table(lines):
        yield TextBlock(TABLE, "\n".join(lines))
        return
    start, announced, lowest = 0, False, min(map(_indent, lines))
    farther = [_indent(line) - lowest for line in lines]
    for n in range(1, len(lines)):
        if PROMPT.match(lines[start]):  # and what it prints
            break
        colon = not farther[n - 1] and lines[n - 1].rstrip().endswith(":")
        is_announced = colon and farther[n] >= INDENT
        is_over = announced and not farther[n]
        if is_announced or is_over or _begins(lines, farther, start, n):
            yield _block(lines[start:n], announced=announced)
            start, announced = n, is_announced
    yield _block(lines[start:], announced=announced)


def _is_table(lines: Sequence[str]) -> bool:
    """Return whether each line has as many cells, with a tab between two."""
    n_tabs = {line.count("\t") for line in lines}
    is_begun = all(line[0] != "\t" for line in lines)
    return 1 < len(lines) <= MOST_ROWS and len(n_tabs) == 1 and 0 not in n_tabs and is_begun


def _begins(lines: Sequence[str], farther: Sequence[int], start: int, n: int) -> bool:
    """Return whether line n begins an item, a term, or a paragraph with an indented first line."""
    if ITEM.match(lines[n]) or PROMPT.match(lines[n]):
        return True
    if farther[n - 1]:
        return not farther[n] and TERM.match(lines[n]) is not None
    is_first = (
        0 < farther[n] <= FARTHEST
        and lines[n - 1].rstrip().endswith(SENTENCE_ENDS)
        and not ITEM.match(lines[start])
    )
    # Several lines with the same indent hang from the one before.
    return is_first and farther[n + 1 : n + 2] != farther[n : n + 1]


def _block(lines: Sequence[str], *, announced: bool) -> TextBlock:
    is_cut = _is_cut(lines)
    n_coded = sum(bool(ASSIGNMENT_OR_CALL.match(line.strip())) for line in lines)
    is_code = announced and not is_cut and n_coded * 2 > len(lines)
    if is_code or PROMPT.match(lines[0]) or _has_columns(lines, WIDE_GAP if is_cut else 2):
        return TextBlock(CODE, "\n".join(lines))
    if len(lines) == 1 or is_cut:
        return TextBlock(PARAGRAPH, " ".join(lines))
    return TextBlock(LINES, "\n".join(lines))


def _has_columns(lines: Sequence[str], least_gap: int) -> bool:
    """Return whether words after gaps begin or end in one column in at least half of the lines."""
    gaps = [each for line in lines for each in AFTER_GAP.finditer(line)]
    ends = [each.span(2) for each in gaps if len(each[1]) >= least_gap]
    columns = Counter(start for start, _ in ends) | Counter(end for _, end in ends)
    hanging = Counter(len(line) - len(line.lstrip(" ")) for line in lines)
    rows = (n + hanging[column] for column, n in columns.items() if n > 1)
    return max(rows, default=0) * 2 >= max(len(lines), 4)


def _is_cut(lines: Sequence[str]) -> bool:
    """Return whether the lines are one paragraph that was cut at a margin, no list of terms."""
    plain = [line.strip() for line in lines]
    n_terms = sum(bool(TERM.match(line)) for line in plain)
    lowest = min(map(_indent, lines))
    ends = [_indent(line) - lowest + len(line.strip()) for line in lines]
    widest = max(ends)
    if widest < NARROWEST or len(plain) == 1 or n_terms > 1 or _is_verse(plain, widest):
        return False
    return all(
        end + 1 + len(after.split(maxsplit=1)[0]) > REACHED * widest
        for end, after in zip(ends, plain[1:], strict=False)
        if after
    )


def _is_verse(plain: Sequence[str], widest: int) -> bool:
    capitals = sum(line.lstrip("\"'(\u201c\u2018")[:1].isupper() for line in plain)
    return len(plain) >= LEAST_VERSE and widest <= VERSE and capitals == len(plain)


def _indent(line: str) -> int:
    return len(line[: len(line) - len(line.lstrip())].expandtabs(INDENT))
