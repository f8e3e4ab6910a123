"""Where assessors differ, counted again by brute force."""

from collections import Counter
from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agreement.core import differences as core
from agreement.core.differences import by_steps, chosen, far_topics, sides
from agreement.core.kept import kept_ratings
from cleverdon.agreement.measured import ENOUGH, in_order
from cleverdon.agreement.ratings import Ratings

GRADES = (-2, 0, 1, 2, 3)
GIVEN = st.dictionaries(st.sampled_from(["ada", "ben", "cy"]), st.sampled_from(GRADES), min_size=2)
ITEMS = st.lists(
    st.tuples(
        st.sampled_from(("1", "2", "10")),
        GIVEN.flatmap(lambda given_: st.permutations(list(given_.items()))),
        st.integers(5, 7),
    ),
    max_size=60,
)


def in_pairs(items):
    """Each two grades of an item, in their order: topic, name, grade, name, grade."""
    return [
        (topic, *one, *other)
        for topic, given_, _ in items
        for one, other in combinations(given_, 2)
    ]


@given(ITEMS)
def test_steps_are_places_on_the_scale_whatever_the_values(items):
    place, ratings = GRADES.index, Ratings.from_items(items, GRADES)
    counts = Counter(abs(place(a) - place(b)) for _, _, a, _, b in in_pairs(items))
    assert by_steps(in_order(ratings)) == [counts[step] for step in range(len(GRADES))]
    assert ratings.n_pairs == counts.total()
    assert ratings.n_items == len(items)


@given(ITEMS)
def test_shares_of_a_row_add_up(items):
    table = in_order(Ratings.from_items(items, GRADES))
    for counts, shares in zip(table.tolist(), core.row_shares(table), strict=True):
        if sum(counts):
            assert shares == pytest.approx(np.array(counts) / sum(counts))
        else:
            assert set(shares) == {None}


@given(ITEMS, st.integers(0, 3))
def test_each_assessor_is_beside_the_others_on_the_same_documents(items, level):
    found = sides(Ratings.from_items(items, GRADES), level, "alpha")
    turned = [(own, others) for _, given_, _ in items for own, others in permutations(given_, 2)]
    assert {each.name for each in found} == {own[0] for own, _ in turned}
    for each in found:
        pairs = [(own[1], others[1]) for own, others in turned if own[0] == each.name]
        relevant = Counter((own >= level, others >= level) for own, others in pairs)
        assert each.n == each.figure.n == len(pairs)
        assert (each.both, each.own) == (relevant[True, True], relevant[True, False])
        assert (each.others, each.neither) == (relevant[False, True], relevant[False, False])
        assert each.given == tuple(Counter(own for own, _ in pairs)[grade] for grade in GRADES)
        assert each.share == sum(own >= level for own, _ in pairs) / len(pairs)
        assert each.share_of_others == sum(others >= level for _, others in pairs) / len(pairs)
    enough = [each for each in found if each.n >= ENOUGH]
    assert found[: len(enough)] == enough
    lean = [each.share - each.share_of_others for each in enough]
    assert lean == sorted(lean, reverse=True)


@given(ITEMS, st.sampled_from(["", "1", "7"]), *[st.sampled_from(["", "ada", "ben", "zoe"])] * 2)
def test_what_is_chosen_is_what_these_people_gave_with_the_one_asked_for_first(
    items, topic, assessor, other
):
    ratings = chosen(Ratings.from_items(items, GRADES), topic, assessor, other)
    row, rater, place = ratings.pairs()
    found = Counter()
    for at, who, where in zip(row.tolist(), rater.tolist(), place.tolist(), strict=True):
        both = [(ratings.raters[n], GRADES[m]) for n, m in zip(who, where, strict=True)]
        found[ratings.topics[ratings.topic[at]], *both[0], *both[1]] += int(ratings.n[at])
    pairs = [each for each in in_pairs(items) if topic in {"", each[0]}]
    if assessor or other:
        pairs += [
            (its, *last, *first) for its, *rest in pairs for first, last in [(rest[:2], rest[2:])]
        ]
        first, second = (assessor, other) if assessor else (other, "")
        pairs = [each for each in pairs if each[1] == first and second in {"", each[3]}]
    assert found == Counter(pairs)


@given(ITEMS, st.one_of(st.none(), st.integers(0, 5)), st.integers(1, 4))
def test_the_topics_of_the_first_differences_are_known_from_counts(items, at_most, at_least):
    n, topics = far_topics(Ratings.from_items(items, GRADES), at_most, at_least)
    place = GRADES.index
    far = [(abs(place(a) - place(b)), topic) for topic, _, a, _, b in in_pairs(items)]
    far = sorted(
        (each for each in far if each[0] >= at_least), key=lambda its: (-its[0], int(its[1]))
    )
    assert n == len(far)
    first = far if at_most is None else far[:at_most]
    assert {topic for _, topic in first} == topics


@given(ITEMS)
def test_kept_lines_become_the_same_ratings(items):
    """Whoever is named first; lines that do not count are not read."""
    lines, number = (
        ["topic,docno,judgment,assessor,kind,state,grade,ratings,changed_at,set_aside_at"],
        0,
    )
    for docno, (topic, given_, week) in enumerate(items):
        for n, (name, grade) in enumerate(given_):
            number += 1
            kind = "second" if n else "primary"
            lines.append(
                f"{topic},d{docno},{number},{name},{kind},judged,{grade},,2026-01-0{week}T09:00:00,"
            )
        lines.append(
            f"{topic},d{docno},{number},zoe,second,judged,3,,2026-02-01T09:00:00,2026-02-02"
        )
        lines.append(f"{topic},d{docno},,zoe,existing,judged,3,,,")
    found = kept_ratings(lines, {"relevance": GRADES}, {})["relevance"]
    expected = Ratings.from_items([(t, g, 0 if w < 5 else 1) for t, g, w in items], GRADES)
    assert (found.topics, found.raters, found.n_items) == (
        expected.topics,
        expected.raters,
        expected.n_items,
    )
    assert in_order(found).tolist() == in_order(expected).tolist()
