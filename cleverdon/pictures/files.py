"""Pictures as files: drawn at a fixed width, light, with their styles inside; or as numbers."""

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from textwrap import wrap

from cleverdon.pictures.canvas import CHARACTER
from cleverdon.pictures.markup import safe
from cleverdon.pictures.numbers import MINUS
from cleverdon.pictures.picture import Picture
from cleverdon.pictures.typeset import compiled
from cleverdon.trec.cells import cell, csv_text

# Pixels across, and the PNG's pixels for each.
WIDTH, DENSITY = 720, 2
PADDING = 16
CAPTION_LINE = 16
SIZE = re.compile(r'<svg ([^>]*?)width="(\d+)" height="([\d.]+)"')


def svg_file(picture: Picture) -> bytes:
    """Draw a picture again at the width of files, on paper, its caption below.

    ValueError for one that cannot be drawn at a fixed width.
    """
    svg = picture.at_width(WIDTH).svg if picture.at_width else ""
    size = SIZE.match(svg)
    if not size:
        raise ValueError("This picture cannot be drawn at a fixed width.")
    width, bottom = float(size[2]) + 2 * PADDING, float(size[3])
    lines = wrap(picture.caption, int(WIDTH // CHARACTER))
    height = bottom + 2 * PADDING + CAPTION_LINE * len(lines)
    caption = "".join(
        f'<text class="tick" x="0" y="{bottom + CAPTION_LINE * n:g}">{safe(line)}</text>'
        for n, line in enumerate(lines, 1)
    )
    sides = f'width="{width:g}" height="{height:g}"'
    view = f'viewBox="{-PADDING} {-PADDING} {width:g} {height:g}"'
    paper = f'<rect class="paper" x="{-PADDING}" y="{-PADDING}" {sides}/>'
    body = re.sub(r"</?a\b[^>]*>", "", svg)  # addresses lead nowhere from a file
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {sides} {view}>'
        f"<style>{styles()}</style>{paper}{body}"
        f'<g class="picture">{caption}</g></svg>\n'
    ).encode()


def png_file(picture: Picture) -> bytes:
    page, files = _page(picture)
    return compiled(page, files, "png", density=DENSITY, system_fonts=True)


def pdf_file(picture: Picture, *, system_fonts: bool = True) -> bytes:
    page, files = _page(picture)
    return compiled(page, files, system_fonts=system_fonts)


def _page(picture: Picture) -> tuple[str, dict[str, bytes]]:
    """Return a page of Typst that is as large as the picture, without a date, and its file."""
    page = "#set page(width: auto, height: auto, margin: 0pt)\n#set document(date: none)\n"
    return f'{page}#image("picture.svg")', {"picture.svg": svg_file(picture)}


def csv_file(picture: Picture) -> bytes:
    """Write the table of a picture with plain numbers, and below it what it says and rests on."""
    said = [[text] for text in (picture.sentence, picture.caption) if text]
    rows = [picture.heads, *picture.rows, [], *said]
    return csv_text([_plain(value) for value in row] for row in rows).encode()


def _plain(text: str) -> object:
    """Return a number as programs read it, and any other text as no formula."""
    number = text.replace(MINUS, "-").replace(",", "")
    try:
        float(number)
    except ValueError:
        return cell(text)
    return number.removeprefix("+")


FORMATS: dict[str, tuple[str, Callable[[Picture], bytes]]] = {
    "svg": ("image/svg+xml", svg_file),
    "png": ("image/png", png_file),
    "pdf": ("application/pdf", pdf_file),
    "csv": ("text/csv; charset=utf-8", csv_file),
}


@cache
def styles() -> str:
    """Return the rules for pictures in plain colors, those of the site's light scheme."""
    return Path(__file__).with_name("light.css").read_text(encoding="utf-8")
