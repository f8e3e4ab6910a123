"""A pool formed from runs by a strategy, topic by topic."""

import gc
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from itertools import repeat
from typing import Any

import numpy as np

from cleverdon.pools.entries import (
    IN_POOL,
    NOTHING,
    UNJUDGED,
    Before,
    Entry,
    Grade,
    Recipe,
    Standing,
    with_existing,
)
from cleverdon.pools.lists import (
    Contributors,
    RunFacts,
    TopicLists,
    all_lists,
    in_groups,
    places_by_chance,
)
from cleverdon.pools.seeds import seed_for
from cleverdon.pools.strategy.record import Chosen
from cleverdon.pools.strategy.table import STRATEGIES
from cleverdon.trec.arrays import Integers, Mask, offsets_of
from cleverdon.trec.docnos import Docnos, compact
from cleverdon.trec.runs.run import RankedRun


def form(
    runs: Mapping[Any, RankedRun],
    facts: Iterable[RunFacts],
    topics: Collection[str],
    recipe: Recipe,
    before: Before = NOTHING,
) -> Iterator[tuple[str, list[Entry]]]:
    """Yield every topic with its entries in the order chosen; topics come in byte order.

    `runs` are by the keys in `facts`. What a sample leaves out comes after what is chosen, then
    what the pool has before, with the runs that have it, and what existing judgments have besides.
    ValueError for parameters that do not fit the runs.
    """
    contributors = Contributors.of(facts, recipe.seed)
    keys = np.array([run.key for run in contributors.runs], dtype=object)
    with _uncollected():
        for lists, chosen in _choices(runs, contributors, topics, recipe, before):
            entries = _entries(lists, _and_known(lists, chosen), keys)
            yield lists.topic, with_existing(entries, lists.topic, before)


def named(
    documents: Iterable[tuple[str, str, str]], topics: Collection[str], before: Before = NOTHING
) -> Iterator[tuple[str, list[Entry]]]:
    """Yield every topic with the documents that are named for it: topic, docno, why."""
    entries: dict[str, list[Entry]] = {topic: [] for topic in sorted(topics)}
    for topic, docno, why in documents:
        is_pooled = docno in before.pooled.get(topic, ())
        standing = Standing.POOLED if is_pooled else Standing.NEW
        entries[topic].append(Entry(docno, (), (), why, standing))
    for topic, own in entries.items():
        yield topic, with_existing(own, topic, before)


def _and_known(lists: TopicLists, chosen: Chosen) -> Chosen:
    known = np.flatnonzero(lists.known)
    reasons = np.full(len(known), len(chosen.names))
    return chosen._replace(
        documents=np.concatenate([chosen.documents, known]),
        reasons=np.concatenate([chosen.reasons, reasons]),
        names=(*chosen.names, IN_POOL),
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
    names = sorted(topics)
    n_known = max((before.n_known(topic) for topic in names), default=0)
    depths = strategy.depths(contributors, n_topics=len(names), n_known=n_known, **parameters)
    in_order = [runs[run.key] for run in contributors.runs]
    places = dict(zip(names, places_by_chance(names, recipe.seed), strict=True))
    for bare in all_lists(in_order, names, depths, recipe.order_rule):
        topic = bare.topic
        pooled = _among(bare, before.pooled.get(topic, ()))
        lists = replace(
            bare,
            pooled=pooled,
            known=pooled | _among(bare, before.existing.get(topic, ())),
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
        yield lists, _without_known(lists, chosen)


def _without_known(lists: TopicLists, chosen: Chosen) -> Chosen:
    kept = ~lists.known[chosen.documents]
    n_left_out = int(kept[len(kept) - chosen.n_left_out :].sum())
    return Chosen(chosen.documents[kept], chosen.reasons[kept], chosen.names, n_left_out)


def _among(lists: TopicLists, docnos: Collection[str]) -> Mask:
    if not docnos:
        return np.zeros(lists.n_documents, dtype=np.bool_)
    return lists.docnos.among({docno.encode() for docno in docnos})


def _grades(lists: TopicLists, judged: Mapping[str, Grade]) -> Integers:
    grades = np.full(lists.n_documents, UNJUDGED)
    if judged:
        rows = np.flatnonzero(lists.docnos.among({docno.encode() for docno in judged}))
        docnos = lists.docnos.take(rows).tolist()
        grades[rows] = [judged[docno.decode()] for docno in docnos]
    return grades


def _texts(docnos: Docnos) -> list[str]:
    """Return docnos as texts, all at once: each is a line of its content."""
    return compact(docnos).content.tobytes().decode().split("\n")[:-1]


@contextmanager
def _uncollected() -> Iterator[None]:
    """Make many small objects without the collector, which looks through them again and again."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _entries(lists: TopicLists, chosen: Chosen, keys: Any) -> list[Entry]:
    """Put the lines of each chosen document together, run by run; those of the pool come last."""
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
        _standings(len(own), chosen.n_left_out, int(lists.known.sum())),
        repeat(None),
        repeat(""),
    )
    # Pools have millions of entries: their tuples are made without a step of Python for each.
    return list(map(partial(tuple.__new__, Entry), zip(*columns, strict=False)))


def _standings(n: int, n_left_out: int, n_pooled: int) -> list[str]:
    tail = [Standing.UNDRAWN] * n_left_out + [Standing.POOLED] * n_pooled
    return [*[Standing.NEW] * (n - len(tail)), *tail]
