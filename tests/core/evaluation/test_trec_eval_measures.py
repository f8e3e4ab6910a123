"""Every measure of trec_eval, bit for bit."""

import json
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
import pytrec_eval
from hypothesis import given
from hypothesis import strategies as st

from evaluation.core.placements import place
from evaluation.core.scoring import score
from evaluation.core.trec_eval import Column, columns
from evaluation.core.universe import Universe
from tests.core.evaluation.made import graded, placed, scored
from tests.core.evaluation.rankings import TEN, under
from tests.strategies import Qrels, Run

CASES = sorted(
    (Path(__file__).resolve().parents[2] / "vectors" / "trec_eval").glob("0*")
)


# Of these the wheel gives topics' values; parameters of its own rule set 9 only.
REQUESTS = [
    "infAP", "Rprec_mult.0.2,0.35,1.0,2.5", "utility", "11pt_avg", "binG", "G", "ndcg", "ndcg_rel", "Rndcg",
    "relative_P.1,2,5,100", "success.1,2,10", "set_P", "set_relative_P", "set_recall", "set_map", "set_F",
    "num_nonrel_judged_ret", "iprec_at_recall.0,0.05,0.1,0.33,0.5,0.75,0.9,1", "bpref",
    "map_cut.2,5", "ndcg_cut.2,5",
]  # fmt: skip


def outputs() -> Iterator[object]:
    for case in CASES:
        for output in json.loads((case / "expected.json").read_text()):
            name = f"{case.name} {output['rules']} {' '.join(output['options'])}"
            yield pytest.param(case, output, id=name)


def after(options: list[str], flag: str) -> list[str]:
    """What follows a flag, each time it is there."""
    return [b for a, b in pairwise(options) if a == flag]


def read(case: Path) -> tuple[Qrels, Run]:
    qrels: Qrels = {}
    for topic, _, docno, grade in map(
        str.split, (case / "qrels.txt").read_text().splitlines()
    ):
        qrels.setdefault(topic, {})[docno] = int(grade)
    run: Run = {}
    for topic, _, docno, _, value, _ in map(
        str.split, (case / "run.txt").read_text().splitlines()
    ):
        run.setdefault(topic, {})[docno] = float(value)
    return qrels, run


def printed(
    output: dict, wanted: list[Column], topics: list[str]
) -> list[tuple[str, str]]:
    """The names and topics trec_eval prints, in its order."""
    options = output["options"]
    lines = []
    if "-q" in options:
        lines = [(c.name, topic) for topic in topics for c in wanted if c.per_topic]
    if "-n" not in options:
        lines += [(c.name, "all") for c in wanted if c.in_summary]
    return lines


@pytest.mark.parametrize(("case", "output"), list(outputs()))
def test_recorded_outputs_are_met_in_every_bit_and_in_their_order(case, output):
    options, rules = output["options"], f"trec_eval-{output['rules']}"
    level = int(*after(options, "-l") or [1])
    qrels, run = read(case)
    universe = Universe.from_qrels(qrels)
    placements = place(under(run, rules), universe, rules)
    missing = placements.missing(universe)
    for depth in after(options, "-M"):
        placements = placements.cut(int(depth))
    if "-J" in options:
        placements = placements.condensed(universe)
    wanted = columns(after(options, "-m") or ["official"], rules)
    measures = [column.measure for column in wanted if column.measure]
    scores = score([placements], universe, measures, level=level, rules=rules)
    every = "-c" in options
    means = scores.aggregate("judged" if every else "retrieved").values[0]
    rows = dict(zip(universe.topics, scores.values[0], strict=True)) | {"all": means}
    listed = [
        t for t in universe.topics if t not in missing or (every and rules == TEN)
    ]

    lines = [
        [field.strip() for field in line.split("\t")]
        for line in output["full"].splitlines()
    ]
    assert printed(output, wanted, listed) == [
        (name, topic) for name, topic, _ in lines
    ]
    by_name = {column.name: column.measure for column in wanted}
    for name, topic, value in lines:
        measure = by_name[name]
        # Under -c trec_eval's sum of num_rel counts grades above 0, whatever -l says.
        is_skipped = name in output["unreliable"] or (name, topic) == ("num_rel", "all")
        if measure and not is_skipped:
            found = rows[topic][measures.index(measure)]
            tolerance = 1e-12 if name.startswith("gm_") else 0
            assert found == pytest.approx(float(value), rel=0, abs=tolerance), (
                name,
                topic,
            )


@given(graded(), scored(), st.integers(1, 3))
def test_every_value_equals_that_of_the_wheel_in_every_bit(qrels, run, level):
    evaluator = pytrec_eval.RelevanceEvaluator(
        qrels, set(REQUESTS), relevance_level=level
    )
    theirs = evaluator.evaluate(run)
    wanted = columns(REQUESTS)
    universe = Universe.from_qrels(qrels)
    scores = score(
        [placed(run, universe)], universe, [c.measure for c in wanted], level=level
    )
    for topic, expected in theirs.items():
        row = scores.values[0, universe.topics.index(topic)].tolist()
        assert dict(zip([c.name for c in wanted], row, strict=True)) == expected


@given(graded(), scored(), st.integers(1, 3))
def test_measures_from_0_to_1_stay_there(qrels, run, level):
    universe = Universe.from_qrels(qrels)
    measures = [
        c.measure
        for c in columns(["all_trec"], TEN)
        if c.measure and c.measure.family.unit == "0 to 1"
    ]
    values = score([placed(run, universe)], universe, measures, level=level).values
    assert np.isfinite(values).all()
    assert (values >= 0).all()
    assert (values <= 1 + 1e-12).all()
