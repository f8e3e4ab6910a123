"""What holds for every form; and that nothing breaks one."""

import sys

import numpy as np
import pytest

from cleverdon.pictures.lines import Series
from cleverdon.pictures.rows import axis_of
from tests.core.pictures import said
from tests.core.pictures.drawn import check_whole, drawn
from tests.core.pictures.forms import DRAWN, FORMS
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
    names, axis = list("abc"), axis_of([0.0, 5.0])
    for made in (
        lambda a, b: said.lines([Series("a", a, a, lows=a, highs=a)]),
        lambda a, b: said.bars(a, names, with_median=True),
        lambda a, b: said.differences(a, names),
        lambda a, b: said.small_bars(a),
        lambda a, b: said.grade_strip([1, 2, 3] if a is one else np.array([1, 2, 3]), highest=3),
        lambda a, b: said.spread_strip(a, a[0]),
        lambda a, b: said.interval_row(axis, a[0], b[0]),
        lambda a, b: said.range_row(axis, a[0], [*a, *b[0]] if a is one else np.array([*a, *b[0]])),
        lambda a, b: said.heat_map(b, names, ["x", "y"]),
        lambda a, b: said.triangle([a, a, a] if a is one else np.stack([a, a, a]), names),
        lambda a, b: said.scatter(a, a, names),
        lambda a, b: said.histogram(a, edges=[0, 2, 5] if a is one else np.array([0, 2, 5])),
    ):
        assert made(one, two) == made(np.array(one), np.array(two))


@pytest.mark.parametrize("names", [[], ["a"]])
def test_nothing_and_one_thing_can_be_drawn(names):
    values = [1.0] * len(names)
    for width in (None, 600):
        check_whole(
            said.lines([], width=width),
            line(values, width=width),
            said.bars(values, names, width=width),
            said.differences(values, names, width=width),
            said.heat_map([values] * len(names), names, names, width=width),
            said.triangle([values] * len(names), names, width=width),
            said.scatter(values, values, names, identity=True, width=width),
            said.histogram(values, edges=[0, 1], width=width),
        )
    strip = said.grade_strip([0] * len(names), highest=0)
    check_whole(said.small_bars(values), strip, said.spread_strip(values, None))


OF_SIZE = {
    "lines": lambda n: line(range(n)),
    "bars": lambda n: said.bars(range(n), ["a"] * n, chosen=3, with_median=True),
    "differences": lambda n: said.differences(range(-5, n - 5), ["a"] * n),
    "small bars": lambda n: said.small_bars(range(n)),
    "grade strip": lambda n: said.grade_strip([k % 4 for k in range(n)], highest=3),
    "spread strip": lambda n: said.spread_strip(range(n), 3),
    "heat map": lambda n: said.heat_map([[1, 2, 3]] * n, ["a"] * n, list("abc")),
    "scatter": lambda n: said.scatter(range(n), range(n), ["a"] * n, identity=True, labeled=[1, 2]),
    "histogram": lambda n: said.histogram(range(n), edges=range(0, n + 1, n // 10)),
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
