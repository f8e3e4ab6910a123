"""The first grades of a ranking as text."""

import numpy as np

from measures.inputs.evidence import Evidence


def relstring(evidence: Evidence, length: int = 10) -> list[str]:
    """Return a character for each of the first documents, per ranking (trec_eval m_relstring.c).

    It is the grade, `>` for one above 9, `.` for one that is negative in the qrels, `-` for a document not in them.
    """
    length = min(length, int(evidence.n_retrieved.max(initial=0)))
    hits = evidence.hits.down_to(length)
    retrieved = np.minimum(evidence.n_retrieved, length)
    table = np.full((evidence.n_rankings, max(length, 1)), "-")
    table[hits.rankings, hits.ranks - 1] = np.array([*"0123456789>."])[
        np.where(hits.grades < 0, 11, np.minimum(hits.grades, 10))
    ]
    rows = zip(table, retrieved.tolist(), strict=True)
    return ["".join(row[:size]) for row, size in rows]
