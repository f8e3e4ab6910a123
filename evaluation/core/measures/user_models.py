"""Measures of the C/W/L framework: the gain per document read, by a model of how users read on.

A model gives the probability that a user continues after each rank. P(i), the product of these above rank i, is the probability
that rank i is read. A measure is the sum over ranks of P(i) * gain(i), divided by the sum of P(i): the expected gain per
document read. The gain is grade / max_rel. As in cwl_eval, users read 1,000 ranks at most, and unjudged documents gain nothing.
"""

import numpy as np

from evaluation.core.evidence import Evidence, Hits, log2
from evaluation.core.measures.expected_reciprocal_rank import products_above
from evaluation.core.measures.family import Cutoff, Family, Formula, Parameter
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
    """BPM, static: users read until their gain is T, or down to the cutoff; the gain per document read."""
    hits, grades = graded(evidence, max_rel)
    # Grades are summed before they are divided: sums of fractions are rounded, and users would stop a rank too late.
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


def _patience(ranks: Floats, T: float) -> Floats:  # noqa: N803
    return (2 * T / (ranks - 1 + 2 * T)) ** 2


def _by_rank(evidence: Evidence, chances: Floats, max_rel: int) -> Floats:
    """Score a model in which P depends on the rank alone: P(i) is `chances[i - 1]`."""
    hits, grades = graded(evidence, max_rel)
    total = hits.total(grades / max_rel * chances[hits.ranks - 1])
    return total / float(np.cumsum(chances)[-1])


def _until_satisfied(evidence: Evidence, chances: Floats, max_rel: int) -> Floats:
    """Score a model in which P(i) is `chances[i - 1]` times 1 - gain of every document above."""
    hits, grades = graded(evidence, max_rel)
    gains, sums = grades / max_rel, np.cumsum(chances)
    satisfied = gains * products_above(hits, 1 - gains)
    total = hits.total(satisfied * chances[hits.ranks - 1])
    # A gain lowers P at every rank below it.
    n_read = float(sums[-1])
    lost = hits.total(satisfied * (n_read - sums[hits.ranks - 1]))
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


def _family(
    name: str,
    formula: Formula,
    source: str,
    definition: str,
    parameters: tuple[Parameter, ...] = (MAX_REL,),
    *,
    has_cutoff: bool = False,
    is_monotone: bool = True,
) -> Family:
    return Family(
        name=name,
        formula=formula,
        definition=definition,
        source=source,
        cutoff=Cutoff.ALWAYS if has_cutoff else Cutoff.NEVER,
        parameters=parameters,
        reads_level=False,
        is_monotone=is_monotone,
    )


_GAIN = "Gain expected from each document read, where the gain is grade / max_rel and users go on after"
_TO_K = f"to rank k at most ({DEPTH} if k is greater)."
_TO_DEPTH = f"to rank {DEPTH} at most."
_NERR = "Azzopardi, Mackenzie and Moffat 2021"

# fmt: off
SDCG = _family("SDCG", scaled_dcg, "Järvelin and Kekäläinen 2002; Moffat, Thomas and Scholer 2013; cwl_eval",
               "grade / max_rel of the documents down to rank k, each divided by log2(rank + 1), summed, and divided by the "
               f"same sum for k documents of the highest grade; k is at most {DEPTH}.", has_cutoff=True)
INSQ = _family("INSQ", insq, "Moffat, Scholer and Thomas 2012; cwl_eval",
               f"{_GAIN} rank i with the chance ((i + 2T - 1) / (i + 2T))^2, {_TO_DEPTH}", (T, MAX_REL))
BPM = _family("BPM", bejeweled_player, "Zhang, Liu, Li, Zhang, Xu and Ma 2017; cwl_eval",
              "The static Bejeweled Player Model: users read until their gain, grade / max_rel a document, is T, and down to "
              f"rank k at most ({DEPTH} if k is greater); the gain of what they read, divided by the ranks they read.",
              (T, MAX_REL), has_cutoff=True, is_monotone=False)
NERR8 = _family("NERR8", nerr_8, f"{_NERR}; cwl_eval's NERReq8",
                f"{_GAIN} a document with the chance 1 - gain, {_TO_K}", has_cutoff=True)
NERR9 = _family("NERR9", nerr_9, f"{_NERR}; cwl_eval's NERReq9",
                f"{_GAIN} rank i with the chance (1 - gain) i / (i + 1), {_TO_K}", has_cutoff=True)
NERR10 = _family("NERR10", nerr_10, f"{_NERR}; cwl_eval's NERReq10",
                 f"{_GAIN} a document with the chance p (1 - gain), {_TO_DEPTH}", (_P, MAX_REL))
NERR11 = _family("NERR11", nerr_11, f"{_NERR}; cwl_eval's NERReq11",
                 f"{_GAIN} rank i with the chance (1 - gain) ((i + 2T - 1) / (i + 2T))^2, {_TO_DEPTH}", (T, MAX_REL))
