"""Values of any size, with gaps, and a line of them."""

from hypothesis import strategies as st

from cleverdon.pictures.lines import Series
from tests.core.pictures import said

NUMBERS = st.one_of(
    st.none(), st.floats(), st.floats(-1e9, 1e9), st.floats(-1e-9, 1e-9), st.just(7.0)
)
SERIES = st.lists(NUMBERS, max_size=12)


def line(ys, xs=None, **options):
    xs = range(len(ys)) if xs is None else xs
    return said.lines([Series("a", xs, ys)], **options)
