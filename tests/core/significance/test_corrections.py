"""Corrections against statsmodels, with ties and gaps."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.multitest import multipletests

from cleverdon.significance.corrections import CORRECTIONS, least_draws

P = st.lists(
    st.sampled_from([0.0, 0.001, 0.01, 0.02, 0.02, 0.04, 0.5, 1.0]), min_size=1, max_size=12
)


@given(P)
@pytest.mark.parametrize(
    ("name", "theirs"), [("holm", "holm"), ("bonferroni", "bonferroni"), ("bh", "fdr_bh")]
)
def test_corrected_as_by_statsmodels(name, theirs, p):
    expected = multipletests(p, method=theirs)[1]
    assert CORRECTIONS[name](np.array(p)) == pytest.approx(expected, abs=1e-15)
    assert CORRECTIONS["none"](np.array(p)) == pytest.approx(p)


def test_draws_that_are_too_few_are_known():
    """With 4,950 pairs Holm needs 99,000 draws to find anything at 5 %."""
    assert least_draws(0.05, 4950, "holm") == 98_999
    for n_tests, name in ((10, "holm"), (7, "bonferroni"), (9, "bh"), (3, "none")):
        n = least_draws(0.05, n_tests, name)
        reaches, fails = (
            CORRECTIONS[name](np.full(n_tests, 1 / (draws + 1))).min() <= 0.05 + 1e-12
            for draws in (n, n - 1)
        )
        assert (reaches, fails) == (True, False)
