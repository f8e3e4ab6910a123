"""The output of the command: topics, measures and values of each run, in one of three layouts."""

import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, NamedTuple, TextIO

import numpy as np

from cleverdon.measures.command import zscores
from cleverdon.measures.command.inputs import read_placed
from cleverdon.measures.command.intervals import NO_ENDS, Ends, ends_of, with_ends
from cleverdon.measures.command.options import Options
from cleverdon.measures.counts import NUM_REL
from cleverdon.measures.exports import SUMMARY, line
from cleverdon.measures.inputs.evidence import Evidence
from cleverdon.measures.inputs.placements import Placements
from cleverdon.measures.inputs.universe import Universe
from cleverdon.measures.scoring.scores import Scores
from cleverdon.measures.scoring.scoring import score
from cleverdon.measures.trec_eval import OutputColumn
from cleverdon.trec.arrays import Integers
from cleverdon.trec.cells import csv_text
from cleverdon.trec.means import Means
from cleverdon.trec.ranking import DEFAULT_RULES

Cell = float | str
Facts = Mapping[str, object]
Columns = Sequence[OutputColumn]


@dataclass(frozen=True)
class RunReport:
    """A run's values by topic and column, those of the summary last; None is not printed.

    With `has_zscores` the values of measures are z-scores.
    """

    file: str
    tag: str
    n_topics: int
    missing: tuple[str, ...]
    columns: Columns
    rows: Sequence[tuple[str, Sequence[Cell | None]]]
    has_zscores: bool = False

    def mark(self, column: OutputColumn) -> str:
        """Return what is printed before a column's name: Z where its values are z-scores."""
        return "Z" if self.has_zscores and column.measure else ""

    def plain(self, column: OutputColumn, value: Cell) -> Cell | None:
        """Return a value as JSON and CSV have it: counts whole, what is no number None."""
        if isinstance(value, str):
            return value
        if not math.isfinite(value):
            return None
        return int(value) if column.is_count and not self.mark(column) else value

    def lines(self) -> Iterator[tuple[str, OutputColumn, Cell]]:
        """Yield (topic, column, value) for each line to print."""
        for topic, values in self.rows:
            for column, value in zip(self.columns, values, strict=True):
                if value is not None:
                    yield topic, column, value


def report_of(
    name: str, universe: Universe, options: Options, requested: Columns, means: Means | None
) -> RunReport:
    """Read a run and score it; InputError as for `read_placed`."""
    tag, placed = read_placed(name, universe, options)
    missing = placed.missing(universe)
    scores = score_placed(placed, universe, options, requested)
    if means is not None:
        names = [column.name for column in requested if column.measure]
        is_listed = options.rules != DEFAULT_RULES
        scores = zscores.standardized(scores, names, means, lists_missing=is_listed)
    rows: list[tuple[str, list[Cell | None]]] = []
    if options.by_topic:
        judged = placed.condensed(universe) if options.judged_only else placed
        evidence = Evidence(universe, judged, options.level, options.rules)
        rows += _topic_rows(scores, evidence, requested, _listed(scores, options))
    if options.summary:
        rows.append((SUMMARY, _summary(scores, tag, universe, options, requested)))
    n_topics = universe.n_topics if options.complete else universe.n_topics - len(missing)
    has_zscores = means is not None
    report = RunReport(name, tag, n_topics, missing, requested, rows, has_zscores)
    return _with_intervals(report, ends_of(scores, options)) if options.has_intervals else report


def score_placed(
    placed: Placements, universe: Universe, options: Options, requested: Columns
) -> Scores:
    """Score a run. -J is left to the measures: a topic without judged documents still counts."""
    measures = [
        replace(column.measure, judged_only=options.judged_only)
        for column in requested
        if column.measure
    ]
    given = {"level": options.level, "n_documents": options.n_documents}
    return score([placed], universe, measures, rules=options.rules, **given)


def _listed(scores: Scores, options: Options) -> Integers:
    """Return the topics to list: those retrieved, and with -c all but under rules 9."""
    retrieved = scores.n_retrieved[0] > 0
    if options.complete and options.rules != DEFAULT_RULES:
        return np.arange(len(retrieved))
    return np.flatnonzero(retrieved)


