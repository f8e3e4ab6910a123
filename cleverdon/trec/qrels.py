"""Qrels: topic, iteration, docno, grade, and the labels of other formats."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import BinaryIO, NamedTuple, Self

import numpy as np

from cleverdon.trec import engine, table
from cleverdon.trec.arrays import Integers, offsets_of
from cleverdon.trec.docnos import MAX_DOCNO, Docnos, Spans, compact, decoded
from cleverdon.trec.ranking import rank_all
from cleverdon.trec.streams import FormatError, brief
from cleverdon.trec.table import quoted

DOCNO = 2
# Some qrels have negative grades, for spam or for pooled documents not judged.
GRADES_BELOW = 10**9


@dataclass(frozen=True)
class QrelsLayout(table.Layout):
    """The columns of a qrels file, the grade last; `label` is a column that is kept.

    With `label_tells_apart` a pair may come once for each label.
    """

    label: int | None = None
    label_tells_apart: bool = False
    longest_docno: int | None = None


TREC = QrelsLayout(("topic", "0", "docno", "grade"), "qrels have four")
# As campaigns store them; trec_eval takes any bytes.
STRICT = replace(TREC, must_be_utf8=True, longest_docno=MAX_DOCNO)
# An assessor's or a subtopic's grade of each pair.
GROUPED = QrelsLayout(
    ("topic", "group", "docno", "grade"), "qrels have four", label=1, label_tells_apart=True
)
# Grade and stratum of each pair; negative if the pair was not drawn (NIST's sample_eval.pl).
STRATIFIED = QrelsLayout(("topic", "0", "docno", "stratum", "grade"), "qrels have five", label=3)


@dataclass(frozen=True, eq=False)
class JudgedPairs:
    """The (topic, docno) pairs of a qrels file: topics, and docnos of a topic, in byte order.

    Topic t has `offsets[t]:offsets[t + 1]` of `docnos` and `grades` (int64, shape [n_pairs]).
    `labels` is the column that the layout keeps; pairs with several labels keep the file's order.
    """

    topics: tuple[str, ...]
    offsets: Integers
    docnos: Docnos
    grades: Integers
    labels: Docnos | None = None

    @classmethod
    def from_rows(cls, rows: Iterable[tuple[str, str, int]]) -> Self:
        """Take (topic, docno, grade) rows in any order; ValueError for a repeated pair."""
        by_topic: dict[str, dict[str, int]] = {}
        for topic, docno, grade in rows:
            if docno in by_topic.setdefault(topic, {}):
                raise ValueError(f"Document {docno} is judged twice for topic {topic}.")
            by_topic[topic][docno] = grade
        topics = tuple(sorted(by_topic, key=_bytes))
        pairs = [(t, d) for t in topics for d in sorted(by_topic[t], key=_bytes)]
        return cls(
            topics,
            offsets_of(np.array([len(by_topic[topic]) for topic in topics])),
            Docnos.of(_bytes(docno) for _, docno in pairs),
            np.array([by_topic[t][d] for t, d in pairs], dtype=np.int64),
        )

    def by_topic(self) -> dict[str, dict[str, int]]:
        names = decoded(self.docnos.tolist())
        grades, bounds = self.grades.tolist(), self.offsets.tolist()
        spans = zip(self.topics, bounds, bounds[1:], strict=False)
        return {
            topic: dict(zip(names[start:end], grades[start:end], strict=True))
            for topic, start, end in spans
        }


def _bytes(text: str) -> bytes:
    return text.encode(errors="surrogateescape")


class _QrelsLines(NamedTuple):
    """Lines of a file in its order, shape [n_lines] each; topics index `names`, in byte order."""

    names: list[bytes]
    topics: Integers
    docnos: Docnos
    labels: Docnos | None
    grades: Integers
    line_numbers: Integers


def read_qrels(
    stream: BinaryIO, *, layout: QrelsLayout = TREC, comments: bool = False
) -> JudgedPairs:
    """Return the pairs of a qrels file, its lines in any order.

    FormatError, with the line, for other columns, a grade that is not a whole number, a blank line
    (as in trec_eval), and a document judged twice unless a label tells the two apart; without a
    line for an empty file. With `comments`, blank lines and lines that begin with `#` are skipped.
    """
    parts = list(table.read(stream, layout, partial(_columns, layout), comments=comments))
    if not parts:
        raise FormatError(None, "The file is empty.")
    topics, docnos, labels, grades, line_numbers = zip(*parts, strict=True)
    lines = _QrelsLines(
        *table.numbered_topics(topics),
        Docnos.joined(docnos),
        None if layout.label is None else Docnos.joined(labels),
        np.concatenate(grades),
        np.concatenate(line_numbers),
    )
    assessors = lines.labels if layout.label_tells_apart else None
    for row, earlier in table.repeats(lines.topics, lines.docnos, assessors):
        docno = brief(lines.docnos[row].decode(errors="replace"))
        topic = brief(lines.names[lines.topics[row]].decode(errors="replace"))
        before = f"it was on line {lines.line_numbers[earlier]:,}"
        message = f"Document {docno} is judged twice for topic {topic}; {before}."
        raise FormatError(int(lines.line_numbers[row]), message)
    order = rank_all(lines.topics, lines.docnos, np.zeros(len(lines.topics)), ascending=True)
    return JudgedPairs(
        tuple(decoded(lines.names)),
        offsets_of(np.bincount(lines.topics)),
        lines.docnos.take(order),
        lines.grades[order],
        None if lines.labels is None else lines.labels.take(order),
    )


def _columns(
    layout: QrelsLayout, rows: table.TableRows
) -> tuple[Spans, Docnos, Docnos | None, Integers, Integers]:
    """Return one block's columns of _QrelsLines."""
    words, docnos = rows.column(layout.n_columns - 1), rows.column(DOCNO)
    grades, is_whole = engine.reader.whole(words, GRADES_BELOW)

    def no_grade(row: int) -> str:
        why = table.not_whole(words[row], GRADES_BELOW)
        return f"The grade {quoted(words[row])} {why}."

    def too_long(row: int) -> str:
        docno = f"The docno {quoted(docnos[row])} is {docnos.lengths[row]:,} bytes long"
        return f"{docno}; {layout.longest_docno} are allowed."

    rows.check(is_whole, no_grade)
    if layout.longest_docno:
        rows.check(docnos.lengths <= layout.longest_docno, too_long)
    return (
        rows.column(0).spans(),
        compact(docnos),
        None if layout.label is None else compact(rows.column(layout.label)),
        grades,
        rows.line_numbers,
    )


def write_qrels(rows: Iterable[tuple[str, str, int]]) -> Iterator[bytes]:
    """Write (topic, docno, grade) rows as lines, sorted by topic and docno as bytes."""
    # Strings compare by code point, as their UTF-8 bytes do.
    for topic, docno, grade in sorted(rows):
        yield f"{topic} 0 {docno} {grade}\n".encode()
