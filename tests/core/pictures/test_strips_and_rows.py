"""Strips and rows: what their marks say, read back from the SVG."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cleverdon.pictures.numbers import floats, known
from cleverdon.pictures.rows import axis_of, axis_row
from cleverdon.pictures.strips import IMPOSSIBLE, LATER, OPEN
from tests.core.pictures import said
from tests.core.pictures.drawn import check_whole, drawn, percent
from tests.core.pictures.values import NUMBERS, SERIES


def test_a_strip_has_a_bar_for_each_document_as_high_as_its_grade():
    marks = [0, 1, 2, 3, LATER, OPEN, 3, 9, 0]
    drawing = drawn(said.grade_strip(marks, highest=3))
    found = {
        kind: drawing.boxes(*kind.split())
        for kind in ("grade-0 stub", "grade-1", "grade-2", "grade-3", "later", "open")
    }
    assert {
        kind: [round(box[0] / 1000 * len(marks)) for box in boxes] for kind, boxes in found.items()
    } == dict(zip(found, ([0, 8], [1], [2], [3, 6, 7], [4], [5]), strict=True))
    heights = [found[f"grade-{n}"][0][3] for n in (1, 2, 3)]
    assert heights == pytest.approx([44 / 3, 88 / 3, 44], abs=0.1)


def test_grades_below_zero_hang_from_the_ground():
    """They have a mark of their own, whatever else is on the strip, and the others still stand on
    one line.
    """
    for marks, lowest in (([-2, -1, 0, 1, 3, OPEN], -2), ([0, 1, 3, OPEN], -2), ([-2, 0, 3], 0)):
        drawing = drawn(said.grade_strip(marks, highest=3, lowest=lowest))
        below = drawing.boxes("grade-below")
        [whole] = drawing.boxes("grade-3")
        assert len(below) == sum(mark < 0 for mark in marks if mark is not None)
        assert all(box[1] == pytest.approx(whole[1] + whole[3], abs=0.1) for box in below)
        assert len(drawing.boxes("grade-0", "stub")) == 1
    two, one = (
        drawn(said.grade_strip([mark], highest=3, lowest=-2)).boxes("grade-below")[0][3]
        for mark in (-2, -1)
    )
    assert two > one


def test_what_cannot_be_judged_lies_above_what_is_open_or_left_for_later():
    drawing = drawn(said.grade_strip([IMPOSSIBLE, LATER, OPEN], highest=3))
    tops = [drawing.boxes(kind)[0][1] for kind in ("impossible", "later", "open")]
    assert tops == sorted(set(tops))


@given(st.lists(st.integers(0, 50), min_size=5, max_size=5).filter(any))
def test_blocks_are_as_wide_as_there_are_documents(counts):
    marks = [3, 2, 0, LATER, OPEN]
    picture = said.grade_blocks(list(zip(marks, counts, strict=True)), highest=3)
    drawing, kinds = drawn(picture), ("grade-3", "grade-2", "grade-0", "later", "open")
    found = [drawing.all("rect", kind) for kind in kinds]
    assert [len(marks) for marks in found] == [int(n > 0) for n in counts]
    widths = [percent(mark.get("width")) for marks in found for mark in marks]
    assert widths == pytest.approx([100 * n / sum(counts) for n in counts if n], abs=0.01)
    starts = [percent(mark.get("x") or "0%") for marks in found for mark in marks]
    assert starts == sorted(starts)


def test_a_bar_that_leads_somewhere_is_a_mark_of_its_own():
    picture = said.grade_strip([0, 1], highest=1, hrefs=["/a", ""], titles=["a", ""])
    drawing = drawn(picture)
    assert drawing.hrefs == ["/a"]
    assert len(drawing.all("rect")) == 1
    assert len(drawing.boxes("grade-1")) == 1


@given(SERIES, NUMBERS)
def test_a_spread_has_a_tick_for_each_value(values, mine):
    picture = said.spread_strip(values, mine)
    n_known = len(known(floats(values)))
    drawing = drawn(picture)
    assert len(drawing.all("line", "one")) == n_known
    assert len(drawing.all("text")) == bool(n_known)
    assert all(-0.01 <= percent(mark.get("x1")) <= 100.01 for mark in drawing.all("line", "one"))


# Rows


@given(st.floats(0, 1), st.floats(0, 1), st.floats(0, 1))
def test_rows_of_an_axis_line_up(value, low, high):
    axis = axis_of([0.0, 1.0], low=0, high=1)
    row = said.interval_row(axis, value, (min(low, high), max(low, high)), mark=value)
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
    assert drawn(said.range_row(axis, 0.25, summary)).all("circle", "hollow", "second")
    assert drawn(said.range_row(axis, 0.35, summary)).all("circle", "mine")
    few = drawn(said.interval_row(axis, 0.3, (0.1, 0.9), too_few=True))
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
    check_whole(
        axis_row(axis),
        said.interval_row(axis, value, ends),
        said.range_row(axis, value, []),
        said.range_row(axis, value, [*ends, math.nan, 1, 2]),
        said.pair_row(axis, value, low),
    )
