"""Success at a cutoff."""

from evaluation.core.evidence import Evidence
from evaluation.core.measures.family import Cutoff, Family, Spelling
from trec.arrays import Floats


def success(evidence: Evidence) -> Floats:
    return (evidence.relevant.count() > 0).astype(float)


SUCCESS = Family(
    name="Success",
    formula=success,
    definition="1 when a relevant document is down to rank k, else 0.",
    source="Tomlinson 2005; trec_eval m_success.c",
    spellings=(Spelling("success", "cutoff"),),
    cutoff=Cutoff.ALWAYS,
)
