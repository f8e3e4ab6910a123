"""The audit of a pool: down to which depth every document that runs rank is judged."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from cleverdon.measures.inputs.universe import Universe
from cleverdon.trec.arrays import Integers, owners
from cleverdon.trec.ranking import ORDER_RULES
from cleverdon.trec.runs.run import RankedRun

# The depth of runs of which every document is judged; and the rank of a document in no run.
WHOLE = 1 << 40
NOWHERE = WHOLE + 1
N_NAMED = 5

# Topic and docno; the bytes of a docno that are not UTF-8 are lone surrogates.
Pair = tuple[str, str]


class Found(NamedTuple):
    """The largest depth at which every document of runs is judged, by one order rule.

    `n_documents` are down to this depth; `n_missing` unjudged ones are at the next rank, of which
    the first few are `named`.
    """

    depth: int
    n_documents: int
    n_missing: int
    named: list[Pair]

    def to_json(self) -> dict[str, Any]:
        """Return the figures as files hold them; the depth of whole runs is None."""
        return {
            "depth": None if self.depth == WHOLE else self.depth,
            "documents": self.n_documents,
            "unjudged_next": self.n_missing,
            "named": [{"topic": topic, "docno": docno} for topic, docno in self.named],
        }


class Part(NamedTuple):
    """A run down to its fully judged depth: entries of the universe and their ranks, [n]."""

    depth: int
    entries: Integers
    ranks: Integers
    missing: set[Pair]

    @property
    def found(self) -> Found:
        return _found(self.depth, len(self.entries), self.missing)


def _found(depth: int, n_documents: int, missing: Collection[Pair]) -> Found:
    return Found(depth, n_documents, len(missing), sorted(missing)[:N_NAMED])


Parts = Mapping[str, Part]  # by order rule


def parts_of(
    run: RankedRun, universe: Universe, order_rules: Iterable[str] = ORDER_RULES
) -> dict[str, Part]:
    """Audit one run, ranked by the default rules, on the topics of the judgments.

    ValueError as `cleverdon.trec.ranking.order_by` raises it.
    """
    topics = owners(np.diff(run.offsets))
    is_read = (universe.numbers_of(run.topics) >= 0)[topics]
    lines = np.arange(run.n_documents)
    ranks = lines - run.offsets[topics] + 1
    entries, rows = universe.look_up(run)
    entry_of = np.full(run.n_documents, -1)
    entry_of[rows] = entries
    parts = {}
    for rule in order_rules:
        order = run.order(rule)
        in_order = entry_of[order]
        is_open = is_read & (in_order < 0)
        depth = int(ranks[is_open].min(initial=NOWHERE)) - 1
        next_rows = lines[order][is_open & (ranks == depth + 1)]
        names = run.docnos.take(next_rows).tolist()
        missing = {
            (run.topics[topic], docno.decode(errors="surrogateescape"))
            for topic, docno in zip(topics[next_rows].tolist(), names, strict=True)
        }
        in_pool = is_read & (ranks <= depth)
        parts[rule] = Part(depth, in_order[in_pool], ranks[in_pool], missing)
    return parts


@dataclass
class Together:
    """The audit of all runs by one order rule; `best` are the best ranks of entries, [n]."""

    best: Integers
    depth: int = WHOLE
    missing: set[Pair] = field(default_factory=set)

    def add(self, part: Part) -> None:
        self.best[part.entries] = np.minimum(self.best[part.entries], part.ranks)
        if part.depth < self.depth:
            self.depth, self.missing = part.depth, set()
        if part.depth == self.depth:
            self.missing |= part.missing

    @property
    def found(self) -> Found:
        return _found(self.depth, int((self.best <= self.depth).sum()), self.missing)


class Audit(NamedTuple):
    """What was found by each order rule: of all runs, and of each alone in their order."""

    overall: dict[str, Found]
    by_run: list[dict[str, Found]]


def audited(runs: Iterable[Parts], n_entries: int) -> Audit:
    """Put the parts of runs together, one run after the other; n entries are judged."""
    together: dict[str, Together] = {}
    by_run = []
    for parts in runs:
        for rule, part in parts.items():
            if rule not in together:
                together[rule] = Together(np.full(n_entries, NOWHERE))
            together[rule].add(part)
        by_run.append({rule: part.found for rule, part in parts.items()})
    return Audit({rule: each.found for rule, each in together.items()}, by_run)


def depth_pool(runs: Iterable[RankedRun], depth: int, order_rule: str) -> Iterator[Pair]:
    """Yield what some run ranks so high, by topic and docno as bytes."""
    pool: dict[str, set[bytes]] = {}
    for run in runs:
        for number, topic in enumerate(run.topics):
            pool.setdefault(topic, set()).update(run.top(number, depth, order_rule).tolist())
    for topic in sorted(pool, key=lambda name: name.encode(errors="surrogateescape")):
        for docno in sorted(pool[topic]):
            yield topic, docno.decode(errors="surrogateescape")
