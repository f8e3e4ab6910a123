"""The check of an uploaded run: every fault with its line, or the run if there is none."""

import re
from collections.abc import Callable, Collection, Container, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import BinaryIO, NamedTuple

import numpy as np

from cleverdon.trec import engine, table
from cleverdon.trec.docnos import MAX_DOCNO, compact
from cleverdon.trec.engine.fields import LineBlock
from cleverdon.trec.ranking import DEFAULT_RULES
from cleverdon.trec.runs.complaints import Complaints, Told
from cleverdon.trec.runs.read import (
    DOCNO,
    EMPTY,
    HEADER,
    LAYOUT,
    MAX_RANK,
    ONLY_BLANK,
    RANK,
    SCORE,
    TAG,
    TOPIC,
    RunBlock,
    RunLines,
    is_header,
    not_a_rank,
    repeated,
)
from cleverdon.trec.runs.run import CheckReport, RankedRun, check_tag
from cleverdon.trec.runs.warnings import Coverage, warnings
from cleverdon.trec.signatures import not_a_table
from cleverdon.trec.streams import FormatError
from cleverdon.trec.table import BYTE_ORDER_MARK, TableRows, quoted
from cleverdon.trec.text import blocks

LAST_DIGITS = re.compile(rb"0*([1-9]\d*|0)$")
ASKED_AT_ONCE = 1 << 16  # docnos
STRICT = replace(LAYOUT, may_have_more_columns=False, must_be_utf8=True)


# Given docnos, each once, returns those that are not in the collection.
Unknown = Callable[[Sequence[str]], Collection[str]]

# Each may come with whether it counts.
Topics = Collection[str] | Mapping[str, bool]


# How a word of a column is wrong, and the sentence for all faults of that kind.
WordFault = tuple[Callable[[bytes], str], str]
LONG_DOCNO: WordFault = (
    lambda word: f"The docno {quoted(word)} is {len(word)} bytes long; {MAX_DOCNO} are allowed.",
    "The docno is too long.",
)
NO_RANK: WordFault = not_a_rank, "The rank is not a whole number."
NO_SCORE: WordFault = (
    lambda word: f"The score {quoted(word)} is not a finite number.",
    "The score is not a finite number.",
)


class Checked(NamedTuple):
    """The report, and the run if the report has no error."""

    report: CheckReport
    run: RankedRun | None


def check_run(  # noqa: PLR0913 - what a site looks at, and a program need not
    stream: BinaryIO,
    *,
    tag: str,
    topics: Topics | None,
    depth: int = 1000,
    unknown: Unknown | None = None,
    on_progress: Callable[[int], None] | None = None,
    rules: str = DEFAULT_RULES,
    on_error: Told | None = None,
    counts_documents: bool = True,
) -> Checked:
    """Check a run against its declared tag and the campaign's topics and depth.

    `topics` may say of each whether it counts: the run should answer those, others do no harm. None
    lets any pass.
    `on_progress` gets the number of bytes read so far, `on_error` each error, also those that the
    report only counts. Damaged gzip is an error of the report; nothing is raised for a bad file.
    To count the different documents takes a tenth of the time, and may be left out.
    """
    complaints = Complaints(on_error=on_error)
    try:
        check_tag(tag)
    except ValueError as error:
        complaints.add(None, str(error))
    parts = list(_parts(stream, tag, topics, complaints, on_progress))
    if not parts:
        if not complaints.count:
            complaints.add(None, ONLY_BLANK if complaints.n_lines else EMPTY)
        return Checked(complaints.report(), None)
    lines = RunLines.joined(parts)
    for fault in _faults(lines, depth):
        complaints.add(*fault)
    lines = lines.ranked(rules)
    n_documents, foreigners = _documents(lines, unknown) if counts_documents else (0, [])
    covered = _coverage(lines, topics, foreigners)
    report = replace(
        complaints.report(lines, warnings(lines, rules, covered)),
        n_topics=len(lines.names) - len(covered.extra),
        n_documents=n_documents,
        n_missing=len(covered.missing),
        n_unknown=len(foreigners),
        n_most=int(np.bincount(lines.topics).max()),
    )
    return Checked(report, lines.run(tag, rules) if report.is_valid else None)


def _documents(lines: RunLines, unknown: Unknown | None) -> tuple[int, list[str]]:
    """Count a run's documents, each once, and return those that are unknown."""
    different = lines.docnos.distinct()[0]
    foreigners: list[str] = []
    for start in range(0, len(different), ASKED_AT_ONCE):
        if unknown is None:
            break
        some = different.take(slice(start, start + ASKED_AT_ONCE))
        docnos = [docno.decode() for docno in some.tolist()]
        outside = frozenset(unknown(docnos))
        foreigners += [docno for docno in docnos if docno in outside]
    return len(different), foreigners


