"""The figures of what disagreement between assessors does to the ranking."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

from django.http import HttpRequest

from campaigns.sorting import Cell, Figure, Sorting
from campaigns.web.frame import tabled
from cleverdon.pictures.forest import forest
from cleverdon.pictures.numbers import written
from cleverdon.pictures.picture import Picture
from cleverdon.trec.words import counted
from evaluation.access import sees_programs
from evaluation.core import variations
from evaluation.core.disagreement import PROGRAM, Disagreement, OfMeasure
from evaluation.figures.board import caption
from evaluation.models.scores import Evaluation

NAMES = {
    variations.ORIGINAL: "Original: the first assessor\N{RIGHT SINGLE QUOTATION MARK}s grade",
    variations.SECOND: "Second assessor\N{RIGHT SINGLE QUOTATION MARK}s grade",
    variations.UNION: "Union: the highest grade",
    variations.INTERSECTION: "Intersection: the lowest grade",
    variations.ADJUDICATED: "Adjudicated where it was, else the first",
}
MEASURES = Sorting(
    "likeness",
    measure=Cell(lambda row: row[0]),
    tau_b=Figure(lambda row: row[1][0], name="Mean tau-b"),
    lowest=Figure(lambda row: row[1][1]),
    highest=Figure(lambda row: row[1][2]),
    tau_ap=Figure(lambda row: row[2][0], name="Mean tau-AP"),
    rbo=Figure(lambda row: row[3][0], name="Mean RBO"),
)
SWAPS = Sorting(
    "swaps",
    above=Cell(lambda row: row.better),
    below=Cell(lambda row: row.worse),
    swapped=Figure(lambda row: row.share),
)


def shown(request: HttpRequest, evaluation: Evaluation, stored: Any) -> dict[str, Any]:
    """Return how alike the boards are by each measure, and the runs by the chosen one."""
    found = Disagreement.from_json(stored)
    if not sees_programs(request.user, evaluation):
        if not found.n_twice:
            return {}
        found = found.of_people()
    by = request.GET.get("by")
    chosen = next((each for each in found.measures if each.measure == by), found.measures[0])
    rests_on = caption(evaluation, f"{chosen.measure} of {counted(len(chosen.runs), 'run')}")
    drawn = f"{found.n_mixtures:,} random mixtures of assessors, seed {found.seed}."
    picture = replace(_runs(chosen, found.n_mixtures), caption=f"{rests_on} {drawn}")
    rows = [(each.measure, *each.mixtures[0]) for each in found.measures]
    return {
        "chosen": chosen.measure,
        "heading": _heading(chosen, found.n_twice),
        "found": found,
        "of_measures": tabled(request, rows, MEASURES),
        "n_told": chosen.n_told,
        "tops": chosen.tops,
        "rows": _variants(chosen, found.n_mixtures if found.n_twice else 0),
        "swaps": tabled(request, chosen.swaps, SWAPS),
        "runs": tabled(request, chosen.runs, _by(chosen.measure)),
        "pictures": {"runs": picture},
    }


def _heading(of: OfMeasure, n_twice: int) -> str:
    if not n_twice:
        taus = [each.alike[0][0] for each in of.variants]
        known = sorted(tau for tau in taus if tau is not None)
        told = " to ".join(dict.fromkeys(written(tau, 2) for tau in known[:1] + known[-1:]))
        return f"By {of.measure} programs order the runs with a tau of {told or 'nothing'}"
    mean, low, high = of.mixtures[0][0]
    if mean is None or low is None or high is None:
        return f"By {of.measure} all runs tie, whoever judges"
    if low == 1:
        return f"With other assessors the order by {of.measure} would be the same"
    return (
        f"With other assessors the order by {of.measure} has a tau of {written(mean, 2)} with this "
        f"one, from {written(low, 2)} to {written(high, 2)}"
    )


def _by(measure: str) -> Sorting:
    return Sorting(
        "runs",
        run=Cell(lambda row: row.run),
        score=Figure(lambda row: row.score, name=measure),
        lowest=Figure(lambda row: row.low),
        mean=Figure(lambda row: row.mean),
        highest=Figure(lambda row: row.high),
        place=Figure(lambda row: row.place),
        best=Figure(lambda row: row.best, name="Best place"),
        worst=Figure(lambda row: row.worst, name="Worst place"),
    )


def _variants(of: OfMeasure, n_mixtures: int) -> list[tuple[str, list[float | None], Any]]:
    """Return a row for each variant: coefficients, and how many pairs are told apart otherwise."""
    rows: list[tuple[str, list[float | None], Any]] = [
        (_name(each.variant), _row(each.alike), each) for each in of.variants
    ]
    if not n_mixtures:
        return rows
    for at, which in enumerate(("mean", "lowest", "highest")):
        alike = [[each[at] for each in top] for top in of.mixtures]
        rows.append((f"{n_mixtures:,} mixtures, {which}", _row(alike), None))
    return rows


def _name(variant: str) -> str:
    if variant.startswith(PROGRAM):
        name = variant.removeprefix(PROGRAM)
        return f"The program {name}: its labels alone"
    return NAMES[variant]


def _row(alike: Sequence[Sequence[float | None]]) -> list[float | None]:
    """Return all coefficients of all runs, and of the first ones tau-b alone."""
    return [*chain(alike[0], (top[0] for top in alike[1:]))]


def _runs(of: OfMeasure, n_mixtures: int) -> Picture:
    """Draw each run's score, and from the lowest to the highest it has in a mixture."""
    widest = max(of.runs, key=lambda each: (each.worst - each.best, each.run))
    news = f"{widest.run} has places {widest.best} to {widest.worst}"
    if widest.best == widest.worst:
        news = "No run has another place"
    return forest(
        [each.score for each in of.runs],
        [(each.low, each.high) for each in of.runs],
        [each.run for each in of.runs],
        sentence=f"Dots are {of.measure} by the official judgments, lines lead from the lowest to "
        f"the highest of {n_mixtures:,} mixtures of assessors. {news}.",
        heads=("Run", of.measure),
    )
