"""The pictures of the pool's pages."""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from datetime import date

import numpy as np

from cleverdon.pictures.bars import bars
from cleverdon.pictures.canvas import Canvas
from cleverdon.pictures.dates import day_and_month
from cleverdon.pictures.lines import Limit, Point, Series, lines
from cleverdon.pictures.markup import Drawn
from cleverdon.pictures.picture import Picture
from cleverdon.pictures.scales import Axis
from cleverdon.pictures.strips import spread_strip
from cleverdon.pictures.triangle import triangle
from cleverdon.trec.words import counted
from pooling.core.statistics import PoolSizes, percent_of_others

LEAST_DEEP = 10  # depths of a curve, if there are as many
HIGHEST_LIMIT = 1.15  # times the top of the curve; a higher limit would flatten it
PERCENT = Axis(0, 100)
FEW = 20  # topics with a number below each bar
NBSP = "\N{NO-BREAK SPACE}"


def size_by_depth(sizes: PoolSizes, depth: int, *, most: tuple[int, str] | None = None) -> Picture:
    """Draw the documents to judge at every depth, and mark the chosen depth.

    `most` is what there is time to judge, with its label; it is left out far above the curve, and
    marked at the depth that still fits. The curve ends where it has twice that and the chosen.
    """
    total, documents = sizes.total.tolist(), counted(sizes.at(depth), "document")
    deepest = sizes.max_depth
    if most:
        enough = bisect_right(total, 2 * max(most[0], sizes.at(depth)))
        deepest = min(deepest, max(depth, enough, LEAST_DEEP))
        total = total[:deepest]
    depths = range(1, deepest + 1)
    points = [Point(depth, sizes.at(depth), documents, f"depth {depth}", drop=True)]
    limits = []
    if most and most[0] <= total[-1] * HIGHEST_LIMIT:
        limits = [Limit(*most, "second")]
        if fits := bisect_right(total, most[0]):
            points.append(Point(fits, total[fits - 1], whose="second", hollow=True))
    return lines(
        [
            Series("documents", depths, total, "others"),
            Series("chosen", depths[:depth], total[:depth], area=True, in_table=False),
        ],
        sentence=f"Depth {depth} gives {documents} to judge, depth {deepest} {total[-1]:,}.",
        x_name="depth",
        y_name="documents",
        limits=limits,
        points=points,
        height=160,
    )


def until_judged(begins: date, before: date, ends: date, deadline: date | None) -> Drawn:
    """Draw when the pool as it is will be judged (pale), when with a batch, and the deadline.

    The text beside it says the same, so screen readers skip it.
    """
    days = [float(day.toordinal()) for day in (begins, before, ends, deadline or ends)]
    first, last = days[0], max(days)
    pool, batch, due = ((day - first) / max(last - first, 1) for day in days[1:])
    canvas = Canvas(46)
    canvas.rect("bar nothing", (0, 19), (1, 9))
    canvas.rect("bar pale", (0, 19), (pool, 9))
    canvas.rect("bar", (pool, 19), (batch - pool, 9))
    canvas.text("strong label mine", (batch, 11), day_and_month(days[2]), _anchor(batch))
    if deadline:
        canvas.line("upright second", (due, 14), (due, 33))
        canvas.text("label second", (due, 45), day_and_month(days[3]), _anchor(due))
    if not deadline or due > SIDE:
        canvas.text("tick", (0, 45), day_and_month(first))
    return canvas.svg("timeline", "")


SIDE = 0.2  # of a timeline: a label within it of an end is written away from that end


def _anchor(part: float) -> str:
    return "start" if part < SIDE else "end" if part > 1 - SIDE else "middle"


LOOKS = {"#": "bar", "-": "bar pale", "o": "dot hollow", ".": "bar nothing"}
ROWS = 7


