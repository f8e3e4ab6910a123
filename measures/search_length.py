"""Expected search length."""

import numpy as np

from measures.family import Best, Family, Parameter
from measures.inputs.evidence import Evidence
from trec.arrays import Floats, Integers


def expected_search_length(evidence: Evidence, *, relevant: int) -> Floats:
    """ESL: the expected number of nonrelevant documents above the relevant one wanted, over all orders of ties.

    It is j + i * s / (r + 1): the group of equal scores in which the search ends has i nonrelevant documents and r relevant
    ones, of which s are still wanted; j nonrelevant ones stand above it. The documents not retrieved are the last group.
    min(relevant, R) documents are wanted; 0 where R is 0.
    """
    wanted = np.minimum(relevant, evidence.n_relevant)
    lengths = _in_the_rest(evidence, wanted)
    hits = evidence.relevant
    targets = np.flatnonzero(hits.ordinals == wanted[hits.rankings])
    rankings = hits.rankings[targets]
    lengths[rankings] = _in_a_group(evidence, targets, wanted[rankings])
    return lengths


def _in_a_group(evidence: Evidence, targets: Integers, wanted: Integers) -> Floats:
    """Return the lengths of searches that end at these hits, or among those of the same score."""
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


def _in_the_rest(evidence: Evidence, wanted: Integers) -> Floats:
    """Return the lengths of searches that go on, in random order, among the documents that were not retrieved."""
    n_retrieved = evidence.relevant.count()
    passed = evidence.n_retrieved - n_retrieved
    n_left = evidence.n_relevant - n_retrieved
    if evidence.n_documents:
        others = evidence.n_documents - evidence.n_relevant - passed
    else:
        others = evidence.n_nonrelevant - (evidence.n_judged_retrieved - n_retrieved)
    lengths = passed + others * (wanted - n_retrieved) / (n_left + 1)
    return np.where(wanted > 0, lengths, 0.0)


ESL = Family(
    name="ESL",
    formula=expected_search_length,
    definition="Documents that are not relevant passed before the relevant one wanted is met, as expected when documents of "
    "equal scores come in random order. When it was not retrieved the search goes on at random through the rest of the "
    "collection when its size is given, of the judged documents when it is not. When fewer relevant documents are known "
    "all of them are wanted; 0 when none is. The lower the better.",
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
    is_monotone=False,
    best=Best.LOWEST,
)
