"""What a strategy reads: of one topic, the first documents of every contributing run."""

from bisect import bisect_left
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Self

import numpy as np

from cleverdon.pools.seeds import seed_for
from cleverdon.trec.arrays import FINISHER, MULTIPLIER, Hashes, Integers, Mask, Words
from cleverdon.trec.docnos import Docnos, compact
from cleverdon.trec.lazy import lazy
from cleverdon.trec.ranking import DEFAULT_RULES
from cleverdon.trec.runs.run import RankedRun


class RunFacts(NamedTuple):
    """A contributing run: `key` names it in entries, `sha256` is its file's, priority 1 the first.

    Priority 0: none is stated.
    """

    key: Any
    sha256: str
    tag: str = ""
    team: Any = None
    priority: int = 0


@dataclass(frozen=True, eq=False)
class Contributors:
    """The runs in the order of their files' hashes, so that names and uploads decide nothing.

    All arrays have shape [n_runs]: `teams` numbers them, `priorities` are as in `RunFacts`, and
    `draws` are the runs' places in an order by chance.
    """

    runs: tuple[RunFacts, ...]
    teams: Integers
    priorities: Integers
    draws: Integers

    @classmethod
    def of(cls, facts: Iterable[RunFacts], seed: int) -> Self:
        runs = tuple(sorted(facts, key=lambda run: (run.sha256, run.tag)))
        numbers: dict[Hashable, int] = {}
        teams = [numbers.setdefault(run.team, len(numbers)) for run in runs]
        draws = places_by_chance([run.sha256 for run in runs], seed)
        columns = (teams, [run.priority for run in runs], draws)
        return cls(runs, *(np.array(column, dtype=np.int64) for column in columns))

    def __len__(self) -> int:
        return len(self.runs)


def places_by_chance(names: Sequence[str], seed: int) -> list[int]:
    """Return each name's place, from 0, in an order drawn by chance that only the set decides."""
    drawn = sorted(range(len(names)), key=lambda n: (seed_for(seed, names[n]), n))
    places = [0] * len(names)
    for place, n in enumerate(drawn):
        places[n] = place
    return places


@dataclass(frozen=True, eq=False)
class TopicLists:
    """One topic's lists. A line is a document that a run has at a rank, from 1.

    `docnos` are the different documents in byte order, [n_documents]. Lines come run by run, each
    run's by rank: `document`, an index of `docnos`, `run` and `rank`, [n_lines]. `place` is the
    topic's own in an order of all topics by chance. `pooled` tells which documents earlier steps of
    the pool have chosen, `known` those and what existing judgments have, [n_documents].
    """

    topic: str
    docnos: Docnos
    document: Integers
    run: Integers
    rank: Integers
    n_runs: int
    pooled: Mask
    known: Mask
    place: int = 0
    n_topics: int = 1
    step: int = 0

    @property
    def n_documents(self) -> int:
        return len(self.docnos)

    @lazy
    def best_rank(self) -> Integers:
        """The best rank at which some run has each document: shape [n_documents]."""
        best = np.full(self.n_documents, np.iinfo(np.int64).max)
        np.minimum.at(best, self.document, self.rank)
        return best

    def draws(self, chance: np.random.Generator) -> Words:
        """Return keys that put the documents in an order by chance: shape [n_documents].

        A document's key depends on its docno alone, so that a larger pool contains the smaller one.
        Keys are made from `Docnos.hashes`, whose definition must not change for that.
        """
        salt = chance.integers(2**64, dtype=np.uint64)
        keys = (self.docnos.hashes ^ salt) * np.uint64(MULTIPLIER)
        return ((keys ^ (keys >> np.uint64(29))) * FINISHER) >> np.uint64(1)


def topic_lists(
    runs: Sequence[RankedRun],
    topic: str,
    depths: Sequence[int] | Integers,
    order_rule: str = DEFAULT_RULES,
) -> TopicLists:
    """Read one topic's first `depths[n]` documents of each run n, by an order rule."""
    parts = [Docnos.of([])] * len(runs)
    for n, (run, depth) in enumerate(zip(runs, depths, strict=True)):
        at = bisect_left(run.topics, topic)
        if depth and at < len(run.topics) and run.topics[at] == topic:
            parts[n] = _alone(run.top(at, int(depth), order_rule))
    counts = np.array([len(part) for part in parts], dtype=np.int64)
    docnos, document = (Docnos.joined(parts) if parts else Docnos.of([])).numbered()
    owners = np.repeat(np.arange(len(runs)), counts)
    rank = np.arange(1, len(document) + 1) - (np.cumsum(counts) - counts)[owners]
    nothing = np.zeros(len(docnos), dtype=np.bool_)
    return TopicLists(topic, docnos, document, owners, rank, len(runs), nothing, nothing)


def all_lists(
    runs: Sequence[RankedRun],
    topics: Iterable[str],
    depths: Sequence[int] | Integers,
    order_rule: str = DEFAULT_RULES,
) -> Iterator[TopicLists]:
    """Read the topics one after the other, in byte order."""
    for topic in sorted(topics):
        yield topic_lists(runs, topic, depths, order_rule)


def _alone(docnos: Docnos) -> Docnos:
    """Return the same docnos with a content that holds no others, so that it can be joined."""
    if (docnos.starts[1:] != docnos.ends[:-1] + 1).any():
        return compact(docnos)
    begin, end = int(docnos.starts[0]), int(docnos.ends[-1]) + 1
    content = docnos.content[begin:end]
    return Docnos(content, docnos.starts - begin, docnos.ends - begin, docnos.hashes)


def in_groups(numbers: Hashes | Integers) -> Integers:
    """Return the rows in the order of their numbers, equal ones in turn; all below 2**32.

    Numbers with their rows behind them are sorted in a tenth of the time that their order takes.
    """
    keys = numbers.astype(np.uint64) << np.uint64(32)
    keys |= np.arange(len(keys), dtype=np.uint64)
    return (np.sort(keys) & np.uint64(0xFFFFFFFF)).astype(np.int64)
