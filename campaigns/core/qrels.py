"""Qrels in TREC's four columns: topic, iteration, docno, grade."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from campaigns.core import decimals
from campaigns.core.docnos import WORD, Docnos, Integers, Mask
from campaigns.core.fields import Fields, blocks, count_lines, normalized, regular
from campaigns.core.formats import FormatError
from campaigns.core.ranking import grouped
from campaigns.core.reading import quoted, repeats, topics_of

N_COLUMNS = 4
GROUP, DOCNO, GRADE = 1, 2, 3
# Some qrels have negative grades, for spam or for what was pooled and not judged.
GRADES_BELOW = 10**9


@dataclass(frozen=True, eq=False)
class JudgedPairs:
    """The (topic, docno) pairs of a qrels file: topics in byte order, docnos in byte order within a topic.

    Those of topic t are `offsets[t]:offsets[t + 1]` of `docnos` and `grades`. `groups` is the second column, where it was
    asked for: a pair then comes once for each group, in the order of the file.
    """

    topics: tuple[str, ...]
    offsets: Integers
    docnos: Docnos
    grades: Integers
    groups: Docnos | None = None

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
        names = [name.decode(errors="surrogateescape") for name in self.docnos.tolist()]
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
    groups: Docnos | None
    docnos: Docnos
    grades: Integers
    places: Integers


def read_qrels(
    stream: BinaryIO, *, comments: bool = False, groups: bool = False
) -> JudgedPairs:
    """Return the pairs of a qrels file, its lines in any order.

    FormatError, with the line, for what is not four columns with a whole grade (a blank line too, as in trec_eval) and for a
    document judged twice, unless it is by different `groups`. With `comments` lines that begin with `#` are passed over.
    """
    parts = [
        _part(fields, places, with_groups=groups)
        for first, block in blocks(stream)
        for fields, places in _fields(first, block, comments=comments)
    ]
    if not parts:
        return JudgedPairs.from_rows(())
    return _pairs(parts)


def _fields(
    first: int, block: bytes, *, comments: bool
) -> Iterator[tuple[Fields, Integers]]:
    """Yield the fields of a block and its lines' numbers, if it has a line; FormatError for the first bad one."""
    fields = None
    if b"\x00" not in block and not (comments and b"#" in block):
        fields = regular(block, N_COLUMNS)
    if fields is not None:
        yield fields, np.arange(first, first + len(fields.starts))
        return
    text, places = normalized(first, block, N_COLUMNS + 1, comments=comments)
    if len(places) and b"\x00" not in text:
        fields = regular(text, N_COLUMNS)
    has_blank = len(places) < count_lines(block) and not comments
    if has_blank or (len(places) and fields is None):
        raise _fault(first, block, comments=comments)
    if fields is not None:
        yield fields, places


def _fault(first: int, block: bytes, *, comments: bool) -> FormatError:
    """Say what is wrong with the first line that is."""
    for place, line in enumerate(block.removesuffix(b"\n").split(b"\n"), first):
        words = line.split()
        if b"\x00" in line:
            return FormatError(place, "It holds a NUL byte: this is not a text file.")
        if len(words) != N_COLUMNS and not (
            comments and line.lstrip().startswith(b"#")
        ):
            return FormatError(
                place,
                f"It has {len(words)} column{'' if len(words) == 1 else 's'}; qrels have four: topic, 0, docno, grade.",
            )
    return FormatError(first, "It is too long, or holds control characters.")


def _part(fields: Fields, places: Integers, *, with_groups: bool) -> _Part:
    grades, readable = decimals.whole_numbers(fields.column(GRADE), GRADES_BELOW)
    if not readable.all():
        row = int(np.flatnonzero(~readable)[0])
        word = quoted(fields.column(GRADE)[row])
        raise FormatError(int(places[row]), f"The grade {word} is not a whole number.")
    groups = fields.column(GROUP).coded() if with_groups else None
    docnos = fields.column(DOCNO).coded()
    return _Part(topics_of(fields), groups, docnos, grades, places)


def _pairs(parts: list[_Part]) -> JudgedPairs:
    names = sorted({name for part in parts for name, _ in part.topics})
    index = {name: number for number, name in enumerate(names)}
    runs = [topic for part in parts for topic in part.topics]
    topics = np.repeat([index[name] for name, _ in runs], [count for _, count in runs])
    docnos = Docnos.joined([part.docnos for part in parts])
    grouped = [part.groups for part in parts if part.groups is not None]
    groups = Docnos.joined(grouped) if grouped else None
    places = np.concatenate([part.places for part in parts])
    for row, earlier in repeats(topics, docnos, groups):
        topic = names[topics[row]].decode(errors="replace")
        raise FormatError(
            int(places[row]),
            f"Document {docnos[row].decode(errors='replace')} is judged twice for topic {topic}; it was on line {places[earlier]:,}.",
        )
    order = _alphabetical(topics, docnos)
    counts = np.bincount(topics, minlength=len(names))
    return JudgedPairs(
        tuple(name.decode(errors="surrogateescape") for name in names),
        np.concatenate([[0], np.cumsum(counts)]),
        docnos.take(order),
        np.concatenate([part.grades for part in parts])[order],
        groups if groups is None else groups.take(order),
    )


def _alphabetical(topics: Integers, docnos: Docnos) -> Integers | slice:
    """Return the order by topic and docno, the file's order among equals; a slice when it is that already."""
    order: Integers | slice = slice(None)
    if (topics[1:] < topics[:-1]).any():
        order = grouped(topics)
    if _rises([topics[order], *docnos.take(order).heads]):
        return order
    n_words = -(-int(docnos.lengths.max(initial=0)) // WORD)
    words = [docnos.words(number) for number in range(n_words)]
    return np.lexsort((*reversed(words), topics))


def _rises(keys: list[NDArray[np.integer[Any]]]) -> bool:
    """Tell whether each row is higher than the one before, by the first key that differs."""
    undecided: Mask = np.ones(len(keys[0]) - 1, dtype=np.bool_)
    for key in keys:
        if (undecided & (key[1:] < key[:-1])).any():
            return False
        undecided &= key[1:] == key[:-1]
    return not undecided.any()


def write_qrels(rows: Iterable[tuple[str, str, int]]) -> Iterator[bytes]:
    """Write (topic, docno, grade) rows as lines, sorted by topic and docno as bytes."""
    # Strings compare by code point, which is how UTF-8 orders bytes.
    for topic, docno, grade in sorted(rows):
        yield f"{topic} 0 {docno} {grade}\n".encode()