def _coverage(lines: RunLines, topics: Topics | None, foreigners: list[str]) -> Coverage:
    if topics is None:
        return Coverage([], [], foreigners)
    answered, counting = {name.decode() for name in lines.names}, set(topics)
    if isinstance(topics, Mapping):
        counting = {topic for topic, counts in topics.items() if counts}
    return Coverage(sorted(counting - answered), sorted(answered - counting), foreigners)


def _parts(
    stream: BinaryIO,
    tag: str,
    topics: Topics | None,
    complaints: Complaints,
    on_progress: Callable[[int], None] | None,
) -> Iterator[RunBlock]:
    """Yield the usable lines of each block; complain about all others."""
    known = None if topics is None else {topic.encode() for topic in topics}
    asked = known, _no_topic(known or ())
    try:
        for whole in blocks(stream, on_progress):
            if whole.first == 1 and (fault := not_a_table(whole.head())):
                complaints.add(None, fault)
                return
            block = _beginning(whole, complaints) if whole.first == 1 else whole
            complaints.n_lines += block.n_lines
            if block.n_lines and (rows := table.rows(block, STRICT, complaints.add)):
                part = _usable(rows, tag.encode(), asked, complaints)
                if len(part.ranks):
                    yield part
    except FormatError as error:
        complaints.is_cut = True
        complaints.add(error.line, error.message)


def _beginning(block: LineBlock, complaints: Complaints) -> LineBlock:
    """Drop a byte order mark, and a first line that names the columns, and tell of them."""
    if block.head().startswith(BYTE_ORDER_MARK):
        complaints.is_marked = True
        block = block._replace(start=block.start + len(BYTE_ORDER_MARK))
    for number, line in block.lines():
        if is_header(line):
            complaints.add(number, HEADER.format(number))
            start = block.content[block.start : block.end].tobytes().find(line)
            start += block.start + len(line) + 1
            n_lines = block.n_lines - (number - block.first + 1)
            return block._replace(first=number + 1, n_lines=n_lines, start=start)
        if line.strip():
            break
    return block


def _no_topic(known: Collection[bytes]) -> WordFault:
    """Return what is wrong with a topic, and the known topic that it may mean."""
    numbered: dict[bytes, list[bytes]] = {}
    for topic in known:
        numbered.setdefault(_number(topic), []).append(topic)

    def sentence(word: bytes) -> str:
        meant = numbered.get(_number(word) or b"-", [])
        asked = f" Did you mean {quoted(meant[0])}?" if len(meant) == 1 else ""
        return f"There is no topic {quoted(word)} in this campaign.{asked}"

    return sentence, "There is no such topic in this campaign."


def _number(topic: bytes) -> bytes:
    """Return a topic's last digits without zeros before them, such as 7 of MB007."""
    found = LAST_DIGITS.search(topic)
    return found[1] if found else b""


def _usable(
    rows: TableRows,
    tag: bytes,
    asked: tuple[Container[bytes] | None, WordFault],
    complaints: Complaints,
) -> RunBlock:
    """Return the usable rows; a wrong tag or too long a docno does not matter."""
    known, no_topic = asked
    topics, docnos, tags = rows.column(TOPIC), rows.column(DOCNO), rows.column(TAG)
    rank_words, score_words = rows.column(RANK), rows.column(SCORE)
    ranks, are_ranks = engine.reader.whole(rank_words, MAX_RANK)
    scores, are_scores = engine.reader.scores(score_words)
    are_known = np.ones(len(topics), np.bool_) if known is None else topics.among(known)

    def other_tag(word: bytes) -> str:
        return f"The tag is {quoted(word)}, not {quoted(tag)}."

    kind = f"The tag is another one than {quoted(tag)}."
    complaints.add_rows(rows, ~tags.among([tag]), tags, other_tag, kind)
    too_long = docnos.lengths > MAX_DOCNO
    for (sentence, kind), wrong, words in (
        (no_topic, ~are_known, topics),
        (LONG_DOCNO, too_long, docnos),
        (NO_RANK, ~are_ranks, rank_words),
        (NO_SCORE, ~are_scores, score_words),
    ):
        complaints.add_rows(rows, wrong, words, sentence, kind)
    usable = np.flatnonzero(are_known & are_ranks & are_scores)
    return RunBlock(
        topics.take(usable).spans(),
        compact(docnos.take(usable)),
        scores[usable],
        rows.line_numbers[usable],
        ranks[usable],
        tag,
    )


def _faults(lines: RunLines, depth: int) -> Iterator[tuple[int, str, str]]:
    """Yield line, sentence and kind of repeated documents, and of those beyond the depth."""
    for line, sentence in repeated(lines):
        yield line, sentence, "The document comes again in its topic."
    counts = np.bincount(lines.topics, minlength=len(lines.names))
    for topic in np.flatnonzero(counts > depth).tolist():
        row = np.flatnonzero(lines.topics == topic)[depth]
        documents = f"has {counts[topic]:,} documents; at most {depth:,} are allowed"
        sentence = f"Topic {lines.names[topic].decode()} {documents}."
        yield int(lines.line_numbers[row]), sentence, "The topic has too many documents."
