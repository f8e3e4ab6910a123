"""The pictures of a board: its runs, topics and measures, and what the pool and the judging found.

Each function draws one picture from figures, or returns None where there is nothing to draw.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from evaluation.core.pictured import by_difficulty, by_mean, thinned
from evaluation.core.standing import INTERVALS, flips, p_values
from evaluation.core.topics import DECIMALS
from evaluation.figures import (
    CUTOFFS,
    RECALLS,
    BoardFigures,
    Curves,
    caption,
    curves,
    relevant_by_judgment,
    relevant_of,
    unique_relevant,
)
from evaluation.models.scores import Score
from pictures.cells import CLASSES
from pictures.forest import forest
from pictures.heat import heat_map
from pictures.lines import Point, Series, lines
from pictures.numbers import written
from pictures.picture import Picture, Whose
from pictures.scatter import scatter
from pictures.triangle import triangle
from significance.correlations import tau_b
from trec.words import counted

Draw = Callable[["Gallery"], Picture | None]
MOST_POINTS = 400  # of a line
MOST_CURVES = 6
# Of the first runs all pairs are compared while the page waits.
MOST_COMPARED, LEVEL = 100, 0.05
# In more or smaller cells strokes are noise.
MOST_HATCHED = (150, 60)


@dataclass(frozen=True)
class Gallery:
    """What is drawn: figures, a second measure, the runs whose curves are drawn, and own runs."""

    figures: BoardFigures
    other: str
    chosen: Sequence[Score]
    own: frozenset[int] = frozenset()

    @cached_property
    def curves(self) -> Curves:
        return curves(self.figures.evaluation, [each.run for each in self.chosen])

    @property
    def mine(self) -> list[int]:
        """The places of the reader's own runs on the board, from 0."""
        return [n for n, each in enumerate(self.figures.scores) if each.run.team_id in self.own]


def intervals(gallery: Gallery) -> Picture | None:
    """Draw the score of each run with its interval, a line between classes."""
    figures = gallery.figures
    n = figures.n_with_value
    if n < 2:
        return None
    standings = figures.standings[:n]
    n_best = sum(each.number == 1 for each in standings if each)
    best = f" {n_best} of them may be the best." if n_best else ""
    ends = ", with 95 % intervals over topics" if any(standings) else ""
    return forest(
        figures.aggregates(figures.by)[:n],
        [(each.low, each.high) if each else None for each in standings],
        figures.tags[:n],
        sentence=f"{counted(n, 'run')} by {figures.by}{ends}.{best}",
        heads=("Run", figures.by),
        groups=[each.number if each else None for each in standings],
        mine=gallery.mine,
    )


def difficulty(gallery: Gallery) -> Picture | None:
    """Draw the worst, median and best run on each topic, the hardest first; the first own run."""
    return topics_of_run(gallery.figures, next(iter(gallery.mine), None))


def topics_of_run(figures: BoardFigures, run: int | None) -> Picture | None:
    """Draw the topics, the hardest first, and a run's value on each, by its place on the board."""
    values = figures.values(figures.at)
    topics = by_difficulty(values, figures.column.sign)
    if len(topics) < 2:
        return None
    xs = list(range(1, len(topics) + 1))
    names = [figures.evaluation.topics[each.topic] for each in topics]
    middle = Series(
        "median",
        xs,
        [each.among.median for each in topics],
        whose="others",
        lows=[each.among.summary[0] for each in topics],
        highs=[each.among.summary[-1] for each in topics],
    )
    own = [] if run is None else [float(values[run, each.topic]) for each in topics]
    dots = f" Dots are {figures.tags[run]}." if run is not None else ""
    drawn = lines(
        [middle],
        sentence=f"By median {figures.by} topic {names[0]} is the hardest, "
        f"{names[-1]} the easiest. The band is from the worst to the best run.{dots}",
        x_name="topics, the hardest first",
        y_name=figures.by,
        named=True,
        points=[Point(x, y) for x, y in zip(xs, own, strict=False) if not np.isnan(y)],
    )
    rows = tuple((name, *row[1:]) for name, row in zip(names, drawn.rows, strict=True))
    return replace(drawn, heads=("Topic", *drawn.heads[1:]), rows=rows)


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


def topics_by_runs(gallery: Gallery) -> Picture | None:
    """Draw the value of each run on each topic; hatched where little is judged."""
    figures = gallery.figures
    values, is_low = figures.values(figures.at), figures.little_judged()
    if is_low is not None and any(
        n > most for n, most in zip(is_low.shape, MOST_HATCHED, strict=True)
    ):
        is_low = None
    order = by_mean(values * figures.column.sign)
    if not order:
        return None
    share = next((each.name for each in figures.columns if each.is_share), "")
    hatched = f" Hatched: {share} below 80 %." if is_low is not None and is_low.any() else ""
    return heat_map(
        values[:, order],
        figures.tags,
        [figures.evaluation.topics[n] for n in order],
        sentence=f"{figures.by} of each run on each topic, the best runs first and the easiest "
        f"topics at the left.{hatched}",
        corner="Run",
        decimals=2,
        hatched=None if is_low is None else is_low[:, order],
    )


