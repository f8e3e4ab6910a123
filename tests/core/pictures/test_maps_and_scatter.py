"""Heat maps, triangles, scatter and histograms: what their marks say, read back from the SVG."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cleverdon.pictures.cells import shades
from cleverdon.pictures.histogram import count
from tests.core.pictures import said
from tests.core.pictures.drawn import check_whole, drawn, percent
from tests.core.pictures.forms import FORMS
from tests.core.pictures.values import SERIES


def test_cells_have_the_class_of_their_value():
    drawing = drawn(said.heat_map([[0, 1], [2, 5.9], [6, None]], list("abc"), list("xy")))
    cells = {n: drawing.boxes(f"shade-{n}") for n in (0, 1, 2, 5)}
    assert {n: [box[:2] for box in boxes if box[0] < 2] for n, boxes in cells.items()} == {
        0: [(0, 0)],
        1: [(1, 0)],
        2: [(0, 1)],
        5: [(1, 1), (0, 2)],
    }
    assert [box[:2] for box in drawing.boxes("shade-none")] == [(1, 2)]
    assert "under 1" in drawing.texts
    assert "over 5" in drawing.texts


def test_a_mark_that_leads_somewhere_says_where_to():
    with pytest.raises(ValueError, match="says where to"):
        said.grade_strip([0], highest=1, hrefs=["/a"])


def test_the_cells_of_a_table_get_the_same_classes():
    assert shades([0, 0.5, 1, None]) == ["heat-0", "heat-3", "heat-5", ""]


def test_a_wide_map_has_each_row_in_short():
    values = np.arange(60).reshape(2, 30)
    picture = said.heat_map(values, ["a", "b"], [str(n) for n in range(30)], corner="run")
    assert picture.heads == ("run", "lowest at", "lowest", "median", "highest at", "highest")
    assert picture.rows[1] == ("b", "0", "30", "44.5", "29", "59")


def test_a_triangle_has_a_square_for_each_pair_and_its_names():
    picture = FORMS["triangle"](None)
    drawing = drawn(picture)
    cells = [box[:2] for n in range(6) for box in drawing.boxes(f"shade-{n}")]
    marks = [(float(mark.get("x")), float(mark.get("y"))) for mark in drawing.all("rect")]
    assert sorted(marks) == [(0, 0), (0, 1), (1, 1)]
    assert len(cells) == 6  # those of the key
    assert picture.rows == (("c", "b", "3"), ("c", "a", "2"), ("b", "a", "1"))
    assert {"a", "b", "c"} <= set(drawing.texts)


def test_a_triangle_of_many_names_their_groups_and_for_each_the_closest():
    n = 20
    values = [[(i * 7 + j * 3) % 11 / 10 for j in range(i)] for i in range(n)]
    names = [f"{'AB'[i // 10]}-{i}" for i in range(n)]
    heads, groups = ("run", "with", "share"), [name[0] for name in names]
    picture = said.triangle(values, names, groups=groups, heads=heads)
    drawing = drawn(picture)
    assert len(drawing.all("title")) == n * (n - 1) / 2
    assert {"A", "B"} <= set(drawing.texts)
    assert names[0] not in drawing.texts
    assert sorted(row[0] for row in picture.rows) == sorted(names)
    for one, other, share in picture.rows:
        i, j = names.index(one), names.index(other)
        most = max(values[max(i, k)][min(i, k)] for k in range(n) if k != i)
        assert float(share) == values[max(i, j)][min(i, j)] == most


def test_the_second_group_of_a_triangle_has_its_name_too():
    """The first row has no cell, so the first group's name stands close to the second's."""
    groups = [f"team {n // 4:02}" for n in range(80)]
    values = [[0.5] * i for i in range(80)]
    names = [f"run {n}" for n in range(80)]
    drawing = drawn(said.triangle(values, names, groups=groups))
    assert set(groups) <= set(drawing.texts)


@pytest.mark.parametrize("width", [None, 560])
def test_a_triangle_of_many_without_groups_names_its_rows_apart_and_tells_its_values(width):
    n = 31
    names = [f"Assessor {i:02}" for i in range(n)]
    values = [[0.5 if i == j + 1 else None for j in range(i)] for i in range(n)]
    drawing = drawn(said.triangle(values, names, width=width))
    titles = [mark.text for mark in drawing.all("title")]
    assert titles == [f"{one}, {other}: 0.5" for other, one in pairwise(names)]
    labels = [mark for mark in drawing.all("text") if (mark.text or "") in names]
    narrow = [mark for mark in labels if "broad" not in mark.get("class").split()]
    assert [mark.text for mark in labels] == names[1:]
    assert (len(narrow) == len(labels)) == (width is not None)
    places = [float(mark.get("y").rstrip("%")) for mark in narrow]
    room = 320 - 92.8 if width is None else 100
    assert all((b - a) / 100 * room >= 13 for a, b in pairwise(places))


def test_a_large_map_is_small():
    """143 runs and 200 topics."""
    values = np.random.default_rng(1).random((143, 200))
    names, columns = [str(n) for n in range(143)], [str(n) for n in range(200)]
    picture = said.heat_map(values, names, columns)
    assert len(picture.svg) < 500_000


# Scatter and histograms


@given(st.lists(st.tuples(st.floats(-100, 100), st.floats(-100, 100)), min_size=2, max_size=20))
def test_dots_of_a_scatter_are_in_the_order_of_their_values(pairs):
    xs, ys = zip(*pairs, strict=True)
    names = [str(n) for n in range(len(pairs))]
    marks = drawn(said.scatter(xs, ys, names)).all("circle")
    found = [(percent(mark.get("cx")), -float(mark.get("cy"))) for mark in marks]
    for axis, values in enumerate((xs, ys)):
        for (a, b), (value, other) in zip(pairwise(found), pairwise(values), strict=True):
            if value < other:
                assert a[axis] <= b[axis]
    assert all(0 <= x <= 100 for x, _ in found)


def test_equal_values_stand_on_the_line_of_equal_values():
    xs, ys = [0.1, 0.25, 0.4, 9], [0.1, 0.25, 0.4, 3]
    drawing = drawn(said.scatter(xs, ys, list("abcd"), identity=True))
    [((x, y), (to_x, to_y))] = drawing.points("line")
    for mark in drawing.all("circle")[:3]:
        part = (percent(mark.get("cx")) * 10 - x) / (to_x - x)
        assert float(mark.get("cy")) == pytest.approx(y + (to_y - y) * part, abs=0.2)


def test_a_line_joins_dots_in_the_order_asked_for_and_passes_over_gaps():
    xs, ys = [1, 2, 3, 4], [4, 1, None, 3]
    drawing = drawn(said.scatter(xs, ys, list("abcd"), joined=[3, 2, 0]))
    dots = [(percent(each.get("cx")) * 10, float(each.get("cy"))) for each in drawing.all("circle")]
    [line] = drawing.points("line")
    assert line == [pytest.approx(dots[2], abs=0.2), pytest.approx(dots[0], abs=0.2)]


@given(SERIES, st.booleans())
def test_no_values_break_a_scatter(values, identity):
    names = [str(n) for n in range(len(values))]
    how = {"identity": identity, "labeled": range(len(values))}
    check_whole(said.scatter(values, values[::-1], names, **how))


@given(st.lists(st.integers(-50, 50)))
def test_counts_are_numpys_and_those_of_the_table(values):
    edges = [-50, -10, 0, 0.5, 20, 50]
    assert count(values, edges) == np.histogram(values, edges)[0].tolist()
    picture = said.histogram(values, edges=edges)
    assert [int(text) for _, text in picture.rows] == count(values, edges)