def _topic_rows(
    scores: Scores, evidence: Evidence, requested: Columns, topics: Integers
) -> list[tuple[str, list[Cell | None]]]:
    columns = iter(scores.values[0].T.tolist())
    table: list[list[Cell] | None] = []
    for column in requested:
        by_topic = next(columns) if column.measure else None
        if column.length:
            by_topic = [f"'{text}'" for text in relstring(evidence, column.length)]
        table.append(by_topic if column.per_topic else None)
    return [
        (scores.topics[topic], [None if values is None else values[topic] for values in table])
        for topic in topics.tolist()
    ]


def _summary(
    scores: Scores, tag: str, universe: Universe, options: Options, requested: Columns
) -> list[Cell | None]:
    if options.zscores:
        values = iter(zscores.aggregated(scores, options.topic_set))
    else:
        values = iter(scores.aggregate(options.topic_set).values[0].tolist())
    cells: list[Cell | None] = []
    for column in requested:
        value: Cell | None = next(values) if column.measure else None
        if column.name == "runid":
            value = tag
        elif _ignores_level(options) and column.measure and column.measure.family is NUM_REL:
            value = float((universe.grades > 0).sum())
        cells.append(value if column.in_summary else None)
    return cells


def _ignores_level(options: Options) -> bool:
    """Whether num_rel counts every grade above 0: so it does with -c until trec_eval 11."""
    return options.complete and options.rules != "trec_eval-11"


def _with_intervals(report: RunReport, of_measures: Iterable[Ends]) -> RunReport:
    """Return the report with the ends of intervals after each value; only the summary has some."""
    given = iter(of_measures)
    ends = [next(given) if column.measure else NO_ENDS for column in report.columns]
    rows = []
    for topic, values in report.rows:
        own = ends if topic == SUMMARY else [NO_ENDS] * len(ends)
        cells = [
            (value, *(NO_ENDS if value is None else each))
            for value, each in zip(values, own, strict=True)
        ]
        rows.append((topic, list(chain.from_iterable(cells))))
    return replace(report, columns=with_ends(report.columns), rows=rows)


def relstring(evidence: Evidence, length: int = 10) -> list[str]:
    """Return a character for each of the first documents, per ranking (trec_eval m_relstring.c).

    It is the grade, `>` above 9, `.` below 0, `-` for a document that is not in the qrels.
    """
    length = min(length, int(evidence.n_retrieved.max(initial=0)))
    hits = evidence.hits.down_to(length)
    retrieved = np.minimum(evidence.n_retrieved, length)
    table = np.full((evidence.n_rankings, max(length, 1)), "-")
    table[hits.rankings, hits.ranks - 1] = np.array([*"0123456789>."])[
        np.where(hits.grades < 0, 11, np.minimum(hits.grades, 10))
    ]
    rows = zip(table, retrieved.tolist(), strict=True)
    return ["".join(row[:size]) for row, size in rows]


class ReportLayout(NamedTuple):
    """How reports are printed: `part` makes each a part (pickled), and `write` prints all parts."""

    part: Callable[[RunReport, Facts], Any]
    write: Callable[[Iterable[Any], Facts, TextIO], object]


def _as_trec_eval(report: RunReport, _: Facts) -> str:
    """Return the lines of trec_eval, to the byte."""
    # Rows with the same types of values are printed by one format.
    formats: dict[tuple[type, ...], str] = {}
    printed: list[str] = []
    for topic, values in report.rows:
        types = tuple(map(type, values))
        if types not in formats:
            formats[types] = _format(report, types)
        told = (cell for value in values if value is not None for cell in (topic, value))
        printed.append(formats[types] % tuple(told))
    return "".join(printed)


def _format(report: RunReport, types: Sequence[type]) -> str:
    """Return the format of a row, which takes a topic and a value for each that is not None."""
    return "".join(
        report.mark(column) + line(column.name, "%s", _figure(report, column, of))
        for column, of in zip(report.columns, types, strict=True)
        if of is not type(None)
    )


def _figure(report: RunReport, column: OutputColumn, of: type) -> str:
    """Return the format of a value: no name of a measure holds a percent sign."""
    is_whole = column.is_count and not report.mark(column)
    return "%s" if of is str else "%d" if is_whole else "%6.4f"


def _as_csv(report: RunReport, facts: Facts) -> str:
    """Return a row for each topic and measure, numbers in full."""
    start, end = (report.file, report.tag), (report.n_topics, facts["rules"])
    return csv_text(
        [*start, topic, report.mark(column) + column.name, report.plain(column, value), *end]
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
