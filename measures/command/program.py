"""The command, from its arguments to its exit status."""

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import BrokenExecutor
from dataclasses import replace
from functools import partial
from typing import Any, BinaryIO, TextIO

import numpy as np

from measures.command import helptext, zscores
from measures.command.inputs import InputError, read
from measures.command.options import STDIN, Options, UsageError
from measures.command.report import REPORT_LAYOUTS, Cell, Facts, RunReport
from measures.counts import NUM_REL
from measures.exports import SUMMARY
from measures.family import Input
from measures.inputs.evidence import NO_CUTOFF, Evidence
from measures.inputs.judgments import read_judgments
from measures.inputs.placements import Placements, place
from measures.inputs.preferences.tally import rising_ties
from measures.inputs.preferences.universe import of_preferences
from measures.inputs.universe import Universe
from measures.relstring import relstring
from measures.scoring.processes import in_processes, usable_cores
from measures.scoring.scores import Scores
from measures.scoring.scoring import score
from measures.trec_eval import Column, columns
from trec.arrays import Integers
from trec.means import Means, read_zscores
from trec.preferences import FORMATS, read_preferences
from trec.runs.read import read_run
from trec.runs.run import RankedRun


def main(arguments: Sequence[str], out: TextIO, err: TextIO) -> int:
    """Run the command; return its exit status: 0, or 1 after a line on `err` for each thing that was wrong."""
    try:
        options = Options.read(arguments)
        requested = columns(options.requests, options.rules)
        if options.wants == "scores":
            _check(requested, options)
            return _print_scores(options, requested, out, err)
        if options.wants == "help":
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


def _print_scores(options: Options, requested: list[Column], out: TextIO, err: TextIO) -> int:
    """Read the judgments once, then the runs, several at a time; return the exit status.

    A run that cannot be scored is a line on `err`; the others are printed.
    """
    judgments, *runs = options.files
    universe = read(judgments, partial(_universe, options))
    means = read(options.zscores, read_zscores) if options.zscores else None
    layout, facts = REPORT_LAYOUTS[options.layout], _facts(options)

    def part(name: str) -> Any:
        try:
            report = _report(name, universe, options, requested, means)
        except InputError as error:
            return error
        return layout.part(report, facts)

    # Only this process can read its standard input.
    n_processes = 1 if STDIN in runs else options.n_processes or usable_cores()
    errors: list[InputError] = []
    parts = _without_errors(in_processes(part, runs, n_processes), errors, err)
    layout.write(parts, facts, out)
    return int(bool(errors))


def _without_errors(parts: Iterable[Any], errors: list[InputError], err: TextIO) -> Iterator[Any]:
    """Yield the parts that are no errors; print each error in its place, and keep it in `errors`."""
    for part in parts:
        if isinstance(part, InputError):
            err.write(f"{part}\n")
            errors.append(part)
        else:
            yield part


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
            raise UsageError(f"{column.name} reads {reads}: -R {options.judgments} has none.")


def _report(
    name: str, universe: Universe, options: Options, requested: list[Column], means: Means | None
) -> RunReport:
    """Read a run and score it; InputError when it cannot be read, or has no topic of the judgments."""
    run, placed = _placed(name, universe, options)
    missing = placed.missing(universe)
    scores = _scores(placed, universe, options, requested)
    if means is not None:
        names = [column.name for column in requested if column.measure]
        is_listed = options.rules == "trec_eval-10"
        scores = zscores.standardized(scores, names, means, lists_missing=is_listed)
    rows: list[tuple[str, list[Cell | None]]] = []
    if options.by_topic:
        judged = placed.condensed(universe) if options.judged_only else placed
        evidence = Evidence(universe, judged, options.level, options.rules)
        rows += _topic_rows(scores, evidence, requested, _shown(scores, options))
    if options.summary:
        rows.append((SUMMARY, _summary(scores, run, universe, options, requested)))
    n_topics = universe.n_topics if options.complete else universe.n_topics - len(missing)
    has_zscores = means is not None
    return RunReport(name, run.tag, n_topics, missing, requested, rows, has_zscores)


def _placed(name: str, universe: Universe, options: Options) -> tuple[RankedRun, Placements]:
    """Read a run and find the judged documents in it; InputError as for `_report`."""
    reader = partial(read_run, rules=options.rules, comments=options.comments)
    run = read(name, reader)
    placed = place(run, universe, options.rules)
    if options.judgments in FORMATS:
        placed = rising_ties(placed)
    if len(placed.missing(universe)) == universe.n_topics:
        raise InputError(f"{name}: It has no topic of the judgments.")
    return run, placed.cut(options.depth)


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
        (scores.topics[topic], [None if values is None else values[topic] for values in table])
        for topic in shown.tolist()
    ]


def _summary(
    scores: Scores, run: RankedRun, universe: Universe, options: Options, requested: list[Column]
) -> list[Cell | None]:
    if options.zscores:
        values = iter(zscores.aggregated(scores, options.topic_set))
    else:
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
