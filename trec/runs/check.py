"""The check of an uploaded run: everything wrong with it, each fault with its line, and the run when nothing is."""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field, replace
from itertools import starmap
from typing import BinaryIO, NamedTuple

import numpy as np

from trec.arrays import Integers
from trec.docnos import Docnos, same
from trec.engine import numbers, table
from trec.engine.table import BYTE_ORDER_MARK, MARKED, quoted
from trec.engine.text import Block, blocks
from trec.ranking import DEFAULT_RULES
from trec.runs.read import (
    LAYOUT,
    RANK,
    TAG,
    Lines,
    Part,
    not_a_score,
    part_of,
    repeated,
)
from trec.runs.run import MAX_ERRORS, CheckReport, Problem, RankedRun, check_tag
from trec.runs.warnings import Unknown, warnings
from trec.streams import FormatError

STRICT = replace(LAYOUT, may_have_more_columns=False)
MAX_DOCNO = 255
MAX_RANK = 10**18


class Checked(NamedTuple):
    """The report, and the run when the report has no error."""

    report: CheckReport
    run: RankedRun | None


@dataclass
class _Complaints:
    """The first errors, and the count of all."""

    first: list[Problem] = field(default_factory=list)
    count: int = 0

    def add(self, line: int | None, sentence: str) -> None:
        self.count += 1
        if len(self.first) < MAX_ERRORS:
            self.first.append(Problem(line, sentence))


def check_run(
    stream: BinaryIO,
    *,
    tag: str,
    topics: Collection[str],
    depth: int = 1000,
    unknown: Unknown | None = None,
    on_progress: Callable[[int], None] | None = None,
    rules: str = DEFAULT_RULES,
) -> Checked:
    """Check a run against its declared tag and the campaign's topics and depth.

    `unknown` gets the run's docnos, each once, and returns those that are not in the collection; without it none is
    reported as unknown. `on_progress` gets the number of bytes read so far. Damaged gzip becomes an error of the report too;
    nothing is raised for what a participant sent.
    """
    complaints = _Complaints()
    try:
        check_tag(tag)
    except ValueError as error:
        complaints.add(None, str(error))
    reader = _Reader(tag.encode(), {topic.encode() for topic in topics}, complaints)
    try:
        for block in blocks(stream, on_progress):
            reader.take(block)
    except FormatError as error:
        complaints.add(error.line, error.message)
    if not reader.parts:
        if not complaints.count:
            complaints.add(None, "The file is empty.")
        return Checked(_report(reader, [], []), None)
    lines = Lines.joined(reader.parts)
    order = lines.order(rules)
    ranked, ranks = lines.take(order), np.concatenate(reader.ranks)[order]
    report = _report(
        reader,
        sorted(_faults(lines, depth), key=_line_number),
        list(warnings(ranked, ranks, rules, topics, unknown)),
        lines,
    )
    return Checked(report, ranked.run(tag, rules) if report.is_valid else None)


def _report(
    reader: "_Reader",
    faults: list[Problem],
    sentences: list[str],
    lines: Lines | None = None,
) -> CheckReport:
    """Report the faults of single lines together with those of whole topics."""
    errors = reader.complaints.first + faults[:MAX_ERRORS]
    return CheckReport(
        n_lines=reader.n_lines,
        n_topics=len(lines.names) if lines else 0,
        n_documents=len(lines.docnos) if lines else 0,
        n_errors=reader.complaints.count + len(faults),
        errors=sorted(errors, key=_line_number)[:MAX_ERRORS],
        warnings=sentences,
    )


def _line_number(problem: Problem) -> int:
    return problem.line or 0


def _faults(lines: Lines, depth: int) -> Iterator[Problem]:
    """Find documents that come twice, and those beyond the depth."""
    yield from starmap(Problem, repeated(lines))
    counts = np.bincount(lines.topics, minlength=len(lines.names))
    for topic in np.flatnonzero(counts > depth).tolist():
        row = np.flatnonzero(lines.topics == topic)[depth]
        yield Problem(
            int(lines.line_numbers[row]),
            f"Topic {lines.names[topic].decode()} has {counts[topic]:,} documents; at most {depth:,} are allowed.",
        )


