"""Preferences between documents, in trec_eval's formats prefs and qrels_prefs."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise
from typing import BinaryIO, NamedTuple

import numpy as np

from cleverdon.trec import engine, table
from cleverdon.trec.arrays import Floats, Integers, begins, offsets_of
from cleverdon.trec.docnos import Docnos, Spans, compact, decoded
from cleverdon.trec.ranking import DEFAULT_RULES, compared
from cleverdon.trec.streams import FormatError
from cleverdon.trec.table import Layout, TableRows, quoted

# The last three columns: the narrowest unit of comparison (subgroup or group), docno and level.
FORMATS: Mapping[str, Layout] = {
    "prefs": Layout(("topic", "group", "subgroup", "docno", "level"), "there must be 5"),
    "qrels_prefs": Layout(("topic", "group", "docno", "level"), "there must be 4"),
}


@dataclass(frozen=True, eq=False)
class Preferences:
    """Which documents are preferred: each chain prefers higher levels to lower ones.

    Topics are in byte order. Topic t has the documents `offsets[t]:offsets[t + 1]` of `docnos`,
    each once, in byte order, and the groups `group_offsets[t]:group_offsets[t + 1]` (trec_eval's
    judgment groups). Group g has the chains `chain_offsets[g]:chain_offsets[g + 1]` (its
    subgroups), which do not contradict each other. Chain c has the lines
    `line_offsets[c]:line_offsets[c + 1]` of `documents`, indices of `docnos`, and `levels`, the
    highest first. Documents on level 0 are not relevant.
    """

    topics: tuple[str, ...]
    offsets: Integers
    docnos: Docnos
    group_offsets: Integers
    chain_offsets: Integers
    line_offsets: Integers
    documents: Integers
    levels: Floats


class _PreferenceLines(NamedTuple):
    """The lines of a file in its order, shape [n_lines] each; names are numbered in byte order."""

    names: list[bytes]
    topics: Integers
    groups: Integers
    subgroups: Integers
    docnos: Docnos
    levels: Floats
    line_numbers: Integers


def read_preferences(
    stream: BinaryIO, kind: str, *, rules: str = DEFAULT_RULES, comments: bool = False
) -> Preferences:
    """Return the preferences of a file of one of FORMATS, its lines in any order.

    FormatError, with the line, for other columns, a level that is not a finite number, and a
    document twice in a subgroup, on level 0 and above it in one group, or preferred to itself
    through others of its group (on which trec_eval aborts). `rules` name the precision in which
    levels are compared. With `comments`, blank lines and lines that begin with `#` are skipped.
    """
    layout = FORMATS[kind]
    lines = _read(stream, layout, rules, comments=comments)
    groups = _paired(lines.topics, lines.groups)
    chains = _paired(groups, lines.subgroups)
    starts = np.unique(chains, return_index=True)[1]
    chain_topics, chain_groups = lines.topics[starts], groups[starts]
    for row, earlier in table.repeats(chains, lines.docnos):
        unit, first = layout.columns[-3], lines.line_numbers[earlier]
        raise _fault(lines, row, f"is judged twice in a {unit}; it was on line {first:,}")
    # Documents are numbered by topic and docno.
    documents = _paired(lines.topics, lines.docnos.numbered()[1])
    firsts = np.unique(documents, return_index=True)[1]
    _check_zeros(lines, groups, documents)
    order = np.lexsort((-lines.levels, chains))
    preferences = Preferences(
        tuple(decoded(lines.names)),
        offsets_of(np.bincount(lines.topics[firsts])),
        compact(lines.docnos.take(firsts)),
        offsets_of(np.bincount(chain_topics[begins(chain_groups)])),
        offsets_of(np.bincount(chain_groups)),
        offsets_of(np.bincount(chains)),
        documents[order],
        lines.levels[order],
    )
    _check_order(lines, preferences, order)
    return preferences


def _read(stream: BinaryIO, layout: Layout, rules: str, *, comments: bool) -> _PreferenceLines:
    """Read the fields of all lines; FormatError for the first wrong line, or for no line at all."""
    parts = list(table.read(stream, layout, partial(_columns, layout), comments=comments))
    if not parts:
        raise FormatError(None, "The file is empty.")
    topics, groups, subgroups, docnos, levels, line_numbers = zip(*parts, strict=True)
    return _PreferenceLines(
        *table.numbered_topics(topics),
        Docnos.joined(groups).numbered()[1],
        Docnos.joined(subgroups).numbered()[1],
        Docnos.joined(docnos),
        compared(np.concatenate(levels), rules).astype(np.float64),
        np.concatenate(line_numbers),
    )


def _columns(
    layout: Layout, rows: TableRows
) -> tuple[Spans, Docnos, Docnos, Docnos, Floats, Integers]:
    """Return one block's columns of _PreferenceLines; without subgroups each group is one."""
    *_, narrow, last, level = range(layout.n_columns)
    words = rows.column(level)
    levels, is_number = engine.reader.scores(words)
    rows.check(is_number, lambda row: f"The level {quoted(words[row])} is not a finite number.")
    group, subgroup, docno = (compact(rows.column(each)) for each in (1, narrow, last))
    return rows.column(0).spans(), group, subgroup, docno, levels, rows.line_numbers


def _paired(first: Integers, second: Integers) -> Integers:
    """Return the number of each pair in the order of the pairs."""
    return np.unique(first * (second.max() + 1) + second, return_inverse=True)[1]


def _check_zeros(lines: _PreferenceLines, groups: Integers, documents: Integers) -> None:
    """FormatError for a document on level 0 and above it in one group."""
    pairs = _paired(groups, documents)
    has_zero = np.bincount(pairs, lines.levels == 0) > 0
    wrong = np.flatnonzero(has_zero[pairs] & (lines.levels > 0))
    if len(wrong):
        raise _fault(lines, int(wrong[0]), "is on level 0 and above it in one group")


def _check_order(lines: _PreferenceLines, preferences: Preferences, order: Integers) -> None:
    """FormatError for a document preferred to itself by the chains of its group together."""
    for group in np.flatnonzero(np.diff(preferences.chain_offsets) > 1).tolist():
        start, end = preferences.chain_offsets[group : group + 2].tolist()
        try:
            _sorter(preferences, range(start, end)).prepare()
        except CycleError as error:
            span = slice(preferences.line_offsets[start], preferences.line_offsets[end])
            circle = [node for node in error.args[1] if isinstance(node, int)]
            rows = order[span][np.isin(preferences.documents[span], circle)]
            row = rows[lines.line_numbers[rows].argmax()]
            sentence = "is preferred to itself through others of its group"
            raise _fault(lines, int(row), sentence) from error


def _sorter(
    preferences: Preferences, chains: range
) -> "TopologicalSorter[int | tuple[int, float]]":
    """Return the graph of these chains: documents, and nodes between their levels."""
    graph: TopologicalSorter[int | tuple[int, float]] = TopologicalSorter()
    for chain in chains:
        span = slice(*preferences.line_offsets[chain : chain + 2])
        levels = preferences.levels[span].tolist()
        above = {low: high for high, low in pairwise(levels) if low != high}
        documents = preferences.documents[span].tolist()
        for document, level in zip(documents, levels, strict=True):
            graph.add((chain, level), document)
            if level in above:
                graph.add(document, (chain, above[level]))
    return graph


def _fault(lines: _PreferenceLines, row: int, what: str) -> FormatError:
    docno, topic = lines.docnos[row], lines.names[lines.topics[row]]
    return FormatError(
        int(lines.line_numbers[row]),
        f"Document {quoted(docno)} of topic {topic.decode(errors='replace')} {what}.",
    )
