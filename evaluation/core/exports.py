"""Tables of scores as files: trec_eval's lines, CSV, JSON, LaTeX. Each carries what was measured, and by which rules."""

import csv
import io
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from evaluation.core.measures.family import Aggregation, Measure
from evaluation.core.measures.names import parse

NAME_WIDTH = 22
SUMMARY = "all"
LATEX = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        **{character: "\\" + character for character in "&%$#_{}"},
    }
)


@dataclass(frozen=True)
class Table:
    """Values with the names of their rows and columns.

    `facts` say what was measured: campaign, qrels version and hash, rule set, topic set, number of topics. `heads` name the
    columns before the measures; each row has as many texts and then its values. Where `runs` gives a run's tag for each row
    and `topics` its topic, the lines of trec_eval can be written.
    """

    facts: Mapping[str, Any]
    heads: Sequence[str]
    measures: Sequence[str]
    rows: Sequence[tuple[Sequence[Any], Sequence[float]]]
    runs: Sequence[str]
    topics: Sequence[str]
    n_topics: Sequence[int]


def to_csv(table: Table) -> str:
    """Write a row for each row, the facts in columns of their own; numbers as Python prints a double, in full."""
    stamps = [name for name in table.facts if name not in table.heads]
    facts = [table.facts[name] for name in stamps]
    heads = [*table.heads, *stamps, *table.measures]
    return csv_text(
        [heads, *([*cells, *facts, *values] for cells, values in table.rows)]
    )


def csv_text(rows: Iterable[Sequence[Any]], line_end: str = "\r\n") -> str:
    """Return rows as CSV; floats as Python prints them, in full."""
    text = io.StringIO()
    csv.writer(text, lineterminator=line_end).writerows(rows)
    return text.getvalue()


def to_json(table: Table) -> str:
    """Write the facts, and an object for each row."""
    rows = [
        {
            **dict(zip(table.heads, cells, strict=True)),
            "scores": dict(zip(table.measures, values, strict=True)),
        }
        for cells, values in table.rows
    ]
    content = {**table.facts, "measures": list(table.measures), "rows": rows}
    return json.dumps(content, ensure_ascii=False, indent=1, default=str) + "\n"


def to_latex(table: Table) -> str:
    """Write a tabular for booktabs, four decimals, the best of each column in bold; the facts in its comment."""
    best = [
        max((values[column] for _, values in table.rows), default=0.0)
        for column in range(len(table.measures))
    ]
    heads = [*map(escaped, table.heads), *map(escaped, table.measures)]
    lines = [
        f"% {name}: {str(value).replace(chr(10), ' ')}"
        for name, value in table.facts.items()
    ]
    lines += [
        rf"\begin{{tabular}}{{{'l' * len(table.heads)}{'r' * len(table.measures)}}}",
        r"\toprule",
        " & ".join(heads) + r" \\",
        r"\midrule",
    ]
    for cells, values in table.rows:
        figures = [
            rf"\textbf{{{value:.4f}}}"
            if round(value, 4) == round(top, 4)
            else f"{value:.4f}"
            for value, top in zip(values, best, strict=True)
        ]
        lines.append(
            " & ".join([*(escaped(str(cell)) for cell in cells), *figures]) + r" \\"
        )
    lines += [r"\bottomrule", r"\end{tabular}"]
    return "\n".join(lines) + "\n"


def escaped(text: str) -> str:
    r"""Return text as LaTeX prints it.

    >>> escaped("a_b & 5%")
    'a\\_b \\& 5\\%'
    """
    return text.translate(LATEX)


def to_trec_eval(table: Table) -> str:
    """Write the lines trec_eval prints, in its layout; a measure it does not have under our name.

    Rows of a topic come as with -q, rows of all topics as its summary: the run's tag and the number of topics first.
    """
    measures = [parse(name) for name in table.measures]
    lines: list[str] = []
    for (_, values), run, topic, n_topics in zip(
        table.rows, table.runs, table.topics, table.n_topics, strict=True
    ):
        if topic == SUMMARY:
            lines += [line("runid", topic, run), line("num_q", topic, str(n_topics))]
        lines += [
            line(measure.trec_eval or str(measure), topic, figure(measure, value))
            for measure, value in zip(measures, values, strict=True)
            if topic == SUMMARY
            or measure.family.aggregation is not Aggregation.GEOMETRIC
        ]
    return "".join(lines)


def line(name: str, topic: str, value: str) -> str:
    r"""Write one line in trec_eval's layout.

    >>> line("map", "all", "0.2500")
    'map                   \tall\t0.2500\n'
    """
    return f"{name:<{NAME_WIDTH}}\t{topic}\t{value}\n"


def figure(measure: Measure, value: float) -> str:
    """Write a value as trec_eval does: counts whole, the rest to four decimals."""
    return f"{value:.0f}" if measure.family.unit == "count" else f"{value:6.4f}"


FORMATS: Mapping[str, tuple[str, Callable[[Table], str]]] = {
    "csv": ("text/csv", to_csv),
    "json": ("application/json", to_json),
    "tex": ("application/x-tex", to_latex),
    "txt": ("text/plain", to_trec_eval),
}
