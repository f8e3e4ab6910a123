"""Runs out of text, a block of lines at a time."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import BinaryIO, NamedTuple

import numpy as np
from numpy.typing import NDArray

from trec.docnos import Docnos, Hashes, Integers, Mask, Words, together
from trec.engine import numbers as decimals
from trec.engine.text import Block, Fields, blocks, normalized, regular
from trec.lazy import lazy
from trec.parallel import at_once, of_whole_topics
from trec.ranking import (
    DEFAULT_RULES,
    Floats,
    Order,
    compared,
    moves,
    rank_all,
)
from trec.runs.run import RankedRun
from trec.streams import FormatError

N_COLUMNS = 6
TOPIC, DOCNO, RANK, SCORE, TAG = 0, 2, 3, 4, 5
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
MOST_SHOWN = 60


class Part(NamedTuple):
    """Consecutive lines of a run: topics with how many lines each has, and one element a line of everything else."""

    topics: list[tuple[bytes, int]]
    docnos: Docnos
    ranks: Integers
    scores: Floats
    places: Integers


@dataclass(frozen=True, eq=False)
class Lines:
    """All lines of a run in the file's order. What is not asked for is not put together."""

    parts: Sequence[Part]
    by_name: bool = False

    @lazy
    def names(self) -> list[bytes]:
        """The topics, in the order of the file or in byte order."""
        names = (name for part in self.parts for name, _ in part.topics)
        return sorted(set(names)) if self.by_name else list(dict.fromkeys(names))

    @lazy
    def topics(self) -> Integers:
        """The number of each line's topic among the names."""
        return np.repeat(*self._stretches)

    @lazy
    def counts(self) -> Integers:
        """How many lines each topic has."""
        counts = np.zeros(len(self.names), dtype=np.int64)
        np.add.at(counts, *self._stretches)
        return counts

    @lazy
    def _stretches(self) -> tuple[Integers, Integers]:
        """Return the topic of each stretch of lines, and how many lines it has."""
        found = (stretch for part in self.parts for stretch in part.topics)
        return topic_numbers(self.names, found)

    @lazy
    def offsets(self) -> Integers:
        """Where each topic begins when its lines are together, and the end of the last."""
        return np.concatenate([[0], np.cumsum(self.counts)])

    @lazy
    def docnos(self) -> Docnos:
        return Docnos.joined([part.docnos for part in self.parts])

    @lazy
    def ranks(self) -> Integers:
        return together([part.ranks for part in self.parts], np.int64)

    @lazy
    def scores(self) -> Floats:
        return together([part.scores for part in self.parts], np.float64)

    @lazy
    def places(self) -> Integers:
        """The number of each line in the file."""
        return together([part.places for part in self.parts], np.int64)


class Sheet(NamedTuple):
    """Room for all lines of a run, in large arrays: one piece of memory is had sooner than many, and need not be put together."""

    starts: Integers
    ends: Integers
    hashes: Hashes
    scores: Floats

    @classmethod
    def of(cls, n_lines: int) -> "Sheet":
        return cls(
            np.empty(n_lines, dtype=np.int64),
            np.empty(n_lines, dtype=np.int64),
            np.empty(n_lines, dtype=np.uint32),
            np.empty(n_lines),
        )

    def keep(self, row: int, part: Part) -> Part:
        """Write lines from this row on; return them as they stand here."""
        docnos, rows = part.docnos, slice(row, row + len(part.docnos))
        self.starts[rows], self.ends[rows] = docnos.starts, docnos.ends
        self.hashes[rows], self.scores[rows] = docnos.hashes, part.scores
        own = self.starts[rows], self.ends[rows], self.hashes[rows]
        kept = Docnos(docnos.content, *own)
        return part._replace(docnos=kept, scores=self.scores[rows])


