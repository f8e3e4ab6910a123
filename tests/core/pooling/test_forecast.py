"""Forecasts against pools that are formed."""

from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cleverdon.pools.entries import Before, Recipe
from cleverdon.pools.strategy.budgets import BEST_RANK, TOPIC
from cleverdon.trec.mapped import DamagedFile
from pooling.core.forecast import NumberedRuns, forecast
from tests.core.pooling.made import MANY_RUNS, TOPICS, formed, in_order

DEPTHS = st.lists(st.integers(1, 9), min_size=4, max_size=4)
POOLED = {"1": {"d1", "d3"}, "10": {"d2"}}


def tops(runs, depths, pooled=POOLED) -> dict[str, set[tuple[str, str]]]:
    return {
        tag: {
            (topic, docno)
            for topic in TOPICS
            for docno in rankings.get(topic, [])[:depth]
            if docno not in pooled.get(topic, ())
        }
        for (tag, rankings), depth in zip(runs.items(), depths, strict=False)
    }


@given(MANY_RUNS, DEPTHS)
def test_counts_are_those_of_the_documents_at_each_runs_depth(runs, depths):
    numbered = NumberedRuns.of([in_order(each) for each in runs.values()], TOPICS, [POOLED])
    teams = [n // 2 for n in range(len(runs))]
    found = forecast(numbered, range(len(runs)), teams, depths[: len(runs)])
    of_run = tops(runs, depths)
    taken = tops(runs, depths, pooled={})
    assert found.n_known == len(set().union(*taken.values())) - len(set().union(*of_run.values()))
    every = set().union(*of_run.values()) if of_run else set()
    sizes = [sum(topic == number for number, _ in every) for topic in numbered.topics]
    assert found.counts.sum(axis=1).tolist() == sizes
    of_team: dict[int, set] = {}
    for team, each in zip(teams, of_run.values(), strict=True):
        of_team.setdefault(team, set()).update(each)
    assert found.by_team == {team: len(each) for team, each in of_team.items()}


@given(MANY_RUNS, st.integers(1, 8))
def test_a_fixed_number_is_forecast_exactly_although_some_are_known(runs, n):
    numbered = NumberedRuns.of([in_order(each) for each in runs.values()], TOPICS, [POOLED])
    parameters = {"n": n, "per": TOPIC}
    given = {"n_topics": len(TOPICS), "n_known": numbered.most_known([0]), **parameters}
    depths = BEST_RANK.depths(range(len(runs)), **given)
    counts = forecast(numbered, range(len(runs)), range(len(runs)), depths).counts
    recipe = Recipe(BEST_RANK.name, parameters, 7)
    made = formed(runs, recipe, before=Before(pooled=POOLED))
    sizes = [len(made[topic]) for topic in numbered.topics]
    assert BEST_RANK.size(counts, **parameters).tolist() == sizes
    every = tops(runs, [9] * len(runs)).values()
    found = set().union(*every)
    left = [sum(topic == number for number, _ in found) for topic in numbered.topics]
    assert sizes == [min(n, each) for each in left]


def test_only_the_topics_that_count_are_counted():
    runs = [in_order({"1": ["a", "b"], "2": ["c"]}), in_order({"1": ["a"], "2": ["d", "e"]})]
    numbered = NumberedRuns.of(runs, ["1", "2"], [])
    found = forecast(numbered, [0, 1], [0, 1], [9, 9], [1])
    assert found.counts.sum(axis=1).tolist() == [0, 3]
    assert found.by_team == {0: 1, 1: 2}


def test_with_many_lines_runs_are_read_less_deep():
    runs = [in_order({"1": [f"d{n}" for n in range(30)]})] * 2
    numbered = NumberedRuns.of(runs, ["1"], [], most_lines=24)
    assert (numbered.depth, len(numbered.documents)) == (12, 24)
    assert forecast(numbered, [0], [0], [30]).counts.sum() == 12


def test_what_is_written_is_opened_and_a_damaged_file_is_told(tmp_path):
    numbered = NumberedRuns.of([in_order({"1": ["a", "b"]})], ["1", "2"], [{"1": {"b"}}])
    stream = BytesIO()
    numbered.write(stream)
    (tmp_path / "whole").write_bytes(stream.getvalue())
    opened = NumberedRuns.open(tmp_path / "whole")
    assert forecast(opened, [0], [0], [9]).counts.sum(axis=1).tolist() == [1, 0]
    (tmp_path / "cut").write_bytes(stream.getvalue()[:-9])
    with pytest.raises(DamagedFile):
        NumberedRuns.open(tmp_path / "cut")
