"""Rankings without ties, and what a measure gives them."""

from collections.abc import Mapping, Sequence

from hypothesis import strategies as st

from measures.family import Measure
from measures.inputs.placements import place
from measures.inputs.universe import Universe
from measures.scoring.scoring import score
from tests.core.measures.made import MOST_TOPICS, in_order
from tests.strategies import DOCNOS, TOPICS

Orders = Mapping[str, Sequence[str]]
Grades = Mapping[str, Mapping[str, int]]

UNJUDGED = tuple(f"u{number}" for number in range(6))


def orders() -> st.SearchStrategy[Orders]:
    """For some topics documents from the best on; some of them are in no qrels."""
    docnos = st.lists(st.sampled_from((*DOCNOS, *UNJUDGED)), min_size=1, max_size=16, unique=True)
    return st.dictionaries(st.sampled_from(TOPICS), docnos, min_size=1, max_size=MOST_TOPICS)


def values(measure: Measure, qrels: Grades, rankings: Orders, **options: int) -> dict[str, float]:
    """The values of a measure, by topic, of those the run has something for."""
    found = values_of([measure], qrels, rankings, **options)
    return {topic: value for topic, [value] in found.items()}


def values_of(
    measures: Sequence[Measure], qrels: Grades, rankings: Orders, **options: int
) -> dict[str, list[float]]:
    """The values of some measures in one pass, as `values`."""
    universe = Universe.from_qrels(qrels)
    run = place(in_order(rankings), universe)
    found = score([run], universe, measures, **options).values[0].tolist()
    by_topic = zip(universe.topics, found, strict=True)
    return {topic: row for topic, row in by_topic if topic in rankings}


def grades_in_order(
    grades: Mapping[str, int], ranking: Sequence[str], *, judged_only: bool = False
) -> list[int]:
    """The grade at each rank, 0 where it is negative or there is none; unjudged documents may be taken out."""
    kept = [d for d in ranking if not judged_only or grades.get(d, -1) >= 0]
    return [max(0, grades.get(docno, 0)) for docno in kept]


def ideal(grades: Mapping[str, int]) -> list[int]:
    """The grades above 0, the highest first."""
    return sorted((grade for grade in grades.values() if grade > 0), reverse=True)
