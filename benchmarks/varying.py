"""What disagreement between assessors does to the ranking: `python -m benchmarks.varying`.

Made runs are placed, scored and compared: 100 on 50 topics of 500 judged documents, a fifth of
which a second assessor grades otherwise, by three measures, with 1,000 mixtures.
"""

import time
from functools import partial

import numpy as np

from cleverdon.measures.inputs.mappings import ranked
from cleverdon.measures.inputs.placements import place
from cleverdon.measures.inputs.universe import Universe
from cleverdon.measures.names import parse
from cleverdon.measures.scoring.scoring import score
from cleverdon.trec.ranking import DEFAULT_RULES
from evaluation.core.disagreement import Disagreement
from evaluation.core.variations import Twice
from evaluation.core.varied import Scored, boards_of, varied

N_RUNS, N_TOPICS, N_DOCUMENTS, DEPTH, SHARE = 100, 50, 500, 100, 0.2
MEASURES = [parse(name) for name in ("AP", "nDCG@10", "P@10")]
TOPICS = [f"{n:03}" for n in range(N_TOPICS)]


def study() -> Disagreement:
    """Return the study of the made runs; printed is what it takes once these are placed."""
    rng = np.random.default_rng(1)
    grades = rng.choice([0, 0, 0, 1, 2], (N_TOPICS, N_DOCUMENTS))
    judged = Universe.from_rows(
        (topic, f"d{n:03}", int(grade))
        for topic, row in zip(TOPICS, grades, strict=True)
        for n, grade in enumerate(row)
    )
    placed = []
    for run in range(N_RUNS):
        wanted = grades * (0.5 + run / N_RUNS) + rng.normal(0, 1.5, grades.shape)
        best = np.argpartition(-wanted, DEPTH, axis=1)[:, :DEPTH]
        answers = {
            topic: {f"d{n:03}": float(wanted[t, n]) for n in best[t].tolist()}
            for t, topic in enumerate(TOPICS)
        }
        placed.append(place(ranked(answers, DEFAULT_RULES), judged))
    others = np.where(rng.random(len(judged.grades)) < SHARE, 1, judged.grades)
    twice = [
        Twice(n, int(topic), {"": int(one), "ben": int(other)})
        for n, (topic, one, other) in enumerate(
            zip(judged.topic_of, judged.grades, others, strict=True)
        )
    ]

    def scored(universe: Universe) -> list[Scored]:
        return boards_of(score(placed, universe, MEASURES), "judged")

    tags, start = [f"run{n}" for n in range(N_RUNS)], time.process_time()
    tell = partial(_tell, start)
    return varied(judged, twice, MEASURES, tags, scored=scored, pairs={}, tell=tell)


def _tell(start: float, done: int, of: int) -> None:
    print(f"{done} of {of} steps: {time.process_time() - start:.1f} s of the processor")


def main() -> None:
    found = study()
    for each in found.measures:
        mean, low, high = each.mixtures[0][0]
        print(f"{each.measure}: tau-b {mean:.3f}, {low:.3f} to {high:.3f}")


if __name__ == "__main__":
    main()
