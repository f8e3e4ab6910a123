"""The tables of measures in `docs/measures.md`: `python -m cleverdon.measures.reference`."""

import re
from collections.abc import Sequence
from pathlib import Path

from cleverdon.measures.family import Family, Input, Parameter, Spelling, shown
from cleverdon.measures.names import pattern
from cleverdon.measures.table import FAMILIES
from cleverdon.measures.trec_eval import OutputColumn, columns

PAGE = Path(__file__).resolve().parents[2] / "docs" / "measures.md"
HEADS = "Measure", "In trec_eval", "Definition", "Values", "Level", "Over topics", "Source"


def renewed(page: str) -> str:
    """Return the page with the table below each heading "Measures that read …" made again."""
    return re.sub(r"(?<=\n## Measures that read )(.*)\n\n(?:\|.*\n)+", _section, page)


def _section(found: re.Match[str]) -> str:
    rows = [_row(family) for family in FAMILIES if family.reads is Input(found[1])]
    lines = HEADS, ("---",) * len(HEADS), *rows
    table = "".join(f"| {' | '.join(line)} |\n" for line in lines)
    return f"{found[1]}\n\n{table}"


def _row(family: Family) -> tuple[str, ...]:
    return (
        f"`{pattern(family)}`",
        spellings(family),
        definition(family),
        family.unit,
        "yes" if family.reads_level else "no",
        family.aggregation,
        family.source,
    )


def spellings(family: Family) -> str:
    """Return trec_eval's names for the measures of a family: k is a cutoff, X a parameter."""
    return ", ".join(f"`{s.name}{_ending(s)}`" for s in family.spellings) or "none"


def _ending(spelling: Spelling) -> str:
    if spelling.carries in {"", "cutoff"}:
        return spelling.carries and "_k"
    return "[_X]" if spelling.layout is None else "_X"


def definition(family: Family) -> str:
    """Return the definition of a family, with its parameters and its history."""
    parameters = map(_explained, family.parameters)
    return " ".join([family.definition, *parameters, family.history]).rstrip()


def _explained(parameter: Parameter) -> str:
    default = parameter.default
    given = "" if default is None else f" (default {shown(default)})"
    return f"`{parameter.name}`: {parameter.meaning}{given}."


def definitions(requests: Sequence[str], rules: str) -> str:
    """Return a paragraph for each column that arguments of `-m` ask for; ValueError as they do."""
    asked = columns(requests, rules)
    return "".join(f"\n{column.name}\n    {_of_column(column)}\n" for column in asked)


def _of_column(column: OutputColumn) -> str:
    if column.measure:
        return definition(column.measure.family)
    if column.name == "runid":
        return "The tag of the run's last line."
    return (
        "The grades of the first documents: > above 9, . pooled and not judged, - not in the qrels."
    )


if __name__ == "__main__":
    PAGE.write_text(renewed(PAGE.read_text()))
