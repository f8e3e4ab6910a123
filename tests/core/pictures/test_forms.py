"""What the marks of each form say, read back from the SVG; and that no values break a form."""

import math
import time
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pictures.bars import FULL, bars, differences, small_bars
from pictures.cells import shades
from pictures.heat import heat_map
from pictures.histogram import count, histogram
from pictures.lines import Limit, Point, Rule, Series, lines
from pictures.numbers import floats, known
from pictures.parts import part_bar
from pictures.rows import axis_of, axis_row, interval_row, pair_row, range_row
from pictures.scatter import scatter
from pictures.strips import LATER, OPEN, grade_strip, spread_strip
from pictures.triangle import triangle
from tests.core.pictures.drawn import drawn, percent
from tests.core.pictures.forms import FORMS, HEADS

NUMBERS = st.one_of(
    st.none(), st.floats(), st.floats(-1e9, 1e9), st.floats(-1e-9, 1e-9), st.just(7.0)
)
SERIES = st.lists(NUMBERS, max_size=12)


def line(ys, xs=None, **options):
    xs = range(len(ys)) if xs is None else xs
    return lines([Series("a", xs, ys)], sentence="s", x_name="x", y_name="y", **options)


# Lines


@given(st.lists(st.integers(0, 1000), min_size=2, max_size=30))
def test_the_places_of_a_line_follow_its_values(ys):
    [points] = drawn(line(ys)).points("line")
    xs = [x for x, _ in points]
    assert xs == pytest.approx([1000 * n / (len(ys) - 1) for n in range(len(ys))], abs=0.01)  # fmt: skip
    if max(ys):
        zero = 280 - 22
        heights = [zero - y for _, y in points]
        assert heights == pytest.approx([value * max(heights) / max(ys) for value in ys], abs=0.02)  # fmt: skip


def test_a_gap_cuts_a_line_and_a_value_alone_is_a_dot():
    drawing = drawn(line([1, 2, None, 3, math.nan, 4, 5]))
    assert [len(points) for points in drawing.points("line")] == [2, 2]
    assert len(drawing.all("circle", "dot")) == 1


def test_a_band_has_both_edges_and_a_forecast_is_dashed():
    ahead = Series("b", [1, 2, 3], [5, 6, None], dashed=True, lows=[4, 5, 6], highs=[6, 8, 9])  # fmt: skip
    drawing = drawn(lines([ahead], sentence="s", x_name="x", y_name="y"))
    [band] = drawing.points("band")
    assert len(band) == 6
    assert len(drawing.points("line", "dashed")[0]) == 2
    assert [x for x, _ in band] == [0, 500, 1000, 1000, 500, 0]


def test_marks_stand_where_their_values_are_on_the_same_axes():
    drawing = drawn(
        line(
            [0, 10],
            [0, 10],
            points=[Point(5, 5, "here", href="/here/")],
            rules=[Rule(8, "deadline")],
            limits=[Limit(10, "most")],
        )
    )
    [dot] = drawing.all("circle")
    [rule] = drawing.all("line", "upright")
    [limit] = drawing.all("line", "limit")
    [(_, low), (_, high)] = drawing.points("line")[0]
    assert percent(dot.get("cx")) == 50
    assert float(dot.get("cy")) == pytest.approx((low + high) / 2, abs=0.1)
    assert percent(rule.get("x1")) == percent(rule.get("x2")) == 80
    assert float(limit.get("y1")) == high
    assert {"here", "deadline", "most"} <= set(drawing.texts)
    assert drawing.hrefs == ["/here/"]
    assert [title.text for title in drawing.all("title")] == ["here"]
    assert drawing.root.get("role") == "group"


def test_depths_are_named_from_1_on():
    drawing = drawn(line([1] * 60, range(1, 61)))
    assert [text for text in drawing.texts if text.isdigit()][-1] == "60"
    assert "1" in drawing.texts


def test_an_axis_that_does_not_begin_at_0_says_so():
    drawing = drawn(line([100, 110], from_zero=False))
    assert "0" not in [mark.text for mark in drawing.all("text", "end")]
    assert not drawing.all("line", "zero")
    assert drawing.all("line", "base")


@given(SERIES, st.sampled_from([None, 640]), st.booleans())
def test_no_values_break_a_line(ys, width, from_zero):
    picture = line(ys, width=width, from_zero=from_zero)
    drawing = drawn(picture)
    assert "nan" not in picture.svg
    assert "inf" not in picture.svg
    assert len(drawing.all("line", "grid")) <= 4
    assert len(picture.rows) == len(ys)


# Bars


