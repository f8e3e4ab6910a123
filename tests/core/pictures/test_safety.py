"""Whatever names and addresses are, they do no harm; no mark has a color or style of its own."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cleverdon.pictures.bars import bars
from cleverdon.pictures.canvas import Canvas
from cleverdon.pictures.lines import Point, Rule, Series, lines
from cleverdon.pictures.markup import UNWRITABLE, Drawn, address
from cleverdon.pictures.strips import grade_strip
from tests.core.pictures.drawn import drawn
from tests.core.pictures.forms import DRAWN, FORMS

EVIL = "<script>alert(1)</script>\"'&]]>\x00\x1b\ud800"


def test_names_that_look_like_markup_are_text():
    words, series = (
        dict.fromkeys(("sentence", "x_name", "y_name"), EVIL),
        Series(EVIL, [1, 2], [3, 4]),
    )
    marks = {"points": [Point(1, 3, EVIL, EVIL)], "rules": [Rule(2, EVIL)]}
    drawing = drawn(lines([series], **words, **marks, width=600))
    assert not drawing.all("script")
    assert sum("<script>alert(1)</script>" in text for text in drawing.texts) == 5
    assert "<script>" in drawing.root.get("aria-label")


@given(st.text())
def test_any_text_is_read_back_but_for_what_xml_cannot_write(text):
    canvas = Canvas(10)
    canvas.text("label", (0, 0), text)
    [read] = drawn(canvas.svg("cell", "")).texts
    kept = text.replace("\r\n", "\n").replace("\r", "\n").translate(UNWRITABLE)
    assert (read or "") == kept


@pytest.mark.parametrize(
    "href",
    [
        *(f"{start}script:alert(1)" for start in ("java", "Java", "java\n", " java", "\x01java")),
        *(f"{start}example.org/" for start in ("https://", "//", "///", "/\\", "\\\\")),
        "data:text/html,x",
    ],
)
def test_only_addresses_of_this_site_are_linked(href):
    with pytest.raises(ValueError, match="no address of this site"):
        address(href)


@pytest.mark.parametrize(
    "href", ["/campaigns/x/?a=1&b=2", "#topic-1", "?page=2", "runs/", "/a%22b"]
)
def test_addresses_of_this_site_are_kept(href):
    picture = bars([1], ["a"], sentence="s", heads=("n", "v"), hrefs=[href])
    assert drawn(picture).hrefs == [href]


def test_a_link_of_a_bar_is_checked():
    with pytest.raises(ValueError, match="no address"):
        grade_strip([1], highest=1, sentence="s", hrefs=["javascript:x"], titles=["a"])


@pytest.mark.parametrize("name", DRAWN)
def test_marks_have_classes_only(name):
    for svg in (DRAWN[name], FORMS[name](640).svg if name in FORMS else DRAWN[name]):
        for mark in drawn(svg).root.iter():
            found = set(mark.attrib) & {"style", "fill", "stroke", "color", "font-size", "onclick"}
            assert not found


@pytest.mark.parametrize("name", DRAWN)
def test_templates_write_a_picture_as_it_is(name):
    svg = DRAWN[name]
    assert isinstance(svg, Drawn)
    assert svg.__html__() is svg
