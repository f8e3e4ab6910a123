"""What strategies choose: budgets, samples, adaptive batches."""

import json
import re
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cleverdon.pools.entries import Before, Recipe
from cleverdon.pools.lists import topic_lists
from cleverdon.pools.strategy.adaptive import mean, next_documents, standing
from cleverdon.pools.strategy.budgets import fused
from cleverdon.pools.strategy.table import STRATEGIES
from tests.core.pooling.made import MANY_RUNS, TOPICS, docnos_of, formed, in_order

# Four lists and their fusion by ranx 0.3.21, rrf with k = 60.
FOUR = (
    "d9 d4 d5 d8 d0 d6 d3 d1",
    "d10 d0 d2 d1 d5 d3 d8 d6",
    "d8 d1 d9 d3 d0 d5 d10 d11",
    "d4 d2 d6 d10 d1 d7 d11 d5",
)
SUMS = """d1 0.061844529996 d5 0.061115028762 d8 0.046943815757 d10 0.046943815757 d0 0.046898263027
d6 0.045730413377 d3 0.045701888286 d4 0.032522474881 d9 0.032266458496 d2 0.032002048131
d11 0.029631255487 d7 0.015151515152"""
BY_RANX = dict(zip(SUMS.split()[::2], map(float, SUMS.split()[1::2]), strict=True))
FIRST = {"first": 1, "batch": 10, "floor": 1, "cap": 50, "reading_depth": 9}
TOY = {"a": 0.03252, "c": 0.03227, "b": 0.01613, "d": 0.01587}


def rankings(*lists: str):
    return {f"run{n}": {"1": words.split()} for n, words in enumerate(lists)}


@pytest.mark.parametrize(
    ("lists", "expected", "decimals"),
    [(FOUR, BY_RANX, 11), (("a b c", "c a d"), TOY, 5)],
    ids=["ranx", "by hand"],
)
def test_fusion_gives_the_known_sums_and_order(lists, expected, decimals):
    runs = rankings(*lists)
    found = topic_lists([in_order(run) for run in runs.values()], "1", [9] * len(runs))
    names = [docno.decode() for docno in found.docnos.tolist()]
    sums = dict(zip(names, fused(found).tolist(), strict=True))
    assert sums == pytest.approx(expected, abs=10**-decimals)
    parameters = {"n": len(expected), "per": "topic", "reading_depth": 100}
    order = docnos_of(runs, "rrf", parameters=parameters)
    assert [sums[docno] for docno in order] == sorted(sums.values(), reverse=True)


@given(MANY_RUNS, st.sampled_from(["best-rank", "rrf"]), st.integers(1, 8))
def test_a_larger_budget_begins_with_the_smaller_pool(runs, name, n):
    def pool(n):
        parameters = {"n": n, "per": "topic"} | ({"reading_depth": 9} if name == "rrf" else {})
        return formed(runs, Recipe(name, parameters, 7))

    small, large = pool(n), pool(n + 1)
    for topic in TOPICS:
        names = [[entry.docno for entry in each[topic]] for each in (small, large)]
        assert names[0] == names[1][: len(names[0])]
        assert len(names[0]) == min(n, len(names[1]))


@given(MANY_RUNS, st.integers(1, 5))
def test_deeper_pools_and_further_strata_contain_the_shallower(runs, depth):
    def docnos(name, parameters):
        pool = formed(runs, Recipe(name, parameters, 7))
        return {(topic, entry.docno) for topic, entries in pool.items() for entry in entries}

    assert docnos("depth", {"depth": depth}) <= docnos("depth", {"depth": depth + 1})
    strata = [[depth, 50], [depth + 2, 50]]
    more = [[depth, 70], [depth + 2, 60], [depth + 3, 10]]
    assert docnos("sample", {"strata": strata}) <= docnos("sample", {"strata": more})


def test_best_ranks_come_first_and_among_them_what_more_runs_have_there():
    runs = rankings("a b c d", "a c b e", "f c b d")
    order = docnos_of(runs, "best-rank", parameters={"n": 9, "per": "topic"})
    assert order[:2] == ["a", "f"]  # twice at rank 1, once at rank 1
    assert order[2:4] == ["c", "b"]  # twice at rank 2, once
    assert order[4:] == ["d", "e"]


def test_a_budget_for_all_topics_is_divided_evenly_and_chance_gives_the_rest():
    runs = {"a": {topic: [f"d{n}" for n in range(9)] for topic in TOPICS}}
    sizes = [
        {topic: len(entries) for topic, entries in formed(runs, recipe).items()}
        for recipe in (Recipe("best-rank", {"n": 10, "per": "pool"}, seed) for seed in range(9))
    ]
    assert all(sorted(each.values()) == [2, 2, 3, 3] for each in sizes)
    assert len({json.dumps(each) for each in sizes}) > 1