@given(st.lists(st.integers(0, 1000), min_size=1, max_size=60))
def test_bars_fall_from_left_to_right_and_are_as_high_as_their_values(values):
    names = [str(n) for n in range(len(values))]
    picture = bars(values, names, sentence="s", heads=HEADS)
    marks = drawn(picture).all("rect", "bar")
    heights = [float(mark.get("height")) for mark in marks]
    assert heights == sorted(heights, reverse=True)
    most = max(values)
    for value, high in zip(sorted(values, reverse=True), heights, strict=True):
        assert high == pytest.approx(max(value / most * max(heights), 1.5) if most else 1.5, abs=0.11)  # fmt: skip
    places = [percent(mark.get("x")) for mark in marks]
    slot = 100 / len(values)
    assert places == pytest.approx([slot * (n + (1 - FULL) / 2) for n in range(len(values))], abs=0.01)  # fmt: skip
    assert [int(text.replace(",", "")) for _, text in picture.rows] == sorted(values, reverse=True)  # fmt: skip


def test_one_bar_is_chosen_and_the_median_is_named():
    drawing = drawn(FORMS["bars"](None))
    assert len(drawing.all("rect", "bar", "pale")) == 2
    assert {"b: 1", "median 2"} <= set(drawing.texts)
    assert drawing.hrefs == ["/a", "/c", "/b"]
    assert FORMS["bars"](None).links == ("/a", "/c", "/b")


def test_the_label_of_the_chosen_bar_stands_on_it_however_long_it_is():
    names = [f"a topic with a name of {40} characters {n}" for n in range(30)]
    for chosen in (0, 15, 29):
        drawing = drawn(bars(range(30, 0, -1), names, sentence="s", heads=HEADS, chosen=chosen))  # fmt: skip
        [label] = drawing.all("text", "label")
        [bar] = [mark for mark in drawing.all("rect", "bar") if "pale" not in mark.get("class")]  # fmt: skip
        assert float(label.get("y")) == pytest.approx(float(bar.get("y")), abs=0.2)
        assert float(label.get("dy")) == -6


def test_days_stay_in_order():
    picture = bars([1, 3, None, 2], list("abcd"), sentence="s", heads=HEADS, highest_first=False)  # fmt: skip
    assert [name for name, _ in picture.rows] == list("abcd")
    assert len(drawn(picture).all("rect", "bar")) == 3


@given(st.lists(st.integers(-999, 999).map(lambda n: n / 999), min_size=1, max_size=40))
def test_differences_stand_on_the_zero_line_or_hang_from_it(values):
    names = [str(n) for n in range(len(values))]
    drawing = drawn(differences(values, names, sentence="s", heads=HEADS))
    zero = float(drawing.all("line", "zero")[0].get("y1"))
    marks = drawing.all("rect", "bar")
    assert len(marks) == len(values)
    for value, mark in zip(sorted(values, reverse=True), marks, strict=True):
        top, high = float(mark.get("y")), float(mark.get("height"))
        edge = top if value < 0 else top + high
        assert edge == pytest.approx(zero, abs=0.2)
        assert ("second" in mark.get("class")) == (value < 0)


def test_a_part_is_a_part_of_what_is_most():
    drawing = drawn(part_bar(1, 3, most=4, sentence="s"))
    assert [percent(mark.get("width")) for mark in drawing.all("rect")] == [75, 25]
    for part, most in ((math.nan, 4), (-1, 4), (1, 0), (9, 4)):
        [mark] = drawn(part_bar(part, most=most, sentence="s")).all("rect")
        assert percent(mark.get("width")) in {0, 100}


@given(SERIES)
def test_no_values_break_bars(values):
    names = [str(n) for n in range(len(values))]
    for picture in (
        bars(values, names, sentence="s", heads=HEADS, with_median=True),
        bars(values, names, sentence="s", heads=HEADS, chosen=0 if values else None),
        differences(values, names, sentence="s", heads=HEADS),
        small_bars(values, sentence="s"),
        histogram(values, sentence="s", heads=HEADS),
    ):
        drawn(picture)
        assert "nan" not in picture.svg
        assert "inf" not in picture.svg


# Strips


