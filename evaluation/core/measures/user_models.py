"""Measures of the C/W/L framework: gain a document, by a model of how users read on.

A model says how likely a user goes on after each rank. P(i) is the product of these chances above rank i: how likely rank i is read. A
measure is the sum over ranks of P(i) * gain(i), divided by the sum of P(i): the gain expected from a document read. The gain
is grade / max_rel. As in the program cwl_eval users read 1,000 ranks at most, and unjudged documents gain nothing.
"""

import numpy as np

from evaluation.core.evidence import Evidence, Hits, log2
from evaluation.core.measures.expected_reciprocal_rank import products_above
from evaluation.core.measures.family import Cutoff, Family, Parameter
from evaluation.core.measures.running import running_totals
from trec.arrays import Floats, ratio

DEPTH = 1000


def scaled_dcg(evidence: Evidence, *, max_rel: int) -> Floats:
    """SDCG: P(i) = 1 / log2(i + 1), down to the cutoff."""
    return _by_rank(evidence, 1 / log2(_ranks(evidence).astype(np.int64) + 1), max_rel)


def insq(evidence: Evidence, *, T: float, max_rel: int) -> Floats:  # noqa: N803
    """INSQ: users go on after rank i with the chance ((i + 2T - 1) / (i + 2T))^2, so that P(i) = (2T / (i - 1 + 2T))^2."""
    return _by_rank(evidence, _patience(_ranks(evidence), T), max_rel)


def nerr_8(evidence: Evidence, *, max_rel: int) -> Floats:
    """NERR8: users go on with the chance 1 - gain, down to the cutoff."""
    return _until_satisfied(evidence, np.ones(len(_ranks(evidence))), max_rel)


def nerr_9(evidence: Evidence, *, max_rel: int) -> Floats:
    """NERR9: users go on after rank i with the chance (1 - gain) * i / (i + 1), down to the cutoff."""
    return _until_satisfied(evidence, 1 / _ranks(evidence), max_rel)


def nerr_10(evidence: Evidence, *, p: float, max_rel: int) -> Floats:
    """NERR10: users go on with the chance p * (1 - gain)."""
    return _until_satisfied(evidence, p ** (_ranks(evidence) - 1), max_rel)


def nerr_11(evidence: Evidence, *, T: float, max_rel: int) -> Floats:  # noqa: N803
    """NERR11: users go on with the chance of INSQ times 1 - gain."""
    return _until_satisfied(evidence, _patience(_ranks(evidence), T), max_rel)


def bejeweled_player(evidence: Evidence, *, T: float, max_rel: int) -> Floats:  # noqa: N803
    """BPM, static: users read until their gain is T, and the cutoff at most; the gain of what was read, a document."""
    found, grades = graded(evidence, max_rel)
    # Whole numbers add up without rounding, tenths do not: users stop where they should.
    sums = running_totals(grades, found.offsets)
    is_last = sums / max_rel >= T
    is_read = (sums - grades) / max_rel < T
    last = np.flatnonzero(is_read & is_last)
    n_read = np.full(evidence.n_rankings, len(_ranks(evidence)))
    n_read[found.rankings[last]] = found.ranks[last]
    return ratio(found.total(np.where(is_read, grades / max_rel, 0.0)), n_read)


def graded(evidence: Evidence, max_rel: int) -> tuple[Hits, Floats]:
    """Return the documents of a gain that users can get to, and their grades, higher ones lowered to `max_rel`."""
    found = evidence.gained.down_to(DEPTH)
    return found, np.minimum(found.grades, float(max_rel))


def _ranks(evidence: Evidence) -> Floats:
    return np.arange(1.0, min(evidence.cutoff, DEPTH) + 1)


def _patience(ranks: Floats, T: float) -> Floats:  # noqa: N803
    return (2 * T / (ranks - 1 + 2 * T)) ** 2


def _by_rank(evidence: Evidence, chances: Floats, max_rel: int) -> Floats:
    """Score a model in which P depends on the rank alone; `chances` has one element a rank."""
    found, grades = graded(evidence, max_rel)
    total = found.total(grades / max_rel * chances[found.ranks - 1])
    return total / float(np.cumsum(chances)[-1])


