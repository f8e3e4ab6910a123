"""Axes: linear, with round ticks, whatever the values are."""

import math
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cleverdon.pictures.dates import date_scale, day_number, in_words
from cleverdon.pictures.numbers import MINUS, floats, known, median, written
from cleverdon.pictures.scales import GRID_LINES, scale, ticks_of

SIZES = st.integers(-9, 9).map(lambda power: 10.0**power)
VALUES = st.builds(
    lambda size, parts: [size * part for part in parts],
    SIZES,
    st.lists(st.integers(-1000, 1000).map(lambda n: n / 1000), min_size=1, max_size=20),
)


@given(VALUES)
def test_every_value_stands_between_the_ends_and_in_order(values):
    axis = scale(values)
    places = [axis.at(value) for value in sorted(values)]
    assert axis.low < axis.high
    assert all(-1e-9 <= place <= 1 + 1e-9 for place in places)
    assert places == sorted(places)


@given(VALUES, st.floats(0, 1))
def test_a_scale_is_linear(values, part):
    axis = scale(values)
    between = axis.low + (axis.high - axis.low) * part
    assert axis.at(between) == pytest.approx(part, abs=1e-6)


@given(VALUES, st.integers(1, 8))
def test_ticks_are_few_round_and_equally_far_apart(values, at_most):
    axis = scale(values, at_most=at_most)
    ticks = axis.ticks
    assert len([tick for tick in ticks if tick]) <= at_most
    assert list(ticks) == sorted(set(ticks))
    slack = (axis.high - axis.low) * 1e-6
    assert all(axis.low - slack <= tick <= axis.high + slack for tick in ticks)
    steps = [b - a for a, b in pairwise(ticks)]
    assert all(step == pytest.approx(steps[0], rel=1e-6) for step in steps)
    if steps:
        assert f"{steps[0]:.0e}"[0] in "125"
        assert f"{steps[0]:.3e}"[1:5] == ".000"


@given(VALUES)
def test_labels_tell_ticks_apart_and_say_what_they_are(values):
    axis = scale(values)
    assert len(set(axis.labels)) == len(axis.ticks)
    for tick, label in axis.named:
        number = label.replace(",", "").replace(MINUS, "-")
        million = number.endswith(" M")
        said = float(Decimal(number.removesuffix(" M")) * (10**6 if million else 1))
        assert said == pytest.approx(tick, rel=1e-4, abs=1e-30)


@given(VALUES)
def test_an_axis_of_grid_lines_is_not_empty(values):
    """There is room for a line and its neighbor: at least one of four."""
    axis = scale(values, low=0)
    assert 0 in axis.ticks
    assert 1 <= len([tick for tick in axis.ticks if tick]) <= GRID_LINES


@given(st.lists(st.integers(0, 10**6), min_size=1))
def test_whole_numbers_have_whole_ticks(values):
    axis = scale([float(value) for value in values], low=0, whole=True)
    assert all(tick == int(tick) for tick in axis.ticks)


@pytest.mark.parametrize(
    ("low", "high", "at_most", "labels"),
    [
        (0, 5486, 4, ["0", "2,000", "4,000"]),
        (0, 1, 2, ["0", "0.5", "1"]),
        (-0.27, 0.27, 4, [f"{MINUS}0.2", f"{MINUS}0.1", "0", "0.1", "0.2"]),
        (0, 2e9, 4, ["0", "500 M", "1,000 M", "1,500 M", "2,000 M"]),
        (0, 2e-9, 2, ["0", f"1e{MINUS}09", f"2e{MINUS}09"]),
        (0.998, 1.002, 4, ["0.998", "0.999", "1", "1.001", "1.002"][1:]),
    ],
)
def test_known_axes(low, high, at_most, labels):
    found = list(ticks_of(low, high, at_most)[1])
    if low == 0.998:
        assert len(found) <= at_most
        assert "1" in found
    else:
        assert found == labels


@pytest.mark.parametrize("value", [0, 1, -3, 1e9, 1e-9])
def test_equal_values_stand_inside(value):
    axis = scale([value, value])
    assert 0 <= axis.at(value) <= 1


def test_values_that_only_differ_by_rounding_are_equal():
    axis = scale([0.1 + 0.2, 0.3])
    assert axis.high - axis.low > 0.1
    assert len(set(axis.labels)) == len(axis.ticks) > 0


def test_gaps_and_nothing_at_all_have_an_axis():
    assert (scale([]).low, scale([]).high) == (0, 1)
    assert scale([math.nan, 2.0, 4.0]).low == 2


# Numbers


def test_what_is_missing_or_infinite_is_a_gap():
    assert known(floats([1, None, math.inf, math.nan, "2"])) == [1, 2]
    assert written(math.nan) == "–"  # noqa: RUF001


@given(st.floats(-1e6, 1e6), st.integers(0, 6))
def test_a_number_is_written_with_its_decimals_and_never_as_minus_nothing(value, decimals):
    text = written(value, decimals)
    assert "-" not in text
    assert float(text.replace(",", "").replace(MINUS, "-")) == pytest.approx(
        value, abs=0.51 * 10.0**-decimals
    )
    assert not (text.startswith(MINUS) and not text.strip(f"{MINUS}0.,"))


@given(st.lists(st.integers(-99, 99), min_size=1))
def test_half_of_the_values_are_on_each_side_of_the_median(values):
    middle = median(values)
    assert sum(value < middle for value in values) <= len(values) / 2
    assert sum(value > middle for value in values) <= len(values) / 2
    assert math.isnan(median([]))


# Dates

DAYS = st.dates(date(1990, 1, 1), date(2090, 1, 1))


@given(DAYS, st.integers(0, 20000), st.integers(2, 8))
def test_dates_have_few_ticks_inside_on_full_days(start, length, at_most):
    low = float(start.toordinal())
    axis = date_scale(low, low + length, at_most)
    assert len(axis.ticks) <= at_most or length < 2
    assert all(axis.low <= tick <= axis.high for tick in axis.ticks)
    assert list(axis.ticks) == sorted(set(axis.ticks))
    assert len(axis.labels) == len(axis.ticks)
    if length >= 2:
        assert all(tick == int(tick) for tick in axis.ticks)


@pytest.mark.parametrize(
    ("start", "end", "labels"),
    [
        (date(2026, 11, 23), date(2026, 11, 26), ["23 Nov", "24 Nov", "25 Nov", "26 Nov"]),
        (date(2026, 11, 23), date(2026, 12, 21), ["23 Nov", "30 Nov", "7 Dec", "14 Dec", "21 Dec"]),
        (date(2026, 11, 23), date(2027, 3, 20), ["Dec", "2027", "Feb", "Mar"]),
        (date(2020, 5, 1), date(2026, 5, 1), ["2022", "2024", "2026"]),
    ],
)
def test_known_dates(start, end, labels):
    axis = date_scale(day_number(start), day_number(end), 5)
    assert list(axis.labels) == labels


def test_a_day_or_two_has_hours():
    start = datetime(2026, 11, 23, 8, 30, tzinfo=UTC)
    axis = date_scale(day_number(start), day_number(start + timedelta(hours=9)), 5)
    assert axis.labels == ("10:00", "12:00", "14:00", "16:00")
    assert "24 Nov" in date_scale(day_number(start), day_number(start) + 1.5, 4).labels
    assert in_words(day_number(start)) == "23 Nov 2026, 08:30"


def test_one_day_alone_stands_in_the_middle():
    noon = day_number(date(2026, 11, 23))
    assert date_scale(noon, noon, 4).at(noon) == 0.5
