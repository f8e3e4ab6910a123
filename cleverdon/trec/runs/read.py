"""Runs read from text."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, groupby
from typing import BinaryIO, NamedTuple, Self

import numpy as np

from cleverdon.trec import engine, table
from cleverdon.trec.arrays import Floats, Integers, offsets_of
from cleverdon.trec.docnos import Docnos, Spans, compact, decoded
from cleverdon.trec.ranking import DEFAULT_RULES, rank_all
from cleverdon.trec.runs.run import RankedRun
from cleverdon.trec.signatures import not_a_table
from cleverdon.trec.streams import FormatError, brief
from cleverdon.trec.table import BYTE_ORDER_MARK, Layout, TableRows, quoted
from cleverdon.trec.words import counted

LAYOUT = Layout(
    ("topic", "Q0", "docno", "rank", "score", "tag"),
    "a run has six",
    may_have_blank_lines=True,
    may_have_more_columns=True,
)
# Bytes at the beginning of a file that are searched for its tag.
HEAD = 1 << 16
MAX_RANK = 10**18
EMPTY = "The file is empty."
ONLY_BLANK = "The file holds only blank lines."
HEADER = "Line {} is a header: remove it."
_DIGIT, _SEPARATORS = re.compile(rb"\d"), re.compile(rb"[\s,;|]+")
_NUMBER = re.compile(rb"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", re.IGNORECASE)
_SEPARATOR_NAMES = {b",": "commas", b";": "semicolons", b"|": "bars"}
# What the columns after the second are, numbers or words, in files that are no run.
_SHAPES = {
    "n": "Its first line has three columns, as MS MARCO's runs: Q0, score and tag are missing.",
    "wn": "These look like qrels, of four columns: organizers import them on the page Qrels.",
    "nn": "Its first line has four columns: Q0 and the tag are missing.",
    "wnn": "Its first line has five columns: the tag is missing.",
    "nnw": "Its first line has five columns: Q0 is missing.",
    "wnnww": "Its first line has seven columns: remove what follows the tag.",
    "wnnwn": "Its first line has seven columns: remove what follows the tag.",
}
_COLUMN_NAMES = {b"rank", b"score", b"sim"}
TOPIC, _, DOCNO, RANK, SCORE, TAG = range(LAYOUT.n_columns)


class RunBlock(NamedTuple):
    """The usable lines of one block, as columns of shape [n_lines]; `tag` is that of the last.

    `ranks` are the rank column, or nothing if it was not asked for.
    """

    topics: Spans
    docnos: Docnos
    scores: Floats
    line_numbers: Integers
    ranks: Integers
    tag: bytes

    def divided(self) -> "tuple[RunBlock | None, RunBlock]":
        """Return what is before the last topic, if anything, and the last topic."""
        names, sizes = self.topics
        n = len(self.scores) - int(sizes[-1])
        before = self._rows((names[:-1], sizes[:-1]), slice(n)) if n else None
        return before, self._rows((names[-1:], sizes[-1:]), slice(n, None))

    def _rows(self, topics: Spans, rows: slice) -> "RunBlock":
        numbers = self.scores[rows], self.line_numbers[rows], self.ranks[rows]
        return RunBlock(topics, self.docnos.take(rows), *numbers, self.tag)


@dataclass(frozen=True, eq=False)
class RunLines:
    """The lines of a run, in the file's order or ranked, as columns of shape [n_lines].

    `topics`, int64, are numbers of `names`, which are in byte order; `ranks` as in RunBlock.
    """

    names: list[bytes]
    topics: Integers
    docnos: Docnos
    scores: Floats
    line_numbers: Integers
    ranks: Integers
    tag: bytes

    @classmethod
    def joined(cls, parts: list[RunBlock]) -> Self:
        """Take the lines of all parts, in order, out of their list; FormatError without any part.

        The parts are as large as what is made of them, and are not kept beside it.
        """
        if not parts:
            raise FormatError(None, EMPTY)
        topics, docnos, *numbers, tags = map(list, zip(*parts, strict=True))
        parts.clear()
        names, of_lines = table.numbered_topics(topics)
        topics.clear()
        joined = Docnos.joined(docnos)
        docnos.clear()
        scores, line_numbers, ranks = map(np.concatenate, numbers)
        return cls(names, of_lines, joined, scores, line_numbers, ranks, tags[-1])

    def ranked(self, rules: str) -> Self:
        """Return the lines by topic, those of each by rank; ValueError for an unknown rule set."""
        order = rank_all(self.topics, self.docnos, self.scores, rules)
        return replace(
            self,
            topics=self.topics[order],
            docnos=self.docnos.take(order),
            scores=self.scores[order],
            line_numbers=self.line_numbers[order],
            ranks=self.ranks[order] if len(self.ranks) else self.ranks,
        )

    def run(self, tag: str, rules: str) -> RankedRun:
        """Return ranked lines as a run."""
        counts = np.bincount(self.topics, minlength=len(self.names))
        columns = offsets_of(counts), self.scores, self.docnos
        ranks = self.ranks if len(self.ranks) else None
        return RankedRun(tuple(decoded(self.names)), *columns, tag, rules, ranks)


def read_run(
    stream: BinaryIO,
    *,
    rules: str = DEFAULT_RULES,
    comments: bool = False,
    with_ranks: bool = False,
) -> RankedRun:
    """Read and rank a run, whatever its topics and tags; the rank column only if asked for.

    Like trec_eval it takes blank lines, CR LF, any white space, more than six columns, and lines in
    any order; with `comments` it skips lines that begin with `#`. FormatError, with the line, for
    faults on which trec_eval would crash or misread: too few columns, a score that is not a finite
    number, a document twice in a topic, an empty file; and a rank that is read and no whole number.
    """
    part = partial(_part, with_ranks=with_ranks)
    parts = list(table.read(stream, LAYOUT, part, comments=comments))
    return _ranked(RunLines.joined(parts), rules)


class ScatteredTopic(ValueError):
    """A topic comes again after others: the run cannot be read part by part."""


def read_parts(
    stream: BinaryIO, *, rules: str = DEFAULT_RULES, comments: bool = False
) -> Iterator[RankedRun]:
    """Read and rank a run as `read_run` does, some topics at a time, each of them whole.

    So memory does not grow with the file. ScatteredTopic if a topic comes again later. The tag of
    the last part is the run's.
    """
    part, is_empty = partial(_part, with_ranks=False), True
    waiting: list[RunBlock] = []
    ended = set[bytes]()
    for block in table.read(stream, LAYOUT, part, comments=comments):
        is_empty = False
        # The block's last topic may go on in the next one.
        before, last = block.divided()
        if before:
            yield _whole([*waiting, before], ended, rules)
            waiting = []
        elif waiting and waiting[-1].topics[0] != last.topics[0]:
            yield _whole(waiting, ended, rules)
            waiting = []
        waiting.append(last)
    if is_empty:
        raise FormatError(None, EMPTY)
    yield _whole(waiting, ended, rules)


def _whole(parts: list[RunBlock], ended: set[bytes], rules: str) -> RankedRun:
    """Rank topics that have ended; ScatteredTopic if one of them had ended before."""
    names = [name for name, _ in groupby(chain.from_iterable(part.topics[0] for part in parts))]
    if len(set(names)) < len(names) or not ended.isdisjoint(names):
        raise ScatteredTopic
    ended.update(names)
    return _ranked(RunLines.joined(parts), rules)


def _ranked(lines: RunLines, rules: str) -> RankedRun:
    """Rank lines; FormatError for a document that comes twice in a topic."""
    for line_number, sentence in repeated(lines):
        raise FormatError(line_number, sentence)
    tag = lines.tag.decode(errors="surrogateescape")
    return lines.ranked(rules).run(tag, rules)


def first_tag(stream: BinaryIO) -> str:
    """Return the tag on the first line that has six columns and is no header.

    FormatError if the beginning of the file has none.
    """
    head = stream.read(HEAD)
    if fault := not_a_table(head):
        raise FormatError(None, fault)
    head = head.removeprefix(BYTE_ORDER_MARK)
    lines = [line for line in head.splitlines() if line.strip()]
    for line in lines:
        fields = line.split()
        if len(fields) == LAYOUT.n_columns and not is_header(line):
            return fields[TAG].decode(errors="replace")
    if not lines and len(head) < HEAD:
        raise FormatError(None, ONLY_BLANK if head else EMPTY)
    raise FormatError(None, no_run(lines))


def no_run(lines: Sequence[bytes]) -> str:
    """Return why lines without six columns are no run, by the first that is no header.

    >>> no_run([b"1 Q0 d1 1 9.5"])
    'Its first line has five columns: the tag is missing. A run has topic Q0 docno rank score tag.'
    >>> no_run([b"1 0 d1 2"]).partition(":")[0]
    'These look like qrels, of four columns'
    """
    line = next((line for line in lines if not is_header(line)), b"").strip()
    words, columns = line.split(), f"A run has {' '.join(LAYOUT.columns)}."
    if not words:
        return "No line at its beginning has the six columns of a run."
    if line[:1] in {b"{", b"["}:
        return f"It is JSON. {columns}"
    for separator, name in _SEPARATOR_NAMES.items():
        if line.count(separator) >= TAG:
            return f"Its columns are separated by {name}: separate them by blanks or tabs."
    shape = shape_of(line) or f"Its first line has {counted(len(words), 'column')}."
    return f"{shape} {columns}"


def shape_of(line: bytes) -> str:
    """Say what a line without six columns is called; "" if it has no name.

    >>> shape_of(b"1 7067032 1")[:42], shape_of(b"1 Q0 d1")
    ('Its first line has three columns, as MS MA', '')
    """
    words = line.split()[2:]
    if len(words) == 1 and _NUMBER.fullmatch(words[0]) and not words[0].isdigit():
        return "Its first line has three columns: Q0, rank and tag are missing."
    return _SHAPES.get("".join("n" if _NUMBER.fullmatch(word) else "w" for word in words), "")


def is_header(line: bytes) -> bool:
    r"""Recognize a line that names the columns: no word but Q0 has a digit, as ranks and scores do.

    >>> is_header(b"topic,Q0,docno,rank,score,tag"), is_header(b"qid iter docid rank sim run_id")
    (True, True)
    >>> is_header(b"q Q0 d 1 0.5 tag"), is_header(b"no names of columns here")
    (False, False)
    """
    words = [word.lower() for word in _SEPARATORS.split(line.replace(b'"', b"")) if word]
    if line.startswith(b"<SYSDESC>"):  # of NTCIR
        return True
    if any(_DIGIT.search(word) for word in words if word != b"q0"):
        return False
    has_six = len(line.split()) == LAYOUT.n_columns
    return has_six or (len(words) >= LAYOUT.n_columns - 1 and not _COLUMN_NAMES.isdisjoint(words))


def _part(rows: TableRows, *, with_ranks: bool) -> RunBlock:
    """Return a block's columns; FormatError for what is no number."""
    docnos, words = rows.column(DOCNO), rows.column(SCORE)
    scores, are_numbers = engine.reader.scores(words)
    rows.check(are_numbers, lambda row: not_a_score(words[row], docnos[row]))
    ranks = np.empty(0, dtype=np.int64)
    if with_ranks:
        written = rows.column(RANK)
        ranks, are_whole = engine.reader.whole(written, MAX_RANK)
        rows.check(are_whole, lambda row: not_a_rank(written[row]))
    tag = rows.column(TAG)[-1]
    topics, numbers = rows.column(TOPIC).spans(), (scores, rows.line_numbers, ranks)
    return RunBlock(topics, compact(docnos), *numbers, tag)


def not_a_rank(word: bytes) -> str:
    return f"The rank {quoted(word)} {table.not_whole(word, MAX_RANK)}."


def not_a_score(word: bytes, docno: bytes) -> str:
    return f"The score {quoted(word)} of document {quoted(docno)} is not a finite number."


def repeated(lines: RunLines) -> Iterator[tuple[int, str]]:
    """Yield (line number, sentence) for every document repeated in a topic, in line order."""
    for row, earlier in table.repeats(lines.topics, lines.docnos):
        topic = brief(lines.names[lines.topics[row]].decode(errors="replace"))
        again = f"Document {quoted(lines.docnos[row])} comes again in topic {topic}"
        before = f"it was on line {lines.line_numbers[earlier]:,}"
        yield int(lines.line_numbers[row]), f"{again}; {before}."
