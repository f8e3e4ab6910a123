"""Agreement: published examples, statsmodels as the oracle, and what always holds."""

import math
import warnings
from collections import Counter

import numpy as np
import pytest
from cleverdon.agreement.statistics import (
    agreement,
    agreement_report,
    cohen_kappa,
    confusion,
    tallied,
)
from hypothesis import given
from hypothesis import strategies as st

from cleverdon.agreement import statistics
from tests import records

GRADES = (0, 1, 2, 3)
PAIRS = st.lists(st.tuples(st.sampled_from(GRADES), st.sampled_from(GRADES)), max_size=40)
DOCUMENTS = [("1", "2"), ("d1", "d2", "d3")]  # topics and docnos
ROWS = st.lists(
    st.tuples(*map(st.sampled_from, (*DOCUMENTS, ("ada", "ben"), GRADES, ("cy", "abe"), GRADES))),
    max_size=20,
)


def compared(first, second) -> statistics.Agreement:
    return agreement(confusion(Counter(zip(first, second, strict=True)), GRADES), GRADES)


def split(pairs: list[tuple[int, int]]) -> tuple[list[int], list[int]]:
    return [one for one, _ in pairs], [other for _, other in pairs]


@pytest.mark.parametrize(
    ("table", "raw", "cohen", "pooled"),
    [
        # Manning, Raghavan and Schütze 2008, table 8.2, who print .776
        ([[300, 20], [10, 70]], 0.925, 0.7761194, 0.7759104),
        ([[40, 20], [0, 40]], 0.8, 0.6153846, 0.6),
        ([[20, 5, 1], [4, 15, 3], [1, 2, 9]], 44 / 60, 0.5844156, None),
        # The "abstractors" of Gwet's irrCAC, who prints .7964094 and .7962397
        ([[13, 0, 0], [0, 20, 7], [0, 4, 56]], 0.89, 0.7964094, 0.7962397),
        # Feinstein and Cicchetti's paradox of prevalence: nearly all agree, and kappa is below 0
        ([[118, 5], [2, 0]], 0.944, -0.0234, None),
        ([[0, 5], [5, 0]], 0.0, -1.0, -1.0),
    ],
)
def test_published_examples(table, raw, cohen, pooled):
    counts = np.array(table)
    assert agreement(counts, range(len(counts))).raw == raw
    assert cohen_kappa(counts) == pytest.approx(cohen, abs=5e-5 if cohen == -0.0234 else 5e-8)
    assert pooled is None or statistics.pooled_kappa(counts) == pytest.approx(pooled, abs=5e-8)


@given(PAIRS.filter(len))
def test_kappas_equal_those_of_statsmodels(pairs):
    from statsmodels.stats import inter_rater  # slow to import

    first, second = split(pairs)
    ours = compared(first, second)
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")  # statsmodels divides by zero where kappa is undefined
        cohen = inter_rater.cohens_kappa(ours.confusion, return_results=False)
        pooled = inter_rater.fleiss_kappa(
            inter_rater.aggregate_raters(np.array(pairs), n_cat=len(GRADES))[0]
        )
    if ours.kappa is None:
        assert math.isnan(cohen)
        assert math.isnan(pooled)
    else:
        assert ours.kappa == pytest.approx(cohen, abs=1e-12)
        assert ours.pooled_kappa == pytest.approx(pooled, abs=1e-12)


@given(PAIRS)
def test_kappa_is_at_most_1_and_none_with_a_reason_where_undefined(pairs):
    found = compared(*split(pairs))
    assert found.kappa is None or -1 <= found.kappa <= 1
    assert (found.kappa is None) == (found.pooled_kappa is None) == (found.reason != "")
    assert found.n == len(pairs) == found.confusion.sum()


@pytest.mark.parametrize(
    ("grades", "raw", "reason"),
    [
        ([], None, statistics.NO_DOCUMENT),
        ([0, 0, 0], 1.0, statistics.ONE_CATEGORY),
        ([3], 1.0, statistics.ONE_CATEGORY),
    ],
)
def test_undefined_is_neither_1_nor_0(grades, raw, reason):
    found = compared(grades, grades)
    assert (found.raw, found.kappa, found.pooled_kappa, found.reason) == (raw, None, None, reason)


def test_large_counts_are_exact():
    table = np.array([[10**9, 1], [1, 10**9]])
    assert agreement(table, (0, 1)).raw == 10**9 / (10**9 + 1)
    assert cohen_kappa(table) == statistics.pooled_kappa(table) == (10**9 - 1) / (10**9 + 1)