def test_a_strip_has_a_bar_for_each_document_as_high_as_its_grade():
    marks = [0, 1, 2, 3, LATER, OPEN, 3, 9, -2]
    drawing = drawn(grade_strip(marks, highest=3, sentence="s"))
    found = {kind: drawing.boxes(*kind.split()) for kind in ("grade-0 stub", "grade-1", "grade-2", "grade-3", "later", "open")}  # fmt: skip
    assert {kind: [round(box[0] / 1000 * len(marks)) for box in boxes] for kind, boxes in found.items()} == {
        "grade-0 stub": [0, 8], "grade-1": [1], "grade-2": [2], "grade-3": [3, 6, 7], "later": [4], "open": [5],
    }  # fmt: skip
    heights = [found[f"grade-{n}"][0][3] for n in (1, 2, 3)]
    assert heights == pytest.approx([44 / 3, 88 / 3, 44], abs=0.1)


def test_a_bar_that_leads_somewhere_is_a_mark_of_its_own():
    picture = grade_strip([0, 1], highest=1, sentence="s", hrefs=["/a", ""], titles=["a", ""])  # fmt: skip
    drawing = drawn(picture)
    assert drawing.hrefs == ["/a"]
    assert len(drawing.all("rect")) == 1
    assert len(drawing.boxes("grade-1")) == 1


@given(SERIES, NUMBERS)
def test_a_spread_has_a_tick_for_each_value(values, mine):
    picture = spread_strip(values, mine, sentence="s", interval=(1, math.nan))
    n_known = len(known(floats(values)))
    drawing = drawn(picture)
    assert len(drawing.all("line", "one")) == n_known
    assert len(drawing.all("text")) == bool(n_known)
    assert all(-0.01 <= percent(mark.get("x1")) <= 100.01 for mark in drawing.all("line", "one"))  # fmt: skip


# Rows


@given(st.floats(0, 1), st.floats(0, 1), st.floats(0, 1))
def test_rows_of_an_axis_line_up(value, low, high):
    axis = axis_of([0.0, 1.0], low=0, high=1)
    row = interval_row(axis, value, (min(low, high), max(low, high)), sentence="s", mark=value)  # fmt: skip
    drawing = drawn(row)
    [dot], [whisker] = drawing.all("circle"), drawing.all("line", "whisker")
    assert percent(dot.get("cx")) == pytest.approx(100 * value, abs=0.01)
    assert percent(whisker.get("x1")) == pytest.approx(100 * min(low, high), abs=0.01)
    assert percent(whisker.get("x2")) == pytest.approx(100 * max(low, high), abs=0.01)
    assert [mark.get("x1") for mark in drawing.all("line", "grid")] == [
        mark.get("x") for mark in drawn(axis_row(axis)).all("text")
    ][1:]


def test_a_value_below_the_median_is_hollow_and_too_few_are_dotted():
    axis = axis_of([0.0, 1.0])
    summary = (0.1, 0.2, 0.3, 0.4, 0.5)
    assert drawn(range_row(axis, 0.25, summary, sentence="s")).all("circle", "hollow", "second")  # fmt: skip
    assert drawn(range_row(axis, 0.35, summary, sentence="s")).all("circle", "mine")
    few = drawn(interval_row(axis, 0.3, (0.1, 0.9), too_few=True, sentence="s"))
    assert few.all("line", "dotted", "others")
    assert few.all("circle", "hollow")


def test_the_label_of_a_mark_hides_those_it_would_lie_on():
    axis = axis_of([0.0, 1.0], low=0, high=1)
    assert "0.5" in drawn(axis_row(axis)).texts
    texts = drawn(axis_row(axis, mark=(0.52, "all .52"))).texts
    assert "0.5" not in texts
    assert "all .52" in texts


@given(NUMBERS, NUMBERS, NUMBERS)
def test_no_values_break_a_row(value, low, high):
    axis = axis_of([value, low], [high])
    ends = (math.nan if low is None else low, math.nan if high is None else high)
    for picture in (
        axis_row(axis),
        interval_row(axis, value, ends, zone=ends, sentence="s"),
        range_row(axis, value, [], sentence="s"),
        range_row(axis, value, [*ends, math.nan, 1, 2], sentence="s"),
        pair_row(axis, value, low, sentence="s"),
    ):
        drawn(picture)
        assert "nan" not in picture.svg
        assert "inf" not in picture.svg


# Heat maps


def test_cells_have_the_class_of_their_value():
    drawing = drawn(heat_map([[0, 1], [2, 5.9], [6, None]], list("abc"), list("xy"), sentence="s", corner="c", classes=6))  # fmt: skip
    cells = {n: drawing.boxes(f"shade-{n}") for n in (0, 1, 2, 5)}
    assert {n: [box[:2] for box in boxes if box[0] < 2] for n, boxes in cells.items()} == {0: [(0, 0)], 1: [(1, 0)], 2: [(0, 1)], 5: [(1, 1), (0, 2)]}  # fmt: skip
    assert [box[:2] for box in drawing.boxes("shade-none")] == [(1, 2)]
    assert "under 1" in drawing.texts
    assert "over 5" in drawing.texts


