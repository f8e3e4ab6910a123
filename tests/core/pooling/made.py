"""Runs for these tests, as rankings by topic."""

import hashlib
from collections.abc import Iterable
from typing import Any

from hypothesis import strategies as st

from cleverdon.pools.entries import NOTHING, Entry, Recipe
from cleverdon.pools.forming import form
from cleverdon.pools.lists import RunFacts
from tests.core.measures.made import in_order

__all__ = ["MANY_RUNS", "TOPICS", "Rankings", "docnos_of", "facts_of", "formed", "in_order"]

Rankings = dict[str, list[str]]

TOPICS = ("2", "1", "10", "é")

_DOCNOS = [f"d{number}" for number in range(9)] + ["D1", "é1"]
_RANKINGS = st.dictionaries(
    st.sampled_from((*TOPICS, "unknown")),
    st.lists(st.sampled_from(_DOCNOS), min_size=1, max_size=8, unique=True),
    min_size=1,
)
MANY_RUNS = st.dictionaries(st.sampled_from(("bm25", "ql", "Dense", "a.b-c")), _RANKINGS)


def facts_of(runs: Iterable[str], **given: dict[str, Any]) -> list[RunFacts]:
    """The runs, by tag, with hashes that do not sort as the tags do."""
    return [
        RunFacts(
            tag,
            hashlib.sha256(tag.encode()).hexdigest(),
            tag,
            given.get("team", {}).get(tag, tag),
            given.get("priority", {}).get(tag, 0),
        )
        for tag in runs
    ]


def formed(runs: dict[str, Rankings], recipe: Recipe, *, topics=TOPICS, before=NOTHING, **given):
    """What a batch adds to each topic, of runs that have documents in an order."""
    opened = {tag: in_order(rankings) for tag, rankings in runs.items()}
    found = form(opened, facts_of(runs, **given), topics, recipe, before)
    return new_of(found)


def new_of(found: Iterable[tuple[str, list[Entry]]]) -> dict[str, list[Entry]]:
    return {topic: [each for each in entries if each.standing == "new"] for topic, entries in found}


def docnos_of(runs: dict[str, Rankings], strategy: str, topic: str = "1", seed: int = 7, **given):
    """The documents of one topic of a pool, in the order chosen."""
    recipe = Recipe(strategy, given.pop("parameters"), seed)
    return [entry.docno for entry in formed(runs, recipe, **given)[topic]]
