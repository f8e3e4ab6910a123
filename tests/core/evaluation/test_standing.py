"""How runs stand, by every kind of measure."""

import numpy as np
import pytest

from cleverdon.measures.names import parse
from cleverdon.significance.studentized import studentized
from evaluation.core.standing import (
    FEWEST_TOPICS,
    Standing,
    places_alone,
    standings,
    why_no_interval,
)

N_TOPICS = 12


def values(*strengths, n_topics=N_TOPICS):
    """Values of runs of these strengths, [runs x topics x 1], with topics and noise."""
    rng = np.random.default_rng(1)
    topics, noise = rng.random(n_topics), rng.random((len(strengths), n_topics)) / 50
    return (np.array(strengths)[:, None] + topics + noise)[:, :, None] / 4


def stand(given, *names, counted=None):
    everywhere = np.ones(given.shape[:2], dtype=bool)
    counts = everywhere if counted is None else counted
    return standings(given, counted=counts, measures=[parse(name) for name in names])


def test_places_classes_and_the_interval_of_each_run():
    given = values(1.0, 1.0, 0.5, 0.0)
    rows = [own for (own,) in stand(given, "AP")]
    assert [(each.best, each.worst, each.letter) for each in rows] == [
        *((1, 2, "A"), (1, 2, "A")),
        *((3, 3, "B"), (4, 4, "C")),
    ]
    lower, upper = studentized(given[:, :, 0])
    assert [each.low for each in rows] == lower.tolist()
    assert [each.high for each in rows] == upper.tolist()


def test_the_lowest_is_first_where_it_is_the_best():
    [(high,), (low,)] = stand(values(1.0, 0.0), "Fallout@10")
    assert (low.best, low.worst, low.letter) == (1, 1, "A")
    assert (high.best, high.worst, high.letter) == (2, 2, "B")


def test_a_measure_without_a_best_has_intervals_alone():
    [(first,), (second,)] = stand(values(1.0, 0.0), "Judged@10")
    assert first.low > second.high
    assert {first[2:], second[2:]} == {(None, None, None)}
    assert first.letter == ""


def test_a_geometric_mean_is_compared_by_logarithms():
    given = np.abs(values(0.5, 0.01))
    [(first,), _] = stand(given, "GMAP")
    means = np.exp(np.log(given[0, :, 0]).mean())
    assert first.low < means < first.high
    assert first.best == first.worst == 1


@pytest.mark.parametrize("name", ["NumRet", "NumRelRet"])
def test_a_sum_has_none(name):
    assert stand(values(1.0, 0.0), name) == [[None], [None]]


def test_an_interval_is_of_the_run_s_own_topics_and_places_are_of_those_of_all():
    given, counted = values(1.0, 0.0), np.ones((2, N_TOPICS), dtype=bool)
    counted[0, 0] = counted[1, 1] = False
    given[0, 0] = given[1, 1] = np.nan
    [(first,), (second,)] = stand(given, "AP", counted=counted)
    for run, found in enumerate((first, second)):
        ends = studentized(given[run, counted[run], 0][None])
        assert found[:2] == tuple(float(each[0]) for each in ends)
    assert [first[2:], second[2:]] == [(1, 1, 1), (2, 2, 2)]
    given[0, 5] = np.nan
    [(first,), (second,)] = stand(given, "AP", counted=counted)
    assert first is None
    assert second[2:] == (None, None, None), "nothing to compare with"


def test_a_run_of_few_topics_takes_nobody_s_interval_away():
    given, counted = values(1.0, 0.5, 0.0), np.ones((3, N_TOPICS), dtype=bool)
    counted[2, 3:] = False
    [(first,), (second,), (third,)] = stand(given, "AP", counted=counted)
    assert (first.low > second.high, third) == (True, None)
    assert first[2:] == (None, None, None)


