"""The figures of an evaluation's study: what its measures and topics can tell."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from django.http import HttpRequest

from campaigns.sorting import Cell, Figure, Sorting
from campaigns.web.frame import tabled
from cleverdon.pictures.bars import bars
from cleverdon.pictures.heat import heat_map
from cleverdon.pictures.lines import Series, lines
from cleverdon.pictures.numbers import written
from cleverdon.pictures.picture import Picture
from cleverdon.significance import pairs, subsets, tukey
from cleverdon.trec.words import counted
from evaluation.core.standing import flips
from evaluation.core.study import DIFFERENCES, EFFECTS, Alike, MeasureStudy, Study
from evaluation.figures.board import caption
from evaluation.models.scores import Evaluation

HOW = {
    "swaps": f" {subsets.N_DRAWS} random splits of the topics into halves, seed {pairs.SEED}.",
    "stability": f" {subsets.N_DRAWS} random subsets of each size, 5 % to 95 %, seed {pairs.SEED}.",
    "topics": " Paired t test at 5 %, two-sided, power 0.8.",
}
MEASURES = Sorting(
    "told",
    measure=Cell(lambda row: row[0].measure),
    pairs_told_apart=Cell(lambda row: row[0].n_told),
    share=Figure(lambda row: row[1]),
    difference_needed=Figure(lambda row: row[0].needed),
)
FEW = 5  # percent of the pairs may swap


def shown(request: HttpRequest, evaluation: Evaluation, stored: Any) -> dict[str, Any]:
    """Return each measure with its share told apart, and the pictures of the chosen one."""
    study = Study.from_json(stored)
    measures, n_topics, by = study.measures, study.n_topics, request.GET.get("by")
    chosen = next((each for each in measures if each.measure == by), measures[0])
    rows = sorted(((each, each.told) for each in measures), key=lambda row: -row[1])
    drawn = {
        "swaps": _swaps(chosen, n_topics // 2),
        "stability": _stability(chosen, n_topics),
        "topics": _topics(chosen, n_topics),
        "alike": _alike(study.alike) if study.alike else None,
    }
    runs = counted(study.n_runs, "run")
    rests_on = caption(evaluation, f"{chosen.measure} of {runs}", n_topics)
    return {
        "chosen": chosen,
        "heading": _heading(chosen, n_topics),
        "told": chosen.told,
        "rows": rows,
        "by_measure": tabled(request, rows, MEASURES),
        "pictures": {
            name: each and replace(each, caption=f"{rests_on}{HOW.get(name, '')}")
            for name, each in drawn.items()
        },
        "n_topics": n_topics,
        "n_runs": study.n_runs,
        "effects": list(zip(EFFECTS, study.effects, strict=True)),
        "draws": {"flips": flips(n_topics), "shuffles": tukey.N_DRAWS, "subsets": subsets.N_DRAWS},
    }


def _heading(of: MeasureStudy, n_topics: int) -> str:
    """Return which share of the pairs of runs differ, the news of a study."""
    by, on = f"By {of.measure}", f"on {counted(n_topics, 'topic')}"
    if not of.n_told:
        return f"{by} no two of the {of.n_runs:,} runs can be told apart {on}"
    share = f"{100 * of.n_told / of.n_pairs:.0f}\N{NO-BREAK SPACE}%"
    return f"{by} {share} of the pairs of runs can be told apart {on}"


def _swaps(of: MeasureStudy, half: int) -> Picture:
    """Draw the share that swaps in each bin; the answer is where the last larger one ends."""
    percent = [100 * swapped / n if n else None for n, swapped in zip(*of.swaps, strict=True)]
    edges, measure = of.edges, of.measure
    over = [n + 1 for n, each in enumerate(percent) if each and each > FEW] or [0]
    by, share = "most", "more than"
    if over[-1] < len(edges):
        by, share = f"by {edges[over[-1]]:g} or more", "at most"
    last = f"{edges[-1]:g} and more"
    return bars(
        percent,
        [*(f"{low:g} to {high:g}" for low, high in pairwise(edges)), last],
        sentence=f"Of pairs that differ {by} in {measure} on {half} topics, {share} "
        f"{FEW}\N{NO-BREAK SPACE}% are the other way round on {half} others.",
        heads=(f"Difference in {measure} on one half", "Swapped on the other, in percent"),
        highest_first=False,
        ends=("0", last),
    )


def _stability(of: MeasureStudy, n_topics: int) -> Picture:
    sizes, (mean, low, high) = of.sizes, of.taus
    middle = (len(sizes) - 1) // 2
    return lines(
        [Series("tau-b", sizes, mean, lows=low, highs=high)],
        sentence=f"With {sizes[middle]} of the {n_topics} topics the order by {of.measure} has "
        f"a tau of {written(mean[middle], 2)} to that with all.",
        x_name="topics",
        y_name="tau-b",
        named=True,
    )


def _topics(of: MeasureStudy, n_topics: int) -> Picture:
    _, small, large, _ = zip(DIFFERENCES, of.topics, strict=True)
    return bars(
        of.topics,
        [f"{each:g}" for each in DIFFERENCES],
        sentence=f"A difference of {large[0]:g} in {of.measure} takes {large[1]:,} topics, one "
        f"of {small[0]:g} takes {small[1]:,}; there are {n_topics}.",
        heads=(f"Difference in {of.measure}", "Topics needed"),
        highest_first=False,
    )


def _alike(rows: Sequence[Alike]) -> Picture:
    """Draw the coefficients of each two measures, those most alike first."""
    ordered = sorted(rows, key=lambda row: -row.tau_b)
    first, last = ordered[0], ordered[-1]
    least = (
        f"; {last.one} and {last.other} least, {written(last.tau_b, 2)}" if len(rows) > 1 else ""
    )
    return heat_map(
        [row[2:] for row in ordered],
        [f"{row.one}, {row.other}" for row in ordered],
        ["tau-b", "tau-AP", "RBO"],
        sentence=f"{first.one} and {first.other} order runs most alike, tau-b "
        f"{written(first.tau_b, 2)}{least}.",
        corner="Measures",
        high=1,
        decimals=2,
    )
