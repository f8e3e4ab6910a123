"""The measures of trec_eval's command: names, parameters, sets, and the order they print in."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from itertools import chain

from cleverdon.measures.assessors import AP_AVG, P_AVG, RPREC_AVG
from cleverdon.measures.average_precision import AP, GMAP, SET_AP, YAAP
from cleverdon.measures.bpref import BPREF, GMBPREF
from cleverdon.measures.counts import NUM_NONREL_RET, NUM_Q, NUM_REL, NUM_REL_RET, NUM_RET, UNJUDGED
from cleverdon.measures.cumulated_gain import DCG, IDCG, NDCG
from cleverdon.measures.family import Family, Measure, ParameterValue, Spelling
from cleverdon.measures.gain_ratio import BING, G
from cleverdon.measures.inferred import INFAP
from cleverdon.measures.interpolated import IAP, IPREC
from cleverdon.measures.names import MOST_DIGITS, argument, parse
from cleverdon.measures.nonrelevant import UTILITY
from cleverdon.measures.precision_recall import RPREC, SET_F, SET_P, SET_R, P, R
from cleverdon.measures.preferences import PREFERENCES
from cleverdon.measures.rbp import RBP, RBP_RESID
from cleverdon.measures.reciprocal_rank import RR, SUCCESS
from cleverdon.measures.relevance_gain import NDCG_REL, RNDCG
from cleverdon.measures.usual_names import listed
from cleverdon.trec.ranking import DEFAULT_RULES, RULES

DECIMAL = re.compile(r"(?P<whole>[0-9]+)(\.[0-9]*)?")

# For each column: what is printed after the name, and the arguments of the family.
ParsedParameters = Iterator[tuple[str, dict[str, ParameterValue]]]


@dataclass(frozen=True)
class OutputColumn:
    """One name in trec_eval's output.

    `measure` is None for texts: runid, and relstring (of `length` ranks). `per_topic` and
    `in_summary` are whether topics and the summary have a line.
    """

    name: str
    measure: Measure | None
    per_topic: bool = True
    in_summary: bool = True
    length: int = 0

    @property
    def is_count(self) -> bool:
        """Whether values are whole numbers."""
        return self.measure is not None and self.measure.family.is_count


@dataclass(frozen=True)
class MeasureName:
    """A name that `-m` takes, its `default` parameters, and how its columns print."""

    name: str
    family: Family | None = None
    default: str = ""
    _: KW_ONLY
    read: Callable[[str | None], ParsedParameters] | None = None
    per_topic: bool = True
    in_summary: bool = True

    @property
    def spelling(self) -> Spelling:
        """The family's spelling of this name."""
        known = self.family.spellings if self.family else ()
        return next((s for s in known if s.name == self.name), Spelling(self.name))

    def columns(self, given: str | None) -> Iterator[OutputColumn]:
        """Yield the columns for parameters, None for the default; ValueError if malformed."""
        for after, values in (self.read or self._read)(given):
            length = int(str(values.pop("length", 0)))
            name = f"{self.name}_{after}" if after else self.name
            shown = self.per_topic, self.in_summary
            yield OutputColumn(name, self._measure(values), *shown, length)

    def _measure(self, values: dict[str, ParameterValue]) -> Measure | None:
        if self.family is None:
            return None
        given = {**dict(self.spelling.fixed), **values}
        return self.family.measure(**given)  # type: ignore[arg-type]

    def _read(self, given: str | None) -> ParsedParameters:
        family, spelling = self.family, self.spelling
        if family is None or not spelling.carries:
            if given is not None:
                raise ValueError(f"{self.name} takes no parameters, not {given!r}.")
            yield "", {}
        elif spelling.layout is not None:
            yield from _divided(family, spelling, given or self.default)
        elif given is None:
            yield "", {}
        else:
            yield given, {spelling.carries: argument(family, spelling.carries, given)}


def _divided(family: Family, spelling: Spelling, text: str) -> ParsedParameters:
    """Read a list of parameters, each with its own column, lowest first."""
    numbers = [_number(family, spelling, part) for part in text.split(",")]
    if len(set(numbers)) < len(numbers):
        raise ValueError(f"{spelling.name}.{text}: a number comes twice.")
    for number in sorted(numbers):
        yield str(spelling.layout).format(number), {spelling.carries: number}


