"""The check of a run in TREC's six columns: every fault with its line, and the run ranked when there is none.

A file is read in blocks. A block in which every line is as it should be is taken column by column; any other goes line
by line, so that each fault is found where it is and hides no later one.
"""

import math
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field
from typing import BinaryIO, NamedTuple

import numpy as np
from numpy.typing import NDArray

from campaigns.core.formats import FormatError
from campaigns.core.ranking import DEFAULT_RULES, compared, grouped, rank, tied_groups
from campaigns.core.runs import MAX_PROBLEMS, Problem, RankedRun, Report, check_tag

BLOCK = 1 << 20
MAX_LINE = 1 << 16
MAX_DOCNO = 255
N_EXAMPLES = 5
COLUMNS = "topic, Q0, docno, rank, score, tag"


class Checked(NamedTuple):
    """The report, and the run when the report has no error."""

    report: Report
    run: RankedRun | None


class Row(NamedTuple):
    """A line as far as it could be read."""

    topic: bytes
    docno: bytes
    rank: int
    score: float


@dataclass
class _Problems:
    """The first problems, and the count of all."""

    first: list[Problem] = field(default_factory=list)
    count: int = 0

    def add(self, line: int | None, message: str) -> None:
        self.count += 1
        if len(self.first) < MAX_PROBLEMS:
            self.first.append(Problem(line, message))


@dataclass
class _Lines:
    """The columns read so far; `topics` are numbered in order of appearance."""

    numbers: dict[bytes, int] = field(default_factory=dict)
    topics: list[int] = field(default_factory=list)
    docnos: list[bytes] = field(default_factory=list)
    ranks: list[int] = field(default_factory=list)
    scores: list[float] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)

    def add(self, rows: Iterable[Row], lines: Iterable[int]) -> None:
        topics, docnos, ranks, scores = zip(*rows, strict=True)
        self.extend(topics, docnos, ranks, scores, lines)

    def extend(
        self,
        topics: Collection[bytes],
        docnos: Iterable[bytes],
        ranks: Iterable[int],
        scores: Iterable[float],
        lines: Iterable[int],
    ) -> None:
        for topic in dict.fromkeys(topics):
            self.numbers.setdefault(topic, len(self.numbers))
        self.topics.extend(map(self.numbers.__getitem__, topics))
        self.docnos.extend(docnos)
        self.ranks.extend(ranks)
        self.scores.extend(scores)
        self.lines.extend(lines)


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

    `on_progress` is told the bytes read. What cannot be read on (damaged gzip, a line without end) becomes an error
    too; nothing is raised for what a participant sent.
    """
    problems, lines = _Problems(), _Lines()
    check = _LineCheck(tag, {topic.encode() for topic in topics})
    n_lines = 0
    try:
        check_tag(tag)
        for first, block in _blocks(stream, on_progress):
            n_lines = first - 1 + _read_block(first, block, check, lines, problems)
    except FormatError as error:
        problems.add(error.line, error.message)
    except ValueError as error:
        problems.add(None, str(error))
    if not lines.docnos and not problems.count:
        problems.add(None, "The file is empty.")
    return _finish(lines, problems, n_lines, _Rules(topics, depth, docnos, rules))


def _blocks(
    stream: BinaryIO, on_progress: Callable[[int], None] | None
) -> Iterator[tuple[int, bytes]]:
    """Yield (number of the first line, whole lines)."""
    line, n_bytes, rest = 1, 0, b""
    while piece := stream.read(BLOCK):
        n_bytes += len(piece)
        end = piece.rfind(b"\n") + 1
        if not end:
            rest += piece
        else:
            block, rest = rest + piece[:end], piece[end:]
            yield line, block
            line += block.count(b"\n")
        if len(rest) > MAX_LINE:
            raise FormatError(
                line,
                f"The line is longer than {MAX_LINE:,} bytes; the rest was not read.",
            )
        if on_progress:
            on_progress(n_bytes)
    if rest:
        yield line, rest


@dataclass(frozen=True)
class _LineCheck:
    """What can be said of one line by itself."""

    tag: str
    topics: Collection[bytes]

    def problems(self, line: bytes) -> tuple[Row | None, list[str]]:
        """Return the line as far as it can be used, and everything wrong with it."""
        if b"\x00" in line:
            return None, ["It holds a NUL byte: this is not a text file."]
        try:
            line.decode()
        except UnicodeDecodeError as error:
            return None, [
                f"It is not UTF-8: byte {error.start + 1} of the line cannot be read."
            ]
        fields = line.split()
        if len(fields) != 6:
            return None, [f"It has {len(fields)} columns; a run has six: {COLUMNS}."]
        return self._of_fields(fields)

    def _of_fields(self, fields: list[bytes]) -> tuple[Row | None, list[str]]:
        topic, _, docno, rank_text, score_text, tag = fields
        said = []
        if tag != self.tag.encode():
            said.append(
                f"The tag is {_quoted(tag)}; the run was declared as {self.tag!r}."
            )
        if topic not in self.topics:
            said.append(f"There is no topic {_quoted(topic)} in this campaign.")
        if len(docno) > MAX_DOCNO:
            said.append(
                f"The docno is {len(docno)} bytes long; {MAX_DOCNO} are allowed."
            )
        number, score = _integer(rank_text), _score(score_text)
        if number is None:
            said.append(f"The rank {_quoted(rank_text)} is not a whole number.")
        if score is None:
            said.append(
                f"The score {_quoted(score_text)} of document {_quoted(docno)} is not a finite number."
            )
        usable = number is not None and score is not None and topic in self.topics
        return (Row(topic, docno, number, score) if usable else None), said  # type: ignore[arg-type]


def _quoted(text: bytes) -> str:
    shown = text.decode(errors="replace")
    return repr(shown if len(shown) <= 60 else f"{shown[:60]}…")


def _integer(text: bytes) -> int | None:
    digits = text[1:] if text[:1] in {b"+", b"-"} else text
    return int(text) if digits.isdigit() and len(digits) < 19 else None


def _score(text: bytes) -> float | None:
    """Read a decimal number; Python's float also takes 1_0, nan and inf, which are refused here."""
    try:
        value = float(text)
    except ValueError:
        return None
    return value if b"_" not in text and math.isfinite(value) else None


