"""What adaptive pools save, on runs of known relevance: `python -m benchmarks.adaptive`.

Recall is of the relevant documents of the whole pool. Plain depth judges by best rank; "fewer" is
how many judgments fewer than it an order needs for the recall that it has at a depth. `--picture`
names an SVG file to draw the curves into.
"""

import argparse
import hashlib
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from cleverdon.pictures.files import svg_file
from cleverdon.pictures.lines import Point, Series, lines
from cleverdon.pools.entries import Before, Recipe
from cleverdon.pools.forming import form
from cleverdon.pools.lists import RunFacts
from cleverdon.trec.arrays import Floats
from cleverdon.trec.docnos import Docnos
from cleverdon.trec.runs.run import RankedRun

if TYPE_CHECKING:
    from cleverdon.pictures.picture import Whose

N_RUNS, N_TOPICS, DEPTH, N_CANDIDATES = 40, 25, 100, 3000
N_FAMILIES = 8
MOST = 500  # judgments of a topic
DEPTHS = (10, 20, 30)
BATCH = 10
ADAPTIVE = {"first": 3, "batch": BATCH, "floor": 0, "cap": MOST, "reading_depth": DEPTH}
TOPICS = tuple(sorted(str(number) for number in range(N_TOPICS)))
Relevant = dict[str, frozenset[str]]


def made(seed: int) -> tuple[dict[str, RankedRun], Relevant]:
    """Return runs, and the relevant documents: 5 to 80 of a topic.

    A run sees how relevant a document is through noise, more in some topics than in others. Runs
    of a family share most of theirs, and what they overlook of the relevant documents: many are
    easy, some only a family or two can find.
    """
    generator = np.random.default_rng(seed)
    noise = generator.lognormal(-0.3, 0.7, size=(N_RUNS, N_TOPICS))
    found: list[list[bytes]] = [[] for _ in range(N_RUNS)]
    relevant: Relevant = {}
    for place, topic in enumerate(TOPICS):
        n_relevant = int(generator.integers(5, 80))
        worth = 0.5 * generator.standard_t(3, N_CANDIDATES)
        gain = np.zeros(N_CANDIDATES)
        gain[:n_relevant] = generator.gamma(3, 1.0, n_relevant)
        sees = generator.random((N_FAMILIES, N_CANDIDATES)) < generator.beta(2, 1, N_CANDIDATES)
        names = generator.permutation(N_CANDIDATES)
        relevant[topic] = frozenset(f"d{name}" for name in names[:n_relevant].tolist())
        families = generator.standard_t(3, size=(N_FAMILIES, N_CANDIDATES))
        for number, docnos in enumerate(found):
            own = generator.standard_t(3, size=N_CANDIDATES)
            seen = worth + gain * sees[number % N_FAMILIES]
            seen += noise[number, place] * (0.3 * own + 0.7 * families[number % N_FAMILIES])
            best = np.argpartition(-seen, DEPTH)[:DEPTH]
            best = best[np.lexsort((-seen[best],))]
            docnos += [b"d%d" % name for name in names[best].tolist()]
    offsets = np.arange(0, N_TOPICS * DEPTH + 1, DEPTH)
    scores = np.tile(np.arange(DEPTH, 0, -1.0), N_TOPICS)
    runs = {
        f"run{number}": RankedRun(TOPICS, offsets, scores, Docnos.of(docnos))
        for number, docnos in enumerate(found)
    }
    return runs, relevant


def static(
    runs: dict[str, RankedRun], facts: list[RunFacts], strategy: str
) -> dict[str, list[str]]:
    """Return every topic's documents in the order of a fixed rule."""
    parameters = {"n": MOST, "per": "topic"} | (
        {"reading_depth": DEPTH} if strategy == "rrf" else {}
    )
    pool = form(runs, facts, TOPICS, Recipe(strategy, parameters, 1))
    return {topic: [entry.docno for entry in entries] for topic, entries in pool}


