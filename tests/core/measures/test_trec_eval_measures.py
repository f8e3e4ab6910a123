"""Every measure of trec_eval with parameters, bit for bit, from arrays. (From text: test_fuzz; recorded: test_recorded_outputs.)"""

import numpy as np
import pytrec_eval
from hypothesis import given
from hypothesis import strategies as st

from measures.inputs.universe import Universe
from measures.interface import evaluate
from measures.scoring.scoring import score
from measures.trec_eval import columns
from tests.core.measures.made import graded, placed, scored
from tests.core.measures.rankings import TEN

# Of these the wheel gives topics' values; parameters of its own rule set 9 only.
REQUESTS = [
    "infAP",
    "Rprec_mult.0.2,0.35,1.0,2.5",
    "utility",
    "11pt_avg",
    "binG",
    "G",
    "ndcg",
    "ndcg_rel",
    "Rndcg",
    "relative_P.1,2,5,100",
    "success.1,2,10",
    "set_P",
    "set_relative_P",
    "set_recall",
    "set_map",
    "set_F",
    "num_nonrel_judged_ret",
    "iprec_at_recall.0,0.05,0.1,0.33,0.5,0.75,0.9,1",
    "bpref",
    "map_cut.2,5",
    "ndcg_cut.2,5",
]


@given(graded(), scored(), st.integers(1, 3))
def test_every_value_equals_that_of_the_wheel_in_every_bit(qrels, run, level):
    evaluator = pytrec_eval.RelevanceEvaluator(qrels, set(REQUESTS), relevance_level=level)
    theirs = evaluator.evaluate(run)
    wanted = columns(REQUESTS)
    found = evaluate(qrels, run, [column.measure for column in wanted], level=level)
    for topic, expected in theirs.items():
        row = found.values[0, found.topics.index(topic)].tolist()
        assert dict(zip([c.name for c in wanted], row, strict=True)) == expected
    assert found.missing == (tuple(sorted(set(qrels) - set(run))),)


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
