"""Measures of the C/W/L framework: the gain per document read, by a model of how users read on.

A model gives the probability that a user continues after each rank. P(i), the product of these
above rank i, is the probability that rank i is read. A measure is the sum over ranks of P(i) *
gain(i), divided by the sum of P(i): the expected gain per document read. The gain is grade /
max_rel. As in cwl_eval, users read 1,000 ranks at most, and unjudged documents gain nothing.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np

from cleverdon.measures.expected_reciprocal_rank import TOP_GRADE, products_above
from cleverdon.measures.family import Cutoff, Family, Parameter
from cleverdon.measures.gains import running_totals
from cleverdon.measures.inputs.evidence import Evidence, Hits, log2
from cleverdon.measures.rbp import PERSISTENCE
from cleverdon.trec.arrays import Floats, ratio

DEPTH = 1000

# Takes ranks from 1, as floats, and the parameters of a model by name.
Chances = Callable[..., Floats]


def by_rank(evidence: Evidence, *, chances: Chances, max_rel: int, **model: float) -> Floats:
    """Score a model in which P(i) is `chances` of rank i alone."""
    hits, grades = graded(evidence, max_rel)
    read = chances(_ranks(evidence), **model)
    total = hits.total(grades / max_rel * read[hits.ranks - 1])
    return total / float(np.cumsum(read)[-1])


def until_satisfied(
    evidence: Evidence, *, chances: Chances, max_rel: int, **model: float
) -> Floats:
    """Score a model in which P(i) is `chances` of rank i, times 1 - gain of each document above."""
    hits, grades = graded(evidence, max_rel)
    read = chances(_ranks(evidence), **model)
    gains, sums = grades / max_rel, np.cumsum(read)
    satisfied = gains * products_above(hits, 1 - gains)
    total = hits.total(satisfied * read[hits.ranks - 1])
    # A gain lowers P(i) at every rank below it.
    n_read = float(sums[-1])
    lost = hits.total(satisfied * (n_read - sums[hits.ranks - 1]))
    return total / (n_read - lost)


def _patience(ranks: Floats, T: float) -> Floats:  # noqa: N803
    """Return P(i) of users who go on after rank i with the chance ((i + 2T - 1) / (i + 2T))^2."""
    return (2 * T / (ranks - 1 + 2 * T)) ** 2


def bejeweled_player(evidence: Evidence, *, T: float, max_rel: int) -> Floats:  # noqa: N803
    hits, grades = graded(evidence, max_rel)
    # Grades are summed before they are divided: sums of fractions are rounded, and users would stop
    # a rank too late.
    sums = running_totals(grades, hits.offsets)
    is_last = sums / max_rel >= T
    is_read = (sums - grades) / max_rel < T
    last = np.flatnonzero(is_read & is_last)
    n_read = np.full(evidence.n_rankings, len(_ranks(evidence)))
    n_read[hits.rankings[last]] = hits.ranks[last]
    return ratio(hits.total(np.where(is_read, grades / max_rel, 0.0)), n_read)


def graded(evidence: Evidence, max_rel: int) -> tuple[Hits, Floats]:
    """Return the hits with a gain within DEPTH, and their grades, at most `max_rel`."""
    hits = evidence.gained.down_to(DEPTH)
    return hits, np.minimum(hits.grades, float(max_rel))


def _ranks(evidence: Evidence) -> Floats:
    return np.arange(1.0, min(evidence.cutoff, DEPTH) + 1)


MAX_REL = replace(
    TOP_GRADE,
    meaning="the highest grade of the scale, worth a gain of 1, to which higher ones are lowered; "
    "from 1 to 1000",
    default=None,
)
T = Parameter(
    name="T",
    meaning="the gain users hope for, in documents of the highest grade, from 0.01 to 1000000",
    default=1.0,
    allowed=lambda gain: 0.01 <= gain <= 1e6,
)
_P = replace(
    PERSISTENCE,
    meaning="the chance of reading on after a document of no gain, between 0 and 1",
    default=0.9,
)

_family = partial(Family, parameters=(MAX_REL,), reads_level=False)
_to_k = partial(_family, cutoff=Cutoff.ALWAYS)
_GAIN = (
    "Gain expected from each document read, where the gain is grade / max_rel and users go on after"
)
_TO_K = f"to rank k at most ({DEPTH} if k is greater)."
_TO_DEPTH = f"to rank {DEPTH} at most."
_NERR = "Azzopardi, Mackenzie and Moffat 2021"

SDCG = _to_k(
    "SDCG",
    partial(by_rank, chances=lambda i: 1 / log2(i.astype(np.int64) + 1)),
    "grade / max_rel of the documents down to rank k, each divided by log2(rank + 1), summed, and "
    f"divided by the same sum for k documents of the highest grade; k is at most {DEPTH}.",
    "Järvelin and Kekäläinen 2002; Moffat, Thomas and Scholer 2013; cwl_eval",
)
INSQ = _family(
    "INSQ",
    partial(by_rank, chances=_patience),
    f"{_GAIN} rank i with the chance ((i + 2T - 1) / (i + 2T))^2, {_TO_DEPTH}",
    "Moffat, Scholer and Thomas 2012; cwl_eval",
    parameters=(T, MAX_REL),
)
BPM = _to_k(
    "BPM",
    bejeweled_player,
    "The static Bejeweled Player Model: users read until their gain, grade / max_rel a document, "
    f"is T, and down to rank k at most ({DEPTH} if k is greater); the gain of what they read, "
    "divided by the ranks they read.",
    "Zhang, Liu, Li, Zhang, Xu and Ma 2017; cwl_eval",
    parameters=(T, MAX_REL),
)
NERR8 = _to_k(
    "NERR8",
    partial(until_satisfied, chances=np.ones_like),
    f"{_GAIN} a document with the chance 1 - gain, {_TO_K}",
    f"{_NERR}; cwl_eval's NERReq8",
)
NERR9 = _to_k(
    "NERR9",
    partial(until_satisfied, chances=lambda i: 1 / i),
    f"{_GAIN} rank i with the chance (1 - gain) i / (i + 1), {_TO_K}",
    f"{_NERR}; cwl_eval's NERReq9",
)
NERR10 = _family(
    "NERR10",
    partial(until_satisfied, chances=lambda i, p: p ** (i - 1)),
    f"{_GAIN} a document with the chance p (1 - gain), {_TO_DEPTH}",
    f"{_NERR}; cwl_eval's NERReq10",
    parameters=(_P, MAX_REL),
)
NERR11 = _family(
    "NERR11",
    partial(until_satisfied, chances=_patience),
    f"{_GAIN} rank i with the chance (1 - gain) ((i + 2T - 1) / (i + 2T))^2, {_TO_DEPTH}",
    f"{_NERR}; cwl_eval's NERReq11",
    parameters=(T, MAX_REL),
)