@dataclass(frozen=True, eq=False)
class RankedLines:
    """Lines in rank order under some rules, topic after topic."""

    lines: Lines
    order: Order
    rules: str

    @lazy
    def names(self) -> list[str]:
        return decoded(self.lines.names)

    @lazy
    def topics(self) -> Integers:
        """The number of each line's topic among the names."""
        return self.lines.topics[self.order]

    @lazy
    def docnos(self) -> Docnos:
        return self.lines.docnos.take(self.order)

    @lazy
    def ranks(self) -> Integers:
        return self.lines.ranks[self.order]

    @lazy
    def scores(self) -> Floats:
        return self.lines.scores[self.order]

    @lazy
    def keys(self) -> NDArray[np.floating]:
        """The scores as they are compared."""
        return compared(self.scores, self.rules)

    @lazy
    def places(self) -> Integers:
        """The number of each line in the file."""
        return self.lines.places[self.order]

    def run(self, tag: str) -> RankedRun:
        """Return them as a run."""
        columns = self.lines.offsets, self.scores, self.docnos
        return RankedRun(tuple(self.names), *columns, tag, self.rules)

    def same_topic(self) -> Mask:
        """Tell for each line but the first whether it is of the same topic as the one before."""
        equal: Mask = self.topics[1:] == self.topics[:-1]
        return equal

    def of_topic(self, topic: int) -> slice:
        """Return where a topic's lines are."""
        start, end = np.searchsorted(self.topics, [topic, topic + 1]).tolist()
        return slice(start, end)


def read_run(
    stream: BinaryIO, *, rules: str = DEFAULT_RULES, comments: bool = False
) -> RankedRun:
    """Read and rank a run, whatever its topics and tags.

    As trec_eval does, it takes blank lines, CR LF, any white space, more than six columns, and lines in any order; with
    `comments` it passes over lines that begin with `#`. FormatError, with the line, for what trec_eval would crash on or take
    for something else: too few columns, a score that is not a finite number, a document twice in a topic, an empty file.
    """
    pieces = list(blocks(stream))
    sheet = Sheet.of(sum(block.n_lines for block in pieces))
    read = partial(_read_block, sheet=sheet, comments=comments)
    parts = list(chain.from_iterable(at_once(read, pieces)))
    if not parts:
        raise FormatError(None, "The file is empty.")
    found = Lines([part for part, _ in parts])
    for line, message in repeated(found):
        raise FormatError(line, message)
    order = moves(found.topics, found.docnos, found.scores, rules)
    scores, own = found.scores, found.docnos
    # Nobody else has these columns: they need not be copied to be put in order.
    for column in (scores, own.starts, own.ends, own.hashes):
        order.apply(column)
    docnos = Docnos(own.content, own.starts, own.ends, own.hashes)
    tag = parts[-1][1].decode(errors="surrogateescape")
    names = tuple(decoded(found.names))
    return RankedRun(names, found.offsets, scores, docnos, tag, rules)


def topic_numbers(
    names: Sequence[bytes], stretches: Iterable[tuple[bytes, int]]
) -> tuple[Integers, Integers]:
    """Return the number of each stretch's topic among the names, and how many lines it has: repeated, the topic of each line.

    >>> np.repeat(*topic_numbers([b"a", b"b"], [(b"b", 2), (b"a", 1)])).tolist()
    [1, 1, 0]
    """
    index = {name: number for number, name in enumerate(names)}
    found = [(index[name], count) for name, count in stretches]
    numbers, counts = np.array(found, dtype=np.int64).reshape(-1, 2).T
    return numbers, counts


def decoded(names: list[bytes]) -> list[str]:
    return [name.decode(errors="surrogateescape") for name in names]


def _read_block(
    block: Block, *, sheet: Sheet, comments: bool
) -> list[tuple[Part, bytes]]:
    """Return the lines of a block, if it has any, and the tag of the last."""
    return [
        (sheet.keep(block.first - 1, _part(fields, places)), fields.last(TAG))
        for fields, places in _fields(block, comments=comments)
    ]


def _fields(block: Block, *, comments: bool) -> Iterator[tuple[Fields, Integers]]:
    """Yield the fields of a block's lines and their numbers; FormatError when a line is short."""
    if block.first == 1 and _begins_with_mark(block):
        raise FormatError(
            1, "It begins with a byte order mark: save the file as UTF-8 without one."
        )
    fields = regular(block, N_COLUMNS, comments=comments)
    if fields is not None:
        yield fields, block.places
        return
    lines, places = normalized(block, N_COLUMNS, comments=comments)
    if len(places):
        fields = regular(lines, N_COLUMNS)
        if fields is None:
            raise _fault(lines, places)
        yield fields, places


def _begins_with_mark(block: Block) -> bool:
    begin = block.content[block.start : block.start + len(BYTE_ORDER_MARK)]
    return begin.tobytes() == BYTE_ORDER_MARK


def _fault(block: Block, places: Integers) -> FormatError:
    """Say what is wrong with the first line that is."""
    for (_, line), place in zip(block.lines(), places.tolist(), strict=True):
        n_columns = len(line.split())
        if b"\x00" in line:
            return FormatError(place, "It holds a NUL byte: this is not a text file.")
        if n_columns < N_COLUMNS:
            return FormatError(
                place,
                f"It has {n_columns} column{'' if n_columns == 1 else 's'}; a run has six: topic, Q0, docno, rank, score, tag.",
            )
    return FormatError(int(places[0]), "It is too long, or holds control characters.")


