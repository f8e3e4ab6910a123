"""Collections made at random: runs that overlap, a pool over all of them, qrels, as text files."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

from cleverdon.trec.arrays import Floats, Integers

TAG = "bench"


@dataclass(frozen=True)
class Shape:
    """How large a collection is; without a pool depth only `n_judged` relevant a topic are judged.

    A hundred runs over 50,000 candidates make a pool of some 1,700 documents a topic, of which each
    run has a third of its own: about what TREC's ad hoc tracks had.
    """

    n_topics: int
    n_documents: int
    n_runs: int
    pool_depth: int = 100
    n_judged: int = 1
    n_candidates: int = 5000


class Files(NamedTuple):
    """Where a collection lies."""

    qrels: Path
    runs: list[Path]

    def runs_by_name(self) -> dict[str, Path]:
        return {path.stem: path for path in self.runs}


def make(folder: Path, shape: Shape, seed: int = 1) -> Files:
    """Write a collection; the same seed gives the same."""
    generator = np.random.default_rng(seed)
    runs = [folder / f"run-{number}.txt" for number in range(shape.n_runs)]
    files = [path.open("w") for path in runs]
    with (folder / "qrels.txt").open("w") as qrels:
        for topic in range(1, shape.n_topics + 1):
            quality = generator.standard_t(3, size=shape.n_candidates)
            pooled: set[int] = set()
            for file in files:
                best, scores = _ranking(quality, shape, generator)
                pooled.update(best[: shape.pool_depth].tolist())
                file.writelines(_lines(topic, best, scores))
            qrels.writelines(_judged(topic, quality, pooled, shape, generator))
    for file in files:
        file.close()
    return Files(folder / "qrels.txt", runs)


def _ranking(
    quality: Floats, shape: Shape, generator: np.random.Generator
) -> tuple[Integers, Floats]:
    # Few documents stand out, in the topic as in each system's liking.
    noisy = quality + 0.5 * generator.standard_t(3, size=len(quality))
    best = np.argpartition(-noisy, shape.n_documents)[: shape.n_documents]
    best = best[np.lexsort((-noisy[best],))]
    return best, noisy[best]


def docno(topic: int, number: int) -> str:
    """Return a docno as ClueWeb12 has them; a topic's candidates are its own."""
    index = topic * 50_021 + number
    return (
        f"clueweb12-{index // 100_000 % 10_000:04}wb-{index // 1000 % 100:02}-{index % 100_000:05}"
    )


def _lines(topic: int, best: Integers, scores: Floats) -> Iterator[str]:
    pairs = zip(best.tolist(), scores.tolist(), strict=True)
    for rank, (number, score) in enumerate(pairs, 1):
        yield f"{topic}\tQ0\t{docno(topic, number)}\t{rank}\t{score:.6f}\t{TAG}\n"


def _judged(
    topic: int, quality: Floats, pooled: set[int], shape: Shape, generator: np.random.Generator
) -> Iterator[str]:
    if shape.pool_depth:
        judged = sorted(pooled)
    else:
        judged = generator.choice(
            np.argpartition(-quality, 100)[:100], shape.n_judged, replace=False
        ).tolist()
    for number in judged:
        grade = int(np.clip(quality[number] / 7, 0, 3)) if shape.pool_depth else 1
        yield f"{topic} 0 {docno(topic, number)} {grade}\n"
