"""The faults of a report as people correct them: by kind, with the line and the wrong column."""

import re
from collections import defaultdict
from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from typing import BinaryIO, NamedTuple

from cleverdon.trec.runs.read import DOCNO, RANK, SCORE, TAG, TOPIC, shape_of
from cleverdon.trec.runs.run import CheckReport, Problem
from cleverdon.trec.streams import FormatError, readable
from cleverdon.trec.words import counted, verb

# Characters of a line that are shown.
MAX_SHOWN = 160

WITHOUT_SIX = "Lines without six columns"
# The beginning of a kind's sentences, its name, and the wrong column.
KINDS = (
    (r"Line .* is a header", "A header", None),
    (r"The tag is ", "Another tag", TAG),
    (r"There is no (such )?topic", "Unknown topics", TOPIC),
    (r"The docno ", "Docnos that are too long", DOCNO),
    (r"The rank ", "Ranks that are not whole numbers", RANK),
    (r"The score ", "Scores that are not finite numbers", SCORE),
    (r"(Document .*|The document) comes again ", "Documents that come twice", DOCNO),
    (r"(Topic .*|The topic) has .*documents", "Topics with too many documents", TOPIC),
    (r"It has \d+ columns?", WITHOUT_SIX, None),
)
OTHERS = "Other faults"
BY_COMMAS = "The columns are separated by commas: separate them by blanks or tabs."
ONE_OTHER_TAG = (
    "Upload the file again with the tag left empty, which takes it from the file; "
    "or change the sixth column."
)
_COMMAS = re.compile(r"[,;|]")


class FaultKind(NamedTuple):
    """Faults of one kind, on `n` lines; rows are (lines in words, what is wrong, first line).

    A line is in three parts: before the wrong column, the column, after it.
    """

    name: str
    n: int
    rows: list[tuple[str, str, tuple[str, str, str]]]
    advice: str = ""


def by_kind(report: CheckReport) -> list[FaultKind]:
    """Return the faults by kind, the kind on the most lines first."""
    kinds: dict[tuple[str, int | None], list[Problem]] = defaultdict(list)
    for error in report.errors:
        kinds[kind(error.message)].append(error)
    faults = [
        FaultKind(
            name,
            sum(error.n for error in errors),
            [_row(report, error, column) for error in errors],
            _advice(report, errors, column),
        )
        for (name, column), errors in kinds.items()
    ]
    return sorted(faults, key=lambda each: -each.n)


def _row(
    report: CheckReport, error: Problem, column: int | None
) -> tuple[str, str, tuple[str, str, str]]:
    lines, message = report.which(error), error.message
    if column == TAG and report.is_on_all(error):
        lines = "all"
        message = message.replace("The tag is", f"All {error.n:,} lines carry the tag")
    return lines, message, _split(error.text, column)


def _advice(report: CheckReport, errors: Sequence[Problem], column: int | None) -> str:
    """Say what to do about another tag, separators or columns; "" for all other faults."""
    if column != TAG:
        has_commas = any(len(_COMMAS.findall(error.text)) >= TAG for error in errors)
        return BY_COMMAS if has_commas else _shape(errors)
    if len(errors) == 1 and report.is_on_all(errors[0]):
        return ONE_OTHER_TAG
    n = sum(error.n for error in errors)
    others = f"{n:,} of {counted(report.n_lines, 'line')} {verb(n, 'carries')} another one"
    return f"Two tags or more in one file: {others}. Send each run as its own file."


def _shape(errors: Sequence[Problem]) -> str:
    """Call lines of other columns by their name, if the file begins with one."""
    name, _ = kind(errors[0].message)
    is_first = 1 in errors[0].lines
    return shape_of(errors[0].text.encode()) if name == WITHOUT_SIX and is_first else ""


def with_lines(report: CheckReport, content: BinaryIO) -> CheckReport:
    """Return the report with the text of each fault's first line, read from the run's file."""
    texts = _read(content, {each.line for each in report.errors if each.line})
    errors = [each._replace(text=texts.get(each.line or 0, "")) for each in report.errors]
    return replace(report, errors=errors)


def _read(content: BinaryIO, wanted: Collection[int]) -> dict[int, str]:
    texts: dict[int, str] = {}
    with suppress(FormatError):  # the report names it
        for number, line in enumerate(islice(content, max(wanted, default=0)), 1):
            if number in wanted:
                texts[number] = _shown(line)
    return texts


def _shown(line: bytes) -> str:
    text = line[: 4 * MAX_SHOWN].decode(errors="replace").rstrip("\r\n")
    text = readable(text.replace("\t", " "))
    return text if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]}…"


def kind(message: str) -> tuple[str, int | None]:
    """Return the name of an error's kind, and the wrong column, if it is one."""
    for beginning, name, column in KINDS:
        if re.match(beginning, message):
            return name, column
    return OTHERS, None


def _split(text: str, column: int | None) -> tuple[str, str, str]:
    words = list(re.finditer(r"\S+", text))
    if column is None or column >= len(words):
        return text, "", ""
    start, end = words[column].span()
    return text[:start], text[start:end], text[end:]
