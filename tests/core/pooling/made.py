"""Runs for these tests, as rankings by topic."""

from hypothesis import strategies as st

from tests.core.measures.made import in_order

__all__ = ["MANY_RUNS", "TOPICS", "Rankings", "in_order"]

Rankings = dict[str, list[str]]

TOPICS = ("2", "1", "10", "é")

_DOCNOS = [f"d{number}" for number in range(9)] + ["D1", "é1"]
_RANKINGS = st.dictionaries(
    st.sampled_from((*TOPICS, "unknown")),
    st.lists(st.sampled_from(_DOCNOS), min_size=1, max_size=8, unique=True),
    min_size=1,
)
MANY_RUNS = st.dictionaries(st.sampled_from(("bm25", "ql", "Dense", "a.b-c")), _RANKINGS)
