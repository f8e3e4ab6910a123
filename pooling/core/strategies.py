"""How a pool is formed from runs: the strategies, and the hash that identifies a pool."""

import hashlib
import json
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from trec.runs.run import RankedRun
from trec.words import ordinal


class Contribution(NamedTuple):
    """A run that retrieved a document, and at which rank (from 1)."""

    tag: str
    rank: int


class PooledDocument(NamedTuple):
    """A document to judge for a topic, with the runs that contributed it, by tag."""

    docno: str
    contributions: tuple[Contribution, ...]


DocumentsByTopic = Mapping[str, Sequence[PooledDocument]]


def depth_pool(
    runs: Mapping[str, RankedRun], topics: Collection[str], depth: int
) -> dict[str, tuple[PooledDocument, ...]]:
    """Merge, for each topic, the first `depth` documents of every run.

    Source: Spärck Jones and van Rijsbergen 1975. `runs` are by tag. Topics and a topic's documents
    come in byte order; a topic that is in no run has no documents. ValueError for a depth below 1.
    """
    if depth < 1:
        raise ValueError(f"A pool is at least 1 deep, not {depth}.")
    merged: dict[str, dict[bytes, list[Contribution]]] = {t: {} for t in sorted(topics)}
    for tag, run in sorted(runs.items()):
        for index, topic in enumerate(run.topics):
            if topic in merged:
                _add(merged[topic], tag, run.top(index, depth).tolist())
    return {topic: _pooled(documents) for topic, documents in merged.items()}


def _add(merged: dict[bytes, list[Contribution]], tag: str, docnos: Sequence[bytes]) -> None:
    for rank, docno in enumerate(docnos, 1):
        merged.setdefault(docno, []).append(Contribution(tag, rank))


def _pooled(merged: Mapping[bytes, Sequence[Contribution]]) -> tuple[PooledDocument, ...]:
    """Return the documents of a topic, in byte order of their docnos."""
    return tuple(PooledDocument(docno.decode(), tuple(by)) for docno, by in sorted(merged.items()))


class PoolParameter(NamedTuple):
    """A whole number that a strategy takes; pages ask for it by its name."""

    name: str
    help: str
    usual: int
    most: int
    least: int = 1


@dataclass(frozen=True)
class Strategy:
    """A way to form a pool. The functions take its parameters by name.

    `pool` is also given the runs by tag and the topics. `label` and `rule` say how a pool was
    formed, in short and as a sentence without its end; `title` names the strategy.
    """

    name: str
    title: str
    parameters: tuple[PoolParameter, ...]
    pool: Callable[..., DocumentsByTopic]
    label: Callable[..., str]
    rule: Callable[..., str]


def _ranked(depth: int) -> str:
    place = "first" if depth == 1 else f"{ordinal(depth)} or higher"
    return f"Every document that a contributing run ranks {place}"


RANKS = PoolParameter(
    "depth", "Every document a contributing run ranks this high.", usual=20, most=100
)
DEPTH = Strategy(
    name="depth",
    title="depth-k",
    parameters=(RANKS,),
    pool=depth_pool,
    label=lambda depth: f"depth-k, k = {depth}",
    rule=_ranked,
)
STRATEGIES: dict[str, Strategy] = {DEPTH.name: DEPTH}


def fingerprint(pool: DocumentsByTopic, **how: object) -> str:
    """Return the SHA-256 of a pool and of how it was built, in hexadecimal digits.

    The hash is that of lines of JSON in canonical order: one with `how` (strategy, parameters,
    seed and order rule), then one for each document, with its topic, docno and every (tag, rank).
    """
    digest = hashlib.sha256(_line(how))
    for topic in sorted(pool):
        for entry in sorted(pool[topic]):
            digest.update(_line([topic, entry.docno, sorted(entry.contributions)]))
    return digest.hexdigest()


def _line(value: object) -> bytes:
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return text.encode() + b"\n"
