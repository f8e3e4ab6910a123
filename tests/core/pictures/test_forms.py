"""What holds for every form; and that nothing breaks one."""

import sys

import numpy as np
import pytest

from pictures.bars import bars, differences, small_bars
from pictures.heat import heat_map
from pictures.histogram import histogram
from pictures.lines import Series, lines
from pictures.rows import axis_of, interval_row, range_row
from pictures.scatter import scatter
from pictures.strips import grade_strip, spread_strip
from pictures.triangle import triangle
from tests.core.pictures.drawn import drawn
from tests.core.pictures.forms import DRAWN, FORMS, HEADS
from tests.core.pictures.values import line


@pytest.mark.parametrize("name", FORMS)
def test_a_picture_is_drawn_the_same_each_time_and_says_what_it_shows(name):
    one, other = FORMS[name](None), FORMS[name](None)
    assert one == other
    assert all(len(row) == len(one.heads) for row in one.rows)
    # The tab key passes over links, as the table has the same.
    for mark in drawn(one).all("a"):
        assert mark.get("tabindex") == "-1"
        assert mark.get("href") in one.links


@pytest.mark.parametrize("name", DRAWN)
def test_what_is_drawn_is_fluid_and_has_a_name(name):
    drawing = drawn(DRAWN[name])
    if name == "axis":
        assert drawing.root.get("aria-hidden") == "true"
    else:
        role = "group" if drawing.hrefs else "img"
        assert (drawing.root.get("role"), drawing.root.get("aria-label")) == (role, "s")
    assert drawing.root.get("width") == "100%"


def test_arrays_are_as_good_as_lists():
    one, two = [1.0, 2.0, 4.0], [[0.5, 1.5], [1.5, 2.5], [3.0, 5.0]]
    heads, names, axis = ("a", "b", "c"), list("abc"), axis_of([0.0, 5.0])
    for made in (
        lambda a, b: lines(
            [Series("a", a, a, lows=a, highs=a)], sentence="s", x_name="x", y_name="y"
        ),
        lambda a, b: bars(a, names, sentence="s", heads=HEADS, with_median=True),
        lambda a, b: differences(a, names, sentence="s", heads=HEADS),
        lambda a, b: small_bars(a, sentence="s"),
        lambda a, b: grade_strip(
            [1, 2, 3] if a is one else np.array([1, 2, 3]), highest=3, sentence="s"
        ),
        lambda a, b: spread_strip(a, a[0], sentence="s"),
        lambda a, b: interval_row(axis, a[0], b[0], sentence="s"),
        lambda a, b: range_row(
            axis, a[0], [*a, *b[0]] if a is one else np.array([*a, *b[0]]), sentence="s"
        ),
        lambda a, b: heat_map(b, names, ["x", "y"], sentence="s", corner="c"),
        lambda a, b: triangle(
            [a, a, a] if a is one else np.stack([a, a, a]), names, sentence="s", heads=heads
        ),
        lambda a, b: scatter(a, a, names, sentence="s", heads=heads),
        lambda a, b: histogram(
            a, edges=[0, 2, 5] if a is one else np.array([0, 2, 5]), sentence="s", heads=HEADS
        ),
    ):
        assert made(one, two) == made(np.array(one), np.array(two))


@pytest.mark.parametrize("names", [[], ["a"]])
def test_nothing_and_one_thing_can_be_drawn(names):
    values = [1.0] * len(names)
    heads = ("a", "b", "c")
    for width in (None, 600):
        for picture in (
            lines([], sentence="s", x_name="x", y_name="y", width=width),
            line(values, width=width),
            bars(values, names, sentence="s", heads=HEADS, width=width),
            differences(values, names, sentence="s", heads=HEADS, width=width),
            heat_map([values] * len(names), names, names, sentence="s", corner="c", width=width),
            triangle([values] * len(names), names, sentence="s", heads=heads, width=width),
            scatter(values, values, names, sentence="s", heads=heads, identity=True, width=width),
            histogram(values, sentence="s", heads=HEADS, edges=[0, 1], width=width),
        ):
            drawn(picture)
            assert "nan" not in picture.svg
    for cell in (
        small_bars(values, sentence="s"),
        grade_strip([0] * len(names), highest=0, sentence="s"),
        spread_strip(values, None, sentence="s"),
    ):
        drawn(cell)
        assert "nan" not in cell


OF_SIZE = {
    "lines": lambda n: line(range(n)),
    "bars": lambda n: bars(
        range(n), ["a"] * n, sentence="s", heads=HEADS, chosen=3, with_median=True
    ),
    "differences": lambda n: differences(range(-5, n - 5), ["a"] * n, sentence="s", heads=HEADS),
    "small bars": lambda n: small_bars(range(n), sentence="s"),
    "grade strip": lambda n: grade_strip([k % 4 for k in range(n)], highest=3, sentence="s"),
    "spread strip": lambda n: spread_strip(range(n), 3, sentence="s"),
    "heat map": lambda n: heat_map(
        [[1, 2, 3]] * n, ["a"] * n, list("abc"), sentence="s", corner="c"
    ),
    "scatter": lambda n: scatter(
        range(n),
        range(n),
        ["a"] * n,
        sentence="s",
        heads=("a", "b", "c"),
        identity=True,
        labeled=[1, 2],
    ),
    "histogram": lambda n: histogram(
        range(n), sentence="s", heads=HEADS, edges=range(0, n + 1, n // 10)
    ),
}


def svg(picture) -> str:
    return getattr(picture, "svg", picture)


def calls(made, n: int) -> int:
    """How many functions are called to draw so many values: no other process disturbs that."""
    count = 0

    def note(_frame, event, _argument):
        nonlocal count
        count += event in {"call", "c_call"}

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        made(n)
    finally:
        sys.setprofile(before)
    return count


@pytest.mark.parametrize("name", OF_SIZE)
def test_twice_the_values_take_at_most_twice_the_work(name):
    made = OF_SIZE[name]
    made(400)  # whatever is computed once
    assert calls(made, 800) <= 2.1 * calls(made, 400)
    assert len(svg(made(800))) <= 2.2 * len(svg(made(400)))
