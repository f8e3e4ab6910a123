"""Recorded outputs of trec_eval, to the last of 17 digits."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from campaigns.core.checking import check_run
from campaigns.core.runs import RankedRun
from evaluation.core.aggregate import TOPIC_SETS, aggregate
from evaluation.core.measures import parse
from evaluation.core.measures.family import Measure
from evaluation.core.placements import Universe, place
from evaluation.core.scoring import score_placed

CASES = sorted(
    (Path(__file__).resolve().parents[2] / "vectors" / "trec_eval").glob("0*")
)
OPTIONS = (
    "-q -c -m all_trec",
    "-q -m official",
    "-c",
    "-q -c -l 2 -m all_trec",
    "-q -c -M 7 -m official -m ndcg_cut",
    "-n -q -c -m map -m P.1,3,7 -m recall.4",
)


def universe_of(case: Path) -> Universe:
    lines = (case / "qrels.txt").read_text().splitlines()
    return Universe.from_rows(
        (topic, docno, int(grade)) for topic, _, docno, grade in map(str.split, lines)
    )


def run_of(case: Path) -> RankedRun:
    content = (case / "run.txt").read_bytes()
    with (case / "run.txt").open("rb") as stream:
        checked = check_run(
            stream,
            tag="tag",
            topics={line.split()[0].decode() for line in content.splitlines()},
        )
    assert checked.run is not None, checked.report
    return checked.run


def recorded(case: Path, options: str) -> str:
    outputs = json.loads((case / "expected.json").read_text())
    return next(
        o["full"]
        for o in outputs
        if o["rules"] == "9" and " ".join(o["options"]) == options
    )


def known(output: str, level: int) -> Iterator[tuple[Measure, str, float]]:
    """The (measure, topic, value) lines of an output for measures that we have."""
    for line in output.splitlines():
        name, topic, value = (field.strip() for field in line.split("\t"))
        if name == "num_rel" and topic == "all" and level > 1:
            name = "NumRel(level=1)"  # under -c trec_eval sums grades above 0, whatever -l says
        try:
            measure = parse(name)
        except ValueError:
            continue
        yield measure, topic, float(value)


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_every_recorded_value_is_met_in_every_bit(case, options):
    level = 2 if "-l 2" in options else 1
    expected = list(known(recorded(case, options), level))
    measures = list(dict.fromkeys(measure for measure, _, _ in expected))
    universe = universe_of(case)
    placements = place(run_of(case), universe)
    if "-M 7" in options:
        placements = placements.cut(7)
    table = score_placed(placements, universe, measures, level=level)
    topics = TOPIC_SETS["judged" if "-c" in options else "retrieved"](
        universe, placements
    )
    rows = dict(zip(universe.topics, table, strict=True)) | {
        "all": aggregate(table, measures, topics).values
    }
    ours = [(m, topic, rows[topic][measures.index(m)]) for m, topic, _ in expected]
    assert ours == expected


def test_the_recorded_outputs_hold_every_measure_of_trec_eval_that_we_have():
    names = {
        measure.family.name
        for measure, _, _ in known(recorded(CASES[0], OPTIONS[0]), 1)
    }
    assert names == {
        "AP",
        "nDCG",
        "P",
        "RR",
        "Rprec",
        "Bpref",
        "R",
        "NumRet",
        "NumRel",
        "NumRelRet",
    }
