"""Estimates from random samples of pools whose full judgments are known."""

import io

import numpy as np
import pytest

from cleverdon.measures.interface import evaluate
from cleverdon.pools.strategy.sampling import drawn, stratum_name, stratum_of
from tests.core.measures.test_inferred import infndcg, qrels_of, scores_of, xinfap

N, N_SAMPLES = 150, 60
FIRST, SECOND = [[10, 100], [40, 50], [100, 25]], [[60, 40]]


def known(seed: int) -> tuple[dict[str, int], list[str], list[dict[str, int]]]:
    """The grade of each document, a run, and the best ranks in the pools of two batches."""
    rng = np.random.default_rng(seed)
    docnos = [f"d{n:03}" for n in range(N)]
    grades = {d: int(rng.random() < 0.7 * np.exp(-n / 30)) for n, d in enumerate(docnos)}
    orders = [(np.arange(N) + rng.normal(0, 20, N)).argsort() for _ in range(3)]
    best = [{docnos[n]: rank for rank, n in enumerate(own, 1)} for own in orders[1:]]
    return grades, [docnos[n] for n in orders[0]], best


def sample(rng, strata, best: dict[str, int], without: set[str]) -> set[str]:
    """Draw each stratum's share of what is not in the pool yet."""
    found: set[str] = set()
    for n, (_, percent) in enumerate(strata, 1):
        own = [
            docno
            for docno, rank in best.items()
            if rank <= strata[-1][0] and stratum_of(strata, rank) == n and docno not in without
        ]
        found.update(rng.choice(own, drawn(len(own), percent), replace=False).tolist())
    return found


def estimates(seed: int, *, n_batches: int) -> tuple[np.ndarray, np.ndarray]:
    """AP and xinfAP of N_SAMPLES samples, [samples x 2], and the AP with the whole population."""
    grades, run, best = known(seed)
    rng, recipes, found = np.random.default_rng(seed), (FIRST, SECOND)[:n_batches], []
    strata: dict[str, str] = {}
    for docno in grades:
        own = {
            version: stratum_of(recipe, ranks[docno])
            for version, (recipe, ranks) in enumerate(zip(recipes, best, strict=False), 1)
            if ranks[docno] <= recipe[-1][0]
        }
        if own:
            strata[docno] = stratum_name(own)
    for _ in range(N_SAMPLES):
        judged: set[str] = set()
        for recipe, ranks in zip(recipes, best, strict=False):
            judged |= sample(rng, recipe, ranks, judged)
        lines = {d: (name, grades[d] if d in judged else -1) for d, name in strata.items()}
        scored = evaluate(
            io.BytesIO(qrels_of({"1": lines})), scores_of({"1": run}), ["xinfAP", "infNDCG"]
        )
        theirs = xinfap(lines, run, None, 1), infndcg(lines, run, None)
        assert scored.values[0, 0] == pytest.approx(theirs, abs=1e-9)
        plain = evaluate({"1": {d: grades[d] for d in judged}}, scores_of({"1": run}), ["AP"])
        found.append((plain.values[0, 0, 0], theirs[0]))
    truth = evaluate({"1": {d: grades[d] for d in strata}}, scores_of({"1": run}), ["AP"])
    return np.array(found), truth.values[0, 0, 0]


@pytest.mark.parametrize("n_batches", [1, 2])
def test_xinfap_of_samples_is_near_the_ap_of_all_judgments_and_ap_is_not(n_batches):
    found = [estimates(seed, n_batches=n_batches) for seed in range(3)]
    off = np.mean([own.mean(axis=0) / truth - 1 for own, truth in found], axis=0)
    assert abs(off[1]) < 0.05, "5 percent over these samples"
    assert abs(off[0]) > 2 * abs(off[1])
