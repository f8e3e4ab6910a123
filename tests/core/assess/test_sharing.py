"""What another number of judgments means, against counting document by document."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from assess.core.sharing import Tally, prospect

# Of a group of five: how many gave a grade, how many could not, and how many of them have left
# since.
documents = st.lists(
    st.tuples(st.integers(0, 3), st.integers(0, 2), st.integers(0, 1)), max_size=12
)


@given(documents, st.integers(1, 3), st.integers(1, 5))
def test_a_prospect_is_the_sum_of_its_documents(rows, n_wanted, n):
    tallies = Counter(
        Tally(max(n_wanted, judged), judged, impossible, 5 - judged - impossible + left)
        for judged, impossible, left in rows
    )
    found = prospect(tallies, n)
    lacking = [
        (max(n - judged, 0) if impossible < max(n, judged) else 0, 5 - judged - impossible + left)
        for judged, impossible, left in rows
    ]
    assert found.n_lacking == sum(each for each, _ in lacking)
    assert found.n_open == sum(each > 0 for each, _ in lacking)
    assert found.n_stuck == sum(free < each for each, free in lacking)
    assert found.n_had_by_all == sum(free == 0 < each for each, free in lacking)
    assert found.n_within_reach == sum(each for each, free in lacking if free >= each)
    assert found.n_graded + found.n_impossible + found.n_open == len(rows)
