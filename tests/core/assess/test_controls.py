"""Where controls are mixed in, and what their answers come to."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.proportion import proportion_confint

from agreement.core.accuracy import measured, wilson
from assess.core.controls import Served, Wanted, apart, mixed
from assess.core.purposes import CONTROLS, KNOWN, PRIMARY, REPEAT
from campaigns.core.control_shares import FEWEST, n_of

PERCENT = st.integers(0, 20)


def order(n: int) -> list[str]:
    return [f"d{place}" for place in range(n)]


def drawn(n: int, n_known: int, known: int, repeats: int, seed: int) -> list[Served]:
    generator = np.random.default_rng(seed)
    names = [f"k{place}" for place in range(n_known)]
    return mixed(order(n), names, Wanted(known, repeats), generator)


@given(st.integers(0, 300), st.integers(0, 80), PERCENT, PERCENT, st.integers(0, 2**32))
def test_everything_wanted_is_mixed_in_and_nothing_of_the_assessors_own_moves(
    n, n_known, known, repeats, seed
):
    served = drawn(n, n_known, known, repeats, seed)
    assert [docno for docno, control in served if control not in CONTROLS] == order(n)
    kinds = [control for _, control in served]
    assert kinds.count(KNOWN) == min(n_of(known, n), n_known)
    assert kinds.count(REPEAT) == (n_of(repeats, n) if n >= FEWEST else 0)
    assert len({(docno, control in CONTROLS) for docno, control in served}) == len(served)


@given(st.integers(1, 300), PERCENT, PERCENT, st.integers(0, 2**32))
def test_a_document_comes_again_only_after_many_others(n, known, repeats, seed):
    served = drawn(n, 60, known, repeats, seed)
    first = {docno: place for place, (docno, control) in enumerate(served) if control == PRIMARY}
    for place, (docno, control) in enumerate(served):
        if control == REPEAT:
            assert place - first[docno] >= apart(n) >= min(20, n / 3)


@given(st.integers(20, 300), st.integers(1, 20), st.integers(0, 2**32))
def test_known_ones_are_spread_over_the_topic(n, percent, seed):
    """No part that holds two in the mean is without one, wherever it begins."""
    served = drawn(n, 60, percent, 0, seed)
    places = [place for place, (_, control) in enumerate(served) if control in CONTROLS]
    if not places:
        return
    part = 2 * (len(served) / len(places)) + 2
    ends = [-1, *places, len(served)]
    assert max(b - a for a, b in pairwise(ends)) <= part


@given(st.integers(30, 200), st.integers(0, 2**32))
def test_the_same_seed_draws_the_same_and_another_something_else(n, seed):
    assert drawn(n, 40, 20, 20, seed) == drawn(n, 40, 20, 20, seed)
    assert drawn(n, 40, 20, 20, seed) != drawn(n, 40, 20, 20, seed + 1)


def test_a_control_can_stand_at_every_place_of_its_part():
    """So that nobody learns where the next one is: of 40 documents with 5 %, one in each half,
    anywhere in it.
    """
    seen = {
        place
        for seed in range(2000)
        for place, (_, control) in enumerate(drawn(40, 9, 5, 0, seed))
        if control in CONTROLS
    }
    assert seen == set(range(20)) | set(range(21, 42))


def test_the_order_in_which_known_documents_are_named_does_not_count():
    both = [["a", "b", "c"], ["c", "a", "b"]]
    one, other = (mixed(order(30), names, Wanted(10), np.random.default_rng(7)) for names in both)
    assert one == other


def test_a_known_document_among_the_own_ones_is_no_control():
    with pytest.raises(ValueError, match="among the assessor's own"):
        mixed(["a"], ["a"], Wanted(20), np.random.default_rng(1))


@given(st.integers(0, 50), st.integers(1, 50))
def test_the_interval_is_that_of_statsmodels(n_hits, n):
    n_hits = min(n_hits, n)
    expected = proportion_confint(n_hits, n, method="wilson")
    assert wilson(n_hits, n) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("n", range(1, 60))
def test_no_rounding_leaves_the_share_outside_its_interval(n):
    for n_hits in (0, n):
        low, high = wilson(n_hits, n)
        assert low <= n_hits / n <= high


def test_nothing_is_said_of_no_answers():
    assert measured([], [0, 1]) is None
    assert measured([(7, 0)], [0, 1]) is None, "the scale has no 7 any more"


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1))
def test_steps_are_counted_with_and_without_their_sign(pairs):
    found = measured(pairs, [0, 1, 2, 3])
    assert found.n == len(pairs)
    assert found.share == pytest.approx(np.mean([one == other for one, other in pairs]))
    assert found.bias == pytest.approx(np.mean([other - one for one, other in pairs]))
    assert found.distance == pytest.approx(np.mean([abs(other - one) for one, other in pairs]))
    assert found.low <= found.share <= found.high
    assert (found.kappa is not None) <= (len(pairs) >= 20)


def test_kappa_is_said_of_enough_pairs():
    pairs = [(0, 0)] * 10 + [(1, 1)] * 5 + [(0, 1)] * 5
    assert measured(pairs, [0, 1]).kappa == pytest.approx(0.5)
    assert measured(pairs[:-1], [0, 1]).kappa is None


def test_the_steps_of_a_scale_are_counted_not_its_numbers():
    assert measured([(0, 9)], [0, 1, 9]).distance == 2
