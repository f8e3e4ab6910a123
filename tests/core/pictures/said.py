"""Every form with a sentence and with names of what it shows, for values alone to be given."""

from functools import partial

from cleverdon.pictures import bars as of_bars
from cleverdon.pictures import forest as of_forest
from cleverdon.pictures import heat as of_heat
from cleverdon.pictures import histogram as of_histogram
from cleverdon.pictures import lines as of_lines
from cleverdon.pictures import rows, strips
from cleverdon.pictures import scatter as of_scatter
from cleverdon.pictures import triangle as of_triangle

HEADS, NAMES = ("thing", "value"), ("a", "b", "c")

lines = partial(of_lines.lines, sentence="s", x_name="x", y_name="y")
bars = partial(of_bars.bars, sentence="s", heads=HEADS)
differences = partial(of_bars.differences, sentence="s", heads=HEADS)
small_bars = partial(of_bars.small_bars, sentence="s")
part_bar = partial(of_bars.part_bar, sentence="s")
histogram = partial(of_histogram.histogram, sentence="s", heads=HEADS)
forest = partial(of_forest.forest, sentence="s", heads=HEADS)
heat_map = partial(of_heat.heat_map, sentence="s", corner="c")
triangle = partial(of_triangle.triangle, sentence="s", heads=NAMES)
scatter = partial(of_scatter.scatter, sentence="s", heads=("n", "x", "y"))
grade_strip = partial(strips.grade_strip, sentence="s")
grade_blocks = partial(strips.grade_blocks, sentence="s")
spread_strip = partial(strips.spread_strip, sentence="s")
interval_row = partial(rows.interval_row, sentence="s")
range_row = partial(rows.range_row, sentence="s")
pair_row = partial(rows.pair_row, sentence="s")
