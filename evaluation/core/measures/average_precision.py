"""Average precision."""

from evaluation.core.arrays import Floats
from evaluation.core.evidence import Evidence, ratio
from evaluation.core.measures.family import Cutoff, Family


def average_precision(evidence: Evidence) -> Floats:
    """AP: the sum over relevant documents retrieved of precision at their rank, divided by R."""
    precision = evidence.n_relevant_so_far / evidence.ranks
    return ratio(evidence.total(precision, evidence.relevant), evidence.n_relevant)


AP = Family(
    name="AP",
    formula=average_precision,
    definition="Precision at the rank of each relevant document retrieved (down to k), summed and divided by R, "
    "the relevant documents known.",
    source="Buckley and Voorhees 2000; trec_eval m_map.c, m_map_cut.c",
    trec_eval="map",
    trec_eval_cut="map_cut",
    cutoff=Cutoff.OPTIONAL,
)
