"""The command, from its arguments to its exit status."""

from collections.abc import Sequence
from concurrent.futures import BrokenExecutor
from dataclasses import replace
from functools import partial
from typing import Any, BinaryIO, TextIO

import numpy as np

from evaluation.command import helptext
from evaluation.command.inputs import STDIN, InputError, ZScores, read, read_zscores
from evaluation.command.options import Options, UsageError
from evaluation.command.report import REPORT_LAYOUTS, Cell, Facts, RunReport
from evaluation.core.evidence import NO_CUTOFF, Evidence
from evaluation.core.exports import SUMMARY
from evaluation.core.judgments import read_judgments
from evaluation.core.measures.counts import NUM_REL
from evaluation.core.measures.family import Input
from evaluation.core.measures.relstring import relstring
from evaluation.core.placements import Placements, place
from evaluation.core.preferences.tally import rising_ties
from evaluation.core.preferences.universe import of_preferences
from evaluation.core.processes import in_processes, usable_cores
from evaluation.core.scores import Scores
from evaluation.core.scoring import score
from evaluation.core.trec_eval import Column, columns
from evaluation.core.universe import Universe
from trec.arrays import Integers
from trec.preferences import FORMATS, read_preferences
from trec.runs.read import read_run
from trec.runs.run import RankedRun

UNKNOWN_ZSCORE = -1_000_000.0


def main(arguments: Sequence[str], out: TextIO, err: TextIO) -> int:
    """Run the command; return its exit status: 0, or 1 after one line on `err`."""
    try:
        options = Options.read(arguments)
        requested = columns(options.requests, options.rules)
        if options.wants == "scores":
            _check(requested, options)
            _print_scores(options, requested, out)
        elif options.wants == "help":
            out.write(helptext.text(options))
        else:
            err.write(helptext.VERSION)
    except UsageError as error:
        err.write(f"evaluation: {error} Try -h.\n")
    except InputError as error:
        err.write(f"{error}\n")
    except (ValueError, BrokenExecutor) as error:
        err.write(f"evaluation: {error}\n")
    else:
        return 0
    return 1


def _print_scores(options: Options, requested: list[Column], out: TextIO) -> None:
    """Read the judgments once, then the runs, several at a time; if one cannot be read, print those before it."""
    judgments, *runs = options.files
    universe = read(judgments, partial(_universe, options))
    zscores = read(options.zscores, read_zscores) if options.zscores else None
    layout, facts = REPORT_LAYOUTS[options.layout], _facts(options)

    def part(name: str) -> Any:
        return layout.part(_report(name, universe, options, requested, zscores), facts)

    # Only this process can read its standard input.
    n_processes = 1 if STDIN in runs else options.n_processes or usable_cores()
    layout.write(in_processes(part, runs, n_processes), facts, out)


def _facts(options: Options) -> Facts:
    return {
        "rules": options.rules,
        "topic_set": options.topic_set,
        "level": options.level,
        "depth": None if options.depth == NO_CUTOFF else options.depth,
        "judged_only": options.judged_only,
    }


def _universe(options: Options, stream: BinaryIO) -> Universe:
    """Read judgments in the format of the options."""
    comments, kind = options.comments, options.judgments
    if kind in FORMATS:
        return of_preferences(
            read_preferences(stream, kind, rules=options.rules, comments=comments)
        )
    return read_judgments(stream, READS[kind], comments=comments)


READS = {
    "qrels": Input.GRADES,
    "qrels_jg": Input.ASSESSORS,
    "qrels_strata": Input.STRATA,
    "qrels_subtopics": Input.SUBTOPICS,
    "prefs": Input.PREFERENCES,
    "qrels_prefs": Input.PREFERENCES,
}


# In these every document has one grade, whatever else they hold.
GRADED = (Input.GRADES, Input.STRATA, Input.SUBTOPICS)


def _check(requested: list[Column], options: Options) -> None:
    """Raise UsageError for a measure that needs what the format of the judgments does not hold."""
    held = READS[options.judgments]
    readable = {held, Input.GRADES} if held in GRADED else {held}
    for column in requested:
        reads = column.measure.family.reads if column.measure else held
        if reads not in readable and column.name != "num_q":
            raise UsageError(
                f"{column.name} reads {reads}: -R {options.judgments} has none."
            )


