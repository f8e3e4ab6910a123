"""What takes part in the study of an evaluation, and what it rests on."""

import json

import numpy as np
import pytest

from cleverdon.measures.names import parse
from cleverdon.significance.correlations import rbo, tau_ap, tau_b
from cleverdon.significance.pairs import told_apart
from cleverdon.significance.subsets import swaps
from cleverdon.significance.tukey import tukey
from evaluation.core.study import studied

N_RUNS, N_TOPICS = 6, 20
MEASURES = ["AP", "Fallout@10", "Judged@10", "NumRet", "GMAP"]


def made():
    """Runs whose values rise by AP and GMAP, and fall by Fallout@10."""
    rng = np.random.default_rng(2)
    shape = (N_RUNS, N_TOPICS, len(MEASURES))
    return rng.random(shape) / 3 + np.linspace(0.1, 0.6, N_RUNS)[:, None, None]


def study(values, counted=None):
    everywhere = np.ones(values.shape[:2], dtype=bool)
    counts = everywhere if counted is None else counted
    found = studied(values, counts, [parse(name) for name in MEASURES])
    return json.loads(json.dumps(found.to_json(), allow_nan=False))


def test_means_that_say_which_run_is_better_take_part():
    values = made()
    found = study(values)
    ap, fallout, gmap = found["measures"]
    assert [each["measure"] for each in (ap, fallout, gmap)] == ["AP", "Fallout@10", "GMAP"]
    assert (found["n_runs"], found["n_topics"]) == (N_RUNS, N_TOPICS)
    assert found["effects"] == [34, 90, 199, 787]
    own = values[:, :, 0]
    assert (ap["n_runs"], ap["n_pairs"]) == (6, 15)
    assert ap["n_told"] == told_apart(own).sum() > 0
    assert ap["needed"] == tukey(own)[1]
    assert ap["swaps"] == swaps(own, ap["edges"]).tolist()
    assert ap["sizes"] == [*range(2, 21, 2)]
    assert [each[-1] for each in ap["taus"]] == [1, 1, 1]
    assert gmap["needed"] == tukey(np.log(values[:, :, 4]))[1]
    means = values.mean(axis=1).round(4)
    pair = -means[:, 1], np.exp(np.log(values[:, :, 4]).mean(axis=1)).round(4)
    assert found["alike"][2] == ["Fallout@10", "GMAP", *(f(*pair) for f in (tau_b, tau_ap, rbo))]
    assert found["alike"][0][2] < -0.5  # less is better by one of the two


def test_runs_without_values_and_topics_that_do_not_count_are_left_out():
    values, counted = made(), np.ones((N_RUNS, N_TOPICS), dtype=bool)
    alone = study(values[:5, :15])
    counted[0, 15:] = counted[5] = False
    values[~counted] = np.nan
    assert study(values, counted) == alone
    values[0, 0, 0] = np.nan
    ap, fallout, _ = study(values, counted)["measures"]
    assert (ap["n_runs"], fallout["n_runs"]) == (4, 5)
    assert ap["n_told"] == told_apart(values[1:5, :15, 0]).sum()


@pytest.mark.parametrize("few", ["topics", "runs", "differences", "everything"])
def test_nothing_to_study(few):
    values = made()
    given = {
        "topics": values[:, :5],
        "runs": values[:1],
        "differences": values[[0] * 4] + np.linspace(0, 1e-5, 4)[:, None, None],
    }
    counted = np.zeros((N_RUNS, N_TOPICS), dtype=bool) if few == "everything" else None
    found = study(given.get(few, values), counted)
    assert found["measures"] == found["alike"] == []


def test_the_order_of_runs_changes_nothing():
    values = made()
    order = np.random.default_rng(5).permutation(N_RUNS)
    flat, other = (study(each)["measures"] for each in (values, values[order]))
    for one, two in zip(flat, other, strict=True):
        assert one == {**two, "needed": pytest.approx(one["needed"])} | {
            "deviation": one["deviation"]
        }
        assert one["deviation"] == pytest.approx(two["deviation"])