def adaptive(
    runs: dict[str, RankedRun], facts: list[RunFacts], strategy: str, relevant: Relevant
) -> dict[str, list[str]]:
    """Return every topic's documents as they are chosen, each batch judged before the next one."""
    recipe = Recipe(strategy, ADAPTIVE, 1)
    orders: dict[str, list[str]] = {topic: [] for topic in TOPICS}
    for step in range(MOST // BATCH):
        grades = {
            topic: {docno: int(docno in relevant[topic]) for docno in docnos}
            for topic, docnos in orders.items()
        }
        for topic, entries in form(runs, facts, TOPICS, recipe, Before(grades, grades, step)):
            orders[topic] += [entry.docno for entry in entries if entry.standing == "new"]
    return orders


def curve(orders: dict[str, list[str]], relevant: Relevant) -> Floats:
    """Return the relevant documents found after 0 to MOST judgments of each topic, in all."""
    total = np.zeros(MOST + 1)
    for topic, docnos in orders.items():
        hits = np.cumsum([docno in relevant[topic] for docno in docnos[:MOST]])
        total[1:] += np.pad(hits, (0, MOST - len(hits)), mode="edge")
    return total


def compared(seed: int) -> tuple[dict[str, Floats], list[int], float]:
    """Return each order's curve of recall, the sizes of plain pools, and how many were found."""
    runs, relevant = made(seed)
    facts = [RunFacts(name, hashlib.sha256(name.encode()).hexdigest()) for name in runs]
    deep = form(runs, facts, TOPICS, Recipe("depth", {"depth": DEPTH}, 1))
    n_relevant = sum(e.docno in relevant[topic] for topic, entries in deep for e in entries)
    curves = {
        "plain depth": curve(static(runs, facts, "best-rank"), relevant),
        "rank fusion": curve(static(runs, facts, "rrf"), relevant),
        "move-to-front": curve(adaptive(runs, facts, "move-to-front", relevant), relevant),
        "max-mean": curve(adaptive(runs, facts, "max-mean", relevant), relevant),
    }
    sizes = [
        sum(len(es) for _, es in form(runs, facts, TOPICS, Recipe("depth", {"depth": depth}, 1)))
        for depth in DEPTHS
    ]
    return {n: each / n_relevant for n, each in curves.items()}, sizes, n_relevant


def fewer(own: Floats, plain: Floats, n: int) -> float:
    """Return the share of n judgments that an order saves to the recall of plain depth."""
    return 1 - float(np.searchsorted(own, plain[n])) / n


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--seeds", type=int, default=5)
    options.add_argument("--picture", type=Path)
    chosen = options.parse_args()
    found = [compared(seed) for seed in range(chosen.seeds)]
    print(f"{N_RUNS} runs of {N_TOPICS} topics x {DEPTH}, {chosen.seeds} collections")
    for place, depth in enumerate(DEPTHS):
        each = [min(MOST, round(sizes[place] / N_TOPICS)) for _, sizes, _ in found]
        print(f"depth {depth}: {np.mean(each):.0f} judgments a topic by plain depth")
        for name in found[0][0]:
            saved = [
                fewer(curves[name], curves["plain depth"], n)
                for (curves, _, _), n in zip(found, each, strict=True)
            ]
            recall = np.mean(
                [curves[name][n] for (curves, _, _), n in zip(found, each, strict=True)]
            )
            print(
                f"  {name:16} recall there {recall:.3f}; {100 * np.mean(saved):3.0f} % fewer "
                f"({100 * min(saved):.0f} to {100 * max(saved):.0f})"
            )
    if chosen.picture:
        chosen.picture.write_bytes(drawn(found))


def drawn(found: list[tuple[dict[str, Floats], list[int], float]]) -> bytes:
    """Draw the mean curves."""
    xs = range(0, MOST + 1, BATCH)
    means = {n: np.mean([curves[n] for curves, _, _ in found], axis=0) for n in found[0][0]}
    whose: dict[str, Whose] = dict.fromkeys(means, "others")
    whose |= {"max-mean": "mine", "move-to-front": "second"}
    at = [round(100 * float(means[name][200])) for name in ("max-mean", "plain depth")]
    return svg_file(
        lines(
            [
                Series(
                    name,
                    xs,
                    [100 * float(mean[x]) for x in xs],
                    whose[name],
                    dashed=name == "rank fusion",
                )
                for name, mean in means.items()
            ],
            sentence=f"After 200 judgments max-mean has {at[0]} %, plain depth {at[1]} %.",
            x_name="judgments of a topic",
            y_name="relevant documents found, in percent",
            points=[
                Point(
                    200 + 60 * place, 100 * float(mean[200 + 60 * place]), name, whose=whose[name]
                )
                for place, (name, mean) in enumerate(means.items())
            ],
            named=True,
        )
    )


if __name__ == "__main__":
    main()
