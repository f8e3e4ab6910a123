"""The lines of a run file: six columns, of a whole block at once where nothing is wrong with it, else line by line."""

import math
from array import array
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import groupby
from typing import BinaryIO, NamedTuple

import numpy as np
from numpy.typing import NDArray

BLOCK = 1 << 20
MAX_LINE = 1 << 16
MAX_DOCNO = 255
MAX_RANK = 10**18
N_COLUMNS = 6
COLUMNS = "topic, Q0, docno, rank, score, tag"
BYTE_ORDER_MARK = b"\xef\xbb\xbf"

TAB, N_CONTROLS = np.uint8(9), 5


class Row(NamedTuple):
    """A line that can be used."""

    topic: bytes
    docno: bytes
    rank: int
    score: float


@dataclass
class Lines:
    """The columns of all lines that can be used, in the file's order; topics are numbered in order of appearance."""

    numbers: dict[bytes, int] = field(default_factory=dict)
    topics: "array[int]" = field(default_factory=lambda: array("q"))
    docnos: list[bytes] = field(default_factory=list)
    ranks: "array[int]" = field(default_factory=lambda: array("q"))
    scores: "array[float]" = field(default_factory=lambda: array("d"))
    places: "array[int]" = field(default_factory=lambda: array("q"))

    def add(
        self,
        topics: Iterable[tuple[bytes, int]],
        docnos: list[bytes],
        numbers: tuple["array[int]", "array[float]"],
        places: NDArray[np.int64],
    ) -> None:
        """Take in consecutive lines: their topics with how many lines each has, and ranks and scores."""
        for topic, n_lines in topics:
            number = self.numbers.setdefault(topic, len(self.numbers))
            self.topics.extend([number] * n_lines)
        self.docnos.extend(docnos)
        self.ranks.extend(numbers[0])
        self.scores.extend(numbers[1])
        self.places.frombytes(places.tobytes())


@dataclass(frozen=True)
class Expected:
    """What each line is held against."""

    tag: bytes
    topics: frozenset[bytes]


def blocks(
    stream: BinaryIO, on_progress: Callable[[int], None] | None = None
) -> Iterator[tuple[int, bytes]]:
    """Yield (number of the first line, whole lines); of a line that does not end only the beginning is kept."""
    line, n_bytes, rest = 1, 0, b""
    while piece := stream.read(BLOCK):
        n_bytes += len(piece)
        end = piece.rfind(b"\n") + 1
        if end:
            block, rest = rest + piece[:end], piece[end:]
            yield line, block
            line += block.count(b"\n")
        else:
            rest = (rest + piece)[: MAX_LINE + 1]
        if on_progress:
            on_progress(n_bytes)
    if rest:
        yield line, rest


def read_block(
    first: int, block: bytes, expected: Expected, lines: Lines
) -> Iterator[tuple[int, str]]:
    """Take the lines of a block in; yield (line, sentence) for everything wrong with them.

    Both ways of reading give the same lines and find the same faults; one is some ten times faster.
    """
    if not _read_regular(first, block, expected, lines):
        yield from _read_tolerant(first, block, expected, lines)


def _read_regular(first: int, block: bytes, expected: Expected, lines: Lines) -> bool:
    """Take a block column by column; return False, and take nothing, when a line of it may be wrong."""
    if b"\x00" in block or not _is_utf8(block) or not _has_six_columns(block):
        return False
    words = block.split()
    topics = [(topic, len(list(group))) for topic, group in groupby(words[::6])]
    docnos, tags = words[2::6], words[5::6]
    if not expected.topics.issuperset(topic for topic, _ in topics):
        return False
    if tags.count(expected.tag) < len(tags) or max(map(len, docnos)) > MAX_DOCNO:
        return False
    numbers = _numbers(words[3::6], words[4::6], may_have_underscores=b"_" in block)
    if numbers is None:
        return False
    lines.add(topics, docnos, numbers, np.arange(first, first + len(docnos)))
    return True


def _has_six_columns(block: bytes) -> bool:
    """Tell whether every line has six words and is not too long: six words more have begun at each line's end."""
    content = np.frombuffer(block if block.endswith(b"\n") else block + b"\n", np.uint8)
    # What bytes.split() parts words at: the blank, and tab to carriage return.
    is_blank = (content == ord(" ")) | (content - TAB < N_CONTROLS)
    starts = np.flatnonzero(is_blank[:-1] & ~is_blank[1:]) + 1
    ends = np.flatnonzero(content == ord("\n"))
    begun = np.searchsorted(starts, ends) + (not is_blank[0])
    expected = np.arange(1, len(ends) + 1) * N_COLUMNS
    return (
        np.array_equal(begun, expected) and np.diff(ends, prepend=-1).max() <= MAX_LINE
    )


