"""What pools of any choice of runs would have: counted from numbered documents, in milliseconds."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Self

import numpy as np

from cleverdon.pools.entries import Pooled
from cleverdon.pools.lists import TopicLists, all_lists
from cleverdon.trec.arrays import Integers, Ints, Mask, Words, offsets_of
from cleverdon.trec.lazy import lazy
from cleverdon.trec.mapped import DamagedFile, open_arrays
from cleverdon.trec.mapped import write as write_arrays
from cleverdon.trec.runs.run import RankedRun

MAGIC = b"cleverdon forecast 2\n"
MOST_DEPTH = 1000
MOST_LINES = 5_000_000  # of all runs and topics: with more of them, forecasts are less deep


@dataclass(frozen=True, eq=False)
class NumberedRuns:
    """The first documents of many runs, with numbers that count through all topics.

    Topic t has the documents `offsets[t]:offsets[t + 1]`. Run r has the lines
    `starts[r]:starts[r + 1]` of `documents` (int32) and `ranks` (int16, from 1), by rank. `known`
    has a bit for each set of documents that a batch may leave out, [n_documents] of uint64: the
    lowest for those in the pool. Runs were read to `depth`.
    """

    topics: tuple[str, ...]
    depth: int
    offsets: Integers
    starts: Integers
    documents: Ints
    ranks: Ints
    known: Words

    @classmethod
    def of(
        cls,
        runs: Sequence[RankedRun],
        topics: Collection[str],
        known: Sequence[Pooled],
        most_lines: int = MOST_LINES,
    ) -> Self:
        """Read and number the documents; topics come in byte order.

        `known` are at most 64 sets of documents, the pool's first.
        """
        depth = int(np.clip(most_lines // max(len(runs) * len(topics), 1), 10, MOST_DEPTH))
        sizes, bits, parts, first = [], [NO_BITS], [], 0
        for lists in all_lists(runs, topics, [depth] * len(runs)):
            bits.append(_bits(lists, known))
            sizes.append(lists.n_documents)
            parts.append(np.stack([lists.run, lists.rank, lists.document + first]))
            first += lists.n_documents
        lines = np.concatenate(parts, axis=1) if parts else np.zeros((3, 0), dtype=np.int64)
        run, rank, document = lines[:, np.lexsort((lines[2], lines[1], lines[0]))]
        counts = np.bincount(run, minlength=len(runs))
        return cls(
            tuple(sorted(topics)),
            depth,
            offsets_of(np.array(sizes, dtype=np.int64)),
            offsets_of(counts),
            document.astype(np.int32),
            rank.astype(np.int16),
            np.concatenate(bits),
        )

    def write(self, stream: BinaryIO) -> None:
        arrays = {name: getattr(self, name) for name in ARRAYS}
        write_arrays(stream, MAGIC, {"topics": self.topics, "depth": self.depth}, arrays)

    @classmethod
    def open(cls, path: Path) -> Self:
        """Open what was written, by memory map; DamagedFile if it is not whole."""
        facts, arrays = open_arrays(path, MAGIC)
        opened = cls(tuple(facts["topics"]), facts["depth"], *(arrays[name] for name in ARRAYS))
        if not opened.fits():
            raise DamagedFile(f"{path.name} is damaged: its parts do not fit.")
        return opened

    def fits(self) -> bool:
        """Tell whether every line has a known run, document and rank."""
        n_lines, n = len(self.documents), len(self.known)
        return bool(
            len(self.offsets) == len(self.topics) + 1
            and (np.diff(self.offsets) >= 0).all()
            and (np.diff(self.starts) >= 0).all()
            and (self.offsets[0], self.offsets[-1]) == (0, n)
            and (self.starts[0], self.starts[-1], len(self.ranks)) == (0, n_lines, n_lines)
            and (not n_lines or 0 <= self.documents.min() <= self.documents.max() < n)
            and (not n_lines or 1 <= self.ranks.min() <= self.ranks.max() <= self.depth)
        )

    @property
    def n_documents(self) -> int:
        return int(self.offsets[-1])

    def places_of(self, topics: Iterable[str]) -> list[int]:
        places = {topic: place for place, topic in enumerate(self.topics)}
        return [places[topic] for topic in topics]

    def are_known(self, sets: Sequence[int]) -> Mask:
        """Tell which documents are in one of the known sets of these numbers: [n_documents]."""
        return self.known & np.uint64(sum(1 << n for n in sets)) > 0

    def most_known(self, sets: Sequence[int]) -> int:
        """Return how many documents of a topic are in those sets, at most."""
        n_before = offsets_of(self.are_known(sets).astype(np.int64))
        return int(np.diff(n_before[self.offsets]).max(initial=0))

    def down_to(self, run: int, depth: int) -> slice:
        """Return the lines of a run down to a depth."""
        start, end = self.starts[run : run + 2].tolist()
        ranks = self.ranks[start:end]
        return slice(start, start + int(np.searchsorted(ranks, depth, side="right")))


ARRAYS = ("offsets", "starts", "documents", "ranks", "known")
NO_BITS = np.zeros(0, dtype=np.uint64)


def _bits(lists: TopicLists, known: Sequence[Pooled]) -> Words:
    bits = np.zeros(lists.n_documents, dtype=np.uint64)
    for n, docnos in enumerate(known):
        if own := docnos.get(lists.topic):
            bits |= lists.docnos.among({each.encode() for each in own}).astype(np.uint64) << n
    return bits


@dataclass(frozen=True, eq=False)
class Forecasted:
    """New documents by best rank, [n_topics, depth], and which of them each team has.

    `n_known` documents would be taken too, but are left out because they are known. `documents`
    are those of each run, `teams` its team's number; `is_new` tells which documents count, shape
    [n_documents].
    """

    counts: Integers
    n_known: int
    documents: list[Ints]
    teams: Sequence[int]
    is_new: Mask

    @lazy
    def by_team(self) -> dict[int, int]:
        """How many new documents the runs of each team have, by its number."""
        found = {}
        for team in sorted(set(self.teams)):
            has = np.zeros(len(self.is_new), dtype=np.bool_)
            for each, other in zip(self.documents, self.teams, strict=True):
                if other == team:
                    has[each] = True
            found[team] = int((has & self.is_new).sum())
        return found


def forecast(
    numbered: NumberedRuns,
    runs: Sequence[int],
    teams: Sequence[int],
    depths: Sequence[int] | Integers,
    topics: Sequence[int] | None = None,
    *,
    without: Sequence[int] = (0,),
) -> Forecasted:
    """Count the documents of the chosen runs down to each one's depth that are not known.

    `runs` are places in the order numbered; `teams` and `depths` are theirs; `topics` are places of
    those that count, None for all; `without` are numbers of the known sets that are left out.
    """
    n, depth = numbered.n_documents, numbered.depth
    best = np.full(n, depth + 1, dtype=np.int16)
    spans = [numbered.down_to(run, int(each)) for run, each in zip(runs, depths, strict=True)]
    for span in spans:
        documents = numbered.documents[span]
        best[documents] = np.minimum(best[documents], numbered.ranks[span])
    topic = np.repeat(np.arange(len(numbered.topics)), np.diff(numbered.offsets))
    is_taken, is_known = best <= depth, numbered.are_known(without)
    if topics is not None:
        is_taken &= np.isin(topic, topics)
    is_new = is_taken & ~is_known
    cells = topic[is_new] * depth + best[is_new] - 1
    counts = np.bincount(cells, minlength=len(numbered.topics) * depth)
    by_rank = counts.reshape(len(numbered.topics), depth)
    of_runs = [numbered.documents[span] for span in spans]
    return Forecasted(by_rank, int((is_taken & is_known).sum()), of_runs, teams, is_new)
