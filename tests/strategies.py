"""Hypothesis strategies: qrels, runs that tie often, and run files as participants write them."""

from collections.abc import Mapping

from hypothesis import strategies as st

Qrels = dict[str, dict[str, int]]
Run = dict[str, dict[str, float]]

TOPICS = ("1", "2", "10", "301", "é3")
DOCNOS = (
    *(f"d{number}" for number in range(12)),
    "D1",
    "d",
    "é1",
    "文書-7",
    "clueweb12-0001wb-02-03456",
)
# Few values, so that ties are many; the last three are equal in single precision only.
SCORES = (-1.5, -0.0, 0.0, 1e-3, 2.0, 1e300, 0.1, 0.10000000001, 0.10000000002)


def qrels(lowest: int = 0, highest: int = 4) -> st.SearchStrategy[Qrels]:
    """Grades by topic and docno; every topic has at least one."""
    grades = st.dictionaries(st.sampled_from(DOCNOS), st.integers(lowest, highest), min_size=1)
    return st.dictionaries(st.sampled_from(TOPICS), grades, min_size=1)


def rankings() -> st.SearchStrategy[dict[str, float]]:
    """One topic's documents with their scores, which tie often."""
    scores = st.sampled_from(SCORES) | st.floats(-1e6, 1e6, allow_nan=False, allow_infinity=False)
    return st.dictionaries(st.sampled_from(DOCNOS), scores, min_size=1)


def runs() -> st.SearchStrategy[Run]:
    """Scores by topic and docno; the qrels may have fewer topics, or more."""
    return st.dictionaries(st.sampled_from((*TOPICS, "unknown")), rankings(), min_size=1)


def collections() -> st.SearchStrategy[tuple[Qrels, Run]]:
    """Qrels and a run that share their ids."""
    return st.tuples(qrels(), runs())


def run_lines(run: Mapping[str, Mapping[str, float]], tag: str = "made") -> list[str]:
    """Write a run in six columns, its ranks counted in the order given."""
    return [
        f"{topic} Q0 {docno} {rank} {score!r} {tag}"
        for topic, scores in run.items()
        for rank, (docno, score) in enumerate(scores.items(), 1)
    ]


def run_texts(tag: str = "made") -> st.SearchStrategy[str]:
    """Run files: their lines shuffled, topics interleaved, white space of several kinds, ranks with
    gaps.
    """
    lines = runs().map(lambda run: run_lines(run, tag)).flatmap(st.permutations)
    ends = st.sampled_from(("\n", "\r\n", "\n\n", " \n"))
    return st.builds(_written, lines, st.sampled_from((" ", "\t", "  ")), ends)


def _written(lines: list[str], between: str, end: str) -> str:
    return "".join(line.replace(" ", between) + end for line in lines)


def faulty_run_texts(tag: str = "made") -> st.SearchStrategy[str]:
    """Run files in which any column may be wrong, and a line too short or too long."""
    columns = (
        st.sampled_from((*TOPICS, "unknown", "1_0")),
        st.just("Q0"),
        st.sampled_from((*DOCNOS, "a_b", "x" * 300, "nul\x00")),
        st.sampled_from(("1", "2", "+3", "-4", "1.0", "1_0", "", "x", "9" * 19, "0" * 30)),
        st.sampled_from(("1", "2.5", "-1e-3", "nan", "inf", "1_0", "0x1p3", "1e999", "", "abc")),
        st.sampled_from((tag, tag, tag, "other")),
    )
    line = st.tuples(*columns).map(" ".join) | st.sampled_from(("", "  ", "1 Q0 d1"))
    return st.lists(line, max_size=12).map("\n".join)