@pytest.mark.parametrize("name", ["AP", "Fallout@10"])
def test_the_places_of_one_run_are_within_those_of_all_at_once(name):
    given = values(*np.linspace(1.0, 0.3, 8))
    given += np.random.default_rng(5).normal(0, 0.15, given.shape)
    counted, measure = np.ones(given.shape[:2], dtype=bool), parse(name)
    counted[1, :2], given[1, :2] = False, np.nan
    widths = []
    for run, (own,) in enumerate(stand(given, name, counted=counted)):
        first, last = places_alone(given[:, :, 0], counted, measure, run)
        assert own.best <= first <= last <= own.worst
        widths.append((last - first, own.worst - own.best))
    assert sum(alone for alone, _ in widths) < sum(together for _, together in widths)
    order = np.random.default_rng(6).permutation(len(given))
    place = int(np.flatnonzero(order == 2)[0])
    found = places_alone(given[order, :, 0], counted[order], measure, place)
    assert found == places_alone(given[:, :, 0], counted, measure, 2)


@pytest.mark.parametrize("name", ["NumRet", "Judged@10"])
def test_one_run_has_no_places_where_it_has_none_among_all(name):
    given = values(1.0, 0.0)[:, :, 0]
    counted = np.ones(given.shape, dtype=bool)
    assert places_alone(given, counted, parse(name), 0) is None
    assert places_alone(given[:, :5], counted[:, :5], parse("AP"), 0) is None


def test_few_topics_say_nothing():
    few = values(1.0, 0.0, n_topics=FEWEST_TOPICS - 1)
    assert stand(few, "AP") == [[None]] * 2
    [(enough,), _] = stand(values(1.0, 0.0, n_topics=FEWEST_TOPICS), "AP")
    assert isinstance(enough, Standing)
    assert enough.worst == 1
    assert stand(values(), "AP") == []


def test_an_interval_stays_within_the_range_of_the_measure():
    given = np.zeros((2, 10, 1))
    given[0, :, 0] = [1, 1, 0.97, 1, 0.4, 0.99, 0.96, 0.98, 0.95, 0.98]
    given[1] = 1 - given[0]
    [(high,), (low,)] = stand(given, "AP")
    lower, upper = studentized(given[:, :, 0])
    assert (low.low, high.high) == (0.0, 1.0)
    assert lower[1] < 0
    assert upper[0] > 1
    [(signed,), _] = stand(given - 1, "YAAP")
    assert signed.high > 0


def test_topics_without_spread_give_places_and_no_interval():
    given = values(1.0, 0.0)
    given[0] = 0.9
    [(same,), (other,)] = stand(given, "AP")
    assert (same.low, same.high, same.ends, same.best) == (None, None, None, 1)
    assert other.ends
    why = "So many topics have the same AP that an interval takes more than 12."
    assert why_no_interval(parse("AP"), N_TOPICS) == why
    assert why_no_interval(parse("AP"), 9) == "An interval takes 10 topics."
    assert why_no_interval(parse("NumRet"), 50) == (
        "NumRet is no mean over topics, so it has no interval."
    )


@pytest.mark.parametrize("n_topics", [6, 9, 10])
def test_of_few_topics_there_are_places_and_no_interval(n_topics):
    [(first,), (second,)] = stand(values(1.0, 0.0, n_topics=n_topics), "AP")
    assert (first.places, second.places) == ("1", "2")
    assert bool(first.ends) == (n_topics == 10)


def test_where_many_topics_have_the_same_score_an_interval_takes_more_of_them():
    firsts = np.tile([1, 1, 1, 0.5, 0.5, 1 / 3], (3, 10))
    for n_topics, has_any in ((12, False), (24, False), (30, True)):
        found = stand(firsts[:, :n_topics, None], "RR")
        assert [bool(own.ends) for (own,) in found] == [has_any] * 3


def test_a_run_that_failed_everywhere_takes_nobody_s_interval_away():
    given = values(1.0, 0.5, 0.5)
    given[2] = 0
    [(first,), (second,), (failed,)] = stand(given, "AP")
    assert (bool(first.ends), bool(second.ends), failed.ends) == (True, True, None)


def test_one_run_has_an_interval_and_no_place():
    [(alone,)] = stand(values(1.0), "AP")
    assert alone.ends
    assert (alone.places, alone.letter) == ("", "")


def test_the_last_class_is_the_rest():
    found = [own for (own,) in stand(values(*np.linspace(2, 0, 11)), "AP")]
    assert [each.letter for each in found] == [*"ABCDEFG", *["rest"] * 4]
    assert [each.places for each in found] == [str(n) for n in range(1, 12)]
