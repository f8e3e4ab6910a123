"""Success at a cutoff."""

from measures.family import Cutoff, Family, Spelling
from measures.inputs.evidence import Evidence
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
