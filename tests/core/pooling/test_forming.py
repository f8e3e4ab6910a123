"""Pools formed from runs: what holds for every strategy."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cleverdon.pools.entries import IN_POOL, Before, Recipe
from cleverdon.pools.forming import form
from cleverdon.pools.lists import Contributors, TopicLists, topic_lists
from cleverdon.pools.strategy.table import STRATEGIES
from cleverdon.trec.docnos import Docnos
from cleverdon.trec.ranking import ORDER_RULES
from pooling.core.forecast import NumberedRuns, forecast
from tests.core.measures.made import ranked
from tests.core.pooling.made import MANY_RUNS, TOPICS, facts_of, formed, in_order, new_of

SHALLOW = {"depths": {"others": 3}, "first": 2, "strata": [[1, 100], [3, 50]]}
SHALLOW |= dict.fromkeys(["depth", "reading_depth", "n"], 3)
OF_RUNS = sorted(name for name, each in STRATEGIES.items() if each.reads_runs)
NAMES = st.sampled_from(OF_RUNS)


def recipe(name: str, seed: int = 7, order_rule: str = "trec_eval-9") -> Recipe:
    """A strategy with small parameters."""
    parameters = {
        each.name: SHALLOW.get(each.name, each.read(str(each.usual)))
        for each in STRATEGIES[name].parameters
    }
    return Recipe(name, parameters, seed, order_rule)


@given(MANY_RUNS, st.integers(1, 9))
def test_a_depth_pool_has_what_some_run_has_down_to_the_depth_and_says_which_and_where(runs, depth):
    pool = formed(runs, Recipe("depth", {"depth": depth}, 7))
    assert list(pool) == sorted(TOPICS)
    for topic, entries in pool.items():
        expected: dict[str, dict[str, int]] = {}
        for tag, rankings in runs.items():
            for rank, docno in enumerate(rankings.get(topic, [])[:depth], 1):
                expected.setdefault(docno, {})[tag] = rank
        found = {each.docno: dict(zip(each.runs, each.ranks, strict=True)) for each in entries}
        assert found == expected
        assert len(found) == len(entries)


@given(MANY_RUNS, NAMES, st.randoms())
def test_neither_the_order_of_runs_and_topics_nor_their_tags_change_a_pool(runs, name, random):
    topics, tags = list(TOPICS), list(runs)
    random.shuffle(topics)
    random.shuffle(tags)
    opened = {tag: in_order(rankings) for tag, rankings in runs.items()}
    facts = [fact._replace(tag=f"renamed-{n}") for n, fact in enumerate(facts_of(tags))]
    again = form(opened, facts, topics, recipe(name))
    assert new_of(again) == formed(runs, recipe(name))


@given(MANY_RUNS, NAMES, st.sets(st.sampled_from([f"d{number}" for number in range(9)])))
def test_what_is_in_the_pool_before_is_not_chosen_again_but_told_with_its_runs(runs, name, pooled):
    before = Before(dict.fromkeys(TOPICS, pooled))
    opened = {tag: in_order(rankings) for tag, rankings in runs.items()}
    depth = 3 + len(pooled) if name == "best-rank" else 3  # which reads on for what it leaves out
    deep = formed(runs, Recipe("depth", {"depth": depth}, 7))
    for topic, entries in form(opened, facts_of(runs), TOPICS, recipe(name), before):
        assert all(each.docno not in pooled for each in entries if each.standing == "new")
        assert len({each.docno for each in entries}) == len(entries)
        told = {each.docno: each.runs for each in entries if each.reason == IN_POOL}
        assert told == {each.docno: each.runs for each in deep[topic] if each.docno in pooled}


def test_what_the_pool_has_and_a_sample_leaves_out_is_told_apart_from_what_is_new():
    runs = {"a": {"1": ["d1", "d2", "d3", "d4"]}}
    how = Recipe("sample", {"strata": [[1, 100], [4, 50]]}, 7)
    opened = {tag: in_order(rankings) for tag, rankings in runs.items()}
    [(_, entries)] = form(opened, facts_of(runs), ["1"], how, Before({"1": {"d1"}}))
    assert [(each.standing, each.reason) for each in entries] == [
        ("new", "stratum 2 of 2, 50 %"),
        ("new", "stratum 2 of 2, 50 %"),
        ("undrawn", "stratum 2 of 2, 50 %"),
        ("pooled", IN_POOL),
    ]
    assert {each.docno for each in entries} == {"d1", "d2", "d3", "d4"}
    assert entries[-1][:3] == ("d1", ("a",), (1,))


@given(MANY_RUNS, NAMES)
def test_all_runs_that_have_a_document_within_their_depth_contributed_it(runs, name):
    deep = formed(runs, Recipe("depth", {"depth": 3}, 7))
    for topic, entries in formed(runs, recipe(name)).items():
        by_docno = {entry.docno: entry for entry in deep[topic]}
        for entry in entries:
            assert entry[:3] == by_docno[entry.docno][:3]


@given(MANY_RUNS, NAMES)
def test_a_pool_can_be_formed_again(runs, name):
    assert formed(runs, recipe(name)) == formed(runs, recipe(name))


@pytest.mark.parametrize("name", ["best-rank", "rrf", "sample"])
def test_chance_depends_on_seed_and_topic(name):
    runs = {"a": {"1": ["x"], "2": ["x"]}, "b": {"1": ["y"], "2": ["y"]}}
    parameters = {"n": 1, "per": "topic", "reading_depth": 9, "strata": [[1, 50]]}
    own = {each.name: parameters[each.name] for each in STRATEGIES[name].parameters}
    drawn = {
        (topic, entries[0].docno)
        for seed in range(9)
        for topic, entries in formed(runs, Recipe(name, own, seed), topics=("1", "2")).items()
    }
    assert drawn == {("1", "x"), ("1", "y"), ("2", "x"), ("2", "y")}
    both = [formed(runs, Recipe(name, own, seed), topics=("1", "2")) for seed in range(9)]
    assert any(pool["1"][0].docno != pool["2"][0].docno for pool in both)


@given(MANY_RUNS)
def test_order_rules_agree_where_no_scores_tie_and_the_ranks_follow_the_scores(runs):
    pools = [formed(runs, recipe("depth", order_rule=rule)) for rule in ORDER_RULES]
    assert pools[0] == pools[1] == pools[2]


def test_each_order_rule_reads_a_run_in_its_own_order():
    run = ranked({"1": {"a": 1.0, "b": 1.0, "c": 1.0}, "2": {"d": 2.0, "e": 1.0}})
    arguments = {"a": run}, facts_of(["a"]), ["1", "2"]
    pools = {
        rule: [e.docno for e in dict(form(*arguments, Recipe("depth", {"depth": 2}, 7, rule)))["1"]]
        for rule in ORDER_RULES
    }
    # The rank column says a, b, c.
    first = ["a", "b"]
    assert pools == {"trec_eval-9": ["b", "c"], "docno-ascending": first, "file-rank": first}


def test_runs_of_a_team_come_by_priority_and_those_without_one_last():
    runs = {tag: {"1": [tag]} for tag in ("x", "y", "z", "other")}
    teams = dict.fromkeys(("x", "y", "z"), "team")
    priority = {"y": 2, "z": 1}
    how = {"depth": 1, "of_each": 2}
    pool = formed(runs, Recipe("runs-per-team", how, 7), team=teams, priority=priority)
    assert {entry.docno for entry in pool["1"]} == {"y", "z", "other"}
    drawn = [
        formed(runs, Recipe("runs-per-team", how, seed), team=teams)["1"] for seed in range(12)
    ]
    assert all(len(entries) == 3 for entries in drawn)
    assert {entry.docno for entries in drawn for entry in entries} == set(runs)


def test_depths_by_tag_and_by_priority():
    runs = {tag: {"1": [f"{tag}{n}" for n in range(5)]} for tag in "abc"}
    by_tag = formed(runs, Recipe("depth-by-run", {"depths": {"a": 3, "others": 1}}, 7))
    assert {entry.docno for entry in by_tag["1"]} == {"a0", "a1", "a2", "b0", "c0"}
    only = formed(runs, Recipe("depth-by-run", {"depths": {"a": 1}}, 7))
    assert [entry.docno for entry in only["1"]] == ["a0"]
    depths = {"depths": {"1": 2, "others": 1}}
    by_priority = formed(runs, Recipe("depth-by-priority", depths, 7), priority={"b": 1})
    assert {entry.docno for entry in by_priority["1"]} == {"a0", "b0", "b1", "c0"}
    with pytest.raises(ValueError, match="No contributing run has the tag 'd'"):
        formed(runs, Recipe("depth-by-run", {"depths": {"d": 1, "others": 1}}, 7))


@given(MANY_RUNS)
def test_lists_have_the_documents_of_each_run_and_the_best_rank_of_each_document(runs):
    opened = [in_order(rankings) for rankings in runs.values()]
    lists = topic_lists(opened, "1", [4] * len(opened))
    names = [docno.decode() for docno in lists.docnos.tolist()]
    assert names == sorted(
        {d for each in runs.values() for d in each.get("1", [])[:4]}, key=str.encode
    )
    lines = zip(lists.run.tolist(), lists.rank.tolist(), lists.document.tolist(), strict=True)
    tops = [each.get("1", [])[:4] for each in runs.values()]
    assert [(run, rank, names[document]) for run, rank, document in lines] == [
        (run, rank, docno) for run, top in enumerate(tops) for rank, docno in enumerate(top, 1)
    ]
    best = [min(top.index(name) + 1 for top in tops if name in top) for name in names]
    assert lists.best_rank.tolist() == best


@given(st.lists(st.sampled_from([b"d1", b"d2", b"e", "é".encode(), b"d10"])), st.integers(1, 3))
def test_docnos_are_numbered_whatever_their_hashes(docnos, n_hashes):
    made = Docnos.of(docnos)
    hashes = (made.hashes % n_hashes).astype(np.uint32)
    different, numbers = Docnos(made.content, made.starts, made.ends, hashes).numbered()
    assert different.tolist() == sorted(set(docnos))
    assert [different[n] for n in numbers.tolist()] == docnos


def test_a_pool_of_no_run_has_its_topics_and_nothing_in_them():
    for name in OF_RUNS:
        how = recipe(name)
        assert list(form({}, [], ["2", "1"], how)) == [("1", []), ("2", [])]
    assert len(Contributors.of([], 7)) == 0
    assert isinstance(topic_lists([], "1", []), TopicLists)


@given(MANY_RUNS, NAMES)
def test_no_pool_is_larger_than_its_expected_size(runs, name):
    numbered = NumberedRuns.of([in_order(each) for each in runs.values()], TOPICS, [])
    counts = forecast(numbered, range(len(runs)), [0] * len(runs), [9] * len(runs)).counts
    how = recipe(name)
    expected = STRATEGIES[name].size(counts, **how.parameters)
    pool = formed(runs, how)
    assert all(len(pool[t]) <= n for t, n in zip(numbered.topics, expected.tolist(), strict=True))
