"""Qrels: topic, iteration, docno, grade, and what other formats say of a pair beside them."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import BinaryIO, NamedTuple, Self

import numpy as np

from trec.docnos import Docnos, Integers, Mask
from trec.engine import numbers as decimals
from trec.engine.text import Block, Fields, blocks, normalized, regular
from trec.ranking import grouped
from trec.runs.read import (
    decoded,
    quoted,
    repeats,
    topic_numbers,
    topics_of,
)
from trec.streams import FormatError

DOCNO = 2
# Some qrels have negative grades, for spam or for what was pooled and not judged.
GRADES_BELOW = 10**9


class Layout(NamedTuple):
    """The columns of a qrels file, the grade last; the one at `label` is kept for each pair, and may tell apart lines of one pair."""

    columns: tuple[str, ...]
    label: int | None = None
    tells_apart: bool = False

    def __str__(self) -> str:
        count = {4: "four", 5: "five"}[len(self.columns)]
        return f"{count}: {', '.join(self.columns)}"


TREC = Layout(("topic", "0", "docno", "grade"))
# An assessor's or a subtopic's grade of each pair.
GROUPED = Layout(("topic", "group", "docno", "grade"), label=1, tells_apart=True)
# Which stratum of the pool a pair was drawn from; a negative grade is that of a pair not drawn (NIST's sample_eval.pl).
STRATIFIED = Layout(("topic", "0", "docno", "stratum", "grade"), label=3)


@dataclass(frozen=True, eq=False)
class JudgedPairs:
    """The (topic, docno) pairs of a qrels file: topics in byte order, docnos in byte order within a topic.

    Those of topic t are `offsets[t]:offsets[t + 1]` of `docnos` and `grades`. `labels` is the column that the layout keeps:
    where it tells lines apart a pair comes once for each label, in the order of the file.
    """

    topics: tuple[str, ...]
    offsets: Integers
    docnos: Docnos
    grades: Integers
    labels: Docnos | None = None

    @classmethod
    def from_rows(cls, rows: Iterable[tuple[str, str, int]]) -> Self:
        """Take (topic, docno, grade) rows in any order; ValueError when a pair comes twice."""
        by_topic: dict[str, dict[str, int]] = {}
        for topic, docno, grade in rows:
            if docno in by_topic.setdefault(topic, {}):
                raise ValueError(f"Document {docno} is judged twice for topic {topic}.")
            by_topic[topic][docno] = grade
        topics = tuple(sorted(by_topic, key=_bytes))
        pairs = [(t, d) for t in topics for d in sorted(by_topic[t], key=_bytes)]
        return cls(
            topics,
            np.cumsum([0, *(len(by_topic[topic]) for topic in topics)], dtype=np.int64),
            Docnos.of(_bytes(docno) for _, docno in pairs),
            np.array([by_topic[t][d] for t, d in pairs], dtype=np.int64),
        )

    def by_topic(self) -> dict[str, dict[str, int]]:
        """Return grades by topic and docno."""
        names = decoded(self.docnos.tolist())
        grades, bounds = self.grades.tolist(), self.offsets.tolist()
        spans = zip(self.topics, bounds, bounds[1:], strict=False)
        return {
            topic: dict(zip(names[start:end], grades[start:end], strict=True))
            for topic, start, end in spans
        }


def _bytes(text: str) -> bytes:
    return text.encode(errors="surrogateescape")


class _Part(NamedTuple):
    """Consecutive lines: topics with how many lines each has, and one element a line of everything else."""

    topics: list[tuple[bytes, int]]
    labels: Docnos | None
    docnos: Docnos
    grades: Integers
    places: Integers


def read_qrels(
    stream: BinaryIO, *, layout: Layout = TREC, comments: bool = False
) -> JudgedPairs:
    """Return the pairs of a qrels file, its lines in any order.

    FormatError, with the line, for what has not the layout's columns with a whole grade (a blank line too, as in trec_eval) and
    for a document judged twice, unless a label tells the two apart. With `comments` lines that begin with `#` are passed over.
    """
    parts = [
        _part(fields, places, layout)
        for block in blocks(stream)
        for fields, places in _fields(block, layout, comments=comments)
    ]
    if not parts:
        return JudgedPairs.from_rows(())
    return _pairs(parts, layout)


def _fields(
    block: Block, layout: Layout, *, comments: bool
) -> Iterator[tuple[Fields, Integers]]:
    """Yield the fields of a block and its lines' numbers, if it has a line; FormatError for the first bad one."""
    n_columns = len(layout.columns)
    fields = regular(block, n_columns, comments=comments)
    if fields is not None:
        yield fields, block.places
        return
    lines, places = normalized(block, n_columns + 1, comments=comments)
    if len(places):
        fields = regular(lines, n_columns)
    has_blank = len(places) < block.n_lines and not comments
    if has_blank or (len(places) and fields is None):
        raise _fault(block, layout, comments=comments)
    if fields is not None:
        yield fields, places


