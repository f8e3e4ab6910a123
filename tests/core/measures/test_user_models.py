"""Measures of the C/W/L framework, against the program cwl_eval."""

import math
from collections.abc import Callable

import numpy as np
import pytest
from cwl.ruler.measures.cwl_bpm import BPMCWLMetric
from cwl.ruler.measures.cwl_dcg import NDCGCWLMetric
from cwl.ruler.measures.cwl_insq import INSQCWLMetric
from cwl.ruler.measures.cwl_inst import INSTCWLMetric
from cwl.ruler.measures.cwl_metrics import CWLMetric
from cwl.ruler.measures.cwl_nerr import (
    NERReq8CWLMetric,
    NERReq9CWLMetric,
    NERReq10CWLMetric,
    NERReq11CWLMetric,
)
from cwl.ruler.ranking import Ranking
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import polygamma

from cleverdon.measures.family import Measure
from cleverdon.measures.inputs.placements import Placements
from cleverdon.measures.inputs.universe import Universe
from cleverdon.measures.inst import INST, trigamma
from cleverdon.measures.scoring.scoring import score
from cleverdon.measures.user_models import BPM, INSQ, NERR8, NERR9, NERR10, NERR11, SDCG

Found = dict[int, int]
FAMILIES = (SDCG, INSQ, INST, BPM, NERR8, NERR9, NERR10, NERR11)
GAINS = st.sampled_from([0.25, 0.5, 1.0, 1.5, 3.0, 7.5])
HIGHEST = st.sampled_from([1, 2, 3, 4, 5, 200])
CUTOFFS = st.sampled_from([1, 2, 3, 10, 40, 1000, 5000])
# Grades at ranks: most near the top, some below the depth that is read.
FOUND = st.dictionaries(st.integers(1, 12) | st.integers(1, 1300), st.integers(-2, 5), max_size=20)


def run_of(rankings: list[Found]) -> tuple[Universe, Placements]:
    """A run that has documents of these grades at these ranks, topic after topic."""
    rows = [
        (f"{topic:04}", f"d{rank:04}", grade)
        for topic, found in enumerate(rankings)
        for rank, grade in (found | {0: 5, 9999: 0}).items()
    ]
    universe = Universe.from_rows(rows)
    ranks = np.array([int(docno[1:]) for docno in universe.docnos.tolist()])
    entries = np.flatnonzero((ranks > 0) & (ranks < 9999))
    offsets = np.cumsum([0, *map(len, rankings)])
    ranks = ranks[entries].astype(np.int32)
    n_retrieved = np.full(len(rankings), 2000, dtype=np.int32)
    return universe, Placements(offsets, entries.astype(np.int32), ranks, ranks, ranks, n_retrieved)


def values(measure: Measure, rankings: list[Found]) -> list[float]:
    universe, placements = run_of(rankings)
    found: list[float] = score([placements], universe, [measure]).values.ravel().tolist()
    return found


def of_cwl(metric: CWLMetric, found: Found, highest: int) -> float:
    gains = [min(max(found.get(rank, 0), 0), highest) / highest for rank in range(1, 1001)]
    return float(metric.measure(Ranking("1", gains, [1.0] * 1000)))


def agree(
    measure: Measure, metric: Callable[[], CWLMetric], rankings: list[Found], highest: int
) -> None:
    ours = values(measure, rankings)
    theirs = [of_cwl(metric(), found, highest) for found in rankings]
    assert ours == pytest.approx(theirs, rel=1e-11, abs=1e-15)


RANKINGS = st.lists(FOUND, min_size=1, max_size=2)
PATIENCE = st.sampled_from([0.5, 0.8, 0.9, 0.999])


@given(RANKINGS, GAINS, CUTOFFS, PATIENCE, HIGHEST)
def test_measures_equal_those_of_cwl_eval(rankings, gain, cutoff, p, highest):
    for family, metric, given_ in (
        (INST, INSTCWLMetric, {"T": gain}),
        (INSQ, INSQCWLMetric, {"T": gain}),
        (NERR11, NERReq11CWLMetric, {"T": gain}),
        (SDCG, NDCGCWLMetric, {"cutoff": cutoff}),
        (NERR8, NERReq8CWLMetric, {"cutoff": cutoff}),
        (NERR9, NERReq9CWLMetric, {"cutoff": cutoff}),
        (NERR10, NERReq10CWLMetric, {"p": p}),
    ):
        [value] = given_.values()
        ours = family.measure(max_rel=highest, **given_)
        agree(ours, lambda metric=metric, value=value: metric(value), rankings, highest)


@given(RANKINGS, GAINS, CUTOFFS)
def test_the_bejeweled_player_equals_that_of_cwl_eval(rankings, gain, cutoff):
    # Gains of a scale of 4 add up without rounding, also in cwl_eval.
    measure = BPM.measure(T=gain, cutoff=cutoff, max_rel=4)
    agree(measure, lambda: BPMCWLMetric(gain, cutoff), rankings, 4)


def test_the_player_stops_where_rounded_sums_would_not():
    tenths = dict.fromkeys(range(1, 21), 1)
    assert sum([0.1] * 10) < 1
    value = values(BPM.measure(cutoff=20, max_rel=10), [tenths])
    assert value == [pytest.approx(0.1)]
    assert values(BPM.measure(cutoff=20, max_rel=10), [{**tenths, 11: 10}]) == value


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_documents_of_the_highest_grade_score_1_and_that_grade_must_be_given(family):
    cutoff = 10 if family.cutoff == "always" else None
    value = values(family.measure(max_rel=3, cutoff=cutoff), [dict.fromkeys(range(1, 1001), 3)])
    assert value == [pytest.approx(1, rel=1e-9)]
    with pytest.raises(ValueError, match=f"{family.name} needs max_rel: the highest"):
        family.measure(cutoff=cutoff)


@given(st.floats(0.02, 4000))
def test_trigamma_equals_that_of_scipy(value):
    ours, theirs = trigamma(np.array([value])).item(), float(polygamma(1, value))
    assert math.isclose(ours, theirs, rel_tol=1e-14)
