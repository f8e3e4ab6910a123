"""Measures that count documents that are not relevant: fallout, search length, utility."""

import numpy as np

from cleverdon.measures.family import Best, Cutoff, Family, Parameter, Spelling
from cleverdon.measures.inputs.evidence import Evidence
from cleverdon.measures.interpolated import numbers
from cleverdon.trec.arrays import Floats, Integers, ratio

DEFAULT = "1,-1,0,0"


def fallout(evidence: Evidence) -> Floats:
    n_relevant = evidence.relevant.count()
    if evidence.n_documents:
        n_all = evidence.n_documents - evidence.n_relevant
        return ratio(evidence.n_retrieved - n_relevant, n_all)
    return ratio(evidence.n_judged_retrieved - n_relevant, evidence.n_nonrelevant)


def expected_search_length(evidence: Evidence, *, relevant: int) -> Floats:
    """ESL: nonrelevant documents above the relevant one wanted, averaged over all orders of ties.

    It is j + i * s / (r + 1). The search ends in a group of equal scores with i nonrelevant and r
    relevant documents, s of them still wanted; j nonrelevant documents are above the group. The
    documents not retrieved are the last group. min(relevant, R) are wanted; 0 where R is 0.
    """
    wanted = np.minimum(relevant, evidence.n_relevant)
    lengths = _length_in_rest(evidence, wanted)
    hits = evidence.relevant
    targets = np.flatnonzero(hits.ordinals == wanted[hits.rankings])
    rankings = hits.rankings[targets]
    lengths[rankings] = _length_in_ties(evidence, targets, wanted[rankings])
    return lengths


def _length_in_ties(evidence: Evidence, targets: Integers, wanted: Integers) -> Floats:
    """Return the lengths of searches that end at these hits or their ties."""
    hits, placed = evidence.relevant, evidence.placements
    rows = np.flatnonzero(evidence.is_relevant)[targets]
    firsts, lasts = (ends[rows].astype(np.int64) for ends in (placed.firsts, placed.lasts))
    # Relevant documents are looked up by ranking and rank at once.
    width = int(placed.n_retrieved.max(initial=0)) + 1
    keys, rankings = hits.rankings * width + hits.ranks, hits.rankings[targets]
    starts = np.searchsorted(keys, rankings * width + firsts)
    ends = np.searchsorted(keys, rankings * width + lasts, side="right")
    above, inside = starts - hits.offsets[rankings], ends - starts
    others = lasts - firsts + 1 - inside
    lengths: Floats = firsts - 1 - above + others * (wanted - above) / (inside + 1)
    return lengths


def _length_in_rest(evidence: Evidence, wanted: Integers) -> Floats:
    """Return the lengths of searches that go on at random among documents not retrieved."""
    n_retrieved = evidence.relevant.count()
    passed = evidence.n_retrieved - n_retrieved
    n_left = evidence.n_relevant - n_retrieved
    if evidence.n_documents:
        others = evidence.n_documents - evidence.n_relevant - passed
    else:
        others = evidence.n_nonrelevant - (evidence.n_judged_retrieved - n_retrieved)
    lengths = passed + others * (wanted - n_retrieved) / (n_left + 1)
    return np.where(wanted > 0, lengths, 0.0)


def utility(evidence: Evidence, *, coefficients: str) -> Floats:
    """Return a * relevant + b * others retrieved, and c * relevant + d * others missed."""
    retrieved = evidence.n_retrieved
    # trec_eval 10 scores a missing topic as if one nonrelevant document were retrieved, and resets
    # to 0 with the default only.
    if evidence.rules == "trec_eval-10" and coefficients != DEFAULT:
        retrieved = np.maximum(retrieved, 1)
    a, b, c, d = numbers(coefficients)
    hit, known = evidence.relevant.count(), evidence.n_relevant
    missed = evidence.n_documents + hit - retrieved - known
    value: Floats = a * hit + b * (retrieved - hit) + c * (known - hit) + d * missed
    if evidence.rules == "trec_eval-11":
        return value
    return np.where(retrieved > 0, value, 0.0)


_WHICH = (
    "When the size of the collection is given, every document that is not known to be relevant "
    "counts as not relevant; when it is not, judged ones only. The lower the better."
)
_SOURCE = "Cleverdon, Mills and Keen 1966"

FALLOUT = Family(
    name="Fallout",
    formula=fallout,
    definition="Documents down to rank k that are not relevant, divided by all that are not "
    f"relevant. {_WHICH}",
    source=_SOURCE,
    cutoff=Cutoff.ALWAYS,
    best=Best.LOWEST,
)
SET_FALLOUT = Family(
    name="SetFallout",
    formula=fallout,
    definition="Documents retrieved that are not relevant, divided by all that are not relevant. "
    f"{_WHICH}",
    source=_SOURCE,
    best=Best.LOWEST,
)
ESL = Family(
    name="ESL",
    formula=expected_search_length,
    definition="Documents that are not relevant passed before the relevant one wanted is met, as "
    "expected when documents of equal scores come in random order. When it was not retrieved the "
    "search goes on at random through the rest of the collection when its size is given, of the "
    "judged documents when it is not. When fewer relevant documents are known all of them are "
    "wanted; 0 when none is. The lower the better.",
    source="Cooper 1968",
    parameters=(
        Parameter(
            name="relevant",
            meaning="how many relevant documents are wanted, from 1",
            kind=int,
            default=1,
            allowed=lambda wanted: wanted >= 1,
        ),
    ),
    unit="0 and up",
    best=Best.LOWEST,
)
UTILITY = Family(
    name="Utility",
    formula=utility,
    definition="Relevant documents retrieved less the others retrieved, or another sum with "
    "coefficients; 0 for a topic without a retrieved document, except that with coefficients of "
    "your own rules trec_eval-10 then count one document that is not relevant, and trec_eval-11 "
    "count what was missed.",
    source="Lewis 1995; trec_eval m_utility.c",
    spellings=(Spelling("utility", "coefficients", layout=None),),
    parameters=(
        Parameter(
            name="coefficients",
            kind=str,
            default=DEFAULT,
            meaning="four numbers: what each relevant document retrieved is worth, each other one "
            "retrieved, each relevant one not retrieved, and each other one of the collection, "
            "whose size must then be known",
            allowed=lambda text: len(numbers(text)) == 4,
        ),
    ),
    unit="any number",
)
