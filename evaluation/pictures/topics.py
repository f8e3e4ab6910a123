"""Pictures of the topics of a board, and of what pool and judging found on them."""

from dataclasses import replace

import numpy as np

from cleverdon.pictures.forest import forest
from cleverdon.pictures.heat import heat_map
from cleverdon.pictures.lines import Point, Series, lines
from cleverdon.pictures.picture import Picture
from evaluation.core.pictured import between, by_difficulty, by_mean, neighbors
from evaluation.figures.board import BoardFigures
from evaluation.pictures.runs import Gallery

# A file has room for so many rows, and for so many columns of topics; a page for fewer.
MOST_CELLS, MOST_ON_A_PAGE = (150, 300), (100, 125)
# In more or smaller cells strokes are noise.
MOST_HATCHED = (150, 60)


def difficulty(gallery: Gallery) -> Picture | None:
    """Draw the worst, median and best run on each topic, the hardest first; the first own run."""
    return topics_of_run(gallery.figures, next(iter(gallery.mine), None))


def topics_of_run(figures: BoardFigures, run: int | None) -> Picture | None:
    """Draw the topics, the hardest first, and a run's value on each, by its place on the board."""
    values = figures.values
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


def topics_by_runs(gallery: Gallery) -> Picture | None:
    """Draw the value of each run on each topic; hatched where little is judged."""
    figures = gallery.figures
    most_rows, most_columns = MOST_CELLS if gallery.is_whole else MOST_ON_A_PAGE
    n = min(len(figures.scores), most_rows)
    values, of = figures.values[:n], figures.values.shape
    is_hatched = all(n <= most for n, most in zip(of, MOST_HATCHED, strict=True))
    is_low = figures.little_judged() if is_hatched else None
    order = by_mean(values * figures.column.sign)
    if not order:
        return None
    share = next((each.name for each in figures.columns if each.is_share), "")
    hatched = f" Hatched: {share} below 80 %." if is_low is not None and is_low.any() else ""
    which = "each run" if n == len(figures.scores) else f"each of the first {n} runs"
    n_each = -(-len(order) // most_columns)
    topic = "topic" if n_each == 1 else f"{n_each} topics, their mean"
    names = [figures.evaluation.topics[topic] for topic in order]
    return heat_map(
        neighbors(values[:, order], n_each),
        figures.tags[:n],
        [between(names[at : at + n_each]) for at in range(0, len(names), n_each)],
        sentence=f"{figures.by} of {which} on each {topic}, the best runs first and the easiest "
        f"topics at the left.{hatched}",
        corner="Run",
        decimals=2,
        hatched=None if is_low is None else is_low[:, order],
    )


def unique(gallery: Gallery) -> Picture | None:
    """Draw how many relevant documents each team alone brought into the pool."""
    ordered = gallery.pictured.alone
    if not ordered:
        return None
    total, n_relevant = sum(n for _, n in ordered), gallery.pictured.n_relevant
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
    gain = gallery.pictured.gain
    if gain is None:
        return None
    judged, found = gain.judged, gain.found
    return lines(
        [Series("relevant", judged, found, area=True)],
        sentence=f"{found[-1]:,} relevant documents in {judged[-1]:,} judged, half of them among "
        f"the first {gain.half:,}.",
        x_name="documents judged",
        y_name="relevant documents",
        named=True,
    )
