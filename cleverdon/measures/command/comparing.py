"""--compare: a paired test of each run against the first, measure by measure."""

import json
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, TextIO

import numpy as np

from cleverdon.measures.command.inputs import InputError, read_placed
from cleverdon.measures.command.options import Options
from cleverdon.measures.command.report import score_placed
from cleverdon.measures.family import Measure
from cleverdon.measures.inputs.universe import Universe
from cleverdon.measures.scoring.scores import TOPIC_SETS, terms_of
from cleverdon.measures.trec_eval import OutputColumn
from cleverdon.significance.corrections import CORRECTIONS, least_draws
from cleverdon.significance.paired import TESTS
from cleverdon.significance.randomization import Draws, effect
from cleverdon.trec.arrays import Floats, Mask
from cleverdon.trec.cells import csv_text, finite
from cleverdon.trec.words import counted

WITH_DRAWS = {"randomization", "bootstrap"}


class Scored(NamedTuple):
    """A run to be compared: `values` are by topic, and measure; some topics are `counted`."""

    file: str
    tag: str
    values: Floats
    counted: Mask


class Comparison(NamedTuple):
    """A run against the baseline by one measure; a positive difference is a higher score.

    `p` is None where there is nothing to test, `p_corrected` is within the measure.
    """

    measure: str
    baseline: str
    run: str
    file: str
    topics: int
    baseline_mean: float
    run_mean: float
    difference: float
    d_z: float | None
    higher: int
    equal: int
    lower: int
    statistic: float | None
    draws: int | None
    p: float | None
    p_corrected: float | None = None


def scored_of(
    name: str, universe: Universe, options: Options, requested: Sequence[OutputColumn]
) -> Scored:
    """Read a run and score it; InputError as for `read_placed`."""
    tag, placed = read_placed(name, universe, options)
    scores = score_placed(placed, universe, options, requested)
    return Scored(name, tag, scores.values[0], TOPIC_SETS[options.topic_set](scores)[0])


def write(
    options: Options, runs: Iterable[Scored], requested: Sequence[OutputColumn], out: TextIO
) -> None:
    """Print each run against the first of the options; InputError without it, or without others."""
    every = [*runs]
    if not every or every[0].file != options.files[1]:
        raise InputError("Nothing was compared, as the baseline cannot be read.")
    baseline, *others = every
    if not others:
        raise InputError("Nothing was compared, as no other run can be read.")
    for other in others:
        if not (baseline.counted & other.counted).any():
            raise InputError(f"{other.file}: It has no topic in common with the baseline.")
    measures = [(column.name, column.measure) for column in requested if column.measure]
    rows: list[Comparison] = []
    for n, (name, measure) in enumerate(measures):
        own, *rest = (each._replace(values=each.values[:, n]) for each in (baseline, *others))
        pairs = [_against(name, measure, own, other, options) for other in rest]
        rows += _corrected([row for row in pairs if row], options)
    if not rows:
        raise InputError("Nothing was compared, as no measure asked for is a mean over topics.")
    LAYOUTS[options.layout](rows, _facts(len(others), options), out)


def _against(
    name: str, measure: Measure, baseline: Scored, other: Scored, options: Options
) -> Comparison | None:
    """Compare two runs by their values of one measure; None if it is no mean over topics."""
    both = baseline.counted & other.counted
    terms = terms_of(np.stack([baseline.values[both], other.values[both]]), measure)
    if terms is None:
        return None
    first, second = terms.values
    mean, other_mean = terms.of_mean(terms.values.mean(axis=1)).tolist()
    draws = Draws(options.n_draws, options.seed)
    tested = TESTS[options.compare](second - first, options.sides, options.least, draws)
    size = effect(second - first)
    return Comparison(
        measure=name,
        baseline=baseline.tag,
        run=other.tag,
        file=other.file,
        topics=len(first),
        baseline_mean=mean,
        run_mean=other_mean,
        difference=other_mean - mean,
        d_z=size.d_z,
        higher=size.n_higher,
        equal=size.n_equal,
        lower=size.n_lower,
        statistic=tested.statistic,
        draws=tested.n_draws or None,
        p=tested.p,
    )


def _corrected(rows: Sequence[Comparison], options: Options) -> list[Comparison]:
    p = np.array([row.p for row in rows if row.p is not None], dtype=np.float64)
    corrected = iter(CORRECTIONS[options.correction](p).tolist())
    return [row if row.p is None else row._replace(p_corrected=next(corrected)) for row in rows]


def _facts(n_tests: int, options: Options) -> dict[str, Any]:
    """Return how the runs were compared."""
    has_draws = options.compare in WITH_DRAWS
    facts: dict[str, Any] = {"test": options.compare, "sides": options.sides}
    if has_draws:
        facts |= {"draws": options.n_draws, "seed": options.seed}
    if options.compare == "sign":
        facts["least_difference"] = options.least
    facts |= {
        "correction": options.correction,
        "tests": n_tests,
        "rules": options.rules,
        "topic_set": options.topic_set,
    }
    needed = least_draws(options.alpha, n_tests, options.correction)
    if has_draws and options.n_draws < needed:
        facts["warning"] = (
            f"{counted(options.n_draws, 'draw')} cannot resolve {counted(n_tests, 'test')} with "
            f"{options.correction} at {options.alpha:g}: at least {needed:,} are needed."
        )
    return facts


def _as_text(rows: Sequence[Comparison], facts: dict[str, Any], out: TextIO) -> None:
    """Write lines with tabs, after comments that say how the runs were compared."""
    out.writelines(f"# {name.replace('_', ' ')}: {value}\n" for name, value in facts.items())
    out.write("\t".join(Comparison._fields) + "\n")
    for row in rows:
        cells = zip(row._fields, row, strict=True)
        out.write("\t".join(_figure(name, value) for name, value in cells) + "\n")


def _figure(name: str, value: float | str | None) -> str:
    if value is None:
        return "-"
    if not isinstance(value, float):
        return str(value)
    return f"{value:.4g}" if name in {"p", "p_corrected"} else f"{value:.4f}"


def _as_csv(rows: Sequence[Comparison], facts: dict[str, Any], out: TextIO) -> None:
    """Write a line a comparison, numbers in full, with how they were compared in each."""
    out.write(csv_text([[*Comparison._fields, *facts]]))
    out.write(csv_text([*map(_plain, row), *facts.values()] for row in rows))


def _as_json(rows: Sequence[Comparison], facts: dict[str, Any], out: TextIO) -> None:
    comparisons = [dict(zip(row._fields, map(_plain, row), strict=True)) for row in rows]
    content = {**facts, "comparisons": comparisons}
    json.dump(content, out, ensure_ascii=False, indent=1, allow_nan=False)
    out.write("\n")


def _plain(value: float | str | None) -> float | str | None:
    return finite(value) if isinstance(value, float) else value


LAYOUTS = {"trec_eval": _as_text, "csv": _as_csv, "json": _as_json}
