"""The check of an uploaded run: everything wrong with it, each fault with its line, and the run when nothing is."""

from bisect import insort
from collections.abc import Callable, Collection, Container, Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import starmap
from typing import BinaryIO, NamedTuple

import numpy as np

from trec.arrays import Integers, Mask
from trec.docnos import MAX_DOCNO
from trec.engine import numbers, table
from trec.engine.table import Rows, quoted
from trec.engine.text import blocks
from trec.ranking import DEFAULT_RULES
from trec.runs.read import (
    DOCNO,
    LAYOUT,
    RANK,
    SCORE,
    TAG,
    TOPIC,
    RunBlock,
    RunLines,
    not_a_score,
    repeated,
)
from trec.runs.run import MAX_ERRORS, CheckReport, Problem, RankedRun, check_tag
from trec.runs.warnings import Unknown, warnings
from trec.streams import FormatError

STRICT = replace(LAYOUT, may_have_more_columns=False, must_be_utf8=True)
MAX_RANK = 10**18


class Checked(NamedTuple):
    """The report, and the run when the report has no error."""

    report: CheckReport
    run: RankedRun | None


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
    known = {topic.encode() for topic in topics}
    parts = list(_parts(stream, tag.encode(), known, complaints, on_progress))
    if not parts:
        if not complaints.count:
            complaints.add(None, "The file is empty.")
        return Checked(complaints.report(), None)
    lines = RunLines.joined([part for part, _ in parts])
    for fault in _faults(lines, depth):
        complaints.add(*fault)
    order = lines.order(rules)
    ranked, ranks = lines.take(order), np.concatenate([r for _, r in parts])[order]
    sentences = warnings(ranked, ranks, rules, topics, unknown)
    report = complaints.report(lines, sentences)
    return Checked(report, ranked.run(tag, rules) if report.is_valid else None)


@dataclass
class _Complaints:
    """The errors of the first lines, in order of the lines; the count of all, and of lines."""

    first: list[Problem] = field(default_factory=list)
    count: int = 0
    n_lines: int = 0

    def add(self, line: int | None, sentence: str) -> None:
        self.count += 1
        insort(self.first, Problem(line, sentence), key=lambda known: known.line or 0)
        del self.first[MAX_ERRORS:]

    def add_rows(self, rows: Rows, wrong: Mask, sentence: Callable[[int], str]) -> None:
        """Complain about each row that is wrong; `sentence` says why, given its index."""
        indices = np.flatnonzero(wrong)
        for row in indices[:MAX_ERRORS].tolist():
            self.add(int(rows.line_numbers[row]), sentence(row))
        self.count += len(indices[MAX_ERRORS:])

    def report(
        self, lines: RunLines | None = None, sentences: Iterable[str] = ()
    ) -> CheckReport:
        return CheckReport(
            n_lines=self.n_lines,
            n_topics=len(lines.names) if lines else 0,
            n_documents=len(lines.docnos) if lines else 0,
            n_errors=self.count,
            errors=self.first,
            warnings=list(sentences),
        )


def _parts(
    stream: BinaryIO,
    tag: bytes,
    known: Container[bytes],
    complaints: _Complaints,
    on_progress: Callable[[int], None] | None,
) -> Iterator[tuple[RunBlock, Integers]]:
    """Yield the lines of each block that can be used, and their ranks; complain about everything that is wrong."""
    try:
        for block in blocks(stream, on_progress):
            complaints.n_lines += block.n_lines
            if rows := table.rows(block, STRICT, complaints.add):
                part, ranks = _usable(rows, tag, known, complaints)
                if len(ranks):
                    yield part, ranks
    except FormatError as error:
        complaints.add(error.line, error.message)


def _usable(
    rows: Rows, tag: bytes, known: Container[bytes], complaints: _Complaints
) -> tuple[RunBlock, Integers]:
    """Return the rows that can be used, and their ranks. A run with a wrong tag or too long a docno is read on all the same."""
    topics, docnos, tags = rows.column(TOPIC), rows.column(DOCNO), rows.column(TAG)
    rank_words, score_words = rows.column(RANK), rows.column(SCORE)
    ranks, are_ranks = numbers.whole_numbers(rank_words, MAX_RANK)
    scores, are_scores = numbers.scores(score_words)
    are_known = topics.among(known)
    # The faults of one line are told in this order.
    complaints.add_rows(rows, ~tags.among([tag]), lambda row: f"The tag is {quoted(tags[row])}; the run was declared as {quoted(tag)}.")  # fmt: skip
    complaints.add_rows(rows, ~are_known, lambda row: f"There is no topic {quoted(topics[row])} in this campaign.")  # fmt: skip
    complaints.add_rows(rows, docnos.lengths > MAX_DOCNO, lambda row: f"The docno is {docnos.lengths[row]} bytes long; {MAX_DOCNO} are allowed.")  # fmt: skip
    complaints.add_rows(rows, ~are_ranks, lambda row: f"The rank {quoted(rank_words[row])} {numbers.not_whole(rank_words[row], MAX_RANK)}.")  # fmt: skip
    complaints.add_rows(
        rows, ~are_scores, lambda row: not_a_score(score_words[row], docnos[row])
    )
    usable = np.flatnonzero(are_known & are_ranks & are_scores)
    part = RunBlock(
        topics.take(usable).spans(),
        docnos.take(usable).hashed(),
        scores[usable],
        rows.line_numbers[usable],
        tag,
    )
    return part, ranks[usable]


def _faults(lines: RunLines, depth: int) -> Iterator[Problem]:
    """Find documents that come twice, and those beyond the depth."""
    yield from starmap(Problem, repeated(lines))
    counts = np.bincount(lines.topics, minlength=len(lines.names))
    for topic in np.flatnonzero(counts > depth).tolist():
        row = np.flatnonzero(lines.topics == topic)[depth]
        yield Problem(
            int(lines.line_numbers[row]),
            f"Topic {lines.names[topic].decode()} has {counts[topic]:,} documents; at most {depth:,} are allowed.",
        )
