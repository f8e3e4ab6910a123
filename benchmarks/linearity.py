"""Cost of reading, storing and scoring by size: `python -m benchmarks.linearity`.

A line of the plot is one size; where cost is linear the time of one line or document is the same.
"""

import io
import statistics
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np

from benchmarks.workload import TAG, docno
from cleverdon.measures.inputs.placements import Placements
from cleverdon.measures.inputs.universe import Universe
from cleverdon.measures.names import LEADERBOARD
from cleverdon.measures.scoring.scoring import score
from cleverdon.trec.runs import stored as columns
from cleverdon.trec.runs.check import check_run
from cleverdon.trec.runs.read import read_run

DEPTH = 1000
SIZES = (1, 10, 100, 1000)
ROUNDS = 5
WIDTH = 40


def run_text(n_topics: int) -> bytes:
    """Return a run with a thousand documents on each topic."""
    generator = np.random.default_rng(n_topics)
    numbers = generator.integers(0, 4_000_000, (n_topics, DEPTH)).tolist()
    return "".join(
        f"{topic:05} Q0 {docno(0, number)}-{rank} {rank} {2000 - rank}.{number % 10**6:06} {TAG}\n"
        for topic, own in enumerate(numbers)
        for rank, number in enumerate(own, 1)
    ).encode()


def ingest(text: bytes, folder: Path) -> None:
    topics = {f"{topic:05}" for topic in range(SIZES[-1])}
    checked = check_run(io.BytesIO(text), tag=TAG, topics=topics)
    if checked.run is None:
        raise SystemExit(f"The run is not valid: {checked.report}")
    with (folder / "columns").open("wb") as file:
        columns.write(checked.run, file)


def read(text: bytes) -> None:
    read_run(io.BytesIO(text))


def scored(own: Placements, universe: Universe) -> None:
    score([own], universe, LEADERBOARD).aggregate()


def placed(n_topics: int) -> tuple[Placements, Universe]:
    """Return a run with every second of a thousand judged documents a topic, and the judgments."""
    generator = np.random.default_rng(n_topics)
    rows = [
        (f"{topic:05}", f"d{number:04}", 0) for topic in range(n_topics) for number in range(DEPTH)
    ]
    universe = Universe.from_rows(rows).with_grades(
        generator.choice([0, 0, 0, 0, 1, 2], n_topics * DEPTH)
    )
    half = DEPTH // 2
    entries = np.arange(n_topics * DEPTH).reshape(n_topics, DEPTH)[:, :half]
    ranks = np.tile(np.arange(1, half + 1, dtype=np.int32), n_topics)
    numbers = entries.ravel().astype(np.int32)
    offsets = np.arange(n_topics + 1) * half
    retrieved = np.full(n_topics, DEPTH, dtype=np.int32)
    return Placements(offsets, numbers, ranks, ranks, ranks, retrieved), universe


def seconds(work: Callable[[], object]) -> float:
    """Return the median of several rounds."""
    times = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def plot(title: str, unit: str, points: list[tuple[int, float]]) -> None:
    """Print the time of one unit at each size, and draw it."""
    print(f"\n{title}")
    most = max(taken / size for size, taken in points)
    for size, taken in points:
        each = taken / size
        bar = "#" * round(WIDTH * each / most)
        print(f"  {size:>9,} {unit:<18}{taken * 1000:9.1f} ms {each * 1e9:8.0f} ns each  {bar}")


def main() -> None:
    texts = [run_text(n_topics) for n_topics in SIZES]
    lines = [n_topics * DEPTH for n_topics in SIZES]
    with tempfile.TemporaryDirectory() as folder:
        times = [seconds(partial(ingest, text, Path(folder))) for text in texts]
    plot("Check, rank and store", "lines", list(zip(lines, times, strict=True)))
    times = [seconds(partial(read, text)) for text in texts]
    plot("Read and rank", "lines", list(zip(lines, times, strict=True)))
    given = [placed(n_topics) for n_topics in SIZES]
    times = [seconds(partial(scored, own, universe)) for own, universe in given]
    documents = [len(own.entries) for own, _ in given]
    plot(
        "Score by the leaderboard's measures",
        "judged documents",
        list(zip(documents, times, strict=True)),
    )


if __name__ == "__main__":
    main()
