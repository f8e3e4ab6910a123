"""Pictures of the runs of a board: their scores, two measures, pairs, curves."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from cleverdon.pictures.cells import CLASSES
from cleverdon.pictures.forest import forest
from cleverdon.pictures.lines import Point, Series, lines
from cleverdon.pictures.numbers import written
from cleverdon.pictures.picture import Picture, Whose
from cleverdon.pictures.scatter import scatter
from cleverdon.pictures.triangle import triangle
from cleverdon.significance.correlations import tau_b
from cleverdon.trec.words import counted
from evaluation.core.topics import DECIMALS
from evaluation.figures.board import BoardFigures
from evaluation.figures.pictured import RECALLS, Pictured
from evaluation.models.scores import Score

MOST_CURVES = 6
MOST_DRAWN = 100  # on a page; files have all runs
MOST_COMPARED, LEVEL = 100, 0.05


@dataclass(frozen=True)
class Gallery:
    """What is drawn: figures, a second measure, the runs whose curves are drawn, and own runs.

    If it `is_whole` there is room for all.
    """

    figures: BoardFigures
    other: str
    chosen: Sequence[Score]
    pictured: Pictured
    own: frozenset[int] = frozenset()
    is_whole: bool = True

    @property
    def mine(self) -> list[int]:
        """The places of the reader's own runs on the board, from 0."""
        return [n for n, each in enumerate(self.figures.scores) if each.run.team_id in self.own]


def intervals(gallery: Gallery) -> Picture | None:
    """Draw the score of each run with its interval, of many the first and one's own.

    A line is between classes.
    """
    figures = gallery.figures
    n = figures.n_with_value
    if n < 2:
        return None
    standings, mine = figures.standings[:n], set(gallery.mine)
    shown = [at for at in range(n) if gallery.is_whole or at < MOST_DRAWN or at in mine]
    some = "" if len(shown) == n else f" {len(shown):,} are drawn; files have all."
    n_best = sum(each.number == 1 for each in standings if each)
    best = f" {n_best} of them may be the best." if n_best else ""
    ends = ", with 95 % intervals over topics" if any(figures.ends) else ""
    values, intervals = figures.aggregates(figures.by), figures.ends
    numbers = [each.number if each else None for each in standings]
    return forest(
        [values[at] for at in shown],
        [intervals[at] for at in shown],
        [figures.tags[at] for at in shown],
        sentence=f"{counted(n, 'run')} by {figures.by}{ends}.{best}{some}",
        heads=("Run", figures.by),
        groups=[numbers[at] for at in shown],
        mine=[place for place, at in enumerate(shown) if at in mine],
    )


def measures(gallery: Gallery) -> Picture | None:
    """Draw each run by two measures."""
    figures = gallery.figures
    xs, ys = figures.aggregates(figures.by), figures.aggregates(gallery.other)
    if gallery.other == figures.by or len(xs) < 2:
        return None
    both = ~np.isnan(xs) & ~np.isnan(ys)
    signs = [each.sign for each in figures.columns if each.name in {figures.by, gallery.other}]
    one, other = (np.round(values, DECIMALS)[both] for values in (xs, ys))  # ties as on the board
    tau = tau_b(one, np.prod(signs) * other)
    agreement = "" if tau is None else f", tau-b {written(tau, 2)}"
    return scatter(
        xs,
        ys,
        figures.tags,
        sentence=f"{counted(len(xs), 'run')} by {figures.by} and by {gallery.other}{agreement}.",
        heads=("Run", figures.by, gallery.other),
        mine=gallery.mine,
        labeled=[0, *gallery.mine[:2]],
    )


def pairs(gallery: Gallery) -> Picture | None:
    """Draw the p-value of each pair of the first runs, corrected for the pairs of all runs."""
    figures = gallery.figures
    n = min(figures.n_with_value, MOST_COMPARED)
    stored = figures.evaluation.pairs.filter(measure=figures.by).first()
    if stored is None or n < 2:
        return None
    found = stored.among([each.pk for each in figures.scores[:n]])
    which = "all runs" if n == figures.n_with_value else f"the first {n} runs"
    some = bool((found.p[np.tri(n, k=-1, dtype=bool)] <= LEVEL).any())
    said = "the strongest differ" if some else "no two differ"
    return triangle(
        found.p,
        figures.tags[:n],
        sentence=f"Pairs of {which} by {figures.by}: {said} at {100 * LEVEL:.0f} %, all pairs at "
        "once.",
        heads=("Run", "other run", "p"),
        low=0,
        high=CLASSES * LEVEL,
        decimals=3,
        falling=True,
    )


def _emphasis(n: int) -> Whose:
    return ("mine", "second", "others")[min(n, 2)]


def interpolated(gallery: Gallery) -> Picture | None:
    """Draw interpolated precision at eleven points of recall, a line for each chosen run."""
    curves = gallery.pictured.curves
    found = [(each.run.tag, curves.get(str(each.pk))) for each in gallery.chosen]
    known = [(tag, own) for tag, own in found if own]
    if not known:
        return None
    numbered = list(enumerate(known))
    # Each name is at a place of its own.
    return lines(
        [Series(tag, RECALLS, y, _emphasis(n), dashed=n > 2) for n, (tag, y) in numbered[::-1]],
        sentence=f"Interpolated precision at recall 0 to 1: {', '.join(tag for tag, _ in known)}.",
        x_name="recall",
        y_name="precision",
        named=True,
        points=[
            Point(RECALLS[n + 2], y[n + 2], tag, whose=_emphasis(n)) for n, (tag, y) in numbered
        ],
    )
