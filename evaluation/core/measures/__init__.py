"""The measures, in the order they are shown, and their names."""

import re
from collections.abc import Callable, Iterator, Mapping
from difflib import get_close_matches

from evaluation.core.measures.accuracy import ACCURACY
from evaluation.core.measures.assessors import AP_AVG, P_AVG, RPREC_AVG
from evaluation.core.measures.average_precision import AP, GMAP, SET_AP
from evaluation.core.measures.bpref import BPREF, GMBPREF
from evaluation.core.measures.compatibility import COMPAT
from evaluation.core.measures.counts import (
    NUM_NONREL_RET,
    NUM_Q,
    NUM_REL,
    NUM_REL_RET,
    NUM_RET,
)
from evaluation.core.measures.cumulated_gain import CG, DCG, IDCG, NDCG
from evaluation.core.measures.diversity import (
    ALPHA_DCG,
    ALPHA_NDCG,
    AP_IA,
    ERR_IA,
    NERR_IA,
    NNRBP,
    NRBP,
    P_IA,
    ST_RECALL,
)
from evaluation.core.measures.expected_reciprocal_rank import ERR, NERR
from evaluation.core.measures.f_measure import SET_F, F
from evaluation.core.measures.fallout import FALLOUT, SET_FALLOUT
from evaluation.core.measures.family import (
    Cutoff,
    Family,
    Measure,
    Parameter,
    Spelling,
    Value,
)
from evaluation.core.measures.gain_ratio import BING, G
from evaluation.core.measures.infap import INFAP
from evaluation.core.measures.inferred import INFNDCG, XINFAP
from evaluation.core.measures.inst import INST
from evaluation.core.measures.interpolated import IAP, IPREC
from evaluation.core.measures.judged import JUDGED
from evaluation.core.measures.pooled import MICRO_F, MICRO_P, MICRO_R
from evaluation.core.measures.precision import RPREC, SET_P, P
from evaluation.core.measures.preferences import PREFERENCES
from evaluation.core.measures.q_measure import Q
from evaluation.core.measures.rbp import RBP, RBP_RESID
from evaluation.core.measures.recall import SET_R, R
from evaluation.core.measures.reciprocal_rank import RR
from evaluation.core.measures.relevance_gain import NDCG_REL, RNDCG
from evaluation.core.measures.search_length import ESL
from evaluation.core.measures.success import SUCCESS
from evaluation.core.measures.unjudged import UNJUDGED
from evaluation.core.measures.user_models import (
    BPM,
    INSQ,
    NERR8,
    NERR9,
    NERR10,
    NERR11,
    SDCG,
)
from evaluation.core.measures.utility import UTILITY
from evaluation.core.measures.yaap import YAAP

FAMILIES = (
    # Binary relevance, ranked.
    AP,
    GMAP,
    P,
    R,
    F,
    RR,
    SUCCESS,
    RPREC,
    IPREC,
    IAP,
    BPREF,
    GMBPREF,
    INFAP,
    RBP,
    RBP_RESID,
    ACCURACY,
    ESL,
    FALLOUT,
    YAAP,
    # Graded relevance.
    NDCG,
    DCG,
    IDCG,
    CG,
    NDCG_REL,
    RNDCG,
    G,
    BING,
    ERR,
    NERR,
    Q,
    COMPAT,
    SDCG,
    INSQ,
    INST,
    BPM,
    NERR8,
    NERR9,
    NERR10,
    NERR11,
    # The whole set retrieved.
    SET_P,
    SET_R,
    SET_F,
    SET_AP,
    SET_FALLOUT,
    UTILITY,
    # Over all documents of all topics.
    MICRO_P,
    MICRO_R,
    MICRO_F,
    # Counts and coverage.
    JUDGED,
    UNJUDGED,
    NUM_Q,
    NUM_RET,
    NUM_REL,
    NUM_REL_RET,
    NUM_NONREL_RET,
    # Several assessors.
    AP_AVG,
    P_AVG,
    RPREC_AVG,
    # Samples by stratum.
    XINFAP,
    INFNDCG,
    # Subtopics.
    ALPHA_NDCG,
    ALPHA_DCG,
    ERR_IA,
    NERR_IA,
    NRBP,
    NNRBP,
    ST_RECALL,
    P_IA,
    AP_IA,
    # Preferences.
    *PREFERENCES,
)

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
# The longest first: ndcg_cut before ndcg.
_SPELLINGS = sorted(
    ((spelling, family) for family in FAMILIES for spelling in family.spellings),
    key=lambda pair: -len(pair[0].name),
)

_NAME = re.compile(
    r"(?P<name>[A-Za-z_][A-Za-z_0-9]*)(?:\((?P<inside>.*)\))?(?:@(?P<at>[0-9.]+))?"
)
_ARGUMENT = re.compile(
    r"\s*(?P<name>\w+)\s*=\s*(?P<value>'[^']*'|\{[^}]*\}|[^,]*?)\s*(?:,|$)"
)


def parse(name: str) -> Measure:
    """Read a measure's name as ir_measures or as trec_eval writes it; ValueError when there is none of that name.

    >>> [str(parse(name)) for name in ("map", "ndcg_cut_10", "P(rel=2)@5")]
    ['AP', 'nDCG@10', 'P(level=2)@5']
    """
    name = name.strip()
    ours = _NAME.fullmatch(name)
    if ours and ours["name"] in _BY_NAME:
        family = _BY_NAME[ours["name"]]
        return family.measure(**_arguments(family, ours["inside"] or "", ours["at"]))  # type: ignore[arg-type]
    measure = next(_in_trec_eval(name), None)
    if measure is None:
        raise ValueError(f"{name!r} is not a measure.{_near(name)}")
    return measure


