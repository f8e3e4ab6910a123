"""Measures averaged over assessors, each of whom judged alone."""

from functools import partial

import numpy as np

from cleverdon.measures.average_precision import average_precision
from cleverdon.measures.family import Cutoff, Family, Formula, Input, Spelling
from cleverdon.measures.inputs.evidence import NO_CUTOFF, Evidence
from cleverdon.measures.inputs.judgments import GradesByAssessor
from cleverdon.measures.inputs.universe import NOT_JUDGED
from cleverdon.measures.precision_recall import MULT, precision, r_precision
from cleverdon.trec.arrays import Floats, Grades, ratio


def over_assessors(evidence: Evidence, *, formula: Formula, **parameters: float) -> Floats:
    """APavg, Pavg@k, Rprecavg: AP, P@k or Rprec by each assessor's grades alone, averaged.

    ValueError when the universe does not have the grades of its assessors.
    """
    universe = evidence.universe
    detail = universe.detailed(
        GradesByAssessor, "These qrels do not say which assessor judged what."
    )
    sums, n_assessors = np.zeros(evidence.n_rankings), np.zeros(evidence.n_rankings)
    for grades in detail.grades:
        has_judged = universe.count(grades != NOT_JUDGED)[evidence.topics] > 0
        values = formula(_seen_by(grades, evidence), **parameters)
        sums += np.where(has_judged, values, 0.0)
        n_assessors += has_judged
    return ratio(sums, n_assessors)


def _seen_by(grades: Grades, evidence: Evidence) -> Evidence:
    """Return the same rankings as one assessor sees them."""
    universe, placed = evidence.universe.with_grades(grades), evidence.placements
    if evidence.judged_only:
        placed = placed.condensed(universe)
    same = evidence.level, evidence.rules, evidence.n_documents
    seen = Evidence(universe, placed, *same)
    return seen if evidence.cutoff == NO_CUTOFF else seen.down_to(evidence.cutoff)


AP_AVG = Family(
    name="APavg",
    formula=partial(over_assessors, formula=average_precision),
    definition="AP by the grades of each assessor alone, averaged over those who judged a "
    "document of the topic.",
    source="trec_eval m_map_avgjg.c",
    spellings=(Spelling("map_avgjg"),),
    reads=Input.ASSESSORS,
)

P_AVG = Family(
    name="Pavg",
    formula=partial(over_assessors, formula=precision),
    definition="P@k by the grades of each assessor alone, averaged over those who judged a "
    "document of the topic.",
    source="trec_eval m_P_avgjg.c",
    spellings=(Spelling("P_avgjg", "cutoff"),),
    cutoff=Cutoff.ALWAYS,
    reads=Input.ASSESSORS,
)

RPREC_AVG = Family(
    name="Rprecavg",
    formula=partial(over_assessors, formula=r_precision),
    definition="Precision at R, or a multiple of it, by the grades of each assessor alone, with "
    "their own R, averaged over those who judged a document of the topic.",
    source="trec_eval m_Rprec_mult_avgjg.c",
    spellings=(Spelling("Rprec_mult_avgjg", "mult", layout="{:.2f}"),),
    parameters=(MULT,),
    reads=Input.ASSESSORS,
)
