"""What the command prints of a run: rows of topic, measure and value, in one of three layouts."""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TextIO

from evaluation.core.exports import SUMMARY, line
from evaluation.core.trec_eval import Column

Value = float | str


@dataclass(frozen=True)
class Report:
    """A run's values: for each topic shown and for the summary a value a column, None where there is no line."""

    file: str
    tag: str
    n_topics: int
    missing: tuple[str, ...]
    columns: Sequence[Column]
    rows: Sequence[tuple[str, Sequence[Value | None]]]

    def lines(self) -> Iterator[tuple[str, str, Column, Value]]:
        """Yield (topic, name, column, value) for everything that is shown."""
        for topic, values in self.rows:
            for column, value in zip(self.columns, values, strict=True):
                if value is not None:
                    yield topic, column.name, column, value


def as_trec_eval(reports: Iterable[Report], _: dict[str, Any], out: TextIO) -> None:
    """Print as trec_eval does, to the byte; runs one after the other."""
    for report in reports:
        out.writelines(
            line(name, topic, _figure(column, value))
            for topic, name, column, value in report.lines()
        )


def _figure(column: Column, value: Value) -> str:
    if isinstance(value, str):
        return value
    return str(int(value)) if column.whole else f"{value:6.4f}"


def as_csv(reports: Iterable[Report], facts: dict[str, Any], out: TextIO) -> None:
    """Print a row for each run, topic and measure; numbers in full."""
    import csv  # noqa: PLC0415 - a tenth of the time it takes to start is spent on what is seldom wanted

    writer = csv.writer(out)
    writer.writerow(["file", "run", "topic", "measure", "value", "topics", "rules"])
    for report in reports:
        end = report.n_topics, facts["rules"]
        writer.writerows(
            [report.file, report.tag, topic, name, _plain(column, value), *end]
            for topic, name, column, value in report.lines()
        )


def as_json(reports: Iterable[Report], facts: dict[str, Any], out: TextIO) -> None:
    """Print one object: what was asked for, and the runs."""
    runs = [
        {
            "file": report.file,
            "run": report.tag,
            "n_topics": report.n_topics,
            "missing_topics": report.missing,
            "scores": _by_topic(report),
        }
        for report in reports
    ]
    json.dump({**facts, "runs": runs}, out, ensure_ascii=False, indent=1)
    out.write("\n")


def _by_topic(report: Report) -> dict[str, dict[str, Value]]:
    scores: dict[str, dict[str, Value]] = {}
    for topic, name, column, value in report.lines():
        scores.setdefault(topic, {})[name] = _plain(column, value)
    return scores


def _plain(column: Column, value: Value) -> Value:
    return int(value) if column.whole and not isinstance(value, str) else value


LAYOUTS = {"trec_eval": as_trec_eval, "csv": as_csv, "json": as_json}

__all__ = ["LAYOUTS", "SUMMARY", "Report"]