def test_a_mark_that_leads_somewhere_says_where_to():
    with pytest.raises(ValueError, match="says where to"):
        grade_strip([0], highest=1, sentence="s", hrefs=["/a"])


def test_a_cell_that_leads_somewhere_tells_what_it_is():
    picture = heat_map([[1, 2]], ["a"], ["x", "y"], sentence="s", corner="c", hrefs=[["/1", "/2"]])  # fmt: skip
    drawing = drawn(picture)
    assert drawing.hrefs == ["/1", "/2"]
    assert [mark.text for mark in drawing.all("title")] == ["a, x: 1", "a, y: 2"]


def test_the_cells_of_a_table_get_the_same_classes():
    assert shades([0, 0.5, 1, None], n=2) == ["heat-0", "heat-1", "heat-1", ""]


def test_a_wide_map_has_each_row_in_short():
    values = np.arange(60).reshape(2, 30)
    picture = heat_map(values, ["a", "b"], [str(n) for n in range(30)], sentence="s", corner="run")  # fmt: skip
    assert picture.heads == ("run", "lowest at", "lowest", "median", "highest at", "highest")  # fmt: skip
    assert picture.rows[1] == ("b", "0", "30", "44.5", "29", "59")


def test_a_triangle_has_a_square_for_each_pair_and_its_names():
    picture = FORMS["triangle"](None)
    drawing = drawn(picture)
    cells = [box[:2] for n in range(6) for box in drawing.boxes(f"shade-{n}")]
    marks = [(float(mark.get("x")), float(mark.get("y"))) for mark in drawing.all("rect")]  # fmt: skip
    assert sorted(marks) == [(0, 0), (0, 1), (1, 1)]
    assert len(cells) == 6  # those of the key
    assert picture.rows == (("c", "b", "3"), ("c", "a", "2"), ("b", "a", "1"))
    assert {"a", "b", "c"} <= set(drawing.texts)


def test_a_triangle_of_many_names_their_groups_and_for_each_the_closest():
    n = 20
    values = [[(i * 7 + j * 3) % 11 / 10 for j in range(i)] for i in range(n)]
    names = [f"{'AB'[i // 10]}-{i}" for i in range(n)]
    hrefs = [[f"/{i}-{j}" for j in range(i)] for i in range(n)]
    heads, groups = ("run", "with", "share"), [name[0] for name in names]
    picture = triangle(values, names, groups=groups, hrefs=hrefs, sentence="s", heads=heads)  # fmt: skip
    drawing = drawn(picture)
    assert len(drawing.hrefs) == n * (n - 1) / 2
    assert {"A", "B"} <= set(drawing.texts)
    assert names[0] not in drawing.texts
    assert sorted(row[0] for row in picture.rows) == sorted(names)
    for (one, other, share), href in zip(picture.rows, picture.links, strict=True):
        i, j = names.index(one), names.index(other)
        most = max(values[max(i, k)][min(i, k)] for k in range(n) if k != i)
        assert float(share) == values[max(i, j)][min(i, j)] == most
        assert href == f"/{max(i, j)}-{min(i, j)}"


def test_a_large_map_is_small_and_quick():
    """143 runs and 200 topics; twice as many cells take about twice as long and as much."""
    draw = np.random.default_rng(1)

    def made(n):
        start = time.process_time()
        names, columns = [str(i) for i in range(n)], [str(i) for i in range(200)]
        picture = heat_map(draw.random((n, 200)), names, columns, sentence="s", corner="c")  # fmt: skip
        return len(picture.svg), time.process_time() - start

    (half, _), (whole, seconds) = made(72), made(143)
    assert 1.8 < whole / half < 2.2
    assert whole < 900_000
    assert seconds < 2


# Scatter and histograms


@given(st.lists(st.tuples(st.floats(-100, 100), st.floats(-100, 100)), min_size=2, max_size=20))  # fmt: skip
def test_dots_of_a_scatter_are_in_the_order_of_their_values(pairs):
    xs, ys = zip(*pairs, strict=True)
    names = [str(n) for n in range(len(pairs))]
    marks = drawn(scatter(xs, ys, names, sentence="s", heads=("n", "x", "y"))).all("circle")  # fmt: skip
    found = [(percent(mark.get("cx")), -float(mark.get("cy"))) for mark in marks]
    for axis, values in enumerate((xs, ys)):
        for (a, b), (value, other) in zip(pairwise(found), pairwise(values), strict=True):  # fmt: skip
            if value < other:
                assert a[axis] <= b[axis]
    assert all(0 <= x <= 100 for x, _ in found)


