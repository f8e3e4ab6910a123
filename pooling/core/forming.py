"""A pool formed from runs by a strategy, topic by topic."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from campaigns.core.seeds import seed_for
from pooling.core.lists import (
    Contributors,
    RunFacts,
    TopicLists,
    all_lists,
    in_groups,
    places_by_chance,
)
from pooling.core.strategy.record import Chosen
from pooling.core.strategy.table import STRATEGIES
from trec.arrays import Integers, Mask, offsets_of
from trec.docnos import PADDING, Docnos, compact
from trec.ranking import DEFAULT_RULES
from trec.runs.run import RankedRun

Grade = int
UNJUDGED = -1
IN_POOL = "in the pool before"


@dataclass(frozen=True)
class Recipe:
    """How a pool is formed: a strategy by name, its parameters, and in which order runs are read.

    The same recipe and the same files give the same pool on every machine.
    """

    strategy: str
    parameters: Mapping[str, Any]
    seed: int
    order_rule: str = DEFAULT_RULES


class Entry(NamedTuple):
    """A document: all runs that have it within their depth, by key, at which ranks, and why.

    It is new unless the pool has it before, or it is of a sample's population and was not drawn.
    """

    docno: str
    runs: tuple[Any, ...]
    ranks: tuple[int, ...]
    reason: str
    is_new: bool = True


class Before(NamedTuple):
    """What is known of topics before a step: their documents in the pool, and the grades."""

    pooled: Mapping[str, Collection[str]] = {}
    judged: Mapping[str, Mapping[str, Grade]] = {}
    step: int = 0


NOTHING = Before()


def form(
    runs: Mapping[Any, RankedRun],
    facts: Iterable[RunFacts],
    topics: Collection[str],
    recipe: Recipe,
    before: Before = NOTHING,
) -> Iterator[tuple[str, list[Entry]]]:
    """Yield every topic with its entries in the order chosen; topics come in byte order.

    `runs` are by the keys in `facts`. What a sample leaves out comes after what is chosen, and then
    what the pool has before, with the runs that have it: neither is new. A topic that is in no run
    has no entries. ValueError for parameters that do not fit the runs.
    """
    contributors = Contributors.of(facts, recipe.seed)
    keys = np.array([run.key for run in contributors.runs], dtype=object)
    for lists, chosen in _choices(runs, contributors, topics, recipe, before):
        yield lists.topic, _entries(lists, _and_pooled(lists, chosen), keys)


def _and_pooled(lists: TopicLists, chosen: Chosen) -> Chosen:
    pooled = np.flatnonzero(lists.pooled)
    reasons = np.full(len(pooled), len(chosen.names))
    return Chosen(
        np.concatenate([chosen.documents, pooled]),
        np.concatenate([chosen.reasons, reasons]),
        (*chosen.names, IN_POOL),
        chosen.n_left_out + len(pooled),
    )


def _choices(
    runs: Mapping[Any, RankedRun],
    contributors: Contributors,
    topics: Collection[str],
    recipe: Recipe,
    before: Before,
) -> Iterator[tuple[TopicLists, Chosen]]:
    """Yield each topic's lists, and what is chosen of them and is not in the pool before."""
    strategy, parameters = STRATEGIES[recipe.strategy], recipe.parameters
    depths = strategy.depths(contributors, n_topics=len(topics), **parameters)
    in_order = [runs[run.key] for run in contributors.runs]
    names = sorted(topics)
    places = dict(zip(names, places_by_chance(names, recipe.seed), strict=True))
    for bare in all_lists(in_order, names, depths, recipe.order_rule):
        topic = bare.topic
        lists = replace(
            bare,
            pooled=_pooled(bare, before.pooled.get(topic, ())),
            place=places[topic],
            n_topics=len(names),
            step=before.step,
        )
        seed = seed_for(recipe.seed, "pool", strategy.name, before.step, topic)
        chosen = strategy.choose(
            lists,
            judged=_grades(lists, before.judged.get(topic, {})),
            chance=np.random.Generator(np.random.PCG64(seed)),
            **parameters,
        )
        yield lists, _without_pooled(lists, chosen)


def _without_pooled(lists: TopicLists, chosen: Chosen) -> Chosen:
    kept = ~lists.pooled[chosen.documents]
    n_left_out = int(kept[len(kept) - chosen.n_left_out :].sum())
    return Chosen(chosen.documents[kept], chosen.reasons[kept], chosen.names, n_left_out)


def _pooled(lists: TopicLists, pooled: Collection[str]) -> Mask:
    return lists.docnos.among({docno.encode() for docno in pooled}) if pooled else lists.pooled


def _grades(lists: TopicLists, judged: Mapping[str, Grade]) -> Integers:
    grades = np.full(lists.n_documents, UNJUDGED)
    if judged:
        rows = np.flatnonzero(lists.docnos.among({docno.encode() for docno in judged}))
        docnos = lists.docnos.take(rows).tolist()
        grades[rows] = [judged[docno.decode()] for docno in docnos]
    return grades


def _texts(docnos: Docnos) -> list[str]:
    """Return docnos as texts, all at once: each is a line of its content."""
    return compact(docnos).content[:-PADDING].tobytes().decode().split("\n")[:-1]


def _entries(lists: TopicLists, chosen: Chosen, keys: Any) -> list[Entry]:
    """Put the lines of each chosen document together, run by run."""
    at = np.full(lists.n_documents, -1)
    at[chosen.documents] = np.arange(len(chosen.documents))
    entry = at[lists.document]
    rows = np.flatnonzero(entry >= 0)
    rows = rows[in_groups(entry[rows])]
    offsets = offsets_of(np.bincount(entry[rows], minlength=len(chosen.documents))).tolist()
    own = list(map(slice, offsets[:-1], offsets[1:]))
    runs, ranks = tuple(keys[lists.run[rows]].tolist()), tuple(lists.rank[rows].tolist())
    columns = (
        _texts(lists.docnos.take(chosen.documents)),
        map(runs.__getitem__, own),
        map(ranks.__getitem__, own),
        map(chosen.names.__getitem__, chosen.reasons.tolist()),
        (np.arange(len(own)) < len(own) - chosen.n_left_out).tolist(),
    )
    # Pools have millions of entries: their tuples are made without a step of Python for each.
    return list(map(partial(tuple.__new__, Entry), zip(*columns, strict=True)))
