"""The Pareto front, against every pair compared with every other."""

from math import isnan, nan

from hypothesis import given
from hypothesis import strategies as st

from evaluation.core.pareto import pareto_front

VALUES = st.sampled_from([-1.0, 0.0, 0.25, 0.5, 3.0, nan])


def beats(one: tuple[float, float], other: tuple[float, float]) -> bool:
    return one[0] >= other[0] and one[1] >= other[1] and one != other


@given(st.lists(st.tuples(VALUES, VALUES)))
def test_the_front_has_the_pairs_that_no_other_beats(pairs):
    front = pareto_front([x for x, _ in pairs], [y for _, y in pairs])
    known = [pair for pair in pairs if not any(map(isnan, pair))]
    expected = [
        n
        for n, pair in enumerate(pairs)
        if pair in known and not any(beats(other, pair) for other in known)
    ]
    assert sorted(front) == expected
    assert [pairs[n][0] for n in front] == sorted((pairs[n][0] for n in front), reverse=True)