def _report(
    name: str,
    universe: Universe,
    options: Options,
    requested: list[Column],
    zscores: ZScores | None,
) -> RunReport:
    """Read a run and score it; InputError when it cannot be read, or has no topic of the judgments."""
    reader = partial(read_run, rules=options.rules, comments=options.comments)
    run = read(name, reader)
    placed = place(run, universe, options.rules)
    if options.judgments in FORMATS:
        placed = rising_ties(placed)
    placed = placed.cut(options.depth)
    missing = placed.missing(universe)
    if not options.complete and len(missing) == universe.n_topics:
        raise InputError(f"{name}: It has no topic of the judgments.")
    scores = _standardized(
        _scores(placed, universe, options, requested), requested, zscores
    )
    rows: list[tuple[str, list[Cell | None]]] = []
    if options.by_topic:
        judged = placed.condensed(universe) if options.judged_only else placed
        evidence = Evidence(universe, judged, options.level, options.rules)
        rows += _topic_rows(scores, evidence, requested, _shown(scores, options))
    if options.summary:
        rows.append((SUMMARY, _summary(scores, run, universe, options, requested)))
    n_topics = (
        universe.n_topics if options.complete else universe.n_topics - len(missing)
    )
    columns = (
        requested if zscores is None else [_standard(column) for column in requested]
    )
    return RunReport(name, run.tag, n_topics, missing, columns, rows)


def _scores(
    placed: Placements, universe: Universe, options: Options, requested: list[Column]
) -> Scores:
    """Score a run. -J is left to the measures, so that a topic of which only unjudged documents were retrieved still counts."""
    return score(
        [placed],
        universe,
        [
            replace(column.measure, judged_only=options.judged_only)
            for column in requested
            if column.measure
        ],
        level=options.level,
        rules=options.rules,
        n_documents=options.n_documents,
    )


def _standard(column: Column) -> Column:
    """Return a column under the name of its z-scores."""
    return replace(column, name=f"Z{column.name}") if column.measure else column


def _shown(scores: Scores, options: Options) -> Integers:
    """Return the topics with lines of their own: those retrieved, and under rules 10 with -c the missing ones too."""
    retrieved = scores.n_retrieved[0] > 0
    if options.complete and options.rules == "trec_eval-10":
        return np.arange(len(retrieved))
    return np.flatnonzero(retrieved)


def _topic_rows(
    scores: Scores, evidence: Evidence, requested: list[Column], shown: Integers
) -> list[tuple[str, list[Cell | None]]]:
    columns = iter(scores.values[0].T.tolist())
    table: list[list[Cell] | None] = []
    for column in requested:
        by_topic = next(columns) if column.measure else None
        if column.length:
            by_topic = [f"'{text}'" for text in relstring(evidence, column.length)]
        table.append(by_topic if column.per_topic else None)
    return [
        (
            scores.topics[topic],
            [None if values is None else values[topic] for values in table],
        )
        for topic in shown.tolist()
    ]


def _summary(
    scores: Scores,
    run: RankedRun,
    universe: Universe,
    options: Options,
    requested: list[Column],
) -> list[Cell | None]:
    values = iter(scores.aggregate(options.topic_set).values[0].tolist())
    cells: list[Cell | None] = []
    for column in requested:
        value: Cell | None = next(values) if column.measure else None
        if column.name == "runid":
            value = run.tag
        # With -c trec_eval counts every grade above 0, whatever the level.
        elif options.complete and column.measure and column.measure.family is NUM_REL:
            value = float((universe.grades > 0).sum())
        cells.append(value if column.in_summary else None)
    return cells


def _standardized(
    scores: Scores, requested: list[Column], zscores: ZScores | None
) -> Scores:
    """Return each topic's values as z-scores, by the means and standard deviations given."""
    if zscores is None:
        return scores
    names = [column.name for column in requested if column.measure]
    values = scores.values.copy()
    for row, topic in enumerate(scores.topics):
        for number, name in enumerate(names):
            known = zscores.get((topic, name)) or zscores.get((topic, f"Z{name}"))
            values[0, row, number] = _zscore(float(values[0, row, number]), known)
    return replace(scores, values=values)


def _zscore(value: float, known: tuple[float, float] | None) -> float:
    if known is None:
        return UNKNOWN_ZSCORE
    mean, deviation = known
    if deviation:
        return (value - mean) / deviation
    return 0.0 if value == mean else UNKNOWN_ZSCORE