def _number(family: Family, spelling: Spelling, text: str) -> float:
    """Read a cutoff, dropping its decimals as trec_eval does, or else a float."""
    if spelling.carries == "cutoff" and (decimal := DECIMAL.fullmatch(text)):
        text = decimal["whole"]
    value = argument(family, spelling.carries, text)
    return value if isinstance(value, int) else float(str(value))


def _length(given: str | None) -> ParsedParameters:
    """Read relstring's number of ranks."""
    decimal = DECIMAL.fullmatch(given or "10")
    if decimal is None or len(decimal["whole"]) > MOST_DIGITS:
        raise ValueError(f"relstring.{given}: it must be how many ranks to show.")
    yield given or "", {"length": int(decimal["whole"])}


def _persistence(given: str | None) -> ParsedParameters:
    """Read rbp's p=0.8, with or without gains of grades: p=0.8,1=0.5."""
    if given is None:
        yield "", {}
        return
    parts = given.split(",")
    arguments: dict[str, ParameterValue] = {}
    for text in (part.removeprefix("p=") for part in parts if part.startswith("p=")):
        if "p" in arguments:
            raise ValueError(f"{given}: p comes twice.")
        arguments["p"] = argument(RBP, "p", text)
    if gains := ",".join(part for part in parts if not part.startswith("p=")):
        arguments["gains"] = argument(RBP, "gains", gains)
    yield given, arguments


CUTOFFS = "5,10,15,20,30,100,200,500,1000"
RECALLS = "0.0,0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8,0.9,1.0"
MULTIPLES = "0.2,0.4,0.6,0.8,1.0,1.2,1.4,1.6,1.8,2.0"

_PREFERENCES = {family.name: family for family in PREFERENCES}

MEASURE_NAMES = (
    MeasureName("runid", per_topic=False),
    MeasureName("num_q", NUM_Q, per_topic=False),
    MeasureName("num_ret", NUM_RET),
    MeasureName("num_rel", NUM_REL),
    MeasureName("num_rel_ret", NUM_REL_RET),
    MeasureName("map", AP),
    MeasureName("gm_map", GMAP, per_topic=False),
    MeasureName("Rprec", RPREC),
    MeasureName("bpref", BPREF),
    MeasureName("recip_rank", RR),
    MeasureName("iprec_at_recall", IPREC, RECALLS),
    MeasureName("P", P, CUTOFFS),
    MeasureName("relstring", read=_length, in_summary=False),
    MeasureName("recall", R, CUTOFFS),
    MeasureName("infAP", INFAP),
    MeasureName("gm_bpref", GMBPREF, per_topic=False),
    MeasureName("Rprec_mult", RPREC, MULTIPLES),
    MeasureName("utility", UTILITY),
    MeasureName("11pt_avg", IAP),
    MeasureName("binG", BING),
    MeasureName("G", G),
    MeasureName("dcg", DCG),
    MeasureName("ideal_dcg", IDCG),
    MeasureName("ndcg", NDCG),
    MeasureName("ndcg_rel", NDCG_REL),
    MeasureName("Rndcg", RNDCG),
    MeasureName("ndcg_cut", NDCG, CUTOFFS),
    MeasureName("map_cut", AP, CUTOFFS),
    MeasureName("relative_P", P, CUTOFFS),
    MeasureName("success", SUCCESS, "1,5,10"),
    MeasureName("set_P", SET_P),
    MeasureName("set_relative_P", SET_P),
    MeasureName("set_recall", SET_R),
    MeasureName("set_map", SET_AP),
    MeasureName("set_F", SET_F),
    MeasureName("num_nonrel_judged_ret", NUM_NONREL_RET),
    *(MeasureName(name, family) for name, family in _PREFERENCES.items()),
    MeasureName("map_avgjg", AP_AVG),
    MeasureName("P_avgjg", P_AVG, CUTOFFS),
    MeasureName("Rprec_mult_avgjg", RPREC_AVG, MULTIPLES),
    MeasureName("yaap", YAAP),
    MeasureName("rbp", RBP, read=_persistence),
    MeasureName("rbp_resid", RBP_RESID, read=_persistence),
    MeasureName("unj", UNJUDGED, "5,10,20"),
    MeasureName("ndcg_p", NDCG),
)

_ALWAYS = ("runid", "num_q")
_COUNTS = ("num_ret", "num_rel", "num_rel_ret")
_BY_SET = ("set_P", "set_recall", "set_relative_P", "set_map", "set_F")
_ALL_NAMES = tuple(each.name for each in MEASURE_NAMES)

