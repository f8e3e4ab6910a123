"""Runs out of text, a block of lines at a time."""

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from typing import BinaryIO, NamedTuple

import numpy as np
from numpy.typing import NDArray

from campaigns.core import decimals
from campaigns.core.docnos import WORD, Docnos, Integers, Mask
from campaigns.core.fields import Fields, blocks, normalized, regular
from campaigns.core.formats import FormatError
from campaigns.core.ranking import DEFAULT_RULES, compared, rank_all
from campaigns.core.runs import RankedRun

N_COLUMNS = 6
TOPIC, DOCNO, RANK, SCORE, TAG = 0, 2, 3, 4, 5
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
MOST_SHOWN = 60
N_THREADS = min(4, os.cpu_count() or 1)


class Part(NamedTuple):
    """Consecutive lines of a run: topics with how many lines each has, and one element a line of everything else."""

    topics: list[tuple[bytes, int]]
    docnos: Docnos
    ranks: Integers
    scores: NDArray[np.float64]
    places: Integers


class Columns(NamedTuple):
    """All lines of a run in the file's order; `topics` are numbered by `names`, in order of appearance."""

    names: list[bytes]
    topics: Integers
    docnos: Docnos
    ranks: Integers
    scores: NDArray[np.float64]
    places: Integers


class RankedLines(NamedTuple):
    """The lines of a run in rank order, topic after topic; `topics` number `names`, `keys` are the scores as compared."""

    names: list[str]
    topics: Integers
    docnos: Docnos
    ranks: Integers
    scores: NDArray[np.float64]
    keys: NDArray[np.floating]
    places: Integers

    def same_topic(self) -> Mask:
        """Tell for each line but the first whether it is of the same topic as the one before."""
        equal: Mask = self.topics[1:] == self.topics[:-1]
        return equal

    def of_topic(self, topic: int) -> slice:
        """Return where a topic's lines are."""
        start, end = np.searchsorted(self.topics, [topic, topic + 1]).tolist()
        return slice(start, end)


@dataclass
class Lines:
    """The lines read so far."""

    parts: list[Part] = field(default_factory=list)

    def columns(self) -> Columns:
        """Return them together."""
        numbers: dict[bytes, int] = {}
        runs = [topic for part in self.parts for topic in part.topics]
        names = [numbers.setdefault(name, len(numbers)) for name, _ in runs]
        counts = [count for _, count in runs]
        nothing = np.empty(0, dtype=np.int64)
        return Columns(
            list(numbers),
            np.repeat(np.array(names, dtype=np.int64), counts),
            Docnos.joined([part.docnos for part in self.parts]),
            np.concatenate([nothing, *(part.ranks for part in self.parts)]),
            np.concatenate(
                [nothing.astype(float), *(part.scores for part in self.parts)]
            ),
            np.concatenate([nothing, *(part.places for part in self.parts)]),
        )


def read_run(
    stream: BinaryIO, *, rules: str = DEFAULT_RULES, comments: bool = False
) -> RankedRun:
    """Read and rank a run, whatever its topics and tags.

    As trec_eval does, it takes blank lines, CR LF, any white space, more than six columns, and lines in any order; with
    `comments` it passes over lines that begin with `#`. FormatError, with the line, for what trec_eval would crash on or take
    for something else: too few columns, a score that is not a finite number, a document twice in a topic, an empty file.
    """
    read = partial(_read_block, comments=comments)
    parts = list(chain.from_iterable(_at_once(read, blocks(stream))))
    if not parts:
        raise FormatError(None, "The file is empty.")
    found = Lines([part for part, _ in parts]).columns()
    for line, message in repeated(found):
        raise FormatError(line, message)
    in_order = in_rank_order(found, rules)
    return run_of(in_order, rules, parts[-1][1].decode(errors="surrogateescape"))


def _at_once(
    read: Callable[[tuple[int, bytes]], list[tuple[Part, bytes]]],
    found: Iterator[tuple[int, bytes]],
) -> Iterator[list[tuple[Part, bytes]]]:
    """Read blocks, several at once where there are several: numpy lets other threads work while it counts."""
    first, second = next(found, None), next(found, None)
    if first is None or second is None:
        yield from map(read, [first] if first else [])
        return
    with ThreadPoolExecutor(N_THREADS) as pool:
        yield from pool.map(read, chain((first, second), found))