def _read_block(
    first: int, block: bytes, check: _LineCheck, lines: _Lines, problems: _Problems
) -> int:
    """Take a block in; return how many lines it has."""
    texts = block.split(b"\n")
    if not texts[-1]:
        texts.pop()
    if not _read_regular(first, block, texts, check, lines):
        _read_tolerant(first, texts, check, lines, problems)
    return len(texts)


def _read_regular(
    first: int, block: bytes, texts: list[bytes], check: _LineCheck, lines: _Lines
) -> bool:
    """Take a block column by column if there is nothing to say about any of its lines."""
    rows = list(map(bytes.split, texts))
    if set(map(len, rows)) != {6} or b"\x00" in block:
        return False
    topics, _, docnos, rank_texts, score_texts, tags = zip(*rows, strict=True)
    if set(tags) != {check.tag.encode()} or not set(topics) <= set(check.topics):
        return False
    if max(map(len, docnos)) > MAX_DOCNO or b"_" in b"".join(rank_texts) + b"".join(
        score_texts
    ):
        return False
    try:
        block.decode()
        ranks, scores = list(map(int, rank_texts)), list(map(float, score_texts))
    except ValueError:
        return False
    if not np.isfinite(scores).all() or max(map(len, rank_texts)) > 18:
        return False
    lines.extend(topics, docnos, ranks, scores, range(first, first + len(texts)))
    return True


def _read_tolerant(
    first: int,
    texts: list[bytes],
    check: _LineCheck,
    lines: _Lines,
    problems: _Problems,
) -> None:
    """Take a block line by line; blank lines are passed over, as trec_eval does."""
    rows: list[Row] = []
    numbers: list[int] = []
    for number, text in enumerate(texts, first):
        if not text.strip():
            continue
        row, said = check.problems(text)
        for message in said:
            problems.add(number, message)
        if row:
            rows.append(row)
            numbers.append(number)
    if rows:
        lines.add(rows, numbers)


class _Rules(NamedTuple):
    """What the run as a whole is held against."""

    topics: Collection[str]
    depth: int
    docnos: Iterable[str] | None
    order: str


class _Topic(NamedTuple):
    """The lines of one topic, in the file's order."""

    name: str
    docnos: list[bytes]
    ranks: NDArray[np.int64]
    scores: NDArray[np.float64]
    lines: NDArray[np.int64]


def _finish(lines: _Lines, problems: _Problems, n_lines: int, rules: _Rules) -> Checked:
    """Check topic by topic, rank, and write the report."""
    topics = list(_topics(lines))
    whole = _Problems()
    found = sorted(
        (p for topic in topics for p in _faults(topic, rules.depth)),
        key=lambda problem: problem.line or 0,
    )
    for problem in found:
        whole.add(*problem)
    orders = [rank(topic.docnos, topic.scores, rules.order) for topic in topics]
    n_errors = problems.count + whole.count
    report = Report(
        n_lines=n_lines,
        n_topics=len(topics),
        n_documents=len(lines.docnos),
        n_errors=n_errors,
        errors=sorted(
            problems.first + whole.first, key=lambda problem: problem.line or 0
        )[:MAX_PROBLEMS],
        warnings=list(_warnings(topics, orders, rules)),
    )
    return Checked(report, None if n_errors else _ranked(topics, orders))