def _until_satisfied(evidence: Evidence, chances: Floats, max_rel: int) -> Floats:
    """Score a model in which P is a chance of the rank alone times 1 - gain of every document above."""
    found, grades = graded(evidence, max_rel)
    gains, sums = grades / max_rel, np.cumsum(chances)
    satisfied = gains * products_above(found, 1 - gains)
    total = found.total(satisfied * chances[found.ranks - 1])
    # A gain takes its share from P at every rank below.
    n_read = float(sums[-1])
    lost = found.total(satisfied * (n_read - sums[found.ranks - 1]))
    return total / (n_read - lost)


MAX_REL = Parameter(
    name="max_rel",
    meaning="the highest grade of the scale, worth a gain of 1, to which higher ones are lowered; from 1 to 1000",
    kind=int,
    allowed=lambda grade: 1 <= grade <= 1000,
)
T = Parameter(
    name="T",
    meaning="the gain users hope for, in documents of the highest grade, from 0.01 to 1000000",
    default=1.0,
    allowed=lambda gain: 0.01 <= gain <= 1e6,
)
_P = Parameter(
    name="p",
    meaning="the chance of reading on after a document of no gain, between 0 and 1",
    default=0.9,
    allowed=lambda p: 0 < p < 1,
)
_GAIN = "Gain expected from each document read, where the gain is grade / max_rel and"
_NERR = "Azzopardi, Mackenzie and Moffat 2021"

SDCG = Family(
    name="SDCG",
    formula=scaled_dcg,
    definition="grade / max_rel of the documents down to rank k, each divided by log2(rank + 1), summed, and divided by the "
    "same sum for k documents of the highest grade; k is at most 1000.",
    source="Järvelin and Kekäläinen 2002; Moffat, Thomas and Scholer 2013; cwl_eval",
    cutoff=Cutoff.ALWAYS,
    parameters=(MAX_REL,),
    reads_level=False,
)

INSQ = Family(
    name="INSQ",
    formula=insq,
    definition=f"{_GAIN} users go on after rank i with the chance ((i + 2T - 1) / (i + 2T))^2, to rank {DEPTH} at most.",
    source="Moffat, Scholer and Thomas 2012; cwl_eval",
    parameters=(T, MAX_REL),
    reads_level=False,
)

BPM = Family(
    name="BPM",
    formula=bejeweled_player,
    definition="The static Bejeweled Player Model: users read until their gain, grade / max_rel a document, is T, and down to "
    f"rank k at most ({DEPTH} if k is greater); the gain of what they read, divided by the ranks they read.",
    source="Zhang, Liu, Li, Zhang, Xu and Ma 2017; cwl_eval",
    cutoff=Cutoff.ALWAYS,
    parameters=(T, MAX_REL),
    reads_level=False,
    is_monotone=False,
)

NERR8 = Family(
    name="NERR8",
    formula=nerr_8,
    definition=f"{_GAIN} users go on after a document with the chance 1 - gain, to rank k at most ({DEPTH} if k is greater).",
    source=f"{_NERR}; cwl_eval's NERReq8",
    cutoff=Cutoff.ALWAYS,
    parameters=(MAX_REL,),
    reads_level=False,
)

NERR9 = Family(
    name="NERR9",
    formula=nerr_9,
    definition=f"{_GAIN} users go on after rank i with the chance (1 - gain) i / (i + 1), to rank k at most ({DEPTH} if k is "
    "greater).",
    source=f"{_NERR}; cwl_eval's NERReq9",
    cutoff=Cutoff.ALWAYS,
    parameters=(MAX_REL,),
    reads_level=False,
)

NERR10 = Family(
    name="NERR10",
    formula=nerr_10,
    definition=f"{_GAIN} users go on after a document with the chance p (1 - gain), to rank {DEPTH} at most.",
    source=f"{_NERR}; cwl_eval's NERReq10",
    parameters=(_P, MAX_REL),
    reads_level=False,
)

NERR11 = Family(
    name="NERR11",
    formula=nerr_11,
    definition=f"{_GAIN} users go on after rank i with the chance (1 - gain) ((i + 2T - 1) / (i + 2T))^2, to rank {DEPTH} at "
    "most.",
    source=f"{_NERR}; cwl_eval's NERReq11",
    parameters=(T, MAX_REL),
    reads_level=False,
)
