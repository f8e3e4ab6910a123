"""Reports as PDF, set by Typst with the fonts that it brings, so that no machine changes a byte."""

import re
from collections.abc import Iterator
from datetime import date

from cleverdon.pictures.typeset import compiled
from overview.core.report import Figure, Report, Table

PAGE = """\
#set page(paper: "a4", margin: (x: 1.9cm, y: 2.1cm), numbering: "1")
#set text(font: "Libertinus Serif", size: 10pt, lang: "en", region: "us")
#set par(justify: true, leading: 0.6em)
#set heading(numbering: "1")
#set table(stroke: none, inset: (x: 4pt, y: 2.6pt))
#set figure(gap: 0.7em)
#show figure: set block(above: 1.4em, below: 1.6em)
#show figure.where(kind: table): set block(breakable: true)
#show figure.caption: set text(size: 8.5pt)
#show figure.caption: set align(left)
#show figure.where(kind: table): set figure.caption(position: top)
#show heading: set block(above: 1.6em, below: 0.8em)
"""
LONG_WORD = re.compile(r"\S{20}(?=\S{5})")
# A table of more columns is set in smaller type.
WIDE, WIDEST = 8, 12


def pdf_of(report: Report) -> bytes:
    """Set a report."""
    files = {f"{each.name}.svg": each.svg for each in report.figures}
    return compiled("\n".join(_source(report)), files)


def _dated(title: str, day: date) -> str:
    at = f"datetime(year: {day.year}, month: {day.month}, day: {day.day})"
    return f"#set document(title: {quoted(title)}, date: {at})"


def _source(report: Report) -> Iterator[str]:
    yield _dated(report.title, report.day)
    yield PAGE
    yield f"#text(size: 18pt, weight: 700, {quoted(report.title)})\n"
    yield f"#par(justify: false, text(fill: luma(90), {quoted(report.lead)}))\n"
    for section in report.sections:
        yield f"#heading({quoted(section.title)})"
        yield from (
            f"#block(sticky: true, par({quoted(paragraph)}))" for paragraph in section.paragraphs
        )
        for part in section.parts:
            yield _table(part) if isinstance(part, Table) else _figure(part)


def _figure(figure: Figure) -> str:
    image = f"image({quoted(figure.name + '.svg')}, width: 85%)"
    return f"#figure({image}, kind: image, caption: {quoted(figure.caption)})"


def _table(table: Table) -> str:
    n = len(table.heads)
    aligned = ", ".join("left" if at < table.n_texts else "right" for at in range(n))
    heads = ", ".join(f"strong({quoted(head)})" for head in table.heads)
    cells = ",\n".join(", ".join(quoted(_breakable(cell)) for cell in row) for row in table.rows)
    size = "8.5pt" if n <= WIDE else "7.5pt" if n <= WIDEST else "6.5pt"
    return (
        f"#figure(kind: table, caption: {quoted(table.caption)}, {{set text(size: {size})\n"
        f"table(columns: {n}, align: ({aligned},), table.hline(), table.header({heads}), "
        f"table.hline(stroke: 0.5pt),\n{cells}, table.hline())}})"
    )


def _breakable(text: str) -> str:
    """Let a long word of a cell continue on a second line."""
    return LONG_WORD.sub(lambda word: f"{word[0]}\N{ZERO WIDTH SPACE}", text)


def quoted(text: str) -> str:
    r"""Return a text as a string of Typst, in which nothing is markup.

    >>> quoted('a "b" \\ #c')
    '"a \\"b\\" \\\\ #c"'
    """
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