@pytest.mark.parametrize("grade", [-1, 4])
def test_a_grade_off_the_scale_is_refused(grade):
    with pytest.raises(ValueError, match=f"{grade} is not a grade of the scale 0, 1, 2, 3"):
        confusion({(0, 0): 1, (grade, 0): 1}, GRADES)


@given(ROWS, st.permutations(["ada", "ben", "cy", "abe"]), st.randoms())
def test_no_figure_depends_on_what_people_are_called(rows, names, random):
    called = dict(zip(["ada", "ben", "cy", "abe"], names, strict=True))
    renamed = [(t, d, called[a], g, called[b], h) for t, d, a, g, b, h in rows]
    random.shuffle(renamed)
    one, other = (
        agreement_report(tallied(each), grades=GRADES, level=1) for each in (rows, renamed)
    )
    for ours, theirs in zip(_groups(one), _groups(other), strict=True):
        for mine, their in zip(ours, theirs, strict=True):
            assert _figures(mine) == _figures(their)
            if mine.of_several_pairs:
                assert np.array_equal(mine.confusion, their.confusion)
    for (first, second), ours in one.by_pair.items():
        theirs = other.by_pair[tuple(sorted([called[first], called[second]]))]
        assert [*map(_figures, ours)] == [*map(_figures, theirs)]


@given(ROWS, st.sampled_from((1, 3, 4)))
def test_every_figure_is_that_of_its_own_documents_counted_alone(rows, level):
    """Beside counts that add up, each topic and pair is counted from its rows, in fractions."""
    found = agreement_report(tallied(iter(rows)), grades=GRADES, level=level)
    pairs = [(topic, (a, g, b, h) if a < b else (b, h, a, g)) for topic, _, a, g, b, h in rows]
    topics = dict.fromkeys(sorted(topic for topic, _ in pairs))
    people = dict.fromkeys(sorted((pair[0], pair[2]) for _, pair in pairs))
    groups = [(found.overall, [pair for _, pair in pairs])]
    groups += [
        (found.by_topic[each], [pair for topic, pair in pairs if topic == each]) for each in topics
    ]
    groups += [
        (found.by_pair[each], [pair for _, pair in pairs if (pair[0], pair[2]) == each])
        for each in people
    ]
    assert (list(found.by_topic), list(found.by_pair)) == ([*topics], [*people])
    for its, own in groups:
        for figures, given_ in ((its.graded, own), (its.binary, [*records.relevant(own, level)])):
            counted = figures.n, figures.raw, figures.kappa, figures.pooled_kappa
            assert counted == records.agreement(given_)
            several = len({(pair[0], pair[2]) for pair in given_}) > 1
            assert figures.of_several_pairs == several
            both = [(int(one), int(other)) for _, one, _, other in given_]
            counts = Counter(tuple(sorted(each)) if several else each for each in both)
            table = [[counts[one, other] for other in figures.grades] for one in figures.grades]
            assert figures.confusion.tolist() == table
    alone, by_pair = (
        statistics.overall_agreement(tallied(iter(rows)), GRADES),
        statistics.confusion_by_pair(tallied(rows), GRADES),
    )
    assert _figures(alone) == _figures(found.overall.graded)
    assert np.array_equal(alone.confusion, found.overall.graded.confusion)
    tables = {pair: its.graded.confusion.tolist() for pair, its in found.by_pair.items()}
    assert {pair: table.tolist() for pair, table in by_pair.items()} == tables


def _groups(found):
    return [found.overall, *found.by_topic.values()]


def _figures(found):
    names = "n", "raw", "kappa", "pooled_kappa", "reason", "of_several_pairs"
    return [getattr(found, name) for name in names]


def test_nothing_judged_twice_is_a_report_that_says_so():
    found = agreement_report(tallied([]), grades=GRADES, level=1)
    assert found.overall.graded.reason == found.overall.binary.reason == statistics.NO_DOCUMENT
    assert found.by_topic == found.by_pair == {}


def test_comparing_an_assessor_with_themselves_is_refused():
    with pytest.raises(ValueError, match="ada is compared with themselves on topic 1"):
        agreement_report(tallied([("1", "d1", "ada", 0, "ada", 1)]), grades=GRADES, level=1)


def test_topics_are_in_natural_order():
    rows = [(topic, "d", "a", 1, "b", 1) for topic in ("10", "2", "003")]
    found = agreement_report(tallied(rows), grades=[0, 1], level=1)
    assert list(found.by_topic) == ["2", "003", "10"]
