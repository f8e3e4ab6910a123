"""Pictures as files."""

import csv
import io
import re
import struct
from dataclasses import replace

import pytest

from cleverdon.pictures.bars import bars
from cleverdon.pictures.files import DENSITY, FORMATS, PADDING, WIDTH, styles, svg_file
from cleverdon.pictures.picture import Picture
from docs.light import STYLES
from tests.core.pictures.drawn import Drawing, drawn
from tests.core.pictures.forms import BARE, FORMS

SHEET = (STYLES / "pictures.css").read_text()


@pytest.mark.parametrize("name", FORMS)
def test_a_picture_of_a_fixed_width_has_no_percent_and_nothing_that_stretches(name):
    drawing = drawn(FORMS[name](640))
    assert drawing.root.get("width") == "640"
    values = [
        value
        for mark in drawing.root.iter()
        for key, value in mark.attrib.items()
        if key in {"x", "x1", "x2", "cx", "y", "width", "height"}
    ]
    assert values
    assert not [value for value in values if "%" in value]
    # Only the cells of a heat map stretch: they have no lines.
    stretched = [mark for mark in drawing.all("svg") if mark.get("preserveAspectRatio")]
    assert bool(stretched) == (name in {"heat map", "triangle"})


@pytest.mark.parametrize("name", FORMS)
def test_a_file_has_its_styles_inside_in_plain_colors(name):
    text = svg_file(FORMS[name](None)).decode()
    drawing = Drawing.of(text)
    [style] = drawing.all("style")
    assert not re.search(r"var\(|light-dark|color-mix|@", style.text)
    assert "<a " not in text
    classes = {each for mark in drawing.root.iter() for each in mark.get("class", "").split()}
    placed = {each for each in classes if each.startswith("left-")}
    assert {
        each
        for each in classes - placed - BARE - {"square", "wide"}
        if f".{each}" not in style.text
    } == set()


def test_the_styles_of_a_file_are_those_of_the_site_in_its_light_colors():
    tokens = dict(re.findall(r"--([\w-]+): light-dark\((#\w+)", (STYLES / "base.css").read_text()))
    assert f".picture .bar {{ fill: {tokens['accent']}; }}" in styles()
    assert f".picture .grade-2 {{ fill: {tokens['grade-2']}; }}" in styles()
    n_rules = len(re.findall(r"^  \.picture \.[\w.-]+ \{.*\}$", SHEET, re.MULTILINE))
    assert len(re.findall(r"^\.picture ", styles(), re.MULTILINE)) == n_rules + 2


@pytest.mark.parametrize("name", FORMS)
def test_every_picture_of_a_page_can_be_drawn_again_at_the_width_of_a_file(name):
    fluid = FORMS[name](None)
    again = fluid.at_width(640)
    assert again.svg == FORMS[name](640).svg
    assert (again.sentence, again.rows) == (fluid.sentence, fluid.rows)


def test_what_no_form_drew_is_no_file():
    with pytest.raises(ValueError, match="cannot be drawn"):
        svg_file(Picture(FORMS["bars"](None).svg, "s"))


@pytest.mark.parametrize("name", ["lines", "triangle"])
def test_a_png_is_as_large_as_the_picture_and_has_its_colors(name):
    content = FORMATS["png"][1](FORMS[name](None))
    assert content.startswith(b"\x89PNG")
    wide, _ = struct.unpack(">II", content[16:24])
    assert wide == (WIDTH + 2 * PADDING) * DENSITY


def test_a_pdf_is_a_pdf():
    assert FORMATS["pdf"][1](FORMS["bars"](None)).startswith(b"%PDF-")


def test_names_in_a_file_are_harmless_too():
    evil = bars([1], ["<script>"], sentence="<script>", heads=("a", "b"))
    assert b"<script" not in svg_file(evil)


def test_a_csv_has_numbers_that_programs_read_and_what_it_rests_on():
    picture = replace(
        bars([1234, -0.5], ["=SUM(1)", "003"], sentence="Two bars.", heads=("thing", "value")),
        caption="On 2 topics.",
    )
    rows = list(csv.reader(io.StringIO(FORMATS["csv"][1](picture).decode())))
    assert rows[:3] == [["thing", "value"], ["'=SUM(1)", "1234"], ["003", "-0.5"]]
    assert rows[3:] == [[], ["Two bars."], ["On 2 topics."]]
