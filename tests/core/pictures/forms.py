"""Every form with ordinary values, by its name; pictures are drawn fluid, or at a width."""

from collections.abc import Callable

import numpy as np

from cleverdon.pictures.lines import Limit, Point, Rule, Series
from cleverdon.pictures.picture import Picture
from cleverdon.pictures.rows import axis_of, axis_row
from cleverdon.pictures.strips import IMPOSSIBLE, LATER, OPEN, OTHERS
from tests.core.pictures import said

ABC = ["a", "b", "c"]
AXIS = axis_of([0.1, 0.8], low=0, high=1)
SERIES = Series("a", [1, 2, 3, 4], [3, 1, None, 4], area=True)
BAND = Series("b", [1, 2], [2, 3], dashed=True, lows=[1, 2], highs=[3, 4])
LABELED_AND_JOINED = {"labeled": [0, 1], "joined": [0, 1]}


def form(draw: Callable[..., Picture], *given, **options) -> Callable[[int | None], Picture]:
    return lambda width: draw(*given, **options, width=width)


FORMS = {
    "lines": form(
        said.lines,
        [SERIES, BAND],
        points=[Point(2, 1, "here", "now", drop=True)],
        rules=[Rule(4, "end")],
        limits=[Limit(3.5, "most")],
    ),
    "bars": form(said.bars, [3, 1, 2], ABC, chosen=1, with_median=True, hrefs=["/a", "/b", "/c"]),
    "differences": form(said.differences, [0.5, -0.25], ["a", "b"], labels=("up", "down")),
    "heat map": form(
        said.heat_map, [[1, 2], [3, None]], ["a", "b"], ["c", "d"], hatched=np.eye(2, dtype=bool)
    ),
    "forest": form(
        said.forest, [2, 1, None], [(1, 3), (0, 2), None], ABC, groups=[1, 2, 2], mine=[0]
    ),
    "triangle": form(said.triangle, [[], [1], [2, 3]], ABC),
    "scatter": form(
        said.scatter, [1, 2], [2, 1], ["a", "b"], identity=True, mine=[0], **LABELED_AND_JOINED
    ),
    "histogram": form(said.histogram, [1, 2, 2, 3], edges=[0, 2, 4]),
}
CELLS = {
    "small bars": said.small_bars([1, 0, 2]),
    "part bar": said.part_bar(1, 2, most=4, track=True),
    "grade strip": said.grade_strip([0, 1, 3, -2, LATER, IMPOSSIBLE, OTHERS, OPEN], highest=3),
    "grade blocks": said.grade_blocks(
        [(3, 1), (1, 0), (0, 4), (-2, 2), (LATER, 1), (IMPOSSIBLE, 1), (OPEN, 2)], highest=3
    ),
    "spread strip": said.spread_strip([1, 2, 3], 2),
    "axis": axis_row(AXIS, mark=(0.4, "all")),
    "interval row": said.interval_row(AXIS, 0.4, (0.3, 0.5), shape="square", mark=0.4),
    "range row": said.range_row(AXIS, 0.2, (0.1, 0.2, 0.3, 0.4, 0.5)),
    "pair row": said.pair_row(AXIS, 0.2, 0.5),
}
# Classes of marks that no rule needs to name.
_BARE = "picture tick start cell row strip lines bars heat scatter mine"
BARE = {*_BARE.split()}
DRAWN = {name: form(None).svg for name, form in FORMS.items()} | CELLS
