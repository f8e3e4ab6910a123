"""Average precision, its geometric mean, that of the set, and as log odds."""

import math

import numpy as np

from cleverdon.measures.family import Aggregation, Cutoff, Family, Spelling
from cleverdon.measures.inputs.evidence import Evidence
from cleverdon.trec.arrays import Floats, ratio
from cleverdon.trec.ranking import DEFAULT_RULES


def average_precision(evidence: Evidence) -> Floats:
    relevant = evidence.relevant
    return ratio(relevant.total(relevant.precisions), evidence.n_relevant)


def set_average_precision(evidence: Evidence) -> Floats:
    squared = evidence.relevant.count().astype(np.float64) ** 2
    return ratio(squared, evidence.n_retrieved.astype(np.float64) * evidence.n_relevant)


def smoothed_average_precision(evidence: Evidence) -> Floats:
    relevant = evidence.relevant
    summed = relevant.total(relevant.precisions)
    odds = (1.0 + summed) / (1.0 + evidence.n_relevant - summed)
    # numpy's own logarithm may miss the last bit of the C library's.
    values = np.array(list(map(math.log, odds.tolist())))
    if evidence.rules == DEFAULT_RULES:
        return np.where(evidence.n_retrieved > 0, values, 0.0)
    return values


AP = Family(
    name="AP",
    formula=average_precision,
    definition="Precision at the rank of each relevant document retrieved (down to k), summed and "
    "divided by R, the relevant documents known.",
    source="Buckley and Voorhees 2000; trec_eval m_map.c, m_map_cut.c",
    history="Developed by Chris Buckley after TREC 1. By common usage trec_eval calls it map for a "
    "single topic too.",
    spellings=(Spelling("map"), Spelling("map_cut", "cutoff")),
    cutoff=Cutoff.OPTIONAL,
)
SET_AP = Family(
    name="SetAP",
    formula=set_average_precision,
    definition="Precision of all documents retrieved times their recall: what AP would be if "
    "precision were the same at each relevant document retrieved.",
    source="trec_eval m_set_map.c",
    history="Earlier versions of trec_eval called it exact_unranked_avg_prec.",
    spellings=(Spelling("set_map"),),
)
GMAP = Family(
    name="GMAP",
    formula=average_precision,
    definition="AP, its geometric mean taken over topics: values below 0.00001 count as that much.",
    source="Robertson 2006; trec_eval m_gm_map.c",
    spellings=(Spelling("gm_map"),),
    aggregation=Aggregation.GEOMETRIC,
)
YAAP = Family(
    name="YAAP",
    formula=smoothed_average_precision,
    definition="ln((1 + s) / (1 + R - s)), where s is the sum of precision at the rank of each "
    "relevant document retrieved: AP as smoothed log odds. A topic without a retrieved document "
    "counts 0 under rules trec_eval-9.",
    source="Robertson 2012; trec_eval m_yaap.c",
    spellings=(Spelling("yaap"),),
    unit="any number",
)