def _read_block(
    numbered: tuple[int, bytes], *, comments: bool
) -> list[tuple[Part, bytes]]:
    """Return the lines of a block, if it has any, and the tag of the last."""
    return [
        (_part(fields, places), fields.column(TAG)[-1])
        for fields, places in _fields(*numbered, comments=comments)
    ]


def _fields(
    first: int, block: bytes, *, comments: bool
) -> Iterator[tuple[Fields, Integers]]:
    """Yield the fields of a block's lines and their numbers; FormatError when a line is short."""
    if first == 1 and block.startswith(BYTE_ORDER_MARK):
        raise FormatError(
            1, "It begins with a byte order mark: save the file as UTF-8 without one."
        )
    fields = None
    if b"\x00" not in block and not (comments and b"#" in block):
        fields = regular(block, N_COLUMNS)
    if fields is not None:
        yield fields, np.arange(first, first + len(fields.starts))
        return
    text, places = normalized(first, block, N_COLUMNS, comments=comments)
    if len(places):
        fields = None if b"\x00" in text else regular(text, N_COLUMNS)
        if fields is None:
            raise _fault(text, places)
        yield fields, places


def _fault(text: bytes, places: Integers) -> FormatError:
    """Say what is wrong with the first line that is."""
    for line, place in zip(text.split(b"\n"), places.tolist(), strict=True):
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
    nothing = np.zeros(len(places), dtype=np.int64)
    # The docnos stay where they are: a run that is only read is not worth a copy. Their codes are made while they are at hand.
    docnos = fields.column(DOCNO).coded()
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
    for number in range(-(-int(column.lengths.max()) // WORD)):
        words = column.words(number)
        differs |= words[1:] != words[:-1]
    return differs


def repeated(found: Columns) -> Iterator[tuple[int, str]]:
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
    keys = (topics.astype(np.uint64) << np.uint64(32)) | docnos.codes
    ordered = np.sort(keys)
    if not (ordered[1:] == ordered[:-1]).any():
        return
    order = np.lexsort((keys,))
    keys = keys[order]
    equal = np.flatnonzero(keys[1:] == keys[:-1])
    # Equal codes do not prove equal docnos: only names do.
    rows = np.unique(np.concatenate([order[equal], order[equal + 1]]))
    names = docnos.take(rows).tolist()
    of = groups.take(rows).tolist() if groups else [b""] * len(rows)
    first: dict[tuple[int, bytes, bytes], int] = {}
    for row, *name in zip(rows.tolist(), topics[rows].tolist(), names, of, strict=True):
        earlier = first.setdefault((name[0], name[1], name[2]), row)
        if earlier != row:
            yield row, earlier


def in_rank_order(found: Columns, rules: str) -> RankedLines:
    """Bring the lines into rank order, topics in byte order."""
    alphabetical = sorted(range(len(found.names)), key=found.names.__getitem__)
    numbers = np.empty(len(alphabetical), dtype=np.int64)
    numbers[alphabetical] = np.arange(len(alphabetical))
    topics = numbers[found.topics]
    order = rank_all(topics, found.docnos, found.scores, rules)
    names = (found.names[number] for number in alphabetical)
    scores = found.scores[order]
    return RankedLines(
        [name.decode(errors="surrogateescape") for name in names],
        topics[order],
        found.docnos.take(order),
        found.ranks[order],
        scores,
        compared(scores, rules),
        found.places[order],
    )


def run_of(lines: RankedLines, rules: str, tag: str) -> RankedRun:
    """Return lines in rank order as a run."""
    counts = np.bincount(lines.topics, minlength=len(lines.names))
    offsets = np.concatenate([[0], np.cumsum(counts)])
    return RankedRun(
        tuple(lines.names), offsets, lines.scores, lines.docnos, tag, rules
    )


def quoted(text: bytes) -> str:
    """Show a word of the file in quotes, the end of a long one left out."""
    shown = text.decode(errors="replace")
    return repr(shown if len(shown) <= MOST_SHOWN else f"{shown[:MOST_SHOWN]}…")
