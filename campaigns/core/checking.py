"""The check of a run in TREC's six columns: every fault with its line, and the run ranked when there is none."""

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field
from typing import BinaryIO, NamedTuple

import numpy as np
from numpy.typing import NDArray

from campaigns.core.formats import FormatError
from campaigns.core.lines import Expected, Lines, blocks, quoted, read_block
from campaigns.core.ranking import DEFAULT_RULES, grouped, rank
from campaigns.core.remarks import RankedTopic, remarks
from campaigns.core.runs import MAX_PROBLEMS, Problem, RankedRun, Report, check_tag


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
    docnos: Iterable[str] | None = None,
    on_progress: Callable[[int], None] | None = None,
    rules: str = DEFAULT_RULES,
) -> Checked:
    """Check a run against its declared tag, the campaign's topics and depth and, where known, the collection's docnos.

    `on_progress` is told the bytes read. Damaged gzip becomes an error of the report too; nothing is raised for what a
    participant sent.
    """
    problems, lines = _Problems(), Lines()
    expected = Expected(tag.encode(), frozenset(topic.encode() for topic in topics))
    n_lines = 0
    try:
        check_tag(tag)
    except ValueError as error:
        problems.add(None, str(error))
    try:
        for first, block in blocks(stream, on_progress):
            for line, message in read_block(first, block, expected, lines):
                problems.add(line, message)
            n_lines = first - 1 + block.count(b"\n") + (not block.endswith(b"\n"))
    except FormatError as error:
        problems.add(error.line, error.message)
    if not lines.docnos and not problems.count:
        problems.add(None, "The file is empty.")
    return _finish(lines, problems, n_lines, _Rules(topics, depth, docnos, rules))


class _Rules(NamedTuple):
    """What the run as a whole is held against."""

    topics: Collection[str]
    depth: int
    docnos: Iterable[str] | None
    order: str


def _finish(lines: Lines, problems: _Problems, n_lines: int, rules: _Rules) -> Checked:
    """Check topic by topic, rank, and write the report."""
    topics = [_ranked_topic(*topic, rules.order) for topic in _topics(lines)]
    whole = _Problems()
    faults = [fault for topic in topics for fault in _faults(topic, rules.depth)]
    for fault in sorted(faults, key=_place):
        whole.add(*fault)
    report = Report(
        n_lines=n_lines,
        n_topics=len(topics),
        n_documents=len(lines.docnos),
        n_errors=problems.count + whole.count,
        errors=sorted(problems.first + whole.first, key=_place)[:MAX_PROBLEMS],
        warnings=list(remarks(topics, rules.topics, rules.docnos)),
    )
    return Checked(report, _run(topics) if report.is_valid else None)


def _place(problem: Problem) -> int:
    return problem.line or 0


def _topics(
    lines: Lines,
) -> Iterator[
    tuple[bytes, list[bytes], NDArray[np.int64], NDArray[np.float64], NDArray[np.int64]]
]:
    """Bring the lines of each topic together, topics in byte order; yield name, docnos, ranks, scores and places."""
    numbers, docnos = np.array(lines.topics), lines.docnos
    ranks, scores, places = map(np.array, (lines.ranks, lines.scores, lines.places))
    if (numbers[1:] < numbers[:-1]).any():  # topics are interleaved
        order = grouped(numbers)
        numbers, docnos = numbers[order], [docnos[i] for i in order.tolist()]
        ranks, scores, places = ranks[order], scores[order], places[order]
    bounds = np.searchsorted(numbers, np.arange(len(lines.numbers) + 1)).tolist()
    for topic in sorted(lines.numbers):
        number = lines.numbers[topic]
        own = slice(bounds[number], bounds[number + 1])
        yield topic, docnos[own], ranks[own], scores[own], places[own]


def _ranked_topic(
    topic: bytes,
    docnos: list[bytes],
    ranks: NDArray[np.int64],
    scores: NDArray[np.float64],
    places: NDArray[np.int64],
    rules: str,
) -> RankedTopic:
    order = rank(docnos, scores, rules)
    return RankedTopic(topic.decode(), docnos, ranks, scores, places, order, rules)


def _faults(topic: RankedTopic, depth: int) -> Iterator[Problem]:
    """Find documents that come twice, and those beyond the depth."""
    n_documents = len(topic.docnos)
    if n_documents > depth:
        yield Problem(
            int(topic.places[depth]),
            f"Topic {topic.name} has {n_documents:,} documents; at most {depth:,} are allowed.",
        )
    if len(set(topic.docnos)) == n_documents:
        return
    first: dict[bytes, int] = {}
    for docno, line in zip(topic.docnos, topic.places.tolist(), strict=True):
        if first.setdefault(docno, line) != line:
            yield Problem(
                line,
                f"Document {quoted(docno)} comes again in topic {topic.name}; it was on line {first[docno]:,}.",
            )


def _run(topics: list[RankedTopic]) -> RankedRun:
    joined = [b"\n".join(topic.in_order()) for topic in topics]
    sizes = [len(topic.docnos) for topic in topics]
    return RankedRun(
        topics=tuple(topic.name for topic in topics),
        offsets=np.cumsum([0, *sizes], dtype=np.int64),
        scores=np.concatenate([topic.scores[topic.order] for topic in topics]),
        docno_offsets=np.cumsum([0, *map(len, joined)], dtype=np.int64),
        docnos=np.frombuffer(b"".join(joined), dtype=np.uint8),
    )
