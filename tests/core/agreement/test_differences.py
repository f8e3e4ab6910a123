"""Where assessors differ, counted again by brute force."""

from collections import Counter

import numpy as np
import pytest
from cleverdon.agreement.statistics import agreement_report, tallied
from hypothesis import given
from hypothesis import strategies as st

from agreement.core import differences as core
from agreement.core.differences import (
    by_steps,
    differences,
    far_topics,
    leanings,
    official_by_second,
)

GRADES = (-2, 0, 1, 2, 3)
DOCUMENTS = [("1", "2", "10"), ("d1", "d2", "d3")]  # topics and docnos
ROWS = st.lists(
    st.tuples(*map(st.sampled_from, (*DOCUMENTS, ("ada", "ben"), GRADES, ("cy", "abe"), GRADES))),
    max_size=60,
)


@given(ROWS)
def test_the_matrix_counts_official_by_second(rows):
    table = official_by_second(tallied(rows), GRADES)
    counts = Counter((row[3], row[5]) for row in rows)
    assert table.sum() == len(rows)
    for i, one in enumerate(GRADES):
        for j, other in enumerate(GRADES):
            assert table[i, j] == counts[one, other]


@given(ROWS)
def test_steps_are_places_on_the_scale_whatever_the_values(rows):
    place = GRADES.index
    counts = Counter(abs(place(row[3]) - place(row[5])) for row in rows)
    expected = [counts[step] for step in range(len(GRADES))]
    assert by_steps(official_by_second(tallied(rows), GRADES)) == expected
    # The same as from the matrix of the report, which knows no first assessor.
    report = agreement_report(tallied(rows), grades=GRADES, level=1)
    assert by_steps(report.overall.graded.confusion) == expected


@given(ROWS)
def test_shares_of_a_row_add_up(rows):
    table = official_by_second(tallied(rows), GRADES)
    for counts, shares in zip(table.tolist(), core.row_shares(table), strict=True):
        if sum(counts):
            assert shares == pytest.approx(np.array(counts) / sum(counts))
        else:
            assert set(shares) == {None}


@given(ROWS, st.sampled_from(GRADES))
def test_leanings_are_shares_of_the_same_documents(rows, level):
    found = leanings(tallied(rows), level)
    assert {each.name for each in found} == {row[n] for row in rows for n in (2, 4)}
    for each in found:
        own = [row[3] for row in rows if row[2] == each.name]
        own += [row[5] for row in rows if row[4] == each.name]
        others = [row[5] for row in rows if row[2] == each.name]
        others += [row[3] for row in rows if row[4] == each.name]
        assert each.n == len(own)
        assert each.own == sum(grade >= level for grade in own) / each.n
        assert each.others == sum(grade >= level for grade in others) / each.n
    enough = [each for each in found if each.n >= core.ENOUGH]
    assert found[: len(enough)] == enough
    assert [each.own - each.others for each in enough] == sorted(
        (each.own - each.others for each in enough), reverse=True
    )


@given(ROWS, st.integers(1, 4))
def test_documents_far_apart_come_first_in_order(rows, at_least):
    found = differences(rows, GRADES, at_least)
    place = GRADES.index
    expected = [row for row in rows if abs(place(row[3]) - place(row[5])) >= at_least]
    assert Counter(tuple(each[:6]) for each in found) == Counter(expected)
    keys = [(-each.steps, int(each.topic), each.docno) for each in found]
    assert keys == sorted(keys)


@given(ROWS, st.one_of(st.none(), st.integers(0, 5)), st.sampled_from(["1", "01"]))
def test_the_topics_of_the_first_differences_are_known_from_counts(rows, at_most, like_1):
    rows = [(like_1 if topic == "2" else topic, *rest) for topic, *rest in rows]
    n, topics = far_topics(tallied(rows), GRADES, at_most)
    found = differences(rows, GRADES)
    assert n == len(found)
    of_topics = [row for row in rows if row[0] in topics]
    assert differences(of_topics, GRADES)[:at_most] == found[:at_most]
