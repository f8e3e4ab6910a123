"""Whole processes that read text, beside others: `python -m benchmarks.processes`.

The tools take turns on the same files, each reading in a process of its own. Printed are the least
processor seconds of some rounds, user and system, the least wall seconds, and the peak memory (no
less than that of this program, which starts them).
pytrec_eval is the C of trec_eval 9 under Python. `--trec-eval PATH` adds trec_eval's own program,
which reads the qrels again for each run. Other work beside it costs processor seconds too, so its
load is printed.
"""

import argparse
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from benchmarks.workload import TAG, Files, Shape, docno, make
from cleverdon.trec.engine import plain, reader

Command = list[str]
PYTHON = sys.executable
ENVIRONMENT = {name: its for name, its in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
N_TOPICS, N_JUDGED, N_RETRIEVED = 1000, 1000, 10
EACH_RUN = 'for run in "$1"/run-*.txt; do "$0" -q -c "$1/qrels.txt" "$run" || exit; done'


class Taken(NamedTuple):
    """Seconds of the processor and of the clock, and the peak of memory in MB."""

    processor: float
    wall: float
    memory: float

    def __str__(self) -> str:
        return f"{self.processor:.2f} s, {self.wall:.2f} s, {self.memory:,.0f} MB"


class Work(NamedTuple):
    """What is measured: the files it needs, our commands on them, and the peer's."""

    made: Callable[[Path], Files]
    ours: dict[str, Callable[[Files], Command]]
    peer: str = "pytrec_eval"


def shaped(*numbers: int, **more: int) -> Callable[[Path], Files]:
    return lambda folder: make(folder, Shape(*numbers, **more))


def many_judgments(folder: Path) -> Files:
    """Write a million judgments, and a run of the first few documents of each topic."""
    qrels, run = folder / "qrels.txt", folder / "run-0.txt"
    with qrels.open("w") as judged, run.open("w") as ranked:
        for topic in range(1, N_TOPICS + 1):
            names = [docno(topic, number) for number in range(N_JUDGED)]
            judged.writelines(f"{topic} 0 {name} {n % 3}\n" for n, name in enumerate(names))
            ranked.writelines(
                f"{topic} Q0 {name} {rank} {-rank} {TAG}\n"
                for rank, name in enumerate(names[:N_RETRIEVED])
            )
    return Files(qrels, [run])


def scored(*options: str) -> Callable[[Files], Command]:
    """Return our command for some files, with all that the peer computes."""
    start = [PYTHON, "-m", "evaluation", "-q", "-c", *options]
    return lambda files: [*start, *map(str, (files.qrels, *files.runs))]


def stored(files: Files) -> Command:
    return [PYTHON, "-m", "benchmarks.processes", "--store", str(files.runs[0])]


MILLION = shaped(1000, 1000, 1)
WORKS = {
    "the help": Work(shaped(2, 2, 1), {"": lambda _: [PYTHON, "-m", "evaluation", "-h"]}, ""),
    "a run of two lines": Work(shaped(2, 1, 1), {"": scored()}),
    "100 runs of 50 x 1,000": Work(
        shaped(50, 1000, 100, n_candidates=50_000),
        {"-j 1": scored("-j", "1"), "-j 2": scored("-j", "2")},
    ),
    "a run of a million lines": Work(MILLION, {"": scored()}),
    "a million judgments": Work(many_judgments, {"": scored()}),
    "6,980 topics, 6.98 million lines": Work(
        shaped(6980, 1000, 1, pool_depth=0, n_candidates=2000), {"": scored()}
    ),
    "a million lines checked, ranked, stored; pytrec_eval only reads": Work(
        MILLION, {"": stored}, "parse"
    ),
}


def store(path: Path) -> None:
    """Check, rank and store a run, as for an upload."""
    from cleverdon.trec.runs import stored as columns
    from cleverdon.trec.runs.check import check_run

    topics = [str(number) for number in range(1, 1001)]
    with path.open("rb") as file:
        checked = check_run(file, tag=TAG, topics=topics)
    if checked.run is None:
        raise SystemExit(f"The run is not valid: {checked.report}")
    with path.with_suffix(".columns").open("wb") as file:
        columns.write(checked.run, file)


def taken(command: Command) -> Taken:
    """Run a command to its end, with modules compiled before, as those of an installed package."""
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, env=ENVIRONMENT)
    _, status, used = os.wait4(process.pid, 0)
    wall = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(command)[:200]} ended with {process.returncode}.")
    return Taken(used.ru_utime + used.ru_stime, wall, used.ru_maxrss / 1024)


def best(commands: Sequence[Command], rounds: int) -> list[Taken]:
    """Return the least of each figure for each command; they take turns."""
    found = [[taken(command) for command in commands] for _ in range(rounds)]
    return [Taken(*map(min, zip(*each, strict=True))) for each in zip(*found, strict=True)]


def peers(work: Work, folder: str, trec_eval: str) -> list[Command]:
    """Return the commands of pytrec_eval and, if it is there, of trec_eval; [] for none."""
    commands = [[PYTHON, "-m", "benchmarks.peers", work.peer, folder] if work.peer else []]
    if trec_eval:
        each_run = ["sh", "-c", EACH_RUN, trec_eval, folder]
        commands.append(each_run if work.peer == "pytrec_eval" else [])
    return commands


def rows(name: str, work: Work, rounds: int, trec_eval: str) -> list[str]:
    """Return the lines of the table for a work, the peers' figures in each."""
    with tempfile.TemporaryDirectory() as folder:
        files = work.made(Path(folder))
        others = peers(work, folder, trec_eval)
        asked = [command for command in others if command]
        figures = best([*asked, *(command(files) for command in work.ours.values())], rounds)
    found = iter(figures)
    theirs = [next(found) if command else None for command in others]
    lines = []
    for option, ours in zip(work.ours, found, strict=True):
        compared = (beside(each, ours) if each else "" for each in theirs)
        lines.append(f"| {name}{option and f', {option}'} | {ours} | {' | '.join(compared)} |")
    return lines


def beside(theirs: Taken, ours: Taken) -> str:
    """Return a peer's figures, and how many times as long it takes, by processor and clock."""
    times = theirs.processor / ours.processor, theirs.wall / ours.wall
    return f"{theirs}: {times[0]:.1f}; {times[1]:.1f}"


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--store", type=Path, help="check, rank and store this run; no more")
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--trec-eval", default="", metavar="PATH", help="trec_eval's program")
    options.add_argument("--only", default="", help="part of the name of what is measured")
    chosen = options.parse_args()
    if chosen.store:
        store(chosen.store)
        return
    how = "in plain Python" if reader is plain else "compiled"
    load = ", ".join(f"{each:.1f}" for each in os.getloadavg())
    print(f"{os.cpu_count()} cores, load {load}; Python {platform.python_version()}, ", end="")
    print(f"numpy {np.__version__}; the reader is {how}; least of {chosen.rounds} rounds\n")
    names = ["pytrec_eval", *(["trec_eval"] if chosen.trec_eval else [])]
    print(f"| processor, wall, memory: times as long | Cleverdon | {' | '.join(names)} |")
    print("|---|---|" + "---|" * len(names))
    for name, work in WORKS.items():
        if chosen.only in name:
            print("\n".join(rows(name, work, chosen.rounds, chosen.trec_eval)), flush=True)


if __name__ == "__main__":
    main()
