"""A million-line run checked, ranked and stored, beside pytrec_eval: `python -m benchmarks.ingest`.

Each reading is a process of its own, so that its peak memory is its own; they take turns. Times are
medians of the processor time of the reading, without imports and the list of known docnos.
"""

import json
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from resource import RUSAGE_SELF, getrusage
from time import process_time

import numpy as np

N_TOPICS, DEPTH = 1000, 1000
N_COLLECTION = 4_000_000
REPETITIONS = 3
TAG = "bench"
TOPICS = [str(number) for number in range(1, N_TOPICS + 1)]


def docno(number: int) -> str:
    """Return a docno as ClueWeb12 has them."""
    return f"clueweb12-{number // 2_000_000:04}wb-{number // 20_000 % 100:02}-{number % 20_000:05}"


def make_run(path: Path, generator: np.random.Generator) -> None:
    with path.open("w") as file:
        for topic in TOPICS:
            file.writelines(_lines(topic, generator))


def _lines(topic: str, generator: np.random.Generator) -> Iterator[str]:
    numbers = generator.choice(N_COLLECTION, DEPTH, replace=False).tolist()
    scores = 30 - np.cumsum(generator.random(DEPTH) / 50)
    for rank, (number, score) in enumerate(zip(numbers, scores, strict=True), 1):
        yield f"{topic} Q0 {docno(number)} {rank} {score:.15f} {TAG}\n"


def ingest(path: Path, collection: frozenset[str] | None = None) -> int:
    """Check, rank and store the run; return its number of documents."""
    from cleverdon.trec.runs import stored as columns
    from cleverdon.trec.runs.check import check_run

    unknown = None if collection is None else lambda docnos: {*docnos} - collection
    with path.open("rb") as file:
        checked = check_run(file, tag=TAG, topics=TOPICS, depth=DEPTH, unknown=unknown)
    if checked.run is None:
        raise SystemExit(f"The run is not valid: {checked.report}")
    with path.with_suffix(".columns").open("wb") as file:
        columns.write(checked.run, file)
    return checked.run.n_documents


def ingest_known(path: Path) -> int:
    """Do the same, each docno looked for among a million."""
    with path.open() as file:
        collection = frozenset(line.split()[2] for line in file)
    return _timed(lambda: ingest(path, collection))


def peer(path: Path) -> int:
    """Read the run into pytrec_eval's dictionaries."""
    import pytrec_eval

    with path.open() as file:
        return sum(map(len, pytrec_eval.parse_run(file).values()))


_measured: dict[str, float] = {}


def _timed(work: Callable[[], int]) -> int:
    start = process_time()
    n_documents = work()
    _measured["seconds"] = process_time() - start
    return n_documents


READINGS: dict[str, Callable[[Path], int]] = {
    "Cleverdon: check, rank and store": lambda path: _timed(lambda: ingest(path)),
    "Cleverdon: the same, docnos known": ingest_known,
    "pytrec_eval.parse_run": lambda path: _timed(lambda: peer(path)),
}


def measure(name: str, path: Path) -> None:
    """Do one reading in this process and print what it took."""
    import cleverdon.trec.runs.check  # noqa: F401 - imports are not measured

    n_documents = READINGS[name](path)
    peak = getrusage(RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({**_measured, "peak": peak, "n": n_documents}))


def measured(name: str, path: Path) -> dict[str, float]:
    """Do one reading in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.ingest", name, str(path)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return dict(json.loads(done.stdout))


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "run.txt"
        make_run(path, np.random.default_rng(1))
        n_bytes = path.stat().st_size
        found: dict[str, list[dict[str, float]]] = {name: [] for name in READINGS}
        for _ in range(REPETITIONS):
            for name, values in found.items():
                values.append(measured(name, path))
        stored = path.with_suffix(".columns").stat().st_size
    print_found(found)
    print(
        f"{N_TOPICS * DEPTH:,} lines; {n_bytes / 1e6:.0f} MB of text, {stored / 1e6:.0f} MB stored."
    )


def print_found(found: dict[str, list[dict[str, float]]]) -> None:
    """Print medians, and how many times faster than the last reading each is."""
    medians = {
        name: {
            field: statistics.median(value[field] for value in values)
            for field in ("seconds", "peak")
        }
        for name, values in found.items()
    }
    slowest = medians["pytrec_eval.parse_run"]["seconds"]
    print(f"{'':36}{'seconds':>9}{'peak MiB':>10}{'times faster':>14}")
    for name, values in medians.items():
        ratio = slowest / values["seconds"]
        print(f"{name:36}{values['seconds']:9.2f}{values['peak']:10.0f}{ratio:14.1f}")


if __name__ == "__main__":
    if sys.argv[1:]:
        measure(sys.argv[1], Path(sys.argv[2]))
    else:
        main()
