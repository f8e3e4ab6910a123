"""Tables of scores as files: trec_eval's lines, CSV, JSON, LaTeX."""

import json
from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from types import MappingProxyType
from typing import Any, NamedTuple

from cleverdon.measures.family import Aggregation, Best, Measure
from cleverdon.measures.names import parse
from cleverdon.trec.cells import cell, csv_text, finite

NAME_WIDTH = 22
SUMMARY, NOTHING = "all", "--"
LATEX = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        **{character: "\\" + character for character in "&%$#_{}"},
    }
)


class ScoreRow(NamedTuple):
    """The texts of a row's first columns, a value for each measure, and the run and topic.

    `topic` is SUMMARY where the values are aggregates over `n_topics` topics. A value is None (or
    NaN) on a topic that does not count, and over no topic. `beside` are more values of each measure
    by name, such as the median of all runs, or the ends of an interval; `is_listed` is whether
    trec_eval has lines for it.
    """

    texts: Sequence[Any]
    values: Sequence[float | None]
    run: str
    topic: str
    n_topics: int
    beside: Mapping[str, Sequence[float | str | None]] = MappingProxyType({})
    is_listed: bool = True

    @property
    def known(self) -> list[float | None]:
        """The values, None for what is no number."""
        return [finite(value) for value in self.values]


class ScoreTable(NamedTuple):
    """Values with the names of their columns: `heads` of the texts, then `measures`.

    `facts` state what was measured: campaign, qrels version and hash, rule set, topic set.
    """

    facts: Mapping[str, Any]
    heads: Sequence[str]
    measures: Sequence[str]
    rows: Sequence[ScoreRow]


def to_csv(table: ScoreTable) -> str:
    """Write a line for each row, the facts in columns; no text is a formula."""
    stamps = [name for name in table.facts if name not in table.heads]
    facts = [table.facts[name] for name in stamps]
    names = table.rows[0].beside if table.rows else ()
    beside = [f"{measure} {name}" for name in names for measure in table.measures]
    heads = [*table.heads, *stamps, *table.measures, *beside]
    rows = [
        [*map(cell, chain(row.texts, facts, row.values, *row.beside.values()))]
        for row in table.rows
    ]
    return csv_text([heads, *rows])


def to_json(table: ScoreTable) -> str:
    """Write the facts and an object for each row."""
    rows = [
        {
            **dict(zip(table.heads, row.texts, strict=True)),
            **{
                name: dict(zip(table.measures, values, strict=True))
                for name, values in {"scores": row.known, **_without_nan(row.beside)}.items()
            },
        }
        for row in table.rows
    ]
    content = {**table.facts, "measures": list(table.measures), "rows": rows}
    return json.dumps(content, ensure_ascii=False, indent=1, default=str, allow_nan=False) + "\n"


def _without_nan(beside: Mapping[str, Sequence[Any]]) -> dict[str, list[Any]]:
    return {
        name: [finite(value) if isinstance(value, float) else value for value in values]
        for name, values in beside.items()
    }


def to_latex(table: ScoreTable) -> str:
    """Write a tabular for booktabs: four decimals, the best in bold, the facts in comments.

    Where some rows are of topics, aggregates over them are not compared with them.
    """
    has_topics = any(row.topic != SUMMARY for row in table.rows)
    compared = [row for row in table.rows if row.topic != SUMMARY or not has_topics]
    best = [
        _best_of(parse(name), [row.known[column] for row in compared])
        for column, name in enumerate(table.measures)
    ]
    lines = [f"% {name}: {str(value).replace(chr(10), ' ')}" for name, value in table.facts.items()]
    lines += [
        rf"\begin{{tabular}}{{{'l' * len(table.heads)}{'r' * len(table.measures)}}}",
        r"\toprule",
        " & ".join(map(escaped, (*table.heads, *table.measures))) + r" \\",
        r"\midrule",
    ]
    for row in table.rows:
        figures = [NOTHING if value is None else f"{value:.4f}" for value in row.known]
        if row.topic != SUMMARY or not has_topics:
            figures = [
                rf"\textbf{{{text}}}" if value is not None and round(value, 4) == top else text
                for text, value, top in zip(figures, row.known, best, strict=True)
            ]
        texts = [escaped(str(text)) for text in row.texts]
        lines.append(" & ".join([*texts, *figures]) + r" \\")
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}", ""])


def _best_of(measure: Measure, values: Sequence[float | None]) -> float | None:
    """Return the best of a measure's values as it is shown, if there is one."""
    choose = {Best.HIGHEST: max, Best.LOWEST: min}.get(measure.family.best)
    known = [value for value in values if value is not None]
    return round(choose(known), 4) if choose and known else None


def escaped(text: str) -> str:
    r"""Return text as LaTeX prints it.

    >>> escaped("a_b & 5%")
    'a\\_b \\& 5\\%'
    """
    return text.translate(LATEX)


def to_trec_eval(table: ScoreTable) -> str:
    """Write the lines that trec_eval prints; measures that it lacks have our names.

    Rows of a topic are written as with -q, where trec_eval has any; those of all topics as the
    summary, after the run's tag and the number of topics.
    """
    measures = [parse(name) for name in table.measures]
    lines: list[str] = []
    for row in table.rows:
        is_summary, topic = row.topic == SUMMARY, row.topic
        if is_summary:
            lines += [line("runid", topic, row.run), line("num_q", topic, str(row.n_topics))]
        lines += [
            line(measure.trec_eval or str(measure), topic, figure(measure, value))
            for measure, value in zip(measures, row.known, strict=True)
            if row.is_listed and value is not None
            if is_summary or measure.family.aggregation is not Aggregation.GEOMETRIC
        ]
    return "".join(lines)


def line(name: str, topic: str, value: str) -> str:
    r"""Return one line in trec_eval's layout.

    >>> line("map", "all", "0.2500")
    'map                   \tall\t0.2500\n'
    """
    return f"{name:<{NAME_WIDTH}}\t{topic}\t{value}\n"


def figure(measure: Measure, value: float) -> str:
    """Return a value as trec_eval prints it: counts as whole numbers, others with four decimals."""
    return f"{value:.0f}" if measure.family.is_count else f"{value:6.4f}"


# By the file's ending: its content type, and the function that writes it.
EXPORTS: Mapping[str, tuple[str, Callable[[ScoreTable], str]]] = {
    "csv": ("text/csv", to_csv),
    "json": ("application/json", to_json),
    "tex": ("application/x-tex", to_latex),
    "txt": ("text/plain", to_trec_eval),
}