@given(
    st.lists(st.integers(1, 100), min_size=1, max_size=3), st.integers(1, 40), st.integers(0, 99)
)
def test_a_sample_has_the_stated_share_of_each_stratum(percents, width, seed):
    strata = [[width * n, percent] for n, percent in enumerate(percents, 1)]
    runs = {"a": {"1": [f"d{n:03}" for n in range(1, 200)]}}
    [entries] = formed(runs, Recipe("sample", {"strata": strata}, seed), topics=["1"]).values()
    counts = Counter(entry.reason for entry in entries)
    for n, (_, percent) in enumerate(strata, 1):
        found = counts[f"stratum {n} of {len(strata)}, {percent} %"]
        n_members = max(0, min(width * n, 199) - min(width * (n - 1), 199))
        assert abs(found - n_members * percent / 100) <= 0.5
    for entry in entries:
        stratum = int(entry.reason.split()[1])
        assert (stratum - 1) * width < entry.ranks[0] <= stratum * width


def test_a_sample_is_drawn_evenly_from_a_stratum():
    runs = {"a": {"1": [f"d{n}" for n in range(10)]}}
    parameters = {"strata": [[10, 50]]}
    drawn = Counter(
        docno
        for seed in range(200)
        for docno in docnos_of(runs, "sample", seed=seed, parameters=parameters)
    )
    assert all(70 <= drawn[f"d{n}"] <= 130 for n in range(10))


ADAPTIVE = {"first": 1, "batch": 10, "floor": 0, "cap": 99, "reading_depth": 100}


def next_of(runs, value, n, *, pooled=(), grades=None, seed=1):
    lists = topic_lists([in_order(run) for run in runs.values()], "1", [99] * len(runs))
    names = [docno.decode() for docno in lists.docnos.tolist()]
    lists.pooled[:] = [name in pooled for name in names]
    judged = np.array([(grades or {}).get(name, -1) for name in names])
    found = next_documents(lists, judged, np.random.default_rng(seed), value, n)
    return [names[n] for n in found.tolist()]


@pytest.mark.parametrize("value", [mean, standing])
def test_the_next_document_comes_from_the_run_that_did_best(value):
    runs = rankings("a1 a2 a3 a4", "b1 b2 b3 b4")
    known = {"pooled": ("a1", "b1"), "grades": {"a1": 0, "b1": 2}}
    assert {next_of(runs, value, 1, seed=seed, **known)[0] for seed in range(9)} == {"b2"}


@pytest.mark.parametrize("value", [mean, standing])
def test_runs_of_equal_value_take_turns_by_chance(value):
    runs = rankings("a1 a2", "b1 b2")
    assert {next_of(runs, value, 1, seed=seed)[0] for seed in range(20)} == {"a1", "b1"}


def test_a_judgment_counts_for_every_run_that_has_the_document():
    runs = rankings("x a2 a3", "b1 x b3", "c1 c2 c3")
    known = {"pooled": ("x", "b1", "c1"), "grades": {"x": 1, "b1": 0, "c1": 0}}
    # The mean of a is 2/3, that of b 2/4, that of c 1/3.
    assert next_of(runs, mean, 1, **known) == ["a2"]
    # a2 counts half: 2.5/4 is still more than 2/4; a3 too, then a is at its end.
    assert next_of(runs, mean, 4, **known) == ["a2", "a3", "b3", "c2"]


def test_documents_in_the_pool_that_are_not_judged_count_half():
    runs = rankings("a1 a2", "b1 b2", "c1 c2")
    known = {"pooled": ("a1", "b1", "c1"), "grades": {"b1": 0, "c1": 1}}
    assert next_of(runs, mean, 3, **known) == ["c2", "a2", "b2"]  # 2/3, 1.5/3, 1/3


def test_max_mean_forgives_a_long_run_what_move_to_front_does_not():
    runs = rankings("a1 a2 a3 a4", "b1 b2 b3 b4")
    known = {"pooled": ("a1", "a2", "a3", "b1"), "grades": {"a1": 1, "a2": 1, "a3": 0, "b1": -1}}
    assert next_of(runs, mean, 1, **known) == ["a4"]  # 3/5 against 1.5/3
    assert next_of(runs, standing, 1, **known) == ["b2"]  # -1 against -0.5


def test_the_first_step_is_a_shallow_pool_and_later_ones_are_batches_up_to_the_cap():
    runs = rankings(" ".join(f"a{n}" for n in range(40)), " ".join(f"b{n}" for n in range(40)))

    def step(number, pooled, cap=99):
        before = Before({"1": pooled}, {"1": dict.fromkeys(pooled, 0)}, number)
        recipe = Recipe("max-mean", {**ADAPTIVE, "first": 3, "cap": cap}, 7)
        return formed(runs, recipe, topics=["1"], before=before)["1"]

    first = step(0, [])
    assert {entry.docno for entry in first} == {"a0", "a1", "a2", "b0", "b1", "b2"}
    assert {entry.reason for entry in first} == {"rank 3 or higher"}
    pooled = [entry.docno for entry in first]
    second = step(1, pooled)
    assert (len(second), second[0].reason) == (10, "adaptive, batch 1")
    assert len(step(1, pooled, cap=8)) == 2
    assert step(1, pooled, cap=6) == step(1, pooled, cap=5) == []
    whole = [f"{run}{n}" for run in "ab" for n in range(40)]
    assert len(step(9, whole[:-3])) == 3
    assert step(9, whole) == []


