"""Pools beside trectools, of 100 million lines, and adaptive: `python -m benchmarks.pools`.

Every pool is formed in a process of its own. Its memory is what it holds beside the stored runs,
which are mapped: the system takes their pages back. `--trectools PYTHON` names an interpreter with
trectools, which reads the same runs as text; reading is not counted.
"""

import argparse
import hashlib
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from benchmarks import workload
from cleverdon.pools.entries import Before, Recipe
from cleverdon.pools.forming import form
from cleverdon.pools.lists import RunFacts
from cleverdon.trec.arrays import offsets_of
from cleverdon.trec.docnos import Docnos
from cleverdon.trec.runs import stored
from cleverdon.trec.runs.check import check_run
from cleverdon.trec.runs.run import RankedRun

COVID = workload.Shape(30, 1000, 143, pool_depth=0, n_candidates=50_000)
LARGE_RUNS, LARGE_TOPICS, DEPTH, N_CANDIDATES = 100, 1000, 1000, 5000
DIGITS = 7
POOLS = {
    "depth 100": Recipe("depth", {"depth": 100}, 1),
    "depth 1,000": Recipe("depth", {"depth": 1000}, 1),
    "depth 100, ties by docno ascending": Recipe("depth", {"depth": 100}, 1, "docno-ascending"),
    "depth 100, rank column": Recipe("depth", {"depth": 100}, 1, "file-rank"),
    "fusion, 100 a topic": Recipe("rrf", {"n": 100, "per": "topic", "reading_depth": 1000}, 1),
    "sample of depth 100": Recipe("sample", {"strata": [[10, 100], [40, 40], [100, 15]]}, 1),
}
ADAPTIVE = {"first": 5, "batch": 10, "floor": 50, "cap": 500, "reading_depth": 100}
PEER = """
import sys, time, pathlib
from trectools import TrecPoolMaker, TrecRun
runs = [TrecRun(str(path)) for path in sorted(pathlib.Path(sys.argv[1]).glob("run-*.txt"))]
start = time.perf_counter()
pool = TrecPoolMaker().make_pool(runs, strategy="topX", topX=int(sys.argv[2]))
print(time.perf_counter() - start, sum(map(len, pool.pool.values())))
"""


def store_text(files: workload.Files, folder: Path) -> None:
    topics = [str(number) for number in range(1, COVID.n_topics + 1)]
    for path in files.runs:
        with path.open("rb") as file:
            run = check_run(file, tag=workload.TAG, topics=topics).run
        store(run, folder / f"{path.stem}.columns")


def store(run: RankedRun | None, path: Path) -> None:
    if run is None:
        raise SystemExit("A run is not valid.")
    with path.open("wb") as file:
        stored.write(run, file)


def store_large(
    folder: Path, n_runs: int = LARGE_RUNS, n_topics: int = LARGE_TOPICS, depth: int = DEPTH
) -> None:
    """Store large runs; a topic's candidates are its own, the first the likeliest."""
    generator = np.random.default_rng(1)
    topics = tuple(sorted(str(number) for number in range(n_topics)))
    n_lines = n_topics * depth
    for number in range(n_runs):
        likings = generator.random((n_topics, N_CANDIDATES), dtype=np.float32)
        likings += np.linspace(0, 1, N_CANDIDATES, dtype=np.float32)
        best = np.argpartition(likings, depth, axis=1)[:, :depth]
        numbers = (best + N_CANDIDATES * np.arange(n_topics)[:, None]).ravel()
        scores = np.tile(np.arange(depth, 0, -1.0), n_topics)
        ranks = np.tile(np.arange(1, depth + 1), n_topics)
        offsets = offsets_of(np.full(n_topics, depth))
        run = RankedRun(topics, offsets, scores, _docnos(numbers, n_lines), ranks=ranks)
        store(run, folder / f"run-{number}.columns")


def _docnos(numbers: np.ndarray, n_lines: int) -> Docnos:
    digits = numbers[:, None] // 10 ** np.arange(DIGITS - 1, -1, -1) % 10 + ord("0")
    text = np.full((n_lines, DIGITS + 1), ord("\n"), dtype=np.uint8)
    text[:, :DIGITS] = digits
    content = text.ravel()
    starts = np.arange(n_lines) * (DIGITS + 1)
    return Docnos(content, starts, starts + DIGITS)


