"""Lines of columns, as in runs, qrels and preferences: into arrays, or a fault with its line."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import BinaryIO, NoReturn, TypeVar

import numpy as np

from cleverdon.trec import engine
from cleverdon.trec.arrays import Bytes, Integers, Ints, Mask
from cleverdon.trec.docnos import Docnos, Spans
from cleverdon.trec.engine.fields import (
    BLANK_LINES,
    COMMENTS,
    CONTROLS,
    MORE_COLUMNS,
    LineBlock,
    Wanted,
)
from cleverdon.trec.ranking import by_topic
from cleverdon.trec.streams import NOT_UTF8, FormatError
from cleverdon.trec.text import blocks
from cleverdon.trec.words import counted

Converted = TypeVar("Converted")

# Bytes of a line, its end included.
MAX_LINE = 1 << 16
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
MAX_SHOWN = 60
WHOLE = re.compile(rb"[+-]?[0-9]+")

# Called with the number of a line and what is wrong with it.
Complain = Callable[[int, str], None]


def refuse(line_number: int, sentence: str) -> NoReturn:
    """Complain by raising FormatError."""
    raise FormatError(line_number, sentence)


@dataclass(frozen=True)
class Layout:
    """The columns of a kind of file, the first of which is the topic.

    `wanted` begins the sentence that lists them. trec_eval skips blank lines of runs and text after
    their six columns; in qrels and preferences it refuses both. It takes any bytes for a name.
    """

    columns: tuple[str, ...]
    wanted: str
    may_have_blank_lines: bool = False
    may_have_more_columns: bool = False
    must_be_utf8: bool = False

    @property
    def n_columns(self) -> int:
        return len(self.columns)

    @property
    def allowed(self) -> int:
        """What may be there, as the readers are told it."""
        allowed = BLANK_LINES if self.may_have_blank_lines else 0
        return allowed | (MORE_COLUMNS if self.may_have_more_columns else 0)


@dataclass(frozen=True, eq=False)
class TableRows:
    """The fields of lines: field c of row i is `content[starts[c, i]:ends[c, i]]`.

    Line numbers count from 1: shape [n_rows].
    """

    content: Bytes
    starts: Ints | Integers
    ends: Ints | Integers
    line_numbers: Integers
    words: list[bytes] | None = None

    def column(self, number: int) -> Docnos:
        # Copied, as a view would keep the other columns as long as it lives.
        starts, ends = (each[number].astype(np.int64) for each in (self.starts, self.ends))
        words = self.words and self.words[number :: len(self.starts)]
        return Docnos(self.content, starts, ends, known_words=words)

    def check(self, is_right: Mask, sentence: Callable[[int], str]) -> None:
        """FormatError for the first row that is not right; `sentence` says why, given its index."""
        if not is_right.all():
            row = int(is_right.argmin())
            raise FormatError(int(self.line_numbers[row]), sentence(row))


def read(
    stream: BinaryIO,
    layout: Layout,
    convert: Callable[[TableRows], Converted],
    *,
    comments: bool = False,
) -> Iterator[Converted]:
    """Convert each block's rows, in order.

    With `comments`, blank lines and lines that begin with `#` are skipped. FormatError for the
    first line that does not fit the layout, or that `convert` refuses.
    """
    for block in blocks(stream):
        fields = rows(block, layout, comments=comments)
        if fields is not None:
            yield convert(fields)


def rows(
    block: LineBlock, layout: Layout, complain: Complain = refuse, *, comments: bool = False
) -> TableRows | None:
    """Return the rows of a block, None without any; complain about lines that do not fit."""
    allowed = layout.allowed | (COMMENTS if comments else 0)
    found = engine.reader.split(block, Wanted(layout.n_columns, allowed, MAX_LINE))
    if found is None or (found.has_high and layout.must_be_utf8 and not _is_utf8(block)):
        return _split(block, layout, complain, comments=comments)
    if not len(found.line_numbers):
        return None
    return TableRows(block.content, found.starts, found.ends, found.line_numbers, found.words)


def _is_utf8(block: LineBlock) -> bool:
    try:
        block.content[block.start : block.end].tobytes().decode()
    except UnicodeDecodeError:
        return False
    return True


def _split(
    block: LineBlock, layout: Layout, complain: Complain, *, comments: bool
) -> TableRows | None:
    """Return rows line by line, copied with one blank between fields."""
    words: list[bytes] = []
    line_numbers: list[int] = []
    for number, line in block.lines():
        fields = line.split()
        is_comment = comments and line.lstrip().startswith(b"#")
        may_pass = not fields and (comments or layout.may_have_blank_lines)
        if (is_comment and not _has_return(line)) or may_pass:
            continue
        if fault := _fault(line, fields, layout):
            complain(number, fault)
            continue
        words += fields[: layout.n_columns]
        line_numbers.append(number)
    if not line_numbers:
        return None
    column = Docnos.of(words)
    starts, ends = (each.reshape(-1, layout.n_columns).T for each in (column.starts, column.ends))
    return TableRows(column.content, starts, ends, np.array(line_numbers))


def _fault(line: bytes, fields: list[bytes], layout: Layout) -> str | None:
    """Say why a line does not fit the layout, if so."""
    if fault := _not_a_line(line, layout):
        return fault
    fault = _miscounted(len(fields), layout)
    if fault or not CONTROLS.search(line):
        return fault
    is_kept = CONTROLS.search(b"".join(fields[: layout.n_columns]))
    return "It holds control characters." if is_kept else None


def _not_a_line(line: bytes, layout: Layout) -> str | None:
    """Say why this is no line of text, if so."""
    if _has_return(line):
        return "It holds a carriage return: lines must end with LF or CR LF, not with CR alone."
    if len(line) >= MAX_LINE:
        return f"It is longer than {MAX_LINE - 1:,} bytes."
    if b"\x00" in line:
        return "It holds a NUL byte: this is not a text file."
    if layout.must_be_utf8 and (fault := _not_utf8(line)):
        return fault
    if line.startswith(BYTE_ORDER_MARK):
        return "It begins with a byte order mark: save the file as UTF-8 without one."
    return None


def _has_return(line: bytes) -> bool:
    """Tell whether a carriage return is between words: trec_eval would read two lines as one."""
    return b"\r" in line.strip()


def _not_utf8(line: bytes) -> str | None:
    """Say where a line is not UTF-8, if so."""
    try:
        line.decode()
    except UnicodeDecodeError as error:
        return NOT_UTF8.format(error.start + 1)
    return None


def _miscounted(n_fields: int, layout: Layout) -> str | None:
    n_extra = n_fields - layout.n_columns
    if n_extra == 0 or (n_extra > 0 and layout.may_have_more_columns):
        return None
    columns = counted(n_fields, "column")
    return f"It has {columns}; {layout.wanted}: {', '.join(layout.columns)}."


def numbered_topics(spans: Sequence[Spans]) -> tuple[list[bytes], Integers]:
    """Return the topics in byte order, and each row's index among them, from the blocks' spans."""
    named = [name for names, _ in spans for name in names]
    topics = sorted(set(named))
    index = {name: number for number, name in enumerate(topics)}
    numbers = np.array([index[name] for name in named], dtype=np.int64)
    return topics, np.repeat(numbers, np.concatenate([sizes for _, sizes in spans]))


def repeats(
    topics: Integers, docnos: Docnos, labels: Docnos | None = None
) -> Iterator[tuple[int, int]]:
    """Yield (row, first row) for every row that repeats a topic, docno and, if given, label."""
    order, offsets = by_topic(topics)
    hashed = docnos.hashed()
    if not engine.reader.may_repeat(hashed, offsets, order):
        return
    found: list[tuple[int, int]] = []
    for start, end in pairwise(offsets.tolist()):
        rows = order[start:end]
        if engine.reader.may_repeat(hashed, np.array([0, len(rows)]), rows):
            columns = [each.take(rows).tolist() for each in (docnos, labels) if each is not None]
            first: dict[tuple[bytes, ...], int] = {}
            for row, names in zip(rows.tolist(), zip(*columns, strict=True), strict=True):
                if (earlier := first.setdefault(names, row)) != row:
                    found.append((row, earlier))
    yield from sorted(found)


def quoted(text: bytes) -> str:
    """Quote a word of the file, shortened if it is long."""
    word = text.decode(errors="replace")
    return repr(word if len(word) <= MAX_SHOWN else f"{word[:MAX_SHOWN]}…")


def not_whole(word: bytes, below: int) -> str:
    """Say why a field is no whole number below a bound."""
    if not WHOLE.fullmatch(word):
        return "is not a whole number"
    if word.startswith(b"-"):
        return f"is too small: at least {1 - below:,}"
    return f"is too large: at most {below - 1:,}"
