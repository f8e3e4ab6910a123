"""Scores of runs, from text and from what is stored, beside others: `python -m benchmarks.scoring`.

Figures are medians of several rounds in one warm process, the peers taking turns with us; read the
ratios. Before anything is timed every value is compared with pytrec_eval's, those of the command
too, whose whole processes `benchmarks.processes` measures.
`--ranx PYTHON` names an interpreter with ranx.
"""

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from benchmarks.peers import Values, pytrec_eval_from_text
from benchmarks.workload import Files, Shape, make
from cleverdon.measures.inputs.placements import Placements, place
from cleverdon.measures.inputs.stored import open_placements, write_placements
from cleverdon.measures.inputs.universe import Universe
from cleverdon.measures.interface import Scored, evaluate
from cleverdon.measures.names import parse
from cleverdon.measures.scoring.scores import Aggregates, Scores
from cleverdon.measures.scoring.scoring import score
from cleverdon.trec.qrels import read_qrels
from cleverdon.trec.runs import stored as columns
from cleverdon.trec.runs.read import read_run

CUTOFFS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)
NAMES = [
    "num_ret",
    "num_rel",
    "num_rel_ret",
    "map",
    "Rprec",
    "bpref",
    "recip_rank",
    *(f"iprec_at_recall_{point / 10:.2f}" for point in range(11)),
    *(f"P_{cutoff}" for cutoff in CUTOFFS),
]
MEASURES = [parse(name) for name in (*NAMES, "gm_map")]
SHAPES = {
    "100 runs of 50 topics": Shape(50, 1000, 100, n_candidates=50_000),
    "1 run of 1,000 topics": Shape(1000, 1000, 1),
    "1 run of 6,980 topics": Shape(6980, 1000, 1, pool_depth=0, n_candidates=2000),
}


class Bench:
    """One collection, as text and stored, and the works that are timed on it."""

    def __init__(self, files: Files) -> None:
        self.files = files
        universe = self.universe()
        self.columns = [path.with_suffix(".columns") for path in files.runs]
        self.placed = [path.with_suffix(".placements") for path in files.runs]
        for text, stored, placed in zip(files.runs, self.columns, self.placed, strict=True):
            with text.open("rb") as source:
                run = read_run(source)
            with stored.open("wb") as target:
                columns.write(run, target)
            with placed.open("wb") as target:
                write_placements(place(run, universe), target)

    def universe(self) -> Universe:
        with self.files.qrels.open("rb") as file:
            return Universe.of(read_qrels(file))

    def from_text(self) -> Scored:
        runs = self.files.runs_by_name()
        return evaluate(self.files.qrels, runs, MEASURES, n_processes=2)

    def from_columns(self) -> Scores:
        """Place every stored run anew: what a new pool costs."""
        universe = self.universe()
        runs = map(columns.open_columns, self.columns)
        return self.scored([place(run, universe) for run in runs], universe)

    def from_placements(self) -> Scores:
        """Open stored placements and read the qrels: what new judgments or a new measure cost."""
        return self.scored([open_placements(path) for path in self.placed], self.universe())

    def scored(self, placed: list[Placements], universe: Universe) -> Scores:
        scores = score(placed, universe, MEASURES)
        self.aggregates: Aggregates = scores.aggregate()
        return scores

    def check(self) -> None:
        """Stop when a value differs from pytrec_eval's in any bit, by any way."""
        theirs = pytrec_eval_from_text(*self.files)
        for scores in (self.from_text(), self.from_columns(), self.from_placements()):
            for table, values in zip(scores.values, theirs, strict=True):
                rows = zip(scores.topics, table.tolist(), strict=True)
                _compare({t: dict(zip(NAMES, r, strict=False)) for t, r in rows}, values)
        printed = subprocess.run(self.command(2, "-q", "--json"), check=True, capture_output=True)
        for run, values in zip(json.loads(printed.stdout)["runs"], theirs, strict=True):
            _compare(run["scores"], values)

    def command(self, n_processes: int, *options: str) -> list[str]:
        """Return the command line that scores all runs."""
        files = map(str, (self.files.qrels, *self.files.runs))
        start = [sys.executable, "-m", "evaluation", "-j", str(n_processes)]
        return [*start, *options, *files]


def _compare(ours: Values, theirs: Values) -> None:
    for topic, values in theirs.items():
        for name in NAMES:
            if ours[topic][name] != values[name]:
                raise SystemExit(f"{name} of topic {topic} differs from pytrec_eval's.")


def seconds(works: dict[str, Callable[[], object]], rounds: int) -> dict[str, list[float]]:
    """Return the times of each work, a round each; they take turns."""
    times: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(rounds):
        for name, work in works.items():
            start = time.perf_counter()
            work()
            times[name].append(time.perf_counter() - start)
    return times


def one_topic(bench: Bench) -> Callable[[], object]:
    """Return the work after a judgment: one topic of all runs, from placements in memory."""
    universe = bench.universe()
    together = Placements.together([open_placements(path) for path in bench.placed])
    generator = np.random.default_rng(1)

    def work() -> None:
        topics = generator.integers(universe.n_topics, size=1)
        own = universe.of_topics(topics)
        grades = own.grades.copy()
        grades[generator.integers(len(grades))] ^= 1
        score([together.of_topics(topics, universe)], own.with_grades(grades), MEASURES)

    return work


def measured(name: str, shape: Shape, rounds: int, ranx: str | None) -> None:
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(make(Path(folder), shape))
        bench.check()
        n_lines = shape.n_runs * shape.n_topics * shape.n_documents
        n_judged = len(bench.universe().grades)
        n_placed = sum(len(open_placements(path).entries) for path in bench.placed)
        print(f"\n{name}: {n_lines:,} lines, {n_judged:,} judged, {n_placed:,} placed")
        print(f"  {len(MEASURES)} measures")
        times = warm_steps(bench, rounds, ranx)
    print(f"  {'in one warm process':34}{'ms':>10}{'times faster':>32}")
    for work, taken in times.items():
        ratio = times["pytrec_eval, from text"] / taken
        print(f"  {work:34}{taken * 1000:10.1f}{ratio:32.1f}")


def warm_steps(bench: Bench, rounds: int, ranx: str | None) -> dict[str, float]:
    """Return the median time of each way to scores."""
    works: dict[str, Callable[[], object]] = {
        "pytrec_eval, from text": lambda: pytrec_eval_from_text(*bench.files),
        "from text, two processes": bench.from_text,
        "from stored runs, placed anew": bench.from_columns,
        "from stored placements": bench.from_placements,
    }
    times = seconds(works, rounds)
    if len(bench.files.runs) > 1:
        times |= seconds({"one topic of all runs": one_topic(bench)}, 200)
    if ranx:
        folder = str(bench.files.qrels.parent)
        command = [ranx, "-m", "benchmarks.peers", "ranx", folder]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        times["ranx, from text"] = [json.loads(done.stdout.splitlines()[-1])]
    return {name: statistics.median(taken) for name, taken in times.items()}


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--ranx", help="a Python that has ranx")
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--only", help="part of a collection's name")
    chosen = options.parse_args()
    for name, shape in SHAPES.items():
        if not chosen.only or chosen.only in name:
            measured(name, shape, chosen.rounds, chosen.ranx)


if __name__ == "__main__":
    main()
