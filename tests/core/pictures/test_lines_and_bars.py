"""Lines and bars: what their marks say, read back from the SVG."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cleverdon.pictures.bars import FEW, FULL, MOST_BARS
from cleverdon.pictures.lines import Limit, Point, Rule, Series
from tests.core.pictures import said
from tests.core.pictures.drawn import check_whole, drawn, percent
from tests.core.pictures.forms import FORMS
from tests.core.pictures.values import SERIES, line


@given(st.lists(st.integers(0, 1000), min_size=2, max_size=30))
def test_the_places_of_a_line_follow_its_values(ys):
    [points] = drawn(line(ys)).points("line")
    xs = [x for x, _ in points]
    assert xs == pytest.approx([1000 * n / (len(ys) - 1) for n in range(len(ys))], abs=0.01)
    if max(ys):
        zero = 280 - 22
        heights = [zero - y for _, y in points]
        assert heights == pytest.approx([value * max(heights) / max(ys) for value in ys], abs=0.02)


def test_a_gap_cuts_a_line_and_a_value_alone_is_a_dot():
    drawing = drawn(line([1, 2, None, 3, math.nan, 4, 5]))
    assert [len(points) for points in drawing.points("line")] == [2, 2]
    assert len(drawing.all("circle", "dot")) == 1


def test_a_band_has_both_edges_and_a_forecast_is_dashed():
    ahead = Series("b", [1, 2, 3], [5, 6, None], dashed=True, lows=[4, 5, 6], highs=[6, 8, 9])
    drawing = drawn(said.lines([ahead]))
    [band] = drawing.points("band")
    assert len(band) == 6
    assert len(drawing.points("line", "dashed")[0]) == 2
    assert [x for x, _ in band] == [0, 500, 1000, 1000, 500, 0]


def test_marks_stand_where_their_values_are_on_the_same_axes():
    more = {"rules": [Rule(8, "deadline")], "limits": [Limit(10, "most")]}
    drawing = drawn(line([0, 10], [0, 10], points=[Point(5, 5, "here")], **more))
    [dot] = drawing.all("circle")
    [rule] = drawing.all("line", "upright")
    [limit] = drawing.all("line", "limit")
    [(_, low), (_, high)] = drawing.points("line")[0]
    assert percent(dot.get("cx")) == 50
    assert float(dot.get("cy")) == pytest.approx((low + high) / 2, abs=0.1)
    assert percent(rule.get("x1")) == percent(rule.get("x2")) == 80
    assert float(limit.get("y1")) == high
    assert {"here", "deadline", "most"} <= set(drawing.texts)
    assert [title.text for title in drawing.all("title")] == ["here"]


def test_depths_are_named_from_1_on():
    drawing = drawn(line([1] * 60, range(1, 61)))
    assert [text for text in drawing.texts if text.isdigit()][-1] == "60"
    assert "1" in drawing.texts


def test_an_axis_that_does_not_begin_at_0_says_so():
    drawing = drawn(said.scatter([1, 2], [100, 110], ["a", "b"]))
    assert "0" not in [mark.text for mark in drawing.all("text", "end")]
    assert not drawing.all("line", "zero")
    assert drawing.all("line", "base")


@given(SERIES, st.sampled_from([None, 640]))
def test_no_values_break_a_line(ys, width):
    picture = line(ys, width=width)
    check_whole(picture)
    assert len(drawn(picture).all("line", "grid")) <= 4
    assert len(picture.rows) == len(ys)


# Bars


@given(st.lists(st.integers(0, 1000), min_size=1, max_size=60))
def test_bars_fall_from_left_to_right_and_are_as_high_as_their_values(values):
    names = [str(n) for n in range(len(values))]
    picture = said.bars(values, names)
    marks = drawn(picture).all("rect", "bar")
    heights = [float(mark.get("height")) for mark in marks]
    assert heights == sorted(heights, reverse=True)
    most = max(values)
    for value, high in zip(sorted(values, reverse=True), heights, strict=True):
        assert high == pytest.approx(
            max(value / most * max(heights), 1.5) if most else 1.5, abs=0.11
        )
    places = [percent(mark.get("x")) for mark in marks]
    slot, width = 100 / len(values), 100 * FULL / max(len(values), FEW)
    assert places == pytest.approx(
        [slot * (n + 0.5) - width / 2 for n in range(len(values))], abs=0.01
    )
    assert [int(text.replace(",", "")) for _, text in picture.rows] == sorted(values, reverse=True)


@pytest.mark.parametrize(("n", "is_each"), [(1, True), (4, True), (40, False)])
def test_few_bars_are_all_named_below_and_of_many_the_first_and_the_last(n, is_each):
    names = [f"10{place}" for place in range(n)]
    for form in (said.bars, said.differences):
        drawing = drawn(form(range(n, 0, -1), names))
        found = [mark for mark in drawing.all("text") if mark.text in names]
        assert [mark.text for mark in found] == (names if is_each else [names[0], names[-1]])
        if is_each:
            middles = [
                percent(bar.get("x")) + percent(bar.get("width")) / 2
                for bar in drawing.all("rect", "bar")
            ]
            assert [percent(mark.get("x")) for mark in found] == pytest.approx(middles, abs=0.02)


def test_what_is_above_zero_is_counted_at_the_left_where_it_is():
    drawing = drawn(said.differences([-1, -2, 3, -1], "abcd", labels=("higher on 1", "lower on 3")))
    places = {
        mark.text: (percent(mark.get("x")), float(mark.get("y")))
        for mark in drawing.all("text", "label")
    }
    tops = [float(bar.get("y")) for bar in drawing.all("rect", "bar")]
    assert {text: x for text, (x, _) in places.items()} == {"higher on 1": 0, "lower on 3": 100}
    assert all(y < min(tops) for _, y in places.values())
    [higher] = drawing.all("rect", "mine")
    assert percent(higher.get("x")) < 25


def test_one_bar_is_chosen_and_the_median_is_named():
    drawing = drawn(FORMS["bars"](None))
    assert len(drawing.all("rect", "bar", "pale")) == 2
    assert {"b: 1", "median 2"} <= set(drawing.texts)
    assert drawing.hrefs == ["/a", "/c", "/b"]
    assert FORMS["bars"](None).links == ("/a", "/c", "/b")


def test_a_median_between_two_whole_numbers_is_written_as_it_is():
    values = {(12, 11, 10, 10): "10.5", (12.34, 11, 10.9): "11", (3, 2): "2.5"}
    for numbers, median in values.items():
        names = [str(n) for n, _ in enumerate(numbers)]
        picture = said.bars(numbers, names, with_median=True)
        assert f"median {median}" in drawn(picture).texts


def test_the_label_of_the_chosen_bar_stands_on_it_however_long_it_is():
    names = [f"a topic with a name of {40} characters {n}" for n in range(30)]
    for chosen in (0, 15, 29):
        drawing = drawn(said.bars(range(30, 0, -1), names, chosen=chosen))
        [label] = drawing.all("text", "label")
        [bar] = [mark for mark in drawing.all("rect", "bar") if "pale" not in mark.get("class")]
        assert float(label.get("y")) == pytest.approx(float(bar.get("y")), abs=0.2)
        assert float(label.get("dy")) == -6


def test_days_stay_in_order():
    picture = said.bars([1, 3, None, 2], list("abcd"), highest_first=False)
    assert [name for name, _ in picture.rows] == list("abcd")
    assert len(drawn(picture).all("rect", "bar")) == 3


@given(st.lists(st.integers(-999, 999).map(lambda n: n / 999), min_size=1, max_size=40))
def test_differences_stand_on_the_zero_line_or_hang_from_it(values):
    names = [str(n) for n in range(len(values))]
    drawing = drawn(said.differences(values, names))
    zero = float(drawing.all("line", "zero")[0].get("y1"))
    marks = drawing.all("rect", "bar")
    assert len(marks) == len(values)
    for value, mark in zip(sorted(values, reverse=True), marks, strict=True):
        top, high = float(mark.get("y")), float(mark.get("height"))
        edge = top if value < 0 else top + high
        assert edge == pytest.approx(zero, abs=0.2)
        assert ("second" in mark.get("class")) == (value < 0)


def test_a_part_is_a_part_of_what_is_most():
    drawing = drawn(said.part_bar(1, 3, most=4))
    assert [percent(mark.get("width")) for mark in drawing.all("rect")] == [75, 25]
    for part, most in ((math.nan, 4), (-1, 4), (1, 0), (9, 4)):
        [mark] = drawn(said.part_bar(part, most=most)).all("rect")
        assert percent(mark.get("width")) in {0, 100}


@given(SERIES)
def test_no_values_break_bars(values):
    names = [str(n) for n in range(len(values))]
    check_whole(
        said.bars(values, names, with_median=True),
        said.bars(values, names, chosen=0 if values else None),
        said.differences(values, names),
        said.histogram(values, edges=[-1, 0, 1]),
        said.small_bars(values),
    )


def test_of_bars_that_no_screen_could_show_some_are_drawn_and_the_table_has_all():
    values = [float(n) for n in range(1, 2 * MOST_BARS)]
    names = [str(n) for n in values]
    picture = said.bars(values, names)
    heights = [float(mark.get("height")) for mark in drawn(picture).all("rect", "bar")]
    assert len(heights) == MOST_BARS
    assert (heights[0], heights[-1]) == (max(heights), min(heights))
    assert len(picture.rows) == len(values)