def _numbers(
    ranks: list[bytes], scores: list[bytes], *, may_have_underscores: bool
) -> tuple["array[int]", "array[float]"] | None:
    """Read ranks and scores, None when one of them cannot be."""
    if may_have_underscores and b"_" in b"".join(ranks + scores):
        return None
    try:
        columns = array("q", map(int, ranks)), array("d", map(float, scores))
    except (ValueError, OverflowError):
        return None
    is_usable = np.isfinite(columns[1]).all() and np.abs(columns[0]).max() < MAX_RANK
    return columns if is_usable else None


def _is_utf8(text: bytes) -> bool:
    return text.isascii() or _first_bad_byte(text) is None


def _first_bad_byte(text: bytes) -> int | None:
    try:
        text.decode()
    except UnicodeDecodeError as error:
        return error.start + 1
    return None


def _read_tolerant(
    first: int, block: bytes, expected: Expected, lines: Lines
) -> Iterator[tuple[int, str]]:
    """Take a block line by line; blank lines are passed over, as trec_eval does."""
    for place, text in enumerate(block.removesuffix(b"\n").split(b"\n"), first):
        if not text.strip():
            continue
        row, faults = _read_line(text, expected)
        for fault in faults:
            yield place, fault
        if row:
            topic, docno, rank, score = row
            numbers = array("q", [rank]), array("d", [score])
            lines.add([(topic, 1)], [docno], numbers, np.array([place]))


def _read_line(text: bytes, expected: Expected) -> tuple[Row | None, list[str]]:
    """Return the line, unless it cannot be used, and everything wrong with it."""
    if fault := _fault_of_text(text):
        return None, [fault]
    topic, _, docno, rank_word, score_word, tag = text.split()
    rank, score = _rank(rank_word), _score(score_word)
    faults = list(_faults_of_names(topic, docno, tag, expected))
    if rank is None:
        faults.append(f"The rank {quoted(rank_word)} is not a whole number.")
    if score is None:
        faults.append(
            f"The score {quoted(score_word)} of document {quoted(docno)} is not a finite number."
        )
    if rank is None or score is None or topic not in expected.topics:
        return None, faults
    return Row(topic, docno, rank, score), faults


def _fault_of_text(text: bytes) -> str | None:
    """Say why a line cannot be taken apart, if so."""
    if len(text) >= MAX_LINE:
        return f"It is longer than {MAX_LINE - 1:,} bytes."
    if b"\x00" in text:
        return "It holds a NUL byte: this is not a text file."
    if bad_byte := _first_bad_byte(text):
        return f"It is not UTF-8: byte {bad_byte} of the line cannot be read."
    if text.startswith(BYTE_ORDER_MARK):
        return "It begins with a byte order mark: save the file as UTF-8 without one."
    n_columns = len(text.split())
    if n_columns != N_COLUMNS:
        return f"It has {n_columns} column{'' if n_columns == 1 else 's'}; a run has six: {COLUMNS}."
    return None


def _faults_of_names(
    topic: bytes, docno: bytes, tag: bytes, expected: Expected
) -> Iterator[str]:
    if tag != expected.tag:
        yield f"The tag is {quoted(tag)}; the run was declared as {quoted(expected.tag)}."
    if topic not in expected.topics:
        yield f"There is no topic {quoted(topic)} in this campaign."
    if len(docno) > MAX_DOCNO:
        yield f"The docno is {len(docno)} bytes long; {MAX_DOCNO} are allowed."


def quoted(text: bytes) -> str:
    """Show a word of the file in quotes, the end of a long one left out."""
    shown = text.decode(errors="replace")
    return repr(shown if len(shown) <= 60 else f"{shown[:60]}…")


def _rank(word: bytes) -> int | None:
    """Read a whole number; Python's int also takes 1_0, which is refused here."""
    try:
        value = int(word)
    except ValueError:
        return None
    return value if b"_" not in word and abs(value) < MAX_RANK else None


def _score(word: bytes) -> float | None:
    """Read a decimal number; Python's float also takes 1_0, nan and inf, which are refused here."""
    try:
        value = float(word)
    except ValueError:
        return None
    return value if b"_" not in word and math.isfinite(value) else None