def test_equal_values_stand_on_the_line_of_equal_values():
    xs, ys = [0.1, 0.25, 0.4, 9], [0.1, 0.25, 0.4, 3]
    drawing = drawn(scatter(xs, ys, list("abcd"), sentence="s", heads=("n", "x", "y"), identity=True))  # fmt: skip
    [((x, y), (to_x, to_y))] = drawing.points("line")
    for mark in drawing.all("circle")[:3]:
        part = (percent(mark.get("cx")) * 10 - x) / (to_x - x)
        assert float(mark.get("cy")) == pytest.approx(y + (to_y - y) * part, abs=0.2)


@given(SERIES, st.booleans())
def test_no_values_break_a_scatter(values, identity):
    names = [str(n) for n in range(len(values))]
    picture = scatter(values, values[::-1], names, sentence="s", heads=("n", "x", "y"), identity=identity, labeled=range(len(values)))  # fmt: skip
    drawn(picture)
    assert "nan" not in picture.svg
    assert "inf" not in picture.svg


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=50))
def test_every_value_is_in_one_stretch_of_a_histogram(values):
    picture = histogram(values, sentence="s", heads=HEADS)
    assert sum(int(text.replace(",", "")) for _, text in picture.rows) == len(values)
    assert len(picture.rows) <= 24


@given(st.lists(st.integers(-50, 50)))
def test_counts_are_numpys(values):
    edges = [-50, -10, 0, 0.5, 20, 50]
    assert count(values, edges) == np.histogram(values, edges)[0].tolist()


# All forms


@pytest.mark.parametrize("name", FORMS)
def test_a_picture_is_drawn_the_same_each_time_and_says_what_it_shows(name):
    one, other = FORMS[name](None), FORMS[name](None)
    assert one == other
    root = drawn(one).root
    if name == "axis":
        assert root.get("aria-hidden") == "true"
    else:
        role = "group" if drawn(one).hrefs else "img"
        assert (root.get("role"), root.get("aria-label")) == (role, "s")
    assert all(len(row) == len(one.heads) for row in one.rows)
    assert root.get("width") == "100%"
    # The tab key stops at a link unless the table has the same.
    for mark in drawn(one).all("a"):
        assert (mark.get("tabindex") == "-1") == (mark.get("href") in one.links)


def test_arrays_are_as_good_as_lists():
    one, two = [1.0, 2.0, 4.0], [[0.5, 1.5], [1.5, 2.5], [3.0, 5.0]]
    heads, names, axis = ("a", "b", "c"), list("abc"), axis_of([0.0, 5.0])
    for made in (
        lambda a, b: lines([Series("a", a, a, lows=a, highs=a)], sentence="s", x_name="x", y_name="y"),
        lambda a, b: bars(a, names, sentence="s", heads=HEADS, with_median=True),
        lambda a, b: differences(a, names, sentence="s", heads=HEADS),
        lambda a, b: small_bars(a, sentence="s"),
        lambda a, b: grade_strip([1, 2, 3] if a is one else np.array([1, 2, 3]), highest=3, sentence="s"),
        lambda a, b: spread_strip(a, a[0], interval=b[0], sentence="s"),
        lambda a, b: interval_row(axis, a[0], b[0], zone=b[1], sentence="s"),
        lambda a, b: range_row(axis, a[0], [*a, *b[0]] if a is one else np.array([*a, *b[0]]), sentence="s"),
        lambda a, b: heat_map(b, names, ["x", "y"], sentence="s", corner="c"),
        lambda a, b: triangle([a, a, a] if a is one else np.stack([a, a, a]), names, sentence="s", heads=heads),
        lambda a, b: scatter(a, a, names, x_intervals=b, y_intervals=b, sentence="s", heads=heads),
        lambda a, b: histogram(a, edges=[0, 2, 5] if a is one else np.array([0, 2, 5]), sentence="s", heads=HEADS),
    ):  # fmt: skip
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
            small_bars(values, sentence="s", width=width),
            grade_strip([0] * len(names), highest=0, sentence="s", width=width),
            spread_strip(values, None, sentence="s", width=width),
            heat_map([values] * len(names), names, names, sentence="s", corner="c", width=width),
            triangle([values] * len(names), names, sentence="s", heads=heads, width=width),
            scatter(values, values, names, sentence="s", heads=heads, identity=True, width=width),
            histogram(values, sentence="s", heads=HEADS, width=width),
        ):  # fmt: skip
            drawn(picture)
            assert "nan" not in picture.svg
