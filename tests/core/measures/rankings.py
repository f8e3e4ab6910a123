"""Rankings of one topic, and runs under a rule set, for these tests."""

from io import BytesIO

from measures.family import Family, ParameterValue
from measures.inputs.placements import place
from measures.inputs.universe import Universe
from measures.scoring.scoring import score
from tests.core.measures.made import in_order
from tests.strategies import Run
from trec.runs.check import check_run
from trec.runs.run import RankedRun

NINE, TEN = "trec_eval-9", "trec_eval-10"


def under(run: Run, rules: str) -> RankedRun:
    """A run ranked under a rule set."""
    rows = ((t, d, value) for t, scores in run.items() for d, value in scores.items())
    text = "\n".join(f"{topic} Q0 {docno} 1 {value!r} made" for topic, docno, value in rows)
    checked = check_run(BytesIO(text.encode()), tag="made", topics=set(run), rules=rules)
    assert checked.run is not None, checked.report
    return checked.run


def one(
    grades: dict[str, int],
    ranking: str,
    family: Family,
    rules: str = NINE,
    level: int = 1,
    **given: ParameterValue,
) -> float:
    """The value of a measure for one topic, its ranking given as words."""
    universe = Universe.from_qrels({"1": grades})
    placements = place(in_order({"1": ranking.split()}), universe)
    measures = [family.measure(**given)]
    return score([placements], universe, measures, rules=rules, level=level).values.item()


def marked(relevant: list[int], depth: int, n_missing: int = 0) -> tuple[dict[str, int], str]:
    """One topic's grades and a ranking that has relevant documents at these ranks."""
    docnos = [f"d{rank}" for rank in range(1, depth + 1)]
    grades = {docno: int(rank in relevant) for rank, docno in enumerate(docnos, start=1)}
    return grades | {f"m{i}": 1 for i in range(n_missing)}, " ".join(docnos)