def sketch(columns: str) -> Drawn:
    """Draw what a strategy takes: a column for each run, between blanks, with a cell for each rank.

    `#` is taken, `-` known already or only looked at, `o` where reading stopped, `.` left; a column
    `>` is an arrow to the list that was made of those before it.
    """
    cells = dict.fromkeys(LOOKS, "")
    arrow = ""
    for place, column in enumerate(columns.split()):
        left = 1 + 10 * place
        if column == ">":
            arrow = f'<path class="leader" d="M{left} 21h7m-3-3 3 3-3 3"/>'
            continue
        for row, kind in enumerate(column.ljust(ROWS, ".")):
            cells[kind] += f"M{left} {1 + 6 * row}h8v4h-8z"
    marks = "".join(f'<path class="{LOOKS[kind]}" d="{d}"/>' for kind, d in cells.items() if d)
    return Drawn(
        '<svg xmlns="http://www.w3.org/2000/svg" class="picture sketch" viewBox="0 0 60 42" '
        f'width="60" height="42" aria-hidden="true">{marks}{arrow}</svg>'
    )


def documents_by_topic(
    names: Sequence[str], sizes: Sequence[int], *, hrefs: Sequence[str] = ()
) -> Picture:
    """Draw the documents of each topic, the most first, with the median."""
    top = max(range(len(sizes)), key=sizes.__getitem__)
    least = len(sizes) - 1 - min(range(len(sizes)), key=sizes[::-1].__getitem__)
    span = f"{min(sizes):,} to {max(sizes):,}"
    return bars(
        sizes,
        names,
        sentence=f"From {span} documents to judge for a topic; the most for {names[top]}.",
        heads=("topic", "documents"),
        chosen=top,
        with_median=len(sizes) > 1,
        hrefs=hrefs,
        chosen_label=f"topic {names[top]}: {counted(sizes[top], 'document')}",
        ends=(f"topic {names[top]}", f"topic {names[least]}") if len(sizes) > FEW else None,
    )


def alike(
    tags: Sequence[str], teams: Sequence[str], shares: Sequence[Sequence[float | None]]
) -> Picture:
    """Draw the share of the smaller run's documents that each two have in common, by team.

    `shares[i][j]`, from 0 to 1, is that of runs i and j; None where one of them has no document.
    """
    places = sorted(range(len(tags)), key=lambda n: (teams[n], tags[n]))
    names = [tags[n] for n in places]
    percents = 100 * np.array(shares, dtype=float)[np.ix_(places, places)]
    below = np.where(np.tri(len(tags), k=-1, dtype=bool), percents, np.nan)
    sentence = "No two runs can be compared."
    if np.nanmax(below, initial=-1) == 0:
        sentence = "No two runs share a document."
    elif not np.isnan(below).all():
        i, j = np.unravel_index(np.nanargmax(below), below.shape)
        sentence = (
            f"Two runs share {np.nanmedian(below):.0f}{NBSP}% of their documents (median); "
            f"{names[j]} and {names[i]} share most, {below[i, j]:.0f}{NBSP}%."
        )
    return triangle(
        percents.tolist(),
        names,
        sentence=sentence,
        heads=("run", "with", "percent in common"),
        groups=[teams[n] for n in places],
        decimals=0,
    )


def overlap_strip(n: int, n_unique: int, shared: Mapping[str, int]) -> Drawn:
    """Draw the share of a run's documents that each other run has (ticks) and all together (a dot).

    Shares of the same percent are one tick.
    """
    together = percent_of_others(n, n_unique)
    text = f"Other runs brought {together}{NBSP}% of its {counted(n, 'document')} too"
    if n_unique < n:
        most = max(shared, key=shared.__getitem__)
        text += f"; {most} has most of them, {100 * shared[most] / n:.0f}{NBSP}%"
    percents = sorted({round(100 * each / n) for each in shared.values()})
    return spread_strip(
        percents, together, sentence=f"{text}.", axis=PERCENT, with_median=False, height=20
    )
