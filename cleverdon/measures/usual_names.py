"""Names of measures that papers and other tools use, and lists of names as people write them."""

import re
from collections.abc import Mapping

# The family that each is called here; neither case nor blanks, hyphens and underscores count.
USUAL_NAMES: Mapping[str, str] = {
    **dict.fromkeys(("MAP", "MAP_cut", "Average Precision", "Mean Average Precision"), "AP"),
    **dict.fromkeys(("MRR", "Reciprocal Rank", "Mean Reciprocal Rank"), "RR"),
    "nDCG_cut": "nDCG",
    **dict.fromkeys(("Precision", "Prec"), "P"),
    "Recall": "R",
    **dict.fromkeys(("F1", "F1 Score", "F Score", "F Measure"), "F"),
    **dict.fromkeys(("Hits", "Hit", "Hit Rate", "HR", "Success Rate"), "Success"),
    "R-Precision": "Rprec",
    "GM_MAP": "GMAP",
    "Rank-Biased Precision": "RBP",
    "Expected Reciprocal Rank": "ERR",
    **dict.fromkeys(("S-Recall", "Subtopic Recall"), "StRecall"),
}
# A comma before a number, or before p=, belongs to parameters as trec_eval writes them: P.5,10.
_LISTED = re.compile(r"(?:[^\s,;(]|\([^)]*\)?|,(?=(?!11pt)[-+.]?\d|p=))+")


def plain(name: str) -> str:
    """Return what counts of a name.

    >>> plain("Hit-Rate"), plain("nDCG_cut")
    ('hitrate', 'ndcgcut')
    """
    return re.sub(r"[\s_-]", "", name).lower()


def listed(text: str) -> list[str]:
    """Divide a list of names at blanks, commas and semicolons outside brackets.

    >>> listed("AP, nDCG@10;P.5,10 RBP(p=0.5, graded=True),11pt_avg")
    ['AP', 'nDCG@10', 'P.5,10', 'RBP(p=0.5, graded=True)', '11pt_avg']
    """
    return _LISTED.findall(text)
