"""The geometry of a line chart."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campaigns.core.charts import line_chart, nice_step, ticks

VALUES = st.lists(st.integers(0, 10**6), min_size=1, max_size=200).map(sorted)


def drawn(values: list[int]):
    return line_chart(values, x_label="Depth", y_label="Documents")


@given(VALUES)
def test_every_value_is_a_point_inside_the_box_and_higher_values_stand_higher(values):
    chart = drawn(values)
    points = [tuple(map(float, point.split(","))) for point in chart.points.split()]
    assert len(points) == len(values)
    assert all(
        chart.left <= x <= chart.right and chart.top <= y <= chart.bottom
        for x, y in points
    )
    assert [y for _, y in points] == sorted((y for _, y in points), reverse=True)
    assert [x for x, _ in points] == sorted(x for x, _ in points)


@given(VALUES)
def test_the_vertical_axis_starts_at_0_and_covers_every_value(values):
    labels = [int(tick.label.replace(",", "")) for tick in drawn(values).y_ticks]
    assert labels[0] == 0
    assert labels[-1] >= max(values)
    assert len(labels) <= 7


@given(VALUES)
def test_horizontal_ticks_stand_on_depths_that_are_drawn(values):
    chart = drawn(values)
    depths = [int(tick.label) for tick in chart.x_ticks]
    points = chart.points.split()
    assert depths[0] == 1
    assert depths == sorted(set(depths))
    assert [float(points[depth - 1].split(",")[0]) for depth in depths] == [
        tick.x for tick in chart.x_ticks
    ]


@given(st.floats(0, 1e9))
def test_a_step_is_1_2_or_5_times_a_power_of_ten_and_at_most_two_and_a_half_times_what_is_asked(
    at_least,
):
    step = nice_step(at_least)
    assert str(step).rstrip("0") in {"1", "2", "5"}
    assert at_least <= step <= max(1, 2.5 * at_least)


def test_a_known_chart():
    chart = drawn([10, 15, 20])
    assert chart.points == "64,144 344,80 624,16"
    assert [(tick.x, tick.label) for tick in chart.x_ticks] == [
        (64, "1"),
        (344, "2"),
        (624, "3"),
    ]
    assert [(tick.y, tick.label) for tick in chart.y_ticks] == [
        (272, "0"), (208, "5"), (144, "10"), (80, "15"), (16, "20"),
    ]  # fmt: skip
    assert chart.view_box == "0 0 640 320"


def test_thousands_are_set_apart():
    assert drawn([4000]).y_ticks[-1].label == "4,000"


@pytest.mark.parametrize("values", [[], [-1, 2]])
def test_what_cannot_be_drawn_is_refused(values):
    with pytest.raises(ValueError, match="at least one value"):
        drawn(values)


def test_ticks_cover_a_range_that_does_not_start_at_0():
    assert ticks(13, 48, 4) == [10, 20, 30, 40, 50]