def _fault(block: Block, layout: Layout, *, comments: bool) -> FormatError:
    """Say what is wrong with the first line that is."""
    for place, line in block.lines():
        words = line.split()
        if b"\x00" in line:
            return FormatError(place, "It holds a NUL byte: this is not a text file.")
        if len(words) != len(layout.columns) and not (
            comments and line.lstrip().startswith(b"#")
        ):
            return FormatError(
                place,
                f"It has {len(words)} column{'' if len(words) == 1 else 's'}; qrels have {layout}.",
            )
    return FormatError(block.first, "It is too long, or holds control characters.")


def _part(fields: Fields, places: Integers, layout: Layout) -> _Part:
    words = fields.column(len(layout.columns) - 1)
    grades, readable = decimals.whole_numbers(words, GRADES_BELOW)
    if not readable.all():
        row = int(np.flatnonzero(~readable)[0])
        word = quoted(words[row])
        raise FormatError(int(places[row]), f"The grade {word} is not a whole number.")
    labels = None if layout.label is None else fields.column(layout.label).hashed()
    docnos = fields.column(DOCNO).hashed()
    return _Part(topics_of(fields), labels, docnos, grades, places)


def _pairs(parts: list[_Part], layout: Layout) -> JudgedPairs:
    names = sorted({name for part in parts for name, _ in part.topics})
    stretches = (stretch for part in parts for stretch in part.topics)
    topics = np.repeat(*topic_numbers(names, stretches))
    docnos = Docnos.joined([part.docnos for part in parts])
    found = [part.labels for part in parts if part.labels is not None]
    labels = Docnos.joined(found) if found else None
    order: Integers | slice = slice(None)
    if (topics[1:] < topics[:-1]).any():
        order = grouped(topics)
    # Docnos that rise within each topic, as those of most files do, are in order and come once.
    if not _rises(topics[order], docnos.take(order)):
        apart = labels if layout.tells_apart else None
        for row, earlier in repeats(topics, docnos, apart):
            raise _judged_twice(parts, names[topics[row]], row, earlier)
        words = [docnos.words(number) for number in range(docnos.n_words)]
        order = np.lexsort((*reversed(words), topics))
    counts = np.bincount(topics, minlength=len(names))
    return JudgedPairs(
        tuple(decoded(names)),
        np.concatenate([[0], np.cumsum(counts)]),
        docnos.take(order),
        np.concatenate([part.grades for part in parts])[order],
        labels if labels is None else labels.take(order),
    )


def _judged_twice(
    parts: list[_Part], topic: bytes, row: int, earlier: int
) -> FormatError:
    places = np.concatenate([part.places for part in parts])
    docno = Docnos.joined([part.docnos for part in parts])[row]
    return FormatError(
        int(places[row]),
        f"Document {docno.decode(errors='replace')} is judged twice for topic {topic.decode(errors='replace')}; it was on line {places[earlier]:,}.",
    )


def _rises(topics: Integers, docnos: Docnos) -> bool:
    """Tell whether each docno is higher than the one before, within topics."""
    undecided: Mask = topics[1:] == topics[:-1]
    for number in range(docnos.n_words):
        words = docnos.words(number)
        if (undecided & (words[1:] < words[:-1])).any():
            return False
        undecided &= words[1:] == words[:-1]
        if not undecided.any():
            return True
    return not undecided.any()


def write_qrels(rows: Iterable[tuple[str, str, int]]) -> Iterator[bytes]:
    """Write (topic, docno, grade) rows as lines, sorted by topic and docno as bytes."""
    # Strings compare by code point, which is how UTF-8 orders bytes.
    for topic, docno, grade in sorted(rows):
        yield f"{topic} 0 {docno} {grade}\n".encode()
