"""A report as a page of HTML that needs nothing else, its tables as LaTeX, and all in a folder."""

import io
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import replace
from html import escape

from cleverdon.measures.exports import escaped as latex
from cleverdon.pictures.files import pdf_file, svg_file
from overview.core.report import Report, Table
from overview.core.report_pdf import pdf_of

STYLE = """\
body { font: 16px/1.5 "Libertinus Serif", Georgia, serif; max-width: 60rem; margin: 2rem auto;
  padding: 0 1rem; color: #1c2733; background: #fff; overflow-wrap: anywhere; }
h1, h2 { line-height: 1.2; } figure { margin: 2rem 0; overflow-x: auto; }
figcaption { font-size: .9em; margin-bottom: .5rem; } svg { max-width: 100%; height: auto; }
table { border-collapse: collapse; border-block: 1px solid; font-size: .85em; }
thead { border-bottom: 1px solid #888; } th, td { padding: .15rem .5rem; text-align: left; }
.number { text-align: right; font-variant-numeric: tabular-nums; } .lead { color: #5a6672; }
"""

# A column of LaTeX with texts of more characters breaks its lines.
LONG, PARAGRAPH = 60, r"p{0.5\linewidth}"


def folder_of(report: Report) -> dict[str, bytes]:
    """Return the files of a report by their paths: PDF, HTML, a file for each table and figure."""
    files = {"overview.pdf": pdf_of(report), "overview.html": html_of(report).encode()}
    for table in report.tables:
        files[f"tables/{table.name}.tex"] = latex_of(table).encode()
    for figure in report.figures:
        captioned = replace(figure.picture, caption=figure.caption)
        files[f"figures/{figure.name}.svg"] = svg_file(captioned)
        files[f"figures/{figure.name}.pdf"] = pdf_file(
            replace(figure.picture, caption=""), system_fonts=False
        )
    return files


def zipped(files: Mapping[str, bytes]) -> bytes:
    """Pack files in the order of their paths, without times."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(files):
            entry = zipfile.ZipInfo(path)
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            archive.writestr(entry, files[path])
    return packed.getvalue()


def html_of(report: Report) -> str:
    """Return a report as a page with its styles and pictures inside."""
    return "\n".join(_html(report)) + "\n"


def _html(report: Report) -> Iterator[str]:
    title = escape(report.title)
    yield f'<!doctype html>\n<html lang="en">\n<head><meta charset="utf-8"><title>{title}</title>'
    yield '<meta name="viewport" content="width=device-width">'
    yield f"<style>{STYLE}</style></head>\n<body><main>\n<h1>{title}</h1>"
    yield f'<p class="lead">{escape(report.lead)}</p>'
    for number, section in enumerate(report.sections, 1):
        yield f"<h2>{number} {escape(section.title)}</h2>"
        yield from (f"<p>{escape(paragraph)}</p>" for paragraph in section.paragraphs)
        for part in section.parts:
            caption = (
                f"<figcaption><b>{report.label(part)}.</b> {escape(part.caption)}</figcaption>"
            )
            shown = _html_table(part) if isinstance(part, Table) else part.svg.decode()
            yield f"<figure>{caption}\n{shown}</figure>"
    yield "</main></body>\n</html>"


def _html_table(table: Table) -> str:
    kinds = ["" if n < table.n_texts else ' class="number"' for n in range(len(table.heads))]
    heads = "".join(
        f'<th scope="col"{kind}>{escape(head)}</th>'
        for kind, head in zip(kinds, table.heads, strict=True)
    )
    rows = (
        "".join(f"<td{kind}>{escape(cell)}</td>" for kind, cell in zip(kinds, row, strict=True))
        for row in table.rows
    )
    body = "\n".join(f"<tr>{row}</tr>" for row in rows)
    return f"<table><thead><tr>{heads}</tr></thead>\n<tbody>\n{body}\n</tbody></table>"


def latex_of(table: Table) -> str:
    """Return a table for LaTeX with the package booktabs; a long one for longtable."""
    columns = "".join(
        "r"
        if n >= table.n_texts
        else PARAGRAPH
        if any(len(row[n]) > LONG for row in table.rows)
        else "l"
        for n in range(len(table.heads))
    )
    lines = [" & ".join(map(latex, row)) + r" \\" for row in table.rows]
    return "\n".join(
        [
            r"% needs \usepackage{booktabs,longtable}",
            rf"\begin{{longtable}}{{{columns}}}",
            rf"\caption{{{latex(table.caption)}}}\label{{tab:{table.name}}}\\",
            r"\toprule",
            " & ".join(map(latex, table.heads)) + r" \\",
            r"\midrule\endhead",
            r"\bottomrule\endfoot",
            *lines,
            r"\end{longtable}",
            "",
        ]
    )
