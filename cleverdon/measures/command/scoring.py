"""Read the judgments once, then the runs, several at a time, and print what each scores."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any, BinaryIO, TextIO

from cleverdon.measures.command.inputs import InputError, read
from cleverdon.measures.command.options import STDIN, Options, UsageError
from cleverdon.measures.command.report import REPORT_LAYOUTS, Facts, report_of
from cleverdon.measures.family import Input
from cleverdon.measures.inputs.evidence import NO_CUTOFF
from cleverdon.measures.inputs.judgments import read_judgments
from cleverdon.measures.inputs.preferences.universe import of_preferences
from cleverdon.measures.inputs.universe import Universe
from cleverdon.measures.scoring.processes import in_processes, usable_cores
from cleverdon.measures.trec_eval import OutputColumn, columns
from cleverdon.trec.means import read_zscores
from cleverdon.trec.preferences import FORMATS, read_preferences


def print_scores(options: Options, out: TextIO, err: TextIO) -> int:
    """Return the exit status. A run that cannot be scored is a line on `err`; others are printed.

    UsageError, or another ValueError, for what cannot be asked.
    """
    requested = columns(options.requests, options.rules)
    _check(requested, options)
    try:
        return _print(options, requested, out, err)
    except InputError as error:
        err.write(f"{error}\n")
        return 1


def _print(options: Options, requested: list[OutputColumn], out: TextIO, err: TextIO) -> int:
    judgments, *runs = options.files
    universe = read(judgments, partial(_universe, options))
    errors: list[InputError] = []
    make, write = _comparison(options) if options.compare else _report(options)

    def part(name: str) -> Any:
        try:
            return make(name, universe, requested)
        except InputError as error:
            return error

    # Only this process can read its standard input.
    n_processes = 1 if STDIN in runs else options.n_processes or usable_cores()
    parts = _without_errors(in_processes(part, runs, n_processes), errors, err)
    write(parts, requested, out)
    return int(bool(errors))


# Makes a part of a run's name, the judgments and the columns; writes all parts.
Make = Callable[[str, Universe, list[OutputColumn]], Any]
Write = Callable[[Iterable[Any], list[OutputColumn], TextIO], object]


def _report(options: Options) -> tuple[Make, Write]:
    layout, facts = REPORT_LAYOUTS[options.layout], _facts(options)
    means = read(options.zscores, read_zscores) if options.zscores else None

    def make(name: str, universe: Universe, requested: list[OutputColumn]) -> Any:
        return layout.part(report_of(name, universe, options, requested, means), facts)

    return make, lambda parts, _, out: layout.write(parts, facts, out)


def _comparison(options: Options) -> tuple[Make, Write]:
    try:
        from cleverdon.measures.command import comparing  # noqa: PLC0415 - scipy takes half a second
    except ModuleNotFoundError as error:
        if str(error.name).partition(".")[0] != "scipy":
            raise
        what = "--compare needs scipy, which is not installed: pip install scipy."
        raise ValueError(what) from error

    def make(name: str, universe: Universe, requested: list[OutputColumn]) -> Any:
        return comparing.scored_of(name, universe, options, requested)

    return make, partial(comparing.write, options)


def _without_errors(parts: Iterable[Any], errors: list[InputError], err: TextIO) -> Iterator[Any]:
    """Yield the parts; print each error in its place, and add it to `errors` instead."""
    for part in parts:
        if isinstance(part, InputError):
            err.write(f"{part}\n")
            errors.append(part)
        else:
            yield part


def _facts(options: Options) -> Facts:
    drawn = {"alpha": options.alpha, "samples": options.n_samples, "seed": options.seed}
    return {
        "rules": options.rules,
        "topic_set": options.topic_set,
        "level": options.level,
        "depth": None if options.depth == NO_CUTOFF else options.depth,
        "judged_only": options.judged_only,
        **({"intervals": drawn} if options.has_intervals else {}),
    }


def _universe(options: Options, stream: BinaryIO) -> Universe:
    """Read judgments in the format of the options."""
    comments, kind = options.comments, options.judgments
    if kind not in FORMATS:
        return read_judgments(stream, READS[kind], comments=comments)
    return of_preferences(read_preferences(stream, kind, rules=options.rules, comments=comments))


READS = {
    "qrels": Input.GRADES,
    "qrels_jg": Input.ASSESSORS,
    "qrels_strata": Input.STRATA,
    "qrels_subtopics": Input.SUBTOPICS,
    "prefs": Input.PREFERENCES,
    "qrels_prefs": Input.PREFERENCES,
}
# Formats in which every document has one grade, among other things.
GRADED = (Input.GRADES, Input.STRATA, Input.SUBTOPICS)


def _check(requested: list[OutputColumn], options: Options) -> None:
    """Raise UsageError for a measure that this format of judgments is not enough for."""
    given = READS[options.judgments]
    readable = {given, Input.GRADES} if given in GRADED else {given}
    for column in requested:
        reads = column.measure.family.reads if column.measure else given
        if reads not in readable and column.name != "num_q":
            raise UsageError(f"{column.name} reads {reads}: -R {options.judgments} has none.")
