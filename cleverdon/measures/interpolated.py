"""Interpolated precision: the highest precision at a recall or beyond it."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from cleverdon.measures.family import LARGEST, Family, Parameter, Spelling
from cleverdon.measures.inputs.evidence import Evidence, Hits
from cleverdon.trec.arrays import Floats, Integers

STANDARD = tuple(point / 10 for point in range(11))


def interpolated_precision(evidence: Evidence, recall: float) -> Floats:
    if recall not in STANDARD:
        return interpolated(evidence, [recall])[:, 0]
    # The eleven standard points are usually needed together.
    values = evidence.once(STANDARD, lambda: interpolated(evidence, STANDARD))
    return values[:, STANDARD.index(recall)]


def interpolated_average(evidence: Evidence, *, points: int, recalls: str = "") -> Floats:
    wanted = numbers(recalls) if recalls else [i / (points - 1) for i in range(points)]
    values = interpolated(evidence, sorted(wanted))
    # trec_eval adds the highest recall first. cumsum adds sequentially; sum adds in pairs and
    # rounds differently.
    return np.cumsum(values[:, ::-1], axis=1)[:, -1] / len(wanted)


def interpolated(evidence: Evidence, recalls: Sequence[float]) -> Floats:
    """Return interpolated precision at rising recalls, [rankings x recalls]."""
    exact = np.asarray(recalls, dtype=np.float64) * evidence.n_relevant[:, None]
    return _highest_from(evidence.relevant, TO_WHOLE[evidence.rules](exact))


def _highest_from(relevant: Hits, ordinals: Integers) -> Floats:
    """Return the highest precision from the n-th relevant document on: [rankings x ordinals].

    `ordinals` are the n, rising.
    """
    ends = relevant.offsets[1:, None]
    starts = relevant.offsets[:-1, None] + np.maximum(ordinals, 1) - 1
    starts = np.minimum(starts, ends)
    # One more column, where each ranking ends, keeps the last segment from running into the next
    # ranking.
    bounds = np.concatenate([starts, ends], axis=1)
    padded = np.append(relevant.precisions, 0.0)
    highest = np.maximum.reduceat(padded, bounds.ravel()).reshape(bounds.shape)[:, :-1]
    highest = np.where(starts < ends, highest, 0.0)
    return np.maximum.accumulate(highest[:, ::-1], axis=1)[:, ::-1]


def _rounded(exact: Floats) -> Integers:
    """Round half away from zero, as C's lround does."""
    whole = np.floor(exact)
    return (whole + (exact - whole >= 0.5)).astype(np.int64)


# How recall x R becomes a whole number. Version 10 rounds because the cast of 9 is not
# platform-safe (m_11pt_avg.c).
TO_WHOLE: Mapping[str, Callable[[Floats], Integers]] = {
    "trec_eval-9": lambda exact: (exact + 0.9).astype(np.int64),
    "trec_eval-10": _rounded,
    "trec_eval-11": _rounded,
}


def numbers(text: str) -> list[float]:
    """Read numbers, of LARGEST at most, separated by commas; ValueError for any other text."""
    values = [float(part) for part in text.split(",")]
    if not all(abs(value) <= LARGEST for value in values):
        raise ValueError(f"{text!r} are not all numbers up to {LARGEST:g}.")
    return values


IPREC = Family(
    name="IPrec",
    formula=interpolated_precision,
    definition="The highest precision at the rank of any relevant document from the (recall x "
    "R)-th on; 0 when fewer are retrieved. recall x R is made whole by adding 0.9 and truncating "
    "(rules trec_eval-9) or by rounding (trec_eval-10, trec_eval-11).",
    source="Manning, Raghavan and Schütze 2008, section 8.4; trec_eval m_iprec_at_recall.c",
    spellings=(Spelling("iprec_at_recall", "recall", layout="{:.2f}"),),
    parameters=(
        Parameter(
            name="recall",
            meaning="a recall from 0 to 1",
            allowed=lambda recall: 0 <= recall <= 1,
            follows_at=True,
        ),
    ),
)

IAP = Family(
    name="IAP",
    formula=interpolated_average,
    definition="Interpolated precision (IPrec) averaged over recall points, the eleven from 0 to "
    "1 unless stated otherwise.",
    source="Manning, Raghavan and Schütze 2008, section 8.4; trec_eval m_11pt_avg.c",
    history="Obsolete: trec_eval advises AP, except to compare with old runs.",
    spellings=(Spelling("11pt_avg", "recalls", layout=None),),
    parameters=(
        Parameter(
            name="points",
            kind=int,
            default=11,
            meaning="how many recall points, evenly from 0 to 1, at most 10,001",
            allowed=lambda points: 1 < points <= 10_001,
        ),
        Parameter(
            name="recalls",
            kind=str,
            optional=True,
            meaning="the recall points themselves, from 0 to 1 and with commas between them",
            allowed=lambda text: all(0 <= recall <= 1 for recall in numbers(text)),
        ),
    ),
)
