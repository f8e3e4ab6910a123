"""Every form with ordinary values, by its name; pictures are drawn fluid, or at a width."""

from collections.abc import Callable

import numpy as np

from pictures.bars import bars, differences, part_bar, small_bars
from pictures.forest import forest
from pictures.heat import heat_map
from pictures.histogram import histogram
from pictures.lines import Limit, Point, Rule, Series, lines
from pictures.picture import Picture
from pictures.rows import axis_of, axis_row, interval_row, pair_row, range_row
from pictures.scatter import scatter
from pictures.strips import IMPOSSIBLE, LATER, OPEN, OTHERS, grade_blocks, grade_strip, spread_strip
from pictures.triangle import triangle

AXIS = axis_of([0.1, 0.8], low=0, high=1)
HEADS = ("thing", "value")
SERIES = Series("a", [1, 2, 3, 4], [3, 1, None, 4], area=True)
BAND = Series("b", [1, 2], [2, 3], dashed=True, lows=[1, 2], highs=[3, 4])

FORMS: dict[str, Callable[[int | None], Picture]] = {
    "lines": lambda width: lines(
        [SERIES, BAND],
        sentence="s",
        x_name="x",
        y_name="y",
        points=[Point(2, 1, "here", "now", drop=True)],
        rules=[Rule(4, "end")],
        limits=[Limit(3.5, "most")],
        width=width,
    ),
    "bars": lambda width: bars(
        [3, 1, 2],
        ["a", "b", "c"],
        sentence="s",
        heads=HEADS,
        chosen=1,
        with_median=True,
        hrefs=["/a", "/b", "/c"],
        width=width,
    ),
    "differences": lambda width: differences(
        [0.5, -0.25], ["a", "b"], sentence="s", heads=HEADS, labels=("up", "down"), width=width
    ),
    "heat map": lambda width: heat_map(
        [[1, 2], [3, None]],
        ["a", "b"],
        ["c", "d"],
        sentence="s",
        corner="x",
        hatched=np.array([[True, False], [False, True]]),
        width=width,
    ),
    "forest": lambda width: forest(
        [2, 1, None],
        [(1, 3), (0, 2), None],
        ["a", "b", "c"],
        sentence="s",
        heads=HEADS,
        groups=[1, 2, 2],
        mine=[0],
        width=width,
    ),
    "triangle": lambda width: triangle(
        [[], [1], [2, 3]], ["a", "b", "c"], sentence="s", heads=("a", "b", "c"), width=width
    ),
    "scatter": lambda width: scatter(
        [1, 2],
        [2, 1],
        ["a", "b"],
        sentence="s",
        heads=("n", "x", "y"),
        identity=True,
        mine=[0],
        labeled=[0, 1],
        joined=[0, 1],
        width=width,
    ),
    "histogram": lambda width: histogram(
        [1, 2, 2, 3], sentence="s", heads=HEADS, edges=[0, 2, 4], width=width
    ),
}
CELLS = {
    "small bars": small_bars([1, 0, 2], sentence="s"),
    "part bar": part_bar(1, 2, most=4, track=True, sentence="s"),
    "grade strip": grade_strip(
        [0, 1, 3, -2, LATER, IMPOSSIBLE, OTHERS, OPEN], highest=3, sentence="s"
    ),
    "grade blocks": grade_blocks(
        [(3, 1), (1, 0), (0, 4), (-2, 2), (LATER, 1), (IMPOSSIBLE, 1), (OPEN, 2)],
        highest=3,
        sentence="s",
    ),
    "spread strip": spread_strip([1, 2, 3], 2, sentence="s"),
    "axis": axis_row(AXIS, mark=(0.4, "all")),
    "interval row": interval_row(AXIS, 0.4, (0.3, 0.5), shape="square", mark=0.4, sentence="s"),
    "range row": range_row(AXIS, 0.2, (0.1, 0.2, 0.3, 0.4, 0.5), sentence="s"),
    "pair row": pair_row(AXIS, 0.2, 0.5, sentence="s"),
}
# Classes of marks that no rule needs to name.
_BARE = "picture tick start cell row strip lines bars heat scatter mine"
BARE = {*_BARE.split()}
DRAWN = {name: form(None).svg for name, form in FORMS.items()} | CELLS
