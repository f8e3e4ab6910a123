"""The output of the command: rows of topic, measure and value for each run, in one of three layouts."""

import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TextIO

from measures.exports import line
from measures.trec_eval import Column
from trec.cells import csv_text

Cell = float | str
Facts = Mapping[str, object]


@dataclass(frozen=True)
class RunReport:
    """A run's values: for each topic shown and for the summary one per column, None where nothing is printed.

    With `has_zscores` the values of measures are z-scores.
    """

    file: str
    tag: str
    n_topics: int
    missing: tuple[str, ...]
    columns: Sequence[Column]
    rows: Sequence[tuple[str, Sequence[Cell | None]]]
    has_zscores: bool = False

    def mark(self, column: Column) -> str:
        """Return what is printed before a column's name: Z where its values are z-scores."""
        return "Z" if self.has_zscores and column.measure else ""

    def plain(self, column: Column, value: Cell) -> Cell | None:
        """Return a value as JSON and CSV have it: counts whole, what is no number None."""
        if isinstance(value, str):
            return value
        if not math.isfinite(value):
            return None
        return int(value) if column.is_count and not self.mark(column) else value

    def lines(self) -> Iterator[tuple[str, Column, Cell]]:
        """Yield (topic, column, value) for each line to print."""
        for topic, values in self.rows:
            for column, value in zip(self.columns, values, strict=True):
                if value is not None:
                    yield topic, column, value


class ReportLayout(NamedTuple):
    """How reports are printed: `part` turns each into a part, which can be pickled, and `write` prints all parts."""

    part: Callable[[RunReport, Facts], Any]
    write: Callable[[Iterable[Any], Facts, TextIO], object]


def _as_trec_eval(report: RunReport, _: Facts) -> str:
    """Return the lines of trec_eval, to the byte."""
    return "".join(
        report.mark(column) + line(column.name, topic, _figure(report, column, value))
        for topic, column, value in report.lines()
    )


def _figure(report: RunReport, column: Column, value: Cell) -> str:
    if isinstance(value, str):
        return value
    is_whole = column.is_count and not report.mark(column)
    return str(int(value)) if is_whole else f"{value:6.4f}"


def _as_csv(report: RunReport, facts: Facts) -> str:
    """Return a row for each topic and measure, numbers in full."""
    end = report.n_topics, facts["rules"]
    return csv_text(
        [
            report.file,
            report.tag,
            topic,
            report.mark(column) + column.name,
            report.plain(column, value),
            *end,
        ]
        for topic, column, value in report.lines()
    )


def _write_csv(parts: Iterable[str], _: Facts, out: TextIO) -> None:
    heads = ["file", "run", "topic", "measure", "value", "topics", "rules"]
    out.write(csv_text([heads]))
    out.writelines(parts)


def _as_object(report: RunReport, _: Facts) -> dict[str, object]:
    scores: dict[str, dict[str, Cell | None]] = {}
    for topic, column, value in report.lines():
        name = report.mark(column) + column.name
        scores.setdefault(topic, {})[name] = report.plain(column, value)
    return {
        "file": report.file,
        "run": report.tag,
        "n_topics": report.n_topics,
        "missing_topics": report.missing,
        "scores": scores,
    }


def _write_json(parts: Iterable[dict[str, object]], facts: Facts, out: TextIO) -> None:
    """Write one object: the facts, and the runs."""
    content = {**facts, "runs": list(parts)}
    json.dump(content, out, ensure_ascii=False, indent=1, allow_nan=False)
    out.write("\n")


REPORT_LAYOUTS: Mapping[str, ReportLayout] = {
    "trec_eval": ReportLayout(_as_trec_eval, lambda parts, _, out: out.writelines(parts)),
    "csv": ReportLayout(_as_csv, _write_csv),
    "json": ReportLayout(_as_object, _write_json),
}