def _part(fields: Fields, places: Integers) -> Part:
    scores, readable = decimals.scores(fields.column(SCORE))
    if not readable.all():
        row = int(np.flatnonzero(~readable)[0])
        word, docno = fields.column(SCORE)[row], fields.column(DOCNO)[row]
        raise FormatError(int(places[row]), not_a_score(word, docno))
    # Ranks decide nothing: they are not read.
    nothing = np.broadcast_to(np.int64(0), len(places))
    # The docnos stay where they are: a run that is only read is not worth a copy. Their hashes are made while they are at hand.
    docnos = fields.column(DOCNO).hashed()
    return Part(topics_of(fields), docnos, nothing, scores, places)


def not_a_score(word: bytes, docno: bytes) -> str:
    return (
        f"The score {quoted(word)} of document {quoted(docno)} is not a finite number."
    )


def topics_of(fields: Fields) -> list[tuple[bytes, int]]:
    """Return each topic with the number of its lines, as often as it begins."""
    column = fields.column(TOPIC)
    starts = np.concatenate([[0], np.flatnonzero(_changes(column)) + 1])
    counts = np.diff(starts, append=len(column)).tolist()
    return list(zip(column.take(starts).tolist(), counts, strict=True))


def _changes(column: Docnos) -> Mask:
    """Tell for each line but the first whether its field differs from the line before's."""
    differs: Mask = np.diff(column.lengths) != 0
    for number in range(column.n_words):
        words = column.own_words(number)
        differs |= words[1:] != words[:-1]
    return differs


def repeated(found: Lines) -> Iterator[tuple[int, str]]:
    """Yield (line, sentence) for every document that comes again in its topic, in the order of the lines."""
    for row, earlier in repeats(found.topics, found.docnos):
        name = found.names[found.topics[row]].decode(errors="replace")
        yield (
            int(found.places[row]),
            f"Document {quoted(found.docnos[row])} comes again in topic {name}; it was on line {found.places[earlier]:,}.",
        )


def repeats(
    topics: Integers, docnos: Docnos, groups: Docnos | None = None
) -> Iterator[tuple[int, int]]:
    """Yield (row, first row) for every row whose topic and docno, and group where there are groups, came before."""
    spans, hashes = of_whole_topics(topics) or [slice(0, len(topics))], docnos.hashes

    def keys(span: slice) -> Words:
        return (topics[span].astype(np.uint64) << np.uint64(32)) | hashes[span]

    def has_equals(span: slice) -> bool:
        ordered = np.sort(keys(span))
        return bool((ordered[1:] == ordered[:-1]).any())

    for span, has_any in zip(spans, at_once(has_equals, spans), strict=True):
        if has_any:
            start, of = span.start, None if groups is None else groups.take(span)
            for row, earlier in _repeats(keys(span), docnos.take(span), of):
                yield start + row, start + earlier


def _repeats(
    keys: Words, docnos: Docnos, groups: Docnos | None
) -> Iterator[tuple[int, int]]:
    order = np.lexsort((keys,))
    ordered = keys[order]
    equal = np.flatnonzero(ordered[1:] == ordered[:-1])
    # Equal hashes do not prove equal docnos: only names do.
    rows = np.unique(np.concatenate([order[equal], order[equal + 1]]))
    names = docnos.take(rows).tolist()
    of = groups.take(rows).tolist() if groups else [b""] * len(rows)
    topics = (keys[rows] >> np.uint64(32)).tolist()
    first: dict[tuple[int, bytes, bytes], int] = {}
    for row, *name in zip(rows.tolist(), topics, names, of, strict=True):
        earlier = first.setdefault((name[0], name[1], name[2]), row)
        if earlier != row:
            yield row, earlier


def in_rank_order(found: Lines, rules: str) -> RankedLines:
    """Rank the lines, topics in the order of their names."""
    order = rank_all(found.topics, found.docnos, found.scores, rules)
    return RankedLines(found, order, rules)


def quoted(text: bytes) -> str:
    """Show a word of the file in quotes, the end of a long one left out."""
    shown = text.decode(errors="replace")
    return repr(shown if len(shown) <= MOST_SHOWN else f"{shown[:MOST_SHOWN]}…")
