"""Intervals of agreement: Student's t, one by brute force, and how often they hold the truth."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cleverdon.agreement.coefficients import COEFFICIENTS
from cleverdon.agreement.intervals import t_975
from cleverdon.agreement.measured import ONE_UNIT, SAME, UNDEFINED, Groups
from cleverdon.agreement.ratings import Ratings
from tests.core.agreement.campaigns import GRADES, campaign


def test_t_is_student_s():
    from scipy.stats import t

    freedom = np.array([*range(1, 200), 1000, 1e6])
    assert t_975(freedom) == pytest.approx(t.ppf(0.975, freedom), rel=0, abs=1e-8)


ITEMS = st.lists(
    st.tuples(
        st.sampled_from("123"),
        st.dictionaries(st.sampled_from("abcd"), st.sampled_from(GRADES), min_size=2).map(
            lambda given_: sorted(given_.items())
        ),
        st.just(0),
    ),
    min_size=1,
    max_size=15,
)


def by_hand(items, key: str, on: str) -> tuple[float, float] | None:
    """The jackknife, each value computed anew of what is left."""
    from scipy.stats import t

    def value(left) -> float | None:
        [its] = Groups(Ratings.from_items(left, GRADES), 1).figures(key, on)
        return its.value

    topics = sorted({topic for topic, *_ in items})
    without = (
        [[each for each in items if each[0] != topic] for topic in topics]
        if len(topics) > 1
        else [items[:n] + items[n + 1 :] for n in range(len(items))]
    )
    left, n = [value(each) for each in without], len(without)
    if n < 2 or None in left or value(items) is None or np.ptp(left) < 1e-11:
        return None
    half = t.ppf(0.975, n - 1) * np.sqrt((n - 1) ** 2 / n * np.var(left, ddof=1))
    return value(items) - half, min(value(items) + half, 1)


@given(ITEMS, st.sampled_from(COEFFICIENTS))
def test_an_interval_leaves_out_each_topic_or_each_document_of_one(items, coefficient):
    on = coefficient.on[0]
    [its] = Groups(Ratings.from_items(items, GRADES), 1).figures(coefficient.key, on)
    expected = by_hand(items, coefficient.key, on)
    if expected is None:
        assert its.interval is None
    else:
        low = max(expected[0], coefficient.lowest)
        assert its.interval == pytest.approx((low, expected[1]), abs=1e-5)
    assert its.of_documents == (len({topic for topic, *_ in items}) == 1)


@given(ITEMS)
def test_groups_are_what_each_is_alone(items):
    ratings = Ratings.from_items(items, GRADES)
    pairs, by_pair = Groups.by_pair(ratings, 1)
    alone = [[each for each in items if each[0] == topic] for topic in ratings.topics]
    grouped = [(Groups.by_topic(ratings, 1), alone)]
    people = [{ratings.raters[n] for n in pair} for pair in pairs]
    kept = [
        [(topic, [each for each in given_ if each[0] in both], 0) for topic, given_, _ in items]
        for both in people
    ]
    grouped.append((by_pair, kept))
    for groups, parts in grouped:
        for key, on in (("cohen", "grades"), ("alpha", "relevance"), ("alpha-ordinal", "grades")):
            for its, part in zip(groups.figures(key, on), parts, strict=True):
                [expected] = Groups(Ratings.from_items(part, GRADES), 1).figures(key, on)
                numbers = [(each.value, each.low, each.high) for each in (its, expected)]
                mine, theirs = np.array(numbers, dtype=float)
                assert np.allclose(mine, theirs, atol=1e-9, equal_nan=True)
                assert (its.n, its.n_units, its.why) == (expected.n, expected.n_units, expected.why)


@pytest.mark.parametrize(
    ("rows", "why"),
    [
        ([[1, 1], [0, 0]] * 5, SAME.format("documents")),
        ([[1, 0]], ONE_UNIT),
        ([[0, 0]] * 9 + [[1, 1]], UNDEFINED.format("documents")),
    ],
)
def test_without_an_interval_it_is_said_why(rows, why):
    [its] = Groups(Ratings.of(rows, [0, 1]), 1).figures("cohen", "relevance")
    assert (its.interval, its.why) == (None, why)


HEADLINES = (
    ("alpha", "relevance"),
    ("cohen", "relevance"),
    ("alpha", "grades"),
    ("kappa-quadratic", "grades"),
    ("alpha-ordinal", "grades"),
    ("ac1", "relevance"),
    ("raw", "grades"),
    ("jaccard", "relevance"),
)


def coverage(n_topics: int, n_raters: int, each: int, n_campaigns: int) -> dict[str, float]:
    """In which share of campaigns an interval holds the value of 4,000 topics."""
    rng = np.random.default_rng(n_topics + n_raters + each)
    truth = Groups(campaign(4000, n_raters, rng, each=each), 1)
    values = {key: truth.figures(*key)[0].value for key in HEADLINES}
    hits = dict.fromkeys(HEADLINES, 0)
    for _ in range(n_campaigns):
        groups = Groups(campaign(n_topics, n_raters, rng, each=each), 1)
        for key in HEADLINES:
            [its] = groups.figures(*key)
            hits[key] += its.low <= values[key] <= its.high
    return {" on ".join(key): n / n_campaigns for key, n in hits.items()}


def test_intervals_hold_the_true_value_as_often_as_they_say():
    """Of 300 campaigns; the spread of such a share is 1.3 %."""
    found = coverage(25, 4, 2, 300)
    assert all(0.91 <= share <= 0.985 for share in found.values()), found


@pytest.mark.deep
@pytest.mark.parametrize("n_topics", [25, 50])
@pytest.mark.parametrize(("n_raters", "each"), [(2, 2), (4, 4), (4, 2)])
def test_intervals_hold_the_true_value_in_93_to_97_of_100_campaigns(n_topics, n_raters, each):
    """Of 1,000; the spread of such a share is 0.7 %."""
    found = coverage(n_topics, n_raters, each, 1000)
    assert all(0.93 - 0.007 <= share <= 0.97 + 0.007 for share in found.values()), found
