"""Where relevant documents stood, and an estimate of those missing, against published figures."""

import numpy as np
import pytest

from pooling.core.completeness import Missing, found_by_rank, is_dry, last_share, stops_at_nist


@pytest.mark.parametrize(
    ("found", "once", "twice", "n_runs", "estimate"),
    [
        # Robust 2003, where all official runs found 1,658; without the factor 1,683.6.
        (1497, 197, 104, 10**9, 1683.6),
        (1951, 1068, 329, 56, 3653.51),  # TREC-COVID round 1, where 4,755 were known at the end
        (10, 4, 0, 2, 13),
        (10, 1, 0, 5, 10),
        (10, 0.5, 0, 5, 10),
        (10, 0, 3, 5, 10),
        (10, 10, 0, 1, 10),
        (0, 0, 0, 0, 0),
    ],
)
def test_chao2(found, once, twice, n_runs, estimate):
    missing = Missing(found, once, twice, n_runs)
    assert missing.chao2 == pytest.approx(estimate, abs=0.05)
    assert missing.n_missed == round(estimate - found)


@pytest.mark.parametrize("n_runs", [2, 3, 5, 8])
def test_chao2_is_a_lower_bound_for_few_runs_too(n_runs):
    """Runs that are independent and alike are its best case, others only make it lower."""
    rng, truth = np.random.default_rng(3), 400
    for chances, least in ((np.full(truth, 0.3), 0.97), (rng.beta(1, 6, truth), 0.45)):
        estimates = []
        for _ in range(300):
            held = rng.binomial(n_runs, chances)
            estimates.append(Missing.of(held[held > 0].tolist(), n_runs).chao2)
        spread = np.std(estimates) / np.sqrt(len(estimates))
        assert truth * least < np.mean(estimates) < truth + 3 * spread


def test_two_runs_are_lincoln_and_petersen():
    assert Missing(70, 50, 20, 2).chao2 == pytest.approx(45 * 45 / 20, abs=1)


def test_what_is_counted():
    assert Missing.of([1, 3, 2, 1, 1, 2], 4) == (6, 3, 2, 4)
    assert Missing.of([], 0) == (0, 0, 0, 0)
    assert Missing.of([1, 2, 3], 3, [4, 2.5, 1]) == (7.5, 4, 2.5, 3)


def test_documents_by_their_best_rank():
    ranks = np.random.default_rng(1).integers(1, 30, 80).tolist()
    found = found_by_rank(ranks).tolist()
    assert found == [sum(each <= n for each in ranks) for n in range(1, max(ranks) + 1)]
    assert found_by_rank([]).tolist() == []
    assert found_by_rank([3]).tolist() == [0, 0, 1]
    assert found_by_rank([1, 3, 1], [1, 4, 0.5]).tolist() == [1.5, 1.5, 5.5]


def test_the_share_of_the_lowest_ranks():
    assert last_share([6, 8, 8, 10], 0.5) == pytest.approx(0.2)
    assert last_share([6, 8, 8, 10], 0.25) == pytest.approx(0.4)
    assert last_share([5]) == 0
    assert last_share([]) == 0


def in_order(bits: str) -> np.ndarray:
    """Relevant ("1") and other documents in the order judged."""
    return np.array([each == "1" for each in bits], dtype=bool)


@pytest.mark.parametrize(
    ("bits", "n", "stops"),
    [("1000", 3, True), ("1000", 4, False), ("0001", 1, False), ("000", 3, True), ("00", 3, False)],
)
def test_the_last_ones_without_a_relevant_one(bits, n, stops):
    assert is_dry(in_order(bits), n) is stops


@pytest.mark.parametrize(
    ("bits", "stops"),
    [
        ("1" + "0" * 20, True),
        ("1" + "0" * 19, False),
        ("10" * 149 + "11", True),  # 151 of 300
        ("10" * 150, False),  # just half
        ("1" * 299, False),
        ("", False),
    ],
)
def test_nists_rule(bits, stops):
    assert stops_at_nist(in_order(bits)) is stops