@dataclass
class _Reader:
    """Takes blocks of lines: the parts that can be used, and complaints about the rest.

    A block with nothing wrong is read as read_run reads it; any other line by line, which finds the same and is ten times slower.
    """

    tag: bytes
    topics: set[bytes]
    complaints: _Complaints
    parts: list[Part] = field(default_factory=list)
    ranks: list[Integers] = field(default_factory=list)
    n_lines: int = 0

    def take(self, block: Block) -> None:
        self.n_lines += block.n_lines
        if usable := self._good(block) or self._tolerant(block):
            part, ranks = usable
            self.parts.append(part)
            self.ranks.append(ranks)

    def _good(self, block: Block) -> tuple[Part, Integers] | None:
        """Return the lines of a block and their ranks, None when a line of it may be wrong."""
        try:
            rows = table.rows(block, STRICT)
            if rows is None:
                return None
            rows.content[rows.start : rows.ends[-1, -1]].tobytes().decode()
            part = part_of(rows)
        except (FormatError, UnicodeDecodeError):
            return None
        tags = rows.column(TAG)
        declared = Docnos.of([self.tag]).take(np.zeros(len(tags), dtype=np.int64))
        ranks, are_ranks = numbers.whole_numbers(rows.column(RANK), MAX_RANK)
        is_good = (
            self.topics.issuperset(part.topics[0])
            and part.docnos.longest <= MAX_DOCNO
            and same(tags, declared).all()
            and are_ranks.all()
        )
        return (part, ranks) if is_good else None

    def _tolerant(self, block: Block) -> tuple[Part, Integers] | None:
        """Return the lines of a block that can be used and their ranks; complain about everything that is wrong."""
        usable = [
            (number, *line)
            for number, text in block.lines()
            if text.strip() and (line := self._line(number, text))
        ]
        if not usable:
            return None
        line_numbers, topics, docnos, ranks, scores = zip(*usable, strict=True)
        part = Part(
            (list(topics), np.ones(len(topics), dtype=np.int64)),
            Docnos.of(docnos),
            np.array(scores, dtype=np.float64),
            np.array(line_numbers, dtype=np.int64),
            self.tag,
        )
        return part, np.array(ranks, dtype=np.int64)

    def _line(self, number: int, text: bytes) -> tuple[bytes, bytes, int, float] | None:
        """Return topic, docno, rank and score, None for a line that cannot be used."""
        fields = text.split()
        fault = (
            table.unreadable(text)
            or _undecodable(text)
            or (MARKED if text.startswith(BYTE_ORDER_MARK) else None)
            or table.miscounted(len(fields), STRICT)
        )
        if fault:
            self.complaints.add(number, fault)
            return None
        topic, _, docno, rank_word, score_word, tag = fields
        self._names(number, topic, docno, tag)
        rank, score = numbers.whole(rank_word, MAX_RANK), numbers.score(score_word)
        if rank is None:
            sentence = f"The rank {quoted(rank_word)} is not a whole number."
            self.complaints.add(number, sentence)
        if score is None:
            self.complaints.add(number, not_a_score(score_word, docno))
        if rank is None or score is None or topic not in self.topics:
            return None
        return topic, docno, rank, score

    def _names(self, number: int, topic: bytes, docno: bytes, tag: bytes) -> None:
        add = self.complaints.add
        if tag != self.tag:
            add(number, f"The tag is {quoted(tag)}; the run was declared as {quoted(self.tag)}.")  # fmt: skip
        if topic not in self.topics:
            add(number, f"There is no topic {quoted(topic)} in this campaign.")
        if len(docno) > MAX_DOCNO:
            add(number, f"The docno is {len(docno)} bytes long; {MAX_DOCNO} are allowed.")  # fmt: skip


def _undecodable(text: bytes) -> str | None:
    """Say where a line is not UTF-8, if so."""
    try:
        text.decode()
    except UnicodeDecodeError as error:
        return f"It is not UTF-8: byte {error.start + 1} of the line cannot be read."
    return None
