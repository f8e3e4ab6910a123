"""Preferences between documents, in trec_eval's two formats: prefs, of five columns, and qrels read as preferences."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise
from typing import BinaryIO, NamedTuple

import numpy as np
from numpy.typing import NDArray

from trec.docnos import Docnos, Integers, compact
from trec.engine import numbers as decimals
from trec.engine.text import Block, Fields, blocks, normalized, regular
from trec.ranking import DEFAULT_RULES, compared
from trec.runs.read import (
    decoded,
    quoted,
    repeats,
    topic_numbers,
    topics_of,
)
from trec.streams import FormatError

Floats = NDArray[np.float64]

# The columns of each format. Those of qrels have no subgroup: there the second column is the group.
FORMATS: Mapping[str, tuple[str, ...]] = {
    "prefs": ("topic", "group", "subgroup", "docno", "level"),
    "qrels_prefs": ("topic", "group", "docno", "level"),
}


@dataclass(frozen=True, eq=False)
class Preferences:
    """Which documents are preferred to which: each chain prefers those on a higher level to all on a lower one.

    Topics are in byte order. Topic t has the documents `offsets[t]:offsets[t + 1]` of `docnos`, each once, in byte order, and
    the groups `group_offsets[t]:group_offsets[t + 1]`; group g, one view of the topic (trec_eval's judgment group), has the
    chains `chain_offsets[g]:chain_offsets[g + 1]` (its subgroups), which together do not contradict each other; chain c has
    the lines `line_offsets[c]:line_offsets[c + 1]`, which put documents, places in `docnos`, on levels, the highest first.
    On level 0 are documents that are not relevant.
    """

    topics: tuple[str, ...]
    offsets: Integers
    docnos: Docnos
    group_offsets: Integers
    chain_offsets: Integers
    line_offsets: Integers
    documents: Integers
    levels: Floats


class _Lines(NamedTuple):
    """The lines of a file in its order; topics and names are numbered in byte order."""

    names: list[bytes]
    topics: Integers
    groups: Integers
    subgroups: Integers
    docnos: Docnos
    levels: Floats
    places: Integers


def read_preferences(
    stream: BinaryIO,
    kind: str,
    *,
    rules: str = DEFAULT_RULES,
    comments: bool = False,
) -> Preferences:
    """Return the preferences of a file of one of FORMATS, its lines in any order.

    FormatError, with the line, for a line that has not the columns or whose level is not a finite number, a document twice in a
    subgroup, on level 0 and above it in the same group, or preferred to itself through others of its group (on which
    trec_eval aborts). `rules` say in which precision levels are compared. With `comments` lines that begin with `#` are passed over.
    """
    columns = FORMATS[kind]
    lines = _read(stream, columns, rules, comments=comments)
    chains, chain_topics, chain_groups = _grouped(lines)
    for row, earlier in repeats(chains, lines.docnos):
        raise _fault(
            lines,
            row,
            f"is judged twice in a {columns[-3]}; it was on line {lines.places[earlier]:,}",
        )
    documents, firsts = _documents(lines)
    _check_zeros(lines, chain_groups[chains], documents)
    order = np.lexsort((-lines.levels, chains))
    n_topics = len(lines.names)
    found = Preferences(
        tuple(decoded(lines.names)),
        _offsets(lines.topics[firsts], n_topics),
        compact(lines.docnos.take(firsts)),
        _offsets(_first(chain_groups, chain_topics), n_topics),
        _offsets(chain_groups, int(chain_groups.max(initial=-1)) + 1),
        _offsets(chains, len(chain_groups)),
        documents[order],
        lines.levels[order],
    )
    _check_order(lines, found, order)
    return found


def _read(
    stream: BinaryIO, columns: tuple[str, ...], rules: str, *, comments: bool
) -> _Lines:
    """Read the fields of all lines; FormatError for the first line that is not right, or for no line at all."""
    fields, places = [], []
    for block in blocks(stream):
        for some, numbers in _fields(block, columns, comments=comments):
            fields.append(some)
            places.append(numbers)
    if not fields:
        raise FormatError(None, "The file is empty.")
    at = {name: number for number, name in enumerate(columns)}
    column = {
        name: Docnos.joined([some.column(at[name]) for some in fields])
        for name in columns[1:]
    }
    lines = np.concatenate(places)
    names, topics = _topics(fields)
    groups = column["group"].numbered()[1]
    return _Lines(
        names,
        topics,
        groups,
        column["subgroup"].numbered()[1]
        if "subgroup" in column
        else np.zeros_like(groups),
        column["docno"],
        compared(_levels(column["level"], lines), rules).astype(np.float64),
        lines,
    )


def _fields(
    block: Block, columns: tuple[str, ...], *, comments: bool
) -> Iterator[tuple[Fields, Integers]]:
    """Yield the fields of a block and its lines' numbers, if it has a line; FormatError for the first bad one."""
    n_columns = len(columns)
    places = block.places
    fields = regular(block, n_columns, comments=comments)
    if fields is None:
        _check_lines(block, columns, comments=comments)
        lines, places = normalized(block, n_columns, comments=comments)
        fields = regular(lines, n_columns) if len(places) else None
    if fields is not None:
        yield fields, places
    elif len(places):
        raise FormatError(block.first, "It is too long, or holds control characters.")


def _check_lines(block: Block, columns: tuple[str, ...], *, comments: bool) -> None:
    """Say what is wrong with the first line that is, a blank one too, as in trec_eval."""
    for place, line in block.lines():
        words = line.split()
        if b"\x00" in line:
            raise FormatError(place, "It holds a NUL byte: this is not a text file.")
        if comments and words and words[0].startswith(b"#"):
            continue
        if len(words) != len(columns):
            raise FormatError(
                place,
                f"It has {len(words)} column{'' if len(words) == 1 else 's'}; there must be {len(columns)}: {', '.join(columns)}.",
            )


def _topics(fields: list[Fields]) -> tuple[list[bytes], Integers]:
    """Return the topics in byte order, and the number of each line's."""
    stretches = [stretch for some in fields for stretch in topics_of(some)]
    names = sorted({name for name, _ in stretches})
    return names, np.repeat(*topic_numbers(names, stretches))


def _levels(column: Docnos, places: Integers) -> Floats:
    levels, readable = decimals.scores(column)
    if not readable.all():
        row = int(np.flatnonzero(~readable)[0])
        word = quoted(column[row])
        raise FormatError(int(places[row]), f"The level {word} is not a finite number.")
    return levels


def _grouped(lines: _Lines) -> tuple[Integers, Integers, Integers]:
    """Return the chain of each line, and of each chain its topic and its group; chains and groups are numbered from 0."""
    groups = _paired(lines.topics, lines.groups)
    chains = _paired(groups, lines.subgroups)
    firsts = np.unique(chains, return_index=True)[1]
    return chains, lines.topics[firsts], groups[firsts]


def _paired(first: Integers, second: Integers) -> Integers:
    """Return the number of each pair of numbers, in the order of the pairs."""
    return np.unique(first * (second.max() + 1) + second, return_inverse=True)[1]


def _documents(lines: _Lines) -> tuple[Integers, Integers]:
    """Return the document each line names, documents numbered by topic and docno, and the first line of each document."""
    documents = _paired(lines.topics, lines.docnos.numbered()[1])
    return documents, np.unique(documents, return_index=True)[1]


def _first(numbers: Integers, of: Integers) -> Integers:
    """Return what belongs to each number, once for every number; numbers rise."""
    return of[np.flatnonzero(np.diff(numbers, prepend=-1))]


def _offsets(numbers: Integers, n: int) -> Integers:
    return np.concatenate([[0], np.cumsum(np.bincount(numbers, minlength=n))])


def _check_zeros(lines: _Lines, groups: Integers, documents: Integers) -> None:
    """FormatError for a document that a group has on level 0 and above it."""
    pairs = _paired(groups, documents)
    has_zero = np.bincount(pairs, lines.levels == 0) > 0
    wrong = np.flatnonzero(has_zero[pairs] & (lines.levels > 0))
    if len(wrong):
        raise _fault(lines, int(wrong[0]), "is on level 0 and above it in one group")


def _check_order(lines: _Lines, found: Preferences, order: Integers) -> None:
    """FormatError for a document that is preferred to itself, by the chains of its group taken together."""
    for group in np.flatnonzero(np.diff(found.chain_offsets) > 1).tolist():
        start, end = found.chain_offsets[group : group + 2].tolist()
        try:
            _sorter(found, range(start, end)).prepare()
        except CycleError as error:
            own = slice(found.line_offsets[start], found.line_offsets[end])
            circle = [node for node in error.args[1] if isinstance(node, int)]
            rows = order[own][np.isin(found.documents[own], circle)]
            row = rows[lines.places[rows].argmax()]
            raise _fault(
                lines, int(row), "is preferred to itself through others of its group"
            ) from error


def _sorter(
    found: Preferences, chains: range
) -> "TopologicalSorter[int | tuple[int, float]]":
    """Return a graph of documents and of the levels between them, for every chain: each level is below the one before."""
    graph: TopologicalSorter[int | tuple[int, float]] = TopologicalSorter()
    for chain in chains:
        own = slice(found.line_offsets[chain], found.line_offsets[chain + 1])
        levels = found.levels[own].tolist()
        above = {low: high for high, low in pairwise(levels) if low != high}
        for document, level in zip(found.documents[own].tolist(), levels, strict=True):
            graph.add((chain, level), document)
            if level in above:
                graph.add(document, (chain, above[level]))
    return graph


def _fault(lines: _Lines, row: int, what: str) -> FormatError:
    docno, topic = lines.docnos[row], lines.names[lines.topics[row]]
    return FormatError(
        int(lines.places[row]),
        f"Document {quoted(docno)} of topic {topic.decode(errors='replace')} {what}.",
    )
