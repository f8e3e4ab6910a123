"""All pairs of runs told apart, and one pair by scipy: `python -m benchmarks.significance`."""

import time
from collections.abc import Callable

import numpy as np
from scipy import stats

from cleverdon.measures.names import parse
from cleverdon.significance.pairs import all_pairs, told_apart
from cleverdon.significance.randomization import Draws, randomization
from cleverdon.significance.tukey import tukey
from cleverdon.trec.arrays import Floats
from evaluation.core.standing import standings
from evaluation.core.study import studied

N_RUNS, N_TOPICS, N_DRAWS = 100, 50, 99_999
MANY, NAMES = 200, ["AP", "nDCG@10", "P@10", "RR", "Rprec", "Bpref", "R@1000", "Judged@10"]


def made(n_runs: int) -> Floats:
    """Values of runs that differ by up to a fifth, as much as topics make."""
    rng = np.random.default_rng(1)
    strengths = np.linspace(0, 0.2, n_runs)[:, None]
    return strengths + rng.random(N_TOPICS) * 0.4 + rng.random((n_runs, N_TOPICS)) * 0.4


def seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def main() -> None:
    values = made(N_RUNS)
    told = seconds(lambda: told_apart(values, n_draws=N_DRAWS))
    n_pairs = N_RUNS * (N_RUNS - 1) // 2
    print(f"{n_pairs:,} pairs, {N_DRAWS:,} draws, max-T in steps: {told:.1f} s")
    differences = values[-1] - values[0]
    one = seconds(lambda: randomization(differences, 2, 0.0, Draws(N_DRAWS)))
    theirs = seconds(
        lambda: stats.permutation_test(
            (differences,),
            np.mean,
            permutation_type="samples",
            n_resamples=N_DRAWS,
            vectorized=True,
        )
    )
    print(f"one pair: {1000 * one:.0f} ms, scipy {1000 * theirs:.0f} ms: {theirs / one:.1f} times")
    print(f"all pairs one by one by scipy: {n_pairs * theirs / told:,.0f} times as long")
    p_values = seconds(lambda: all_pairs(values, n_draws=N_DRAWS))
    hsd = seconds(lambda: tukey(values, n_draws=N_DRAWS))
    print(f"p-values of all pairs, with step-down: {p_values:.1f} s; by Tukey's HSD: {hsd:.0f} s")
    names = [parse("nDCG" if name == "Judged@10" else name) for name in NAMES]
    few = np.stack([values] * len(names), axis=2)
    study = seconds(lambda: studied(few, np.ones(few.shape[:2], dtype=bool), names))
    print(f"the study of {N_RUNS} runs, {len(names)} measures: {study:.1f} s")
    many = np.stack([made(MANY)] * len(NAMES), axis=2)
    counted = np.ones(many.shape[:2], dtype=bool)
    job = seconds(lambda: standings(many, counted, [parse(name) for name in NAMES]))
    print(f"intervals, places and classes of {MANY} runs, {len(NAMES)} measures: {job:.1f} s")


if __name__ == "__main__":
    main()
