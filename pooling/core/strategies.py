"""How a pool is formed from runs."""

import hashlib
import json
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from trec.runs.run import RankedRun

Parameter = int | float | str


class Contribution(NamedTuple):
    """A run that has a document, and the rank from 1 at which it has it."""

    tag: str
    rank: int


class Entry(NamedTuple):
    """A document to judge for a topic, with the runs that brought it, in order of their tags."""

    docno: str
    contributions: tuple[Contribution, ...]

    @property
    def best_rank(self) -> int:
        """The depth from which on the document is in the pool."""
        return min(contribution.rank for contribution in self.contributions)


Pool = Mapping[str, Sequence[Entry]]


def depth_pool(
    runs: Mapping[str, RankedRun], topics: Collection[str], depth: int
) -> dict[str, tuple[Entry, ...]]:
    """Merge for each topic the documents that some run has at rank `depth` or above (Spärck Jones and van Rijsbergen 1975).

    `runs` are by tag. Topics come in byte order, a topic's documents too, whatever the order given; a topic that
    no run has is there and empty. ValueError when the depth is below 1.
    """
    if depth < 1:
        raise ValueError(f"A pool is at least 1 deep, not {depth}.")
    ordered = [(tag, runs[tag], _index(runs[tag])) for tag in sorted(runs)]
    return {topic: _merge(ordered, topic, depth) for topic in sorted(topics)}


def _index(run: RankedRun) -> dict[str, int]:
    return {topic: i for i, topic in enumerate(run.topics)}


def _merge(
    runs: Sequence[tuple[str, RankedRun, dict[str, int]]], topic: str, depth: int
) -> tuple[Entry, ...]:
    found: dict[bytes, list[Contribution]] = {}
    for tag, run, index in runs:
        if topic not in index:
            continue
        for rank, docno in enumerate(run.top(index[topic], depth).tolist(), start=1):
            found.setdefault(docno, []).append(Contribution(tag, rank))
    return tuple(Entry(docno.decode(), tuple(found[docno])) for docno in sorted(found))


def fingerprint(
    pool: Pool,
    *,
    strategy: str,
    parameters: Mapping[str, Parameter],
    seed: int,
    order_rule: str,
) -> str:
    """Return the SHA-256 of a pool and of how it was formed, as hexadecimal digits.

    It covers strategy, parameters, seed, order rule and every (topic, docno, tag, rank), in canonical order: one line of
    JSON for the first four, then one for each entry.
    """
    how = {
        "strategy": strategy,
        "parameters": dict(parameters),
        "seed": seed,
        "order_rule": order_rule,
    }
    digest = hashlib.sha256(_line(how))
    for topic in sorted(pool):
        for entry in sorted(pool[topic]):
            digest.update(_line([topic, entry.docno, sorted(entry.contributions)]))
    return digest.hexdigest()


def _line(value: object) -> bytes:
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return text.encode() + b"\n"
