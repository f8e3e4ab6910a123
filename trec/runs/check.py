"""The check of a run in TREC's six columns: every fault with its line, and the run ranked when there is none."""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from itertools import starmap
from typing import BinaryIO, NamedTuple

import numpy as np

from trec.engine.text import blocks
from trec.ranking import DEFAULT_RULES
from trec.runs.lines import Expected, read_block
from trec.runs.read import Lines, Part, in_rank_order, repeated
from trec.runs.run import MAX_PROBLEMS, Problem, RankedRun, Report, check_tag
from trec.runs.warnings import Unknown, remarks
from trec.streams import FormatError


class Checked(NamedTuple):
    """The report, and the run when the report has no error."""

    report: Report
    run: RankedRun | None


@dataclass
class _Problems:
    """The first problems, and the count of all."""

    first: list[Problem] = field(default_factory=list)
    count: int = 0

    def add(self, line: int | None, message: str) -> None:
        self.count += 1
        if len(self.first) < MAX_PROBLEMS:
            self.first.append(Problem(line, message))


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
    reported as unknown. `on_progress` is told the bytes read. Damaged gzip becomes an error of the report too; nothing is raised for what a
    participant sent.
    """
    problems, parts = _Problems(), list[Part]()
    expected = Expected(tag.encode(), frozenset(topic.encode() for topic in topics))
    n_lines = 0
    try:
        check_tag(tag)
    except ValueError as error:
        problems.add(None, str(error))
    try:
        for block in blocks(stream, on_progress):
            for line, message in read_block(block, expected, parts):
                problems.add(line, message)
            n_lines += block.n_lines
    except FormatError as error:
        problems.add(error.line, error.message)
    if not parts and not problems.count:
        problems.add(None, "The file is empty.")
    rest = _Rules(tag, topics, depth, unknown, rules)
    return _finish(Lines(parts, by_name=True), problems, n_lines, rest)


class _Rules(NamedTuple):
    """What the run as a whole is held against."""

    tag: str
    topics: Collection[str]
    depth: int
    unknown: Unknown | None
    order: str


def _finish(found: Lines, problems: _Problems, n_lines: int, rules: _Rules) -> Checked:
    """Rank, check what concerns a topic as a whole, and write the report."""
    whole = _Problems()
    in_order = in_rank_order(found, rules.order)
    for fault in sorted(_faults(found, rules.depth), key=_place):
        whole.add(*fault)
    report = Report(
        n_lines=n_lines,
        n_topics=len(found.names),
        n_documents=len(found.docnos),
        n_errors=problems.count + whole.count,
        errors=sorted(problems.first + whole.first, key=_place)[:MAX_PROBLEMS],
        warnings=list(remarks(in_order, rules.topics, rules.unknown)),
    )
    run = in_order.run(rules.tag) if report.is_valid else None
    return Checked(report, run)


def _place(problem: Problem) -> int:
    return problem.line or 0


def _faults(found: Lines, depth: int) -> Iterator[Problem]:
    """Find documents that come twice, and those beyond the depth."""
    yield from starmap(Problem, repeated(found))
    for topic in np.flatnonzero(found.counts > depth).tolist():
        line = int(found.places[np.flatnonzero(found.topics == topic)[depth]])
        yield Problem(
            line,
            f"Topic {found.names[topic].decode()} has {found.counts[topic]:,} documents; at most {depth:,} are allowed.",
        )
