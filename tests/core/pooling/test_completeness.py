"""Where relevant documents stood, and an estimate of those missing, against published figures."""

import numpy as np
import pytest

from pooling.core.completeness import Missing, found_by_rank, last_share


@pytest.mark.parametrize(
    ("found", "once", "twice", "estimate"),
    [
        (1497, 197, 104, 1683.6),  # Robust 2003, where all official runs found 1,658
        (1951, 1068, 329, 3684.47),  # TREC-COVID round 1, where 4,755 were known at the end
        (10, 4, 0, 16),
        (10, 1, 0, 10),
        (10, 0, 3, 10),
        (0, 0, 0, 0),
    ],
)
def test_chao1(found, once, twice, estimate):
    missing = Missing(found, once, twice)
    assert missing.chao1 == pytest.approx(estimate, abs=0.05)
    assert missing.n_missed == round(estimate) - found


def test_chao1_is_a_lower_bound_of_documents_drawn_at_random():
    rng, truth = np.random.default_rng(3), 400
    chances = rng.beta(1, 6, truth)
    estimates = []
    for _ in range(200):
        n_runs = rng.binomial(8, chances)
        estimates.append(Missing.of(n_runs[n_runs > 0].tolist()).chao1)
    assert (chances > 0).sum() * 0.6 < np.mean(estimates) < truth


def test_what_is_counted():
    assert Missing.of([1, 3, 2, 1, 1, 2]) == (6, 3, 2)
    assert Missing.of([]) == (0, 0, 0)


def test_documents_by_their_best_rank():
    ranks = np.random.default_rng(1).integers(1, 30, 80).tolist()
    found = found_by_rank(ranks).tolist()
    assert found == [sum(each <= n for each in ranks) for n in range(1, max(ranks) + 1)]
    assert found_by_rank([]).tolist() == []
    assert found_by_rank([3]).tolist() == [0, 0, 1]


def test_the_share_of_the_lowest_ranks():
    assert last_share([6, 8, 8, 10], 0.5) == pytest.approx(0.2)
    assert last_share([6, 8, 8, 10], 0.25) == pytest.approx(0.4)
    assert last_share([5]) == 0
    assert last_share([]) == 0
