"""The faults of a report as people correct them: by kind, each with its line and the column that is wrong."""

import re
from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import BinaryIO, NamedTuple

from trec.runs.read import DOCNO, RANK, SCORE, TAG, TOPIC
from trec.runs.run import CheckReport, Problem
from trec.streams import FormatError, readable
from trec.words import counted, verb

# Characters of a line that are shown.
MAX_SHOWN = 160

# How the sentences of a kind can be told, what the kind is called, and the column that is wrong.
KINDS = (
    (r"Line .* is a header", "A header", None),
    (r"The tag is ", "Another tag", TAG),
    (r"There is no (such )?topic", "Unknown topics", TOPIC),
    (r"The docno ", "Docnos that are too long", DOCNO),
    (r"The rank ", "Ranks that are not whole numbers", RANK),
    (r"The score ", "Scores that are not finite numbers", SCORE),
    (r"(Document .*|The document) comes again ", "Documents that come twice", DOCNO),
    (r"(Topic .*|The topic) has .*documents", "Topics with too many documents", TOPIC),
    (r"It has \d+ columns?", "Lines without six columns", None),
)
OTHERS = "Other faults"
_COMMAS = re.compile(r"[,;|]")


class FaultKind(NamedTuple):
    """Faults of one kind: on how many lines, and of each its lines in words, what is wrong, and the first line.

    A line is what stands before the wrong column, the column, and the rest. `advice` says what to do, where it is not plain.
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
    found = [
        FaultKind(
            name,
            sum(error.n for error in errors),
            [_row(report, error, column) for error in errors],
            _advice(report, errors, column),
        )
        for (name, column), errors in kinds.items()
    ]
    return sorted(found, key=lambda each: -each.n)


def _row(
    report: CheckReport, error: Problem, column: int | None
) -> tuple[str, str, tuple[str, str, str]]:
    lines, message = report.which(error), error.message
    if column == TAG and report.is_on_all(error):
        lines, message = (
            "all",
            message.replace("The tag is", f"All {error.n:,} lines carry the tag"),
        )
    return lines, message, _split(error.text, column)


def _advice(report: CheckReport, errors: Sequence[Problem], column: int | None) -> str:
    """Say what to do about lines with another tag than the run's, or with other separators; "" about all others."""
    if column != TAG:
        is_by_commas = any(len(_COMMAS.findall(error.text)) >= TAG for error in errors)
        return (
            "The columns are separated by commas: separate them by blanks or tabs."
            if is_by_commas
            else ""
        )
    if len(errors) == 1 and report.is_on_all(errors[0]):
        return "Upload the file again with the tag left empty, which takes it from the file; or change the sixth column."
    n = sum(error.n for error in errors)
    return f"Two tags or more in one file: {n:,} of {counted(report.n_lines, 'line')} {verb(n, 'carries')} another one. Send each run as its own file."


def with_lines(report: CheckReport, content: BinaryIO) -> CheckReport:
    """Return the report with the text of the first line of each fault, read from the run's file once more."""
    texts = _read(content, {each.line for each in report.errors if each.line})
    errors = [each._replace(text=texts.get(each.line or 0, "")) for each in report.errors]
    return replace(report, errors=errors)


def _read(content: BinaryIO, wanted: Collection[int]) -> dict[int, str]:
    found: dict[int, str] = {}
    if not wanted:
        return found
    last = max(wanted)
    try:
        for number, line in enumerate(content, 1):
            if number in wanted:
                found[number] = _shown(line)
            if number == last:
                break
    except FormatError:  # the report says so
        pass
    return found


def _shown(line: bytes) -> str:
    text = line[: 4 * MAX_SHOWN].decode(errors="replace").rstrip("\r\n")
    shown = readable(text.replace("\t", " "))
    return shown if len(shown) <= MAX_SHOWN else f"{shown[:MAX_SHOWN]}…"


def kind(message: str) -> tuple[str, int | None]:
    """Return what the kind of an error is called, and the column that is wrong, if it is one."""
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
