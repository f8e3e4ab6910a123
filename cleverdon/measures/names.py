"""Read the names of measures, as ir_measures and trec_eval write them."""

import re
from collections.abc import Callable, Iterator, Mapping

from cleverdon.measures.family import Cutoff, Family, Measure, ParameterValue
from cleverdon.measures.table import FAMILIES
from cleverdon.measures.usual_names import USUAL_NAMES, plain

# Digits of a cutoff or a level.
MOST_DIGITS = 9
_BY_NAME = {family.name: family for family in FAMILIES}
# The longest first: ndcg_cut before ndcg.
_SPELLINGS = sorted(
    ((spelling, family) for family in FAMILIES for spelling in family.spellings),
    key=lambda pair: -len(pair[0].name),
)

_NAME = re.compile(r"(?P<name>[A-Za-z_][A-Za-z_0-9]*)(?:\((?P<inside>.*)\))?(?:@(?P<at>[0-9.]+))?")
# As papers and other tools write them, with @, _ or . before a cutoff.
_USUAL = re.compile(
    r"(?P<name>[A-Za-z][A-Za-z_0-9-]*?)(?:\((?P<inside>.*)\))?"
    r"(?:@(?P<at>[0-9.]+)|[_.](?P<cutoff>[0-9]+))?"
)
_BY_USUAL_NAME = {plain(name): _BY_NAME[ours] for name, ours in USUAL_NAMES.items()} | {
    plain(family.name): family for family in FAMILIES
}
_ARGUMENT = re.compile(r"\s*(?P<name>\w+)\s*=\s*(?P<value>'[^']*'|\{[^}]*\}|[^,]*?)\s*(?:,|$)")


def parse(name: str) -> Measure:
    """Read a measure's name as ir_measures or trec_eval writes it, or one that is usual elsewhere.

    ValueError for any other.

    >>> [str(parse(name)) for name in ("map", "ndcg_cut_10", "P(rel=2)@5", "MRR@10")]
    ['AP', 'nDCG@10', 'P(level=2)@5', 'RR@10']
    """
    name = name.strip()
    match = _NAME.fullmatch(name)
    if match and match["name"] in _BY_NAME:
        family = _BY_NAME[match["name"]]
        given = _arguments(family, match["inside"] or "", match["at"])
        return family.measure(**given)  # type: ignore[arg-type]
    measure = next(_in_trec_eval(name), None) or _usual(name)
    if measure is None:
        raise ValueError(f"{name!r} is not a measure.{_near(name)}")
    return measure


def _in_trec_eval(name: str) -> Iterator[Measure]:
    """Yield the measures of this name in trec_eval, with `_` or `.` before the parameter."""
    for spelling, family in _SPELLINGS:
        rest = name.removeprefix(spelling.name)
        if rest == name or (rest and (rest[0] not in "_." or not spelling.carries)):
            continue
        if not rest and spelling.carries and spelling.layout is not None:
            continue
        given: dict[str, ParameterValue] = dict(spelling.fixed)
        if rest:
            given[spelling.carries] = argument(family, spelling.carries, rest[1:])
        yield family.measure(**given)  # type: ignore[arg-type]


def _usual(name: str) -> Measure | None:
    """Return the measure of a name that is usual elsewhere, or written in another case."""
    if whole := _BY_USUAL_NAME.get(plain(name)):
        return whole.measure()
    match = _USUAL.fullmatch(name)
    family = _BY_USUAL_NAME.get(plain(match["name"])) if match else None
    if not match or not family:
        return None
    given = _arguments(family, match["inside"] or "", match["at"] or match["cutoff"])
    return family.measure(**given)  # type: ignore[arg-type]


def _arguments(family: Family, inside: str, at: str | None) -> dict[str, ParameterValue]:
    """Read the text in the parentheses and the text after @."""
    arguments: dict[str, ParameterValue] = {}
    position = 0
    while position < len(inside):
        match = _ARGUMENT.match(inside, position)
        if not match or match["name"] in arguments:
            raise ValueError(f"{inside!r} are not parameters: write {family.name}(name=value,…).")
        name = "level" if match["name"] == "rel" else match["name"]
        arguments[name] = argument(family, name, match["value"])
        position = match.end()
    if at is not None:
        name = next((p.name for p in family.parameters if p.follows_at), "cutoff")
        arguments[name] = argument(family, name, at)
    return arguments


def argument(family: Family, name: str, text: str) -> ParameterValue:
    """Read the value of a cutoff, level or parameter; ValueError when it is not one."""
    if name in {"level", "cutoff"}:
        return _whole(text)
    if name == "judged_only":
        return _truth(text)
    parameter = next((p for p in family.parameters if p.name == name), None)
    if parameter is None:
        raise ValueError(f"{family.name} has no parameter {name}.")
    try:
        return _READERS[parameter.kind](text)
    except ValueError as error:
        raise ValueError(f"{name}={text}: it must be {parameter.meaning}.") from error


def _whole(text: str) -> int:
    if not re.fullmatch(r"[0-9]+", text):
        raise ValueError(f"{text!r} is not a whole number.")
    if len(text.lstrip("0")) > MOST_DIGITS:
        raise ValueError(f"{text} is too large: at most {10**MOST_DIGITS - 1:,}.")
    return int(text.lstrip("0") or "0")


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


_READERS: Mapping[type, Callable[[str], ParameterValue]] = {
    bool: _truth,
    int: _whole,
    float: float,
    str: lambda text: text.strip("'"),
    tuple: _pairs,
}


def _near(name: str) -> str:
    """Suggest similar names, with the cutoff of this one, if there are any."""
    from difflib import get_close_matches  # noqa: PLC0415 - for those who mistype

    base, cutoff = re.fullmatch(r"(.*?)[@_.]?([0-9]*)", name, re.DOTALL).groups()  # type: ignore[union-attr]
    known: dict[str, str] = {}
    for family in FAMILIES:
        at = f"@{cutoff}" if cutoff and family.cutoff is not Cutoff.NEVER else ""
        known.setdefault(family.name.lower(), f"{family.name}{at}")
    for usual, ours in USUAL_NAMES.items():
        known.setdefault(usual.lower(), known[ours.lower()])
    for spelling, _ in _SPELLINGS:
        at = f"_{cutoff}" if cutoff and spelling.carries == "cutoff" else ""
        if base.islower() or spelling.name.lower() not in known:
            known[spelling.name.lower()] = f"{spelling.name}{at}"
    similar = [known[each] for each in get_close_matches(base.lower(), known, n=3)]
    return f" Did you mean {' or '.join(dict.fromkeys(similar))}?" if similar else ""


def pattern(family: Family) -> str:
    """Return the pattern of a family's names: nDCG(gains=…)[@k]."""
    inside = ",".join(f"{p.name}=…" for p in family.parameters if not p.follows_at)
    at = "".join(f"@{p.name}" for p in family.parameters if p.follows_at)
    cutoffs = {Cutoff.NEVER: "", Cutoff.OPTIONAL: "[@k]", Cutoff.ALWAYS: "@k"}
    return f"{family.name}{f'({inside})' if inside else ''}{at}{cutoffs[family.cutoff]}"


def _measures(names: str) -> tuple[Measure, ...]:
    return tuple(map(parse, names.split()))


# The usual columns of a leaderboard; the first decides its order.
LEADERBOARD = _measures("AP nDCG@10 P@10 RR Rprec Bpref R@1000 Judged@10")