_SETS: Mapping[str, tuple[str, ...]] = {
    "official": _ALL_NAMES[: _ALL_NAMES.index("P") + 1],
    "set": (*_ALWAYS, *_COUNTS, "utility", *_BY_SET),
    "prefs": (*_ALWAYS, *tuple(_PREFERENCES)[:6]),
    "all_prefs": (*_ALWAYS, *_PREFERENCES),
    "qrels_jg": (*_ALWAYS, "map_avgjg", "P_avgjg", "Rprec_mult_avgjg"),
}
_ALL = tuple(
    name
    for name in _ALL_NAMES[: _ALL_NAMES.index("num_nonrel_judged_ret") + 1]
    if name not in {"dcg", "ideal_dcg"}
)
_SETS_OF_TEN = {**_SETS, "all_trec": (*_ALL, "rbp", "rbp_resid", "unj")}
SETS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "trec_eval-9": {**_SETS, "all_trec": _ALL},
    "trec_eval-10": _SETS_OF_TEN,
    "trec_eval-11": _SETS_OF_TEN,
}
# How trec_eval 11 reads names, whatever their case, alone and with @ and cutoffs.
_ALIASES = {name.lower(): name for name in (*_ALL_NAMES, *_SETS_OF_TEN)}
_ALIASES |= {"mrr": "recip_rank", "rr": "recip_rank", "precision": "P"}
_ALIASES_AT = {name.lower(): name for name in ("P", "recall", "success", "unj", "relative_P")}
_ALIASES_AT |= {"ndcg": "ndcg_cut", "map": "map_cut", "precision": "P"}
_REQUEST = re.compile(r"(\w+?)(_(?=[0-9,]+$)|[@.]|$)(.*)")


def columns(requests: Sequence[str], rules: str = DEFAULT_RULES) -> list[OutputColumn]:
    """Return the columns for arguments of `-m` ("P.5,7", "ndcg.1=1,2=3"), in trec_eval's order.

    A request may be a list, with commas or blanks between the names. After those of trec_eval come
    measures given by our names ("RBP(p=0.9)", "ERR@20"), or by others that are usual ("MRR@10"), in
    the order given. When a name is given twice, its first parameters count. Under rules 11 all come
    in the order given, each once. ValueError with a sentence for an unknown measure, a cutoff that
    is not positive or comes twice, and malformed parameters.
    """
    if rules not in SETS:
        raise ValueError(f"{rules!r} is not a rule set; these are: {', '.join(RULES)}.")
    requests = [name for request in requests for name in listed(request) or [request]]
    if rules != "trec_eval-11":
        return _in_order(requests, rules)
    each = (_in_order([_unaliased(request)], rules) for request in requests)
    return list({column.name: column for column in chain.from_iterable(each)}.values())


def _unaliased(request: str) -> str:
    """Return what trec_eval 11 takes a request for: ndcg@10 and NDCG_CUT_10 for ndcg_cut.10."""
    matched = _REQUEST.fullmatch(request)
    name, mark, given = matched.groups() if matched else (request, "", "")
    known = (_ALIASES_AT if mark == "@" else _ALIASES).get(name.lower())
    if known is None:
        return request
    return f"{known}.{given}" if mark else known


def _in_order(requests: Sequence[str], rules: str) -> list[OutputColumn]:
    wanted: dict[str, str | None] = {}
    others: dict[str, OutputColumn] = {}
    for request in requests:
        name, point, given = request.partition(".")
        if name not in _ALL_NAMES and name not in SETS[rules]:
            measure = parse(request)
            others[str(measure)] = OutputColumn(str(measure), measure)
            continue
        if point and (not given or name in SETS[rules]):
            raise ValueError(f"{request!r}: parameters follow the name of a measure and a point.")
        for each in SETS[rules].get(name, (name,)):
            if wanted.get(each) is None:
                wanted[each] = given if point else None
    by_name = (each.columns(wanted[each.name]) for each in MEASURE_NAMES if each.name in wanted)
    return [*chain.from_iterable(by_name), *others.values()]


def measures(request: str, rules: str = DEFAULT_RULES) -> list[Measure]:
    """Return the measures of one argument of `-m`, several names in the order given.

    ValueError as in `columns`, and for a text.

    >>> [str(measure) for measure in measures("P.5,7.9, MAP")]
    ['P@5', 'P@7', 'AP']
    """
    found: list[Measure] = []
    for name in listed(request) or [request]:
        asked = [column.measure for column in columns([name], rules) if column.measure]
        if not asked:
            raise ValueError(f"{name} is a text, not a measure.")
        found += asked
    return found
