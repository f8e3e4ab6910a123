"""Hypothesis strategies: qrels and runs with ties, gaps, odd ids, missing and extra topics."""

from hypothesis import strategies as st

TOPICS = ("1", "2", "10", "é3")
DOCNOS = (
    *(f"d{number}" for number in range(14)),
    "D1",
    "é1",
    "d",
    "a-longer-docno-than-the-others",
)
# Few values, so that ties are many; the last three are equal in single precision only.
SCORES = (-1.5, 0.0, 1e-3, 2.0, 7.25, 1e300, 0.1, 0.10000000001, 0.10000000002)


def qrels(lowest: int = 0) -> st.SearchStrategy[dict[str, dict[str, int]]]:
    grades = st.dictionaries(
        st.sampled_from(DOCNOS), st.integers(lowest, 4), min_size=1
    )
    return st.dictionaries(st.sampled_from(TOPICS), grades, min_size=1)


def runs() -> st.SearchStrategy[dict[str, dict[str, float]]]:
    scores = st.dictionaries(
        st.sampled_from(DOCNOS), st.sampled_from(SCORES), min_size=1
    )
    return st.dictionaries(st.sampled_from(TOPICS), scores, min_size=1)


def run_lines(run: dict[str, dict[str, float]], tag: str = "made") -> list[bytes]:
    """A run as the lines of a file, topic after topic."""
    return [
        f"{topic} Q0 {docno} {rank} {score!r} {tag}\n".encode()
        for topic, scores in run.items()
        for rank, (docno, score) in enumerate(scores.items(), 1)
    ]
