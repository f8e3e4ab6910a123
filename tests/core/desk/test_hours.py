"""Hours are added up by person and period; nothing is lost or counted twice."""

from datetime import date, timedelta

from hypothesis import given
from hypothesis import strategies as st

from desk.core.hours import KINDS, PERIODS, Worked, hours_of

DAY = timedelta(days=1)
MONDAY = date(2026, 11, 30)
ROWS = st.builds(
    Worked,
    assessor=st.integers(1, 3),
    day=st.dates(date(2026, 10, 1), date(2026, 12, 31)),
    kind=st.sampled_from(KINDS),
    seconds=st.integers(0, 9000),
    n=st.integers(0, 50),
    n_untimed=st.integers(0, 5),
)


@given(st.lists(ROWS, max_size=30), st.sampled_from(PERIODS))
def test_all_periods_add_up_to_the_same(rows, by):
    found = hours_of(rows, by)
    assert sum(each.seconds for each in found) == sum(row.seconds for row in rows)
    assert sum(each.n for each in found) == sum(row.n for row in rows)
    assert sum(each.n_untimed for each in found) == sum(row.n_untimed for row in rows)
    for each in found:
        own = [row for row in rows if row.assessor == each.assessor]
        inside = [row for row in own if each.first <= row.day <= each.last]
        assert each.seconds == sum(row.seconds for row in inside)
        for kind in KINDS:
            of_kind = sum(row.n for row in inside if row.kind == kind)
            assert each.n_of.get(kind, 0) == of_kind


@given(st.lists(ROWS, max_size=30), st.sampled_from(PERIODS), st.randoms(use_true_random=False))
def test_the_order_of_rows_and_what_people_are_called_change_nothing(rows, by, random):
    found = hours_of(rows, by)
    shuffled = [*rows]
    random.shuffle(shuffled)
    assert hours_of(shuffled, by) == found
    renamed = hours_of([row._replace(assessor=10 - row.assessor) for row in rows], by)
    back = [each._replace(assessor=10 - each.assessor) for each in renamed]
    assert sorted(back, key=lambda each: (each.first, each.assessor)) == sorted(
        found, key=lambda each: (each.first, each.assessor)
    )


@given(st.lists(ROWS, max_size=30), st.dates(date(2026, 10, 1), date(2026, 12, 31)))
def test_what_is_before_a_day_and_what_is_after_are_all(rows, day):
    before, after = hours_of(rows, until=day), hours_of(rows, since=day + DAY)
    whole = sum(each.seconds for each in hours_of(rows))
    assert sum(each.seconds for each in [*before, *after]) == whole


def one(day: date, **its) -> Worked:
    return Worked(
        **{
            "assessor": 1,
            "day": day,
            "kind": "primary",
            "seconds": 60,
            "n": 1,
            "n_untimed": 0,
            **its,
        }
    )


def test_a_week_begins_on_monday_and_ends_where_the_range_does():
    rows = [one(MONDAY - DAY), one(MONDAY), one(MONDAY + 6 * DAY)]
    assert [(each.first, each.last, each.n) for each in hours_of(rows, "week")] == [
        (MONDAY - 7 * DAY, MONDAY - DAY, 1),
        (MONDAY, MONDAY + 6 * DAY, 2),
    ]
    asked = hours_of(rows, "week", MONDAY - 2 * DAY, MONDAY + 3 * DAY)
    assert [(each.first, each.last, each.n) for each in asked] == [
        (MONDAY - 2 * DAY, MONDAY - DAY, 1),
        (MONDAY, MONDAY + 3 * DAY, 1),
    ]


def test_in_all_it_is_from_the_first_day_to_the_last_or_as_asked():
    rows = [one(MONDAY), one(MONDAY + 3 * DAY)]
    [whole] = hours_of(rows)
    assert (whole.first, whole.last) == (MONDAY, MONDAY + 3 * DAY)
    [asked] = hours_of(rows, "all", MONDAY - DAY, MONDAY + 2 * DAY)
    assert (asked.first, asked.last, asked.n) == (MONDAY - DAY, MONDAY + 2 * DAY, 1)
    assert hours_of(rows, "all", MONDAY + DAY, MONDAY) == []


def test_more_than_a_day_has_is_noticed():
    def is_noticed(*seconds: int) -> bool:
        return hours_of([one(MONDAY, seconds=each) for each in seconds], "day")[0].is_too_long

    assert is_noticed(80_000, 6_401)
    assert not is_noticed(80_000, 6_400)
    [two] = hours_of([one(MONDAY, seconds=100_000), one(MONDAY + DAY)], "all")
    assert not two.is_too_long


def test_the_hours_of_a_person_are_the_sum_of_those_by_kind():
    rows = [one(MONDAY, seconds=50), one(MONDAY, kind="second", seconds=50)]
    [found] = hours_of(rows)
    assert (found.hours, found.seconds) == (0.02, 100)