def pairs(gallery: Gallery) -> Picture | None:
    """Draw the p-value of each pair of the first runs, corrected for all of these pairs."""
    figures = gallery.figures
    n = min(figures.n_with_value, MOST_COMPARED)
    values = figures.values(figures.at)[:n]
    measure = figures.evaluation.parsed[figures.at]
    found = p_values(values, ~np.isnan(values), measure) if n > 1 else None
    if found is None:
        return None
    which = "all runs" if n == figures.n_with_value else f"the first {n} runs"
    return triangle(
        found,
        figures.tags[:n],
        sentence=f"Pairs of {which} by {figures.by}: the darkest differ at {100 * LEVEL:.0f} %, "
        "all pairs at once.",
        heads=("Run", "other run", "p"),
        low=0,
        high=CLASSES * LEVEL,
        decimals=3,
        falling=True,
    )


def _emphasis(n: int) -> Whose:
    return ("mine", "second", "others")[min(n, 2)]


def _curves(
    gallery: Gallery, about: str, xs: Sequence[Sequence[float]], ys: Sequence[Sequence[float]]
) -> Picture | None:
    """Draw a line of precision by recall for each chosen run, its name at a place of its own."""
    tags = [each.run.tag for each in gallery.chosen]
    known = [
        each for each in zip(tags, xs, ys, strict=True) if not np.isnan([*each[1], *each[2]]).any()
    ]
    if not known:
        return None
    numbered = list(enumerate(known))
    return lines(
        [Series(tag, x, y, _emphasis(n), dashed=n > 2) for n, (tag, x, y) in numbered[::-1]],
        sentence=f"{about}: {', '.join(tag for tag, _, _ in known)}.",
        x_name="recall",
        y_name="precision",
        named=True,
        points=[Point(x[n + 2], y[n + 2], tag, whose=_emphasis(n)) for n, (tag, x, y) in numbered],
    )


def interpolated(gallery: Gallery) -> Picture | None:
    """Draw interpolated precision at eleven points of recall."""
    ys = gallery.curves.interpolated.tolist()
    return _curves(gallery, "Interpolated precision at recall 0 to 1", [RECALLS] * len(ys), ys)


def precision_at_ranks(gallery: Gallery) -> Picture | None:
    """Draw precision against recall at rising ranks."""
    about = f"Precision and recall at ranks {CUTOFFS[0]} to {CUTOFFS[-1]:,}"
    return _curves(
        gallery, about, gallery.curves.recall.tolist(), gallery.curves.precision.tolist()
    )


def unique(gallery: Gallery) -> Picture | None:
    """Draw how many relevant documents each team alone brought into the pool."""
    counts = unique_relevant(gallery.figures.evaluation)
    if not counts:
        return None
    total, n_relevant = counts.total(), len(relevant_of(gallery.figures.evaluation))
    ordered = counts.most_common()
    return forest(
        [n for _, n in ordered],
        [],
        [team for team, _ in ordered],
        sentence=f"{total:,} of {n_relevant:,} relevant documents came into the pool by one team "
        "alone.",
        heads=("Team", "relevant documents"),
    )


def gain(gallery: Gallery) -> Picture | None:
    """Draw how many relevant documents were found by judging, in the order of time."""
    found = relevant_by_judgment(gallery.figures.evaluation)
    if found is None or len(found) < 2:
        return None
    at = thinned(len(found), MOST_POINTS)
    half = int(np.searchsorted(found, found[-1] / 2)) + 1
    return lines(
        [Series("relevant", [n + 1 for n in at], found[at].tolist(), area=True)],
        sentence=f"{found[-1]:,} relevant documents in {len(found):,} judged, half of them among "
        f"the first {half:,}.",
        x_name="documents judged",
        y_name="relevant documents",
        named=True,
    )


class Exhibit(NamedTuple):
    """A picture of the gallery: its title, and whether its numbers are those of the measure."""

    title: str
    draw: Draw
    by_measure: bool = True


# By their names in files.
EXHIBITS: Mapping[str, Exhibit] = {
    "intervals": Exhibit("Runs with their intervals", intervals),
    "topics": Exhibit("Topics by difficulty", difficulty),
    "measures": Exhibit("Two measures", measures),
    "interpolated": Exhibit("Interpolated precision", interpolated, by_measure=False),
    "ranks": Exhibit("Precision and recall by rank", precision_at_ranks, by_measure=False),
    "map": Exhibit("Every run on every topic", topics_by_runs),
    "pairs": Exhibit("Pairs of runs", pairs),
    "unique": Exhibit("Relevant documents of one team alone", unique, by_measure=False),
    "gain": Exhibit("Relevant documents found by judging", gain, by_measure=False),
}


def drawn(gallery: Gallery) -> dict[str, Picture]:
    """Draw every picture for which there are numbers, each with what it rests on."""
    figures = gallery.figures
    plain = caption(figures.evaluation, counted(len(figures.scores), "run"))
    how = {"intervals": f" {INTERVALS}", "pairs": f" {_flipped(figures)}"}
    return {
        name: replace(
            picture,
            title=each.title,
            caption=(figures.caption if each.by_measure else plain) + how.get(name, ""),
        )
        for name, each in EXHIBITS.items()
        if (picture := each.draw(gallery))
    }


def _flipped(figures: BoardFigures) -> str:
    n = figures.n_common
    return (
        "Two-sided p, corrected for all pairs: signs of differences flipped on the "
        f"{counted(n, 'topic')} that count for every run, {flips(n)}; max-T in one step."
    )
