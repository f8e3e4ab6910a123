"""The measures, in the order they are shown, and their names."""

import re

from evaluation.core.measures.average_precision import AP
from evaluation.core.measures.bpref import BPREF
from evaluation.core.measures.counts import NUM_REL, NUM_REL_RET, NUM_RET
from evaluation.core.measures.cumulated_gain import NDCG
from evaluation.core.measures.family import Cutoff, Family, Measure
from evaluation.core.measures.judged import JUDGED
from evaluation.core.measures.precision import RPREC, P
from evaluation.core.measures.recall import R
from evaluation.core.measures.reciprocal_rank import RR

FAMILIES = (AP, NDCG, P, RR, RPREC, BPREF, R, JUDGED, NUM_RET, NUM_REL, NUM_REL_RET)

# The columns of a leaderboard, the first of them deciding its order.
LEADERBOARD = (
    AP.measure(),
    NDCG.measure(cutoff=10),
    P.measure(cutoff=10),
    RR.measure(),
    RPREC.measure(),
    BPREF.measure(),
    R.measure(cutoff=1000),
    JUDGED.measure(cutoff=10),
)

_BY_NAME = {family.name: family for family in FAMILIES}
_BY_TREC_EVAL = {family.trec_eval: family for family in FAMILIES if family.trec_eval}
_BY_TREC_EVAL_CUT = {
    family.trec_eval_cut: family for family in FAMILIES if family.trec_eval_cut
}

_OURS = re.compile(r"([A-Za-z]+)(?:\((?:level|rel)=([0-9]{1,3})\))?(?:@([0-9]{1,9}))?")
_TREC_EVAL_CUT = re.compile(r"([A-Za-z_]+)[_.]([0-9]{1,9})")


def parse(name: str) -> Measure:
    """Read a measure's name as ir_measures or as trec_eval writes it; ValueError when there is none of that name.

    >>> [str(parse(name)) for name in ("map", "ndcg_cut_10", "P(level=2)@5")]
    ['AP', 'nDCG@10', 'P(level=2)@5']
    """
    name = name.strip()
    if name in _BY_TREC_EVAL:
        return _BY_TREC_EVAL[name].measure()
    cut = _TREC_EVAL_CUT.fullmatch(name)
    if cut and cut[1] in _BY_TREC_EVAL_CUT:
        return _BY_TREC_EVAL_CUT[cut[1]].measure(cutoff=int(cut[2]))
    ours = _OURS.fullmatch(name)
    if not ours or ours[1] not in _BY_NAME:
        raise ValueError(
            f"{name!r} is not a measure. These are: {', '.join(map(_pattern, FAMILIES))}."
        )
    level, cutoff = (
        None if digits is None else int(digits) for digits in ours.group(2, 3)
    )
    return _BY_NAME[ours[1]].measure(cutoff=cutoff, level=level)


def _pattern(family: Family) -> str:
    return (
        family.name
        + {Cutoff.NEVER: "", Cutoff.OPTIONAL: "[@k]", Cutoff.ALWAYS: "@k"}[
            family.cutoff
        ]
    )


def _trec_eval_pattern(family: Family) -> str:
    cut = f"{family.trec_eval_cut}_k" if family.trec_eval_cut else ""
    return ", ".join(f"`{name}`" for name in (family.trec_eval, cut) if name) or "none"


def reference() -> str:
    """Render the registry as `docs/measures.md`."""
    heads = (
        "Measure",
        "In trec_eval",
        "Definition",
        "Values",
        "Level",
        "Over topics",
        "Source",
    )
    rows = [heads, ("---",) * len(heads), *map(_row, FAMILIES)]
    return INTRODUCTION + "".join(f"| {' | '.join(row)} |\n" for row in rows)


def _row(family: Family) -> tuple[str, ...]:
    level = "yes" if family.reads_level else "no"
    names = f"`{_pattern(family)}`", _trec_eval_pattern(family)
    return (
        *names,
        family.definition,
        family.unit,
        level,
        family.aggregation,
        family.source,
    )


INTRODUCTION = """\
# Measures

A measure's name is its identity in pages, files and addresses. trec_eval's spelling is read too: `ndcg_cut_10` is `nDCG@10`.
Every value equals trec_eval's to the last bit where trec_eval has the measure.

- **k** is a cutoff: the ranking is read down to rank k, the qrels are not cut. `[@k]` may be left out.
- **Level** is the lowest grade that counts as relevant: the campaign's, or the one named, as in `P(level=2)@5`.
- **R** is the number of relevant documents known for the topic, **N** of those judged not relevant.
- **Unjudged** documents, not in the qrels or with a negative grade there, are not relevant to any measure. `Bpref` skips
  them and `Judged@k` counts them.
- **Over topics**: the mean is over all topics of the qrels; one that a run has nothing for, or
  that has no relevant document, counts 0 (trec_eval `-c`). The number of topics stands beside every mean.
- **Ties** are ranked as trec_eval ranks them: docno descending, after comparing scores in single precision.
- `NumRel` is counted at the level. (trec_eval with `-c` sums grades above 0, whatever its `-l` says.)

"""
