"""Stored runs to scores, beside pytrec_eval: `python -m benchmarks.scoring`.

Both give the same measures of the same runs, and the values are compared before any time is printed. Times are medians
of repetitions that take turns, for all runs together.
"""

import statistics
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytrec_eval

from campaigns.core import columns
from campaigns.core.checking import check_run
from evaluation.core.measures import LEADERBOARD
from evaluation.core.placements import Placements, Universe, place
from evaluation.core.scoring import score_placed

N_TOPICS, N_DOCUMENTS, N_RUNS, POOL_DEPTH = 50, 1000, 20, 100
REPETITIONS = 7
MEASURES = [measure for measure in LEADERBOARD if measure.trec_eval]
NAMES = [measure.trec_eval for measure in MEASURES]

Qrels = Mapping[str, Mapping[str, int]]
Values = Mapping[str, Mapping[str, float]]


@dataclass
class Workload:
    """The same runs as text files and as stored columns, with the qrels."""

    texts: list[Path]
    stored: list[Path]
    qrels: Qrels


def make_workload(folder: Path, generator: np.random.Generator) -> Workload:
    """Make runs that find much the same documents, and grade the pool of their tops."""
    texts, stored = [], []
    qrels: dict[str, dict[str, int]] = {
        str(topic): {} for topic in range(301, 301 + N_TOPICS)
    }
    for number in range(N_RUNS):
        rankings = {topic: _ranking(topic, generator) for topic in qrels}
        for topic, docnos in rankings.items():
            for docno in docnos[:POOL_DEPTH]:
                grade = generator.choice(4, p=(0.8, 0.1, 0.07, 0.03))
                qrels[topic].setdefault(docno, int(grade))
        texts.append(_write(folder / f"run{number}.txt", rankings))
        stored.append(_store(texts[-1], set(qrels)))
    return Workload(texts, stored, qrels)


def _ranking(topic: str, generator: np.random.Generator) -> list[str]:
    """Rank what every run finds likely, each with its own errors."""
    n_candidates = 3 * N_DOCUMENTS
    likely = np.random.default_rng(int(topic)).normal(size=n_candidates)
    scores = (likely + 0.5 * generator.normal(size=n_candidates)).tolist()
    best = sorted(range(n_candidates), key=scores.__getitem__, reverse=True)
    return [
        f"clueweb12-{1000 + number}-07-{number:05}" for number in best[:N_DOCUMENTS]
    ]


def _write(path: Path, rankings: Mapping[str, list[str]]) -> Path:
    with path.open("w") as file:
        for topic, docnos in rankings.items():
            for rank, docno in enumerate(docnos, start=1):
                file.write(f"{topic} Q0 {docno} {rank} {1000 - rank + 0.25} bench\n")
    return path


def _store(text: Path, topics: set[str]) -> Path:
    with text.open("rb") as file:
        checked = check_run(file, tag="bench", topics=topics)
    if checked.run is None:
        raise SystemExit(f"{text.name} is not a valid run: {checked.report}")
    path = text.with_suffix(".columns")
    with path.open("wb") as file:
        columns.write(checked.run, file)
    return path


def scores(placed: list[Placements], universe: Universe) -> list[np.ndarray]:
    return [score_placed(placements, universe, MEASURES) for placements in placed]


def place_all(stored: list[Path], universe: Universe) -> list[Placements]:
    return [place(columns.open_columns(path), universe) for path in stored]


def peer_scores(
    runs: list[Mapping[str, Mapping[str, float]]], qrels: Qrels
) -> list[Values]:
    evaluator = pytrec_eval.RelevanceEvaluator(qrels, _requested())
    return [evaluator.evaluate(run) for run in runs]


def peer_parse(texts: list[Path]) -> list[Values]:
    parsed: list[Values] = []
    for path in texts:
        with path.open() as file:
            parsed.append(pytrec_eval.parse_run(file))
    return parsed


def _requested() -> set[str]:
    """Return pytrec_eval's spelling, which has a point before a cutoff."""
    return {
        f"{m.family.trec_eval_cut}.{m.cutoff}" if m.cutoff else m.trec_eval
        for m in MEASURES
    }


def check_equal(
    ours: list[np.ndarray], theirs: list[Values], topics: tuple[str, ...]
) -> None:
    """Stop when a value differs in any bit."""
    for table, values in zip(ours, theirs, strict=True):
        expected = [[values[topic][name] for name in NAMES] for topic in topics]
        if table.tolist() != expected:
            raise SystemExit("The values differ from pytrec_eval's.")


def seconds(*works: Callable[[], object]) -> list[float]:
    """Return the median time of each work; they take turns."""
    times: list[list[float]] = [[] for _ in works]
    for _ in range(REPETITIONS):
        for work, taken in zip(works, times, strict=True):
            start = time.perf_counter()
            work()
            taken.append(time.perf_counter() - start)
    return [statistics.median(taken) for taken in times]


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        load = make_workload(Path(folder), np.random.default_rng(1))
        universe = Universe.from_qrels(load.qrels)
        placed, parsed = place_all(load.stored, universe), peer_parse(load.texts)
        check_equal(
            scores(placed, universe), peer_scores(parsed, load.qrels), universe.topics
        )
        times = seconds(
            lambda: scores(placed, universe),
            lambda: scores(place_all(load.stored, universe), universe),
            lambda: peer_scores(parsed, load.qrels),
            lambda: peer_scores(peer_parse(load.texts), load.qrels),
        )
    print(
        f"{N_RUNS} runs of {N_TOPICS} topics x {N_DOCUMENTS} documents, {len(universe.grades):,} judged, {len(NAMES)} measures"
    )
    print_times(times)


def print_times(times: list[float]) -> None:
    placed, stored, dictionaries, text = times
    print(f"{'':44}{'ms':>8}  times faster than pytrec_eval from: dictionaries, text")
    for name, taken in (
        ("Cleverdon, from placements", placed),
        ("Cleverdon, from stored runs", stored),
    ):
        print(
            f"{name:44}{taken * 1000:8.1f}{dictionaries / taken:12.1f}{text / taken:12.1f}"
        )
    print(f"{'pytrec_eval, from dictionaries in memory':44}{dictionaries * 1000:8.1f}")
    print(f"{'pytrec_eval, from text':44}{text * 1000:8.1f}")


if __name__ == "__main__":
    main()
