"""The plan of who judges what."""

from collections import Counter
from dataclasses import replace
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from assess.core import plan as plans
from assess.core.plan import Left, OpenTopic, Person, make_plan
from assess.core.sampling import Sample
from cleverdon.pools.seeds import sample

SIZES = st.lists(st.integers(1, 400), min_size=1, max_size=40)
SHARES = st.sampled_from([0, 0.07, 0.25, 1])


def topics(sizes) -> list[OpenTopic]:
    return [OpenTopic(str(number), size) for number, size in enumerate(sizes, 1)]


@st.composite
def people(draw) -> list[Person]:
    limits = st.none() | st.integers(0, 2000)
    n = draw(st.integers(1, 8))
    return [
        Person(each, draw(st.integers(0, 300)), draw(limits), draw(st.booleans()))
        for each in range(1, n + 1)
    ]


@given(SIZES, people(), SHARES, st.integers(0, 99), st.booleans())
def test_every_topic_is_given_or_left_and_no_rule_is_broken(sizes, cast, share, seed, refuses):
    plan = make_plan(
        topics(sizes), cast, sample=Sample(share), seed=seed, refuses_conflicts=refuses
    )
    again = make_plan(
        topics(sizes), cast[::-1], sample=Sample(share), seed=seed, refuses_conflicts=refuses
    )
    assert again.version == plan.version
    found = [(each.topic, each.kind) for each in (*plan.given, *plan.left)]
    assert len(found) == len(set(found))
    assert {topic for topic, kind in found if kind == "primary"} == {
        topic.number for topic in topics(sizes)
    }
    for person in cast:
        theirs = [each for each in plan.given if each.assessor == person.id]
        assert len({each.topic for each in theirs}) == len(theirs)
        total = person.n_documents + sum(each.n_documents for each in theirs)
        assert not theirs or person.limit is None or total <= person.limit
        assert not (refuses and person.is_in_conflict and theirs)


@given(SIZES, st.integers(1, 8), st.integers(0, 99))
def test_documents_are_balanced(sizes, n, seed):
    cast = [Person(each) for each in range(1, n + 1)]
    plan = make_plan(topics(sizes), cast, sample=Sample(), seed=seed)
    loads = Counter({person.id: 0 for person in cast})
    for each in plan.given:
        loads[each.assessor] += each.n_documents
    assert max(loads.values()) - min(loads.values()) <= max(sizes)


def test_whoever_has_documents_already_gets_fewer():
    cast = [Person(1, 100), Person(2)]
    plan = make_plan(topics([50, 50]), cast, sample=Sample(), seed=1)
    assert [each.assessor for each in plan.given] == [2, 2]


def test_second_assessors_make_every_pair():
    cast = [Person(each) for each in range(1, 7)]
    plan = make_plan(topics([10] * 30), cast, sample=Sample(0.3), seed=5)
    by_topic: dict[str, set[int]] = {}
    for each in plan.given:
        by_topic.setdefault(each.topic, set()).add(each.assessor)
    pairs = Counter(frozenset(pair) for pair in by_topic.values())
    assert set(pairs) == {frozenset(pair) for pair in combinations(range(1, 7), 2)}
    other = make_plan(topics([10] * 30), cast, sample=Sample(0.3), seed=6)
    assert other.version != plan.version


def test_a_pair_that_there_is_comes_last():
    cast = [Person(1), Person(2), Person(3, 500)]
    topic = OpenTopic("1", 10, primary=1)
    plan = make_plan([topic], cast, sample=Sample(1.0), seed=1, pairs=[(2, 1)])
    assert [each.assessor for each in plan.given] == [3]
    assert make_plan([topic], cast, sample=Sample(1.0), seed=1).given[0].assessor == 2


def test_whoever_is_in_conflict_comes_last_or_not_at_all():
    cast = [Person(1, is_in_conflict=True), Person(2, 900)]
    [given] = make_plan(topics([10]), cast, sample=Sample(), seed=1).given
    assert given.assessor == 2
    [given] = make_plan(topics([10]), cast[:1], sample=Sample(), seed=1).given
    assert given.is_in_conflict
    strict = make_plan(topics([10]), cast[:1], sample=Sample(), seed=1, refuses_conflicts=True)
    assert strict.left == (Left("1", "primary", plans.IN_CONFLICT),)


def test_what_is_left_says_why():
    [topic] = topics([10])
    full = [Person(1, 0, 9)]
    assert make_plan([topic], full, sample=Sample(), seed=1).left == (
        Left("1", "primary", plans.NO_ROOM),
    )
    barred = replace(topic, primary=1)
    assert make_plan([barred], [Person(1)], sample=Sample(1.0), seed=1).left == (
        Left("1", "second", plans.JUDGES_IT),
    )


@given(st.integers(1, 300), st.floats(0.01, 1))
def test_the_planned_share_is_the_sampled_one(n, share):
    docnos = [f"d{number}" for number in range(n)]
    assert Sample(share).size(n) == len(sample(docnos, share, 1))
