"""Pools of all that runs have down to a depth: one for all, or by run, by priority, by team."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from cleverdon.pools.lists import Contributors, TopicLists
from cleverdon.pools.strategy.parameters import OTHERS, Depths, WholeNumber
from cleverdon.pools.strategy.record import Chosen, Strategy
from cleverdon.trec.arrays import Integers
from cleverdon.trec.words import counted, ordinal

RANKS = WholeNumber("depth", "", usual=20, label="depth k")


def everything(lists: TopicLists, why: str) -> Chosen:
    """Choose all documents, in byte order."""
    n = lists.n_documents
    return Chosen(np.arange(n), np.zeros(n, dtype=np.int64), (why,))


def ranked(depth: int) -> str:
    return "rank 1" if depth == 1 else f"rank {depth:,} or higher"


def _every(lists: TopicLists, *, depth: int, **_: Any) -> Chosen:
    return everything(lists, ranked(depth))


def down_to(counts: Integers, depth: int) -> Integers:
    """Count the documents down to a depth: shape [n_topics]."""
    sizes: Integers = counts[:, :depth].sum(axis=1)
    return sizes


def _rule(depth: int) -> str:
    place = "first" if depth == 1 else f"{ordinal(depth)} or higher"
    return f"Every document that a contributing run ranks {place}"


DEPTH = Strategy(
    name="depth",
    title="Depth-k",
    sentence="The top documents of each run, down to this rank.",
    sketch="### ### ### ### ### ###",
    source="Spärck Jones and van Rijsbergen 1975",
    parameters=(RANKS,),
    choose=_every,
    label=lambda depth: f"depth-k, k = {depth}",
    rule=_rule,
    depths=lambda contributors, *, depth, **_: np.full(len(contributors), depth),
    size=lambda counts, *, depth: down_to(counts, depth),
    takes_all=True,
)


def _by_tag(contributors: Contributors, *, depths: Mapping[str, int], **_: Any) -> Integers:
    """ValueError for a tag that no contributing run has."""
    tags = [run.tag for run in contributors.runs]
    for unknown in sorted(set(depths).difference(tags, {OTHERS})):
        raise ValueError(f"No contributing run has the tag {unknown!r}.")
    return _depths(tags, depths)


def _by_priority(contributors: Contributors, *, depths: Mapping[str, int], **_: Any) -> Integers:
    return _depths([str(priority) for priority in contributors.priorities.tolist()], depths)


def _depths(names: list[str], depths: Mapping[str, int]) -> Integers:
    others = depths.get(OTHERS, 0)
    return np.array([depths.get(name, others) for name in names], dtype=np.int64)


def _deepest(counts: Integers, *, depths: Mapping[str, int]) -> Integers:
    return down_to(counts, max(depths.values()))


def _within(lists: TopicLists, **_: Any) -> Chosen:
    return everything(lists, "within the depth of a run")


BY_RUN_DEPTHS = Depths(
    "depths",
    "A depth for each tag, such as bm25:100, dense:50, others:10. Runs that are not named, "
    "without a depth for others, add nothing.",
    usual="others:20",
)
BY_PRIORITY_DEPTHS = Depths(
    "depths",
    "A depth for each priority that teams have stated, such as 1:100, 2:50, others:10.",
    usual="1:100, 2:50, others:10",
    by_priority=True,
)
BY_RUN = Strategy(
    name="depth-by-run",
    title="A depth for each run",
    sentence="Runs that you name by tag go as deep as you say, all others to a depth of theirs.",
    sketch="##### ## ## ###### ## ##",
    source="TREC",
    parameters=(BY_RUN_DEPTHS,),
    choose=_within,
    label=lambda depths: f"depth by run, {BY_RUN_DEPTHS.written(depths)}",
    rule=lambda depths: (
        f"Every document that a run has within its depth ({BY_RUN_DEPTHS.written(depths)})"
    ),
    depths=_by_tag,
    size=_deepest,
    takes_all=True,
)
BY_PRIORITY = Strategy(
    name="depth-by-priority",
    title="A depth for each priority",
    sentence="What a team wants most is read deep, its other runs less.",
    sketch="###### ### # ###### ### #",
    source="TREC",
    parameters=(BY_PRIORITY_DEPTHS,),
    choose=_within,
    label=lambda depths: f"depth by priority, {BY_PRIORITY_DEPTHS.written(depths)}",
    rule=lambda depths: (
        "Every document that a run has within the depth of its priority "
        f"({BY_PRIORITY_DEPTHS.written(depths)})"
    ),
    depths=_by_priority,
    size=_deepest,
    takes_all=True,
)


def _of_each_team(contributors: Contributors, *, depth: int, of_each: int, **_: Any) -> Integers:
    """Read each team's first runs by stated priority, those without one last, then by chance."""
    last = np.iinfo(np.int64).max
    priorities = np.where(contributors.priorities > 0, contributors.priorities, last)
    order = np.lexsort((contributors.draws, priorities, contributors.teams))
    teams = contributors.teams[order]
    number = np.arange(len(teams)) - np.searchsorted(teams, teams)
    depths = np.zeros(len(teams), dtype=np.int64)
    depths[order[number < of_each]] = depth
    return depths


BY_TEAM = Strategy(
    name="runs-per-team",
    title="A few runs a team",
    sentence="The same depth, and no more runs of one team than of another: those it wants most.",
    sketch="#### . . #### . .",
    source="TREC-COVID",
    parameters=(
        RANKS,
        WholeNumber("of_each", "Those it wants most.", usual=2, most=100, label="runs per team"),
    ),
    choose=_every,
    label=lambda depth, of_each: f"depth {depth}, {counted(of_each, 'run')} of each team",
    rule=lambda depth, of_each: f"{_rule(depth)}, of each team at most {counted(of_each, 'run')}",
    depths=_of_each_team,
    size=lambda counts, *, depth, of_each: down_to(counts, depth),
    takes_all=True,
)
