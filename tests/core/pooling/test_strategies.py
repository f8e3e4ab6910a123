"""Depth-k pools."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pooling.core.strategies import depth_pool, fingerprint
from tests.core.pooling.made import MANY_RUNS, TOPICS, Rankings, in_order


def pooled(runs: dict[str, Rankings], depth: int):
    return depth_pool({tag: in_order(rankings) for tag, rankings in runs.items()}, TOPICS, depth)


def brute_force(runs: dict[str, Rankings], topic: str, depth: int) -> dict[str, dict[str, int]]:
    """Rank by tag, by docno, of what some run has down to the depth."""
    found: dict[str, dict[str, int]] = {}
    for tag, rankings in runs.items():
        for docno in rankings.get(topic, [])[:depth]:
            found.setdefault(docno, {})[tag] = rankings[topic].index(docno) + 1
    return found


@given(MANY_RUNS, st.integers(1, 9))
def test_a_pool_has_what_some_run_has_down_to_the_depth_and_says_which_and_where(runs, depth):
    pool = pooled(runs, depth)
    assert list(pool) == sorted(TOPICS)
    for topic, entries in pool.items():
        found = {entry.docno: dict(entry.contributions) for entry in entries}
        assert found == brute_force(runs, topic, depth)
        assert len(found) == len(entries)


@given(MANY_RUNS, st.integers(1, 9))
def test_a_pool_grows_with_depth(runs, depth):
    shallow, deep = pooled(runs, depth), pooled(runs, depth + 1)
    for topic in TOPICS:
        assert {entry.docno for entry in shallow[topic]} <= {entry.docno for entry in deep[topic]}


@given(MANY_RUNS, st.integers(1, 9), st.randoms())
def test_the_order_of_runs_and_topics_changes_nothing(runs, depth, random):
    tags, topics = list(runs), list(TOPICS)
    random.shuffle(tags)
    random.shuffle(topics)
    again = depth_pool({tag: in_order(runs[tag]) for tag in tags}, topics, depth)
    assert list(again.items()) == list(pooled(runs, depth).items())


@given(MANY_RUNS, st.integers(1, 9))
def test_entries_are_in_byte_order_and_contributions_in_order_of_tags(runs, depth):
    for entries in pooled(runs, depth).values():
        docnos = [entry.docno.encode() for entry in entries]
        assert docnos == sorted(docnos)
        assert all(list(entry.contributions) == sorted(entry.contributions) for entry in entries)


def test_a_pool_of_no_run_has_its_topics_and_nothing_in_them():
    assert depth_pool({}, ["2", "1"], 10) == {"1": (), "2": ()}


def test_a_depth_below_1_is_refused():
    with pytest.raises(ValueError, match="at least 1 deep, not 0"):
        depth_pool({}, ["1"], 0)


HOW = {"strategy": "depth", "parameters": {"depth": 2}, "seed": 7, "order_rule": "trec_eval-9"}
RUNS = {"a": {"1": ["x", "y"]}, "b": {"1": ["y", "z"], "2": ["x"]}}


def test_the_fingerprint_depends_on_neither_order_nor_kind_of_sequence():
    pool = pooled(RUNS, 2)
    turned = {
        topic: [
            entry._replace(contributions=entry.contributions[::-1]) for entry in reversed(entries)
        ]
        for topic, entries in reversed(pool.items())
    }
    assert fingerprint(turned, **HOW) == fingerprint(pool, **HOW)


@pytest.mark.parametrize(
    "change",
    [
        {"strategy": "rrf"},
        {"parameters": {"depth": 3}},
        {"seed": 8},
        {"order_rule": "trec_eval-10"},
    ],
)
def test_how_the_pool_was_formed_is_in_the_fingerprint(change):
    pool = pooled(RUNS, 2)
    assert fingerprint(pool, **HOW | change) != fingerprint(pool, **HOW)


@pytest.mark.parametrize(
    "runs",
    [
        {"a": {"1": ["x", "y"]}, "b": {"1": ["y", "z"], "3": ["x"]}},  # another topic
        {"a": {"1": ["x", "y"]}, "b": {"1": ["y", "é"], "2": ["x"]}},  # another document
        {"a": {"1": ["x", "y"]}, "c": {"1": ["y", "z"], "2": ["x"]}},  # another run
        {"a": {"1": ["y", "x"]}, "b": {"1": ["y", "z"], "2": ["x"]}},  # another rank
    ],
)
def test_every_contribution_is_in_the_fingerprint(runs):
    assert fingerprint(pooled(runs, 2), **HOW) != fingerprint(pooled(RUNS, 2), **HOW)


def test_the_fingerprint_of_a_pool_is_what_it_was_when_it_was_published():
    published = "b7eff4ac2f03ff13e51e0648dc8b10d7ffdf743133dfd135867e1a018a7e5f37"
    assert fingerprint(pooled(RUNS, 2), **HOW) == published