def _topics(lines: _Lines) -> Iterator[_Topic]:
    """Bring the lines of each topic together, topics in byte order."""
    numbers = np.array(lines.topics, dtype=np.int64)
    columns = (np.array(lines.ranks), np.array(lines.scores), np.array(lines.lines))
    docnos = lines.docnos
    if (np.diff(numbers) < 0).any():  # topics are interleaved
        order = grouped(numbers)
        numbers, columns = numbers[order], tuple(column[order] for column in columns)  # type: ignore[assignment]
        docnos = [docnos[i] for i in order.tolist()]
    bounds = np.searchsorted(numbers, np.arange(len(lines.numbers) + 1))
    for topic in sorted(lines.numbers):
        start, end = bounds[lines.numbers[topic]], bounds[lines.numbers[topic] + 1]
        ranks, scores, places = (column[start:end] for column in columns)
        yield _Topic(topic.decode(), docnos[start:end], ranks, scores, places)


def _faults(topic: _Topic, depth: int) -> Iterator[Problem]:
    """Find documents that come twice, and those beyond the depth."""
    if len(topic.docnos) > depth:
        line = int(topic.lines[depth])
        yield Problem(
            line,
            f"Topic {topic.name} has {len(topic.docnos):,} documents; at most {depth:,} are allowed.",
        )
    if len(set(topic.docnos)) == len(topic.docnos):
        return
    first: dict[bytes, int] = {}
    for docno, line in zip(topic.docnos, topic.lines.tolist(), strict=True):
        if docno in first:
            yield Problem(
                line,
                f"Document {_quoted(docno)} comes again in topic {topic.name}; it was on line {first[docno]:,}.",
            )
        first.setdefault(docno, line)


def _ranked(topics: list[_Topic], orders: list[NDArray[np.int64]]) -> RankedRun:
    blocks = [
        b"\n".join(map(topic.docnos.__getitem__, order.tolist()))
        for topic, order in zip(topics, orders, strict=True)
    ]
    return RankedRun(
        topics=tuple(topic.name for topic in topics),
        offsets=np.cumsum(
            [0, *(len(topic.docnos) for topic in topics)], dtype=np.int64
        ),
        scores=np.concatenate(
            [topic.scores[order] for topic, order in zip(topics, orders, strict=True)]
        ),
        docno_offsets=np.cumsum([0, *map(len, blocks)], dtype=np.int64),
        docnos=np.frombuffer(b"".join(blocks), dtype=np.uint8),
    )


def _warnings(
    topics: list[_Topic], orders: list[NDArray[np.int64]], rules: _Rules
) -> Iterator[str]:
    """Say what a participant should know of a run that may be valid all the same."""
    missing = sorted(set(rules.topics) - {topic.name for topic in topics})
    if missing and topics:
        yield f"{_counted(len(missing), 'topic')} of the campaign missing from the run: {_listed(missing)}."
    pairs = list(zip(topics, orders, strict=True))
    yield from _rank_warning(
        [(topic, line) for topic in topics if (line := _contradiction(topic)) >= 0]
    )
    yield from _tie_warning(
        [
            (topic, n)
            for topic, order in pairs
            if (n := _n_tied(topic, order, rules.order))
        ]
    )
    if rules.docnos is not None:
        yield from _unknown_warning(topics, {docno.encode() for docno in rules.docnos})


def _contradiction(topic: _Topic) -> int:
    """Return the index of the first line that scores above one ranked better, or -1."""
    by_rank = grouped(topic.ranks)
    scores = topic.scores[by_rank]
    wrong = scores[1:] > scores[:-1]
    return int(by_rank[int(wrong.argmax()) + 1]) if wrong.any() else -1


def _rank_warning(contradicted: list[tuple[_Topic, int]]) -> Iterator[str]:
    if contradicted:
        topic, place = contradicted[0]
        yield (
            f"In {_counted(len(contradicted), 'topic')} the rank column contradicts the scores, first on line "
            f"{topic.lines[place]:,} (topic {topic.name}). Scores decide, as in trec_eval; the rank column is ignored."
        )


def _n_tied(topic: _Topic, order: NDArray[np.int64], rules: str) -> int:
    groups = tied_groups(compared(topic.scores[order], rules))
    return sum(end - start for start, end in groups)


def _tie_warning(tied: list[tuple[_Topic, int]]) -> Iterator[str]:
    if tied:
        yield (
            f"{_counted(sum(n for _, n in tied), 'document')} in {_counted(len(tied), 'topic')} share a score with "
            f"another (first in topic {tied[0][0].name}); ties are ranked by docno descending, as in trec_eval."
        )


def _unknown_warning(topics: list[_Topic], known: set[bytes]) -> Iterator[str]:
    unknown = dict.fromkeys(
        docno for topic in topics for docno in topic.docnos if docno not in known
    )
    if unknown:
        yield f"{_counted(len(unknown), 'document')} not in the collection: {_listed([d.decode() for d in unknown])}."


def _counted(n: int, noun: str) -> str:
    return f"{n:,} {noun}{'' if n == 1 else 's'}"


def _listed(names: list[str]) -> str:
    more = len(names) - N_EXAMPLES
    return ", ".join(names[:N_EXAMPLES]) + (f" and {more:,} more" if more > 0 else "")