def _in_trec_eval(name: str) -> Iterator[Measure]:
    """Yield the measure when the name is one that trec_eval prints, or takes: with a point for the first `_`."""
    for spelling, family in _SPELLINGS:
        rest = name.removeprefix(spelling.name)
        if rest == name or (rest and (rest[0] not in "_." or not spelling.carries)):
            continue
        if not rest and spelling.carries and spelling.layout is not None:
            continue
        given: dict[str, Value] = dict(spelling.fixed)
        if rest:
            given[spelling.carries] = carried(family, spelling, rest[1:])
        yield family.measure(**given)  # type: ignore[arg-type]


def carried(family: Family, spelling: Spelling, text: str) -> Value:
    """Read what follows a name in trec_eval's spelling; ValueError when it cannot be."""
    if spelling.carries == "cutoff":
        return _whole(text)
    return _value(_parameter(family, spelling.carries), text)


def _arguments(family: Family, inside: str, at: str | None) -> dict[str, Value]:
    """Read what stands in the parentheses and after @."""
    found: dict[str, Value] = {}
    place = 0
    while place < len(inside):
        match = _ARGUMENT.match(inside, place)
        if not match or match["name"] in found:
            raise ValueError(
                f"{inside!r} are not parameters: write {family.name}(name=value,…)."
            )
        name = "level" if match["name"] == "rel" else match["name"]
        found[name] = _argument(family, name, match["value"])
        place = match.end()
    if at is not None:
        after = [parameter for parameter in family.parameters if parameter.follows_at]
        found[after[0].name if after else "cutoff"] = (
            _value(after[0], at) if after else _whole(at)
        )
    return found


def _argument(family: Family, name: str, text: str) -> Value:
    if name in {"level", "cutoff"}:
        return _whole(text)
    if name == "judged_only":
        return _truth(text)
    return _value(_parameter(family, name), text)


def _parameter(family: Family, name: str) -> Parameter:
    for parameter in family.parameters:
        if parameter.name == name:
            return parameter
    raise ValueError(f"{family.name} has no parameter {name}.")


def _value(parameter: Parameter, text: str) -> Value:
    """Read a value as a parameter's kind."""
    try:
        return _READERS[parameter.kind](text)
    except ValueError as error:
        raise ValueError(
            f"{parameter.name}={text}: it must be {parameter.meaning}."
        ) from error


def _whole(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,9}", text):
        raise ValueError(f"{text!r} is not a whole number.")
    return int(text)


def _truth(text: str) -> bool:
    if text not in {"True", "False"}:
        raise ValueError(f"{text!r} is neither True nor False.")
    return text == "True"


def _pairs(text: str) -> tuple[tuple[int, float], ...]:
    """Read {1:1,2:3}, or trec_eval's 1=1,2=3, as grades with their gains, in rising order."""
    pairs = (re.split("[:=]", pair) for pair in text.strip("{}").split(","))
    gains = [(int(grade), float(gain)) for grade, gain in pairs]
    if len(dict(gains)) < len(gains):
        raise ValueError(f"{text}: a grade has two gains.")
    return tuple(sorted(gains))


_READERS: Mapping[type, Callable[[str], Value]] = {
    bool: _truth,
    int: _whole,
    float: float,
    str: lambda text: text.strip("'"),
    tuple: _pairs,
}


def pattern(family: Family) -> str:
    """Write how a family's names are made: nDCG(gains=…)[@k]."""
    inside = ",".join(
        f"{parameter.name}=…"
        for parameter in family.parameters
        if not parameter.follows_at
    )
    after = {Cutoff.NEVER: "", Cutoff.OPTIONAL: "[@k]", Cutoff.ALWAYS: "@k"}[
        family.cutoff
    ]
    at = "".join(
        f"@{parameter.name}" for parameter in family.parameters if parameter.follows_at
    )
    return family.name + (f"({inside})" if inside else "") + at + after


def _near(name: str) -> str:
    """Return a hint at names like it, if there are any."""
    names = [*_BY_NAME, *(spelling.name for spelling, _ in _SPELLINGS)]
    found = get_close_matches(name, dict.fromkeys(names), n=3)
    return f" Did you mean {' or '.join(found)}?" if found else ""


# What a picker offers: the leaderboard's measures, then others in the order of the registry.
PICKED = (
    *LEADERBOARD,
    *map(
        parse,
        (
            "AP(judged_only=True)", "GMAP", "P@5", "P@20", "R@100", "F@10", "RR@10", "Success@1", "IAP", "infAP", "RBP",
            "RBPresid", "RBP(p=0.95)", "RBPresid(p=0.95)", "nDCG", "nDCG@20", "nDCG(dcg='exp-log2')@10",
            "nDCG(judged_only=True)@10", "ERR@20", "nERR@20", "Q", "Compat", "SetP", "SetR", "SetF", "MicroP@10", "MicroR@1000",
            "Judged@100", "Unjudged@10", "NumRet", "NumRelRet",
        ),
    ),
)  # fmt: skip