def opened(folder: Path) -> tuple[dict[str, RankedRun], list[RunFacts], list[str]]:
    runs = {path.stem: stored.open_columns(path) for path in sorted(folder.glob("*.columns"))}
    facts = [
        RunFacts(name, hashlib.sha256(name.encode()).hexdigest(), team=n // 3)
        for n, name in enumerate(runs)
    ]
    return runs, facts, sorted({topic for run in runs.values() for topic in run.topics})


def own_memory() -> float:
    """Return this process's memory without mapped files, in MiB."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("RssAnon"):
            return int(line.split()[1]) / 1024
    return float("nan")


def measure(folder: Path, name: str) -> None:
    """Form one pool in this process and print what it took."""
    start = time.perf_counter()
    runs, facts, topics = opened(folder)
    after_opening = time.perf_counter()
    n_entries, peak = 0, 0.0
    for _, entries in form(runs, facts, topics, POOLS[name]):
        n_entries += len(entries)
        peak = max(peak, own_memory())
    seconds = time.perf_counter() - start
    opening = after_opening - start
    print(json.dumps({"s": seconds, "opening": opening, "MiB": peak, "documents": n_entries}))


def pools(folder: Path, names: list[str]) -> None:
    for name in names:
        command = [sys.executable, "-m", "benchmarks.pools", "--measure", str(folder), name]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        found = json.loads(done.stdout)
        print(
            f"  {name:36}{found['s']:8.2f} s, of which {found['opening']:.2f} opening"
            f"{found['MiB']:8.0f} MiB{found['documents']:12,} documents"
        )


def peer(python: str | None, folder: Path) -> None:
    for depth in (100, 1000):
        if python is None:
            print("  trectools: not measured; --trectools names a Python that has it.")
            return
        command = [python, "-c", PEER, str(folder), str(depth)]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        seconds, n = done.stdout.split()[-2:]
        print(f"  {f'trectools, depth {depth:,}':36}{float(seconds):8.2f} s{int(n):>44,} documents")


def batches(folder: Path) -> None:
    """Measure the processor time of one batch of every topic, its first step judged."""
    runs, facts, topics = opened(folder)
    for strategy in ("max-mean", "move-to-front"):
        recipe = Recipe(strategy, ADAPTIVE, 1)
        first = dict(form(runs, facts, topics, recipe))
        grades = {
            topic: {entry.docno: int(entry.ranks[0] < 3) for entry in entries}
            for topic, entries in first.items()
        }
        times = list(_batch_times(runs, facts, recipe, grades))
        print(
            f"  {strategy}, a batch of a topic: median {1000 * statistics.median(times):.1f}, "
            f"at most {1000 * max(times):.1f} ms"
        )


def _batch_times(
    runs: dict[str, RankedRun],
    facts: list[RunFacts],
    recipe: Recipe,
    grades: dict[str, dict[str, int]],
) -> Iterator[float]:
    for topic, judged in grades.items():
        start = time.process_time()
        list(form(runs, facts, [topic], recipe, Before({topic: judged}, {topic: judged}, 1)))
        yield time.process_time() - start


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--trectools", help="a Python that has trectools")
    options.add_argument("--measure", nargs=2, help=argparse.SUPPRESS)
    options.add_argument("--only", choices=["small", "large"])
    chosen = options.parse_args()
    if chosen.measure:
        measure(Path(chosen.measure[0]), chosen.measure[1])
        return
    if chosen.only != "large":
        with tempfile.TemporaryDirectory() as folder:
            store_text(workload.make(Path(folder), COVID), Path(folder))
            print(f"{COVID.n_runs} runs of {COVID.n_topics} topics x {COVID.n_documents:,}")
            pools(Path(folder), list(POOLS))
            peer(chosen.trectools, Path(folder))
            batches(Path(folder))
    if chosen.only != "small":
        with tempfile.TemporaryDirectory() as folder:
            store_large(Path(folder))
            print(f"{LARGE_RUNS} runs of {LARGE_TOPICS:,} topics x {DEPTH:,}")
            pools(Path(folder), ["depth 100", "depth 1,000", "depth 100, rank column"])


if __name__ == "__main__":
    main()