def test_a_batch_is_shuffled():
    runs = rankings(" ".join(f"a{n:02}" for n in range(40)))
    how = {"parameters": ADAPTIVE, "before": Before({"1": ["a00"]}, {}, 1)}
    orders = {tuple(docnos_of(runs, "max-mean", seed=seed, **how)) for seed in range(5)}
    assert {tuple(sorted(order)) for order in orders} == {tuple(f"a{n:02}" for n in range(1, 11))}
    assert len(orders) == 5


@pytest.mark.parametrize(
    ("strategy", "name", "text", "value"),
    [
        ("depth", "depth", " 20 ", 20),
        ("depth-by-run", "depths", "a:100,b : 5, others:10", {"a": 100, "b": 5, "others": 10}),
        ("depth-by-priority", "depths", "02:50, 1:100", {"1": 100, "2": 50}),
        ("sample", "strata", "10:100, 40:40", [[10, 100], [40, 40]]),
        ("rrf", "per", "pool", "pool"),
    ],
)
def test_parameters_are_read_and_written(strategy, name, text, value):
    [parameter] = [each for each in STRATEGIES[strategy].parameters if each.name == name]
    assert parameter.read(text) == value
    assert parameter.read(parameter.written(value)) == value
    assert json.loads(json.dumps(value)) == value


@pytest.mark.parametrize(
    ("strategy", "name", "text", "sentence"),
    [
        *(
            ("depth", "depth", text, f"'{text}' is not a whole number from 1 to 1,000.")
            for text in ("0", "1001", "2.5")
        ),
        ("depth-by-run", "depths", "", "'' is not a name and a depth with a colon."),
        ("depth-by-run", "depths", "a:1, a:2", "'a' comes twice."),
        ("depth-by-run", "depths", "a b:1", "'a b' is not a tag."),
        ("depth-by-run", "depths", "a:x", "'x' is not a whole number from 1 to 1,000."),
        ("depth-by-priority", "depths", "x:1", "'x' is not a whole number from 1 to 999."),
        ("depth-by-priority", "depths", "1:1, 01:2", "'1' comes twice."),
        ("sample", "strata", "10:100, 40", "'40' is not a name and a percent with a colon."),
        ("sample", "strata", "10:0", "'0' is not a whole number from 1 to 100."),
        ("sample", "strata", "10:1, 10:2", "A stratum that ends at 10 cannot follow one to 10."),
        ("rrf", "per", "run", "Choose one of topic, pool."),
        ("max-mean", "batch", "21", "'21' is not a whole number from 10 to 20."),
    ],
)
def test_what_is_wrong_with_a_parameter_is_said_in_a_sentence(strategy, name, text, sentence):
    [parameter] = [each for each in STRATEGIES[strategy].parameters if each.name == name]
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        parameter.read(text)


@pytest.mark.parametrize("strategy", STRATEGIES.values(), ids=STRATEGIES)
def test_every_strategy_says_how_a_pool_was_formed(strategy):
    usual = {
        each.name: each.read(str(each.usual) or "301 FT911-3 known item")
        for each in strategy.parameters
    }
    assert strategy.label(**usual)
    assert strategy.rule(**usual)[0].isupper()
    assert len(strategy.name) <= 20


def test_an_adaptive_topic_whose_first_documents_are_judged_before_begins_with_the_next():
    runs = {"a": {"1": ["d1", "d2", "d3"]}}
    before = Before(judged={"1": {"d1": 1}}, existing={"1": {"d1": 2}})
    found = formed(runs, Recipe("max-mean", FIRST, 7), topics=["1"], before=before)
    assert {each.docno for each in found["1"]} == {"d2", "d3"}
    alone = formed(runs, Recipe("max-mean", FIRST, 7), topics=["1"])
    assert {each.docno for each in alone["1"]} == {"d1"}


@pytest.mark.parametrize("name", ["best-rank", "rrf"])
def test_a_fixed_number_leaves_out_what_is_known(name):
    runs = {"a": {"1": ["d1", "d2", "d3", "d4"]}}
    parameters = {"n": 2, "per": "topic"} | ({"reading_depth": 9} if name == "rrf" else {})
    before = Before(pooled={"1": {"d1"}}, existing={"1": {"d2": 0}})
    found = formed(runs, Recipe(name, parameters, 7), topics=["1"], before=before)
    assert [each.docno for each in found["1"] if each.standing == "new"] == ["d3", "d4"]
