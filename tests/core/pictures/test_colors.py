"""Marks and text are told from what they lie on, in both schemes, by the numbers of WCAG 2."""

import re
from collections.abc import Iterator
from itertools import pairwise

import pytest

from docs.light import MIXTURE, STYLES, mixed
from tests.core.pictures.drawn import drawn
from tests.core.pictures.forms import BARE, DRAWN

SHEET = (STYLES / "pictures.css").read_text()
TOKENS = re.findall(
    r"--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)", (STYLES / "base.css").read_text()
)
RULES = re.findall(r"^  \.picture (\S+) \{(.*)\}$", SHEET, re.MULTILINE)
# What only helps the eye or shades what another mark bounds; the steps of a heat map begin at
# nothing, and have a key and a table.
FAINT = {".grid", ".base", ".area", ".band", ".zone", ".framed", ".bar.nothing"}
FAINT |= {f".shade-{n}" for n in (0, 1, 2, 3, 4, "none")}
TEXT = {"text", ".strong", ".label", ".label.mine", ".label.second", ".label.others"}


def in_scheme(text: str, scheme: str) -> str:
    """A rule with its colors as they are in one scheme."""
    text = text.replace("var(--ground)", "var(--raised)")
    for name, light, dark in TOKENS:
        text = text.replace(f"var(--{name})", light if scheme == "light" else dark)
    return MIXTURE.sub(mixed, text)


def contrast(one: str, other: str) -> float:
    def luminance(color: str) -> float:
        parts = [int(color[n : n + 2], 16) / 255 for n in (1, 3, 5)]
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
        return sum(w * c for w, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))

    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def edges(scheme: str) -> Iterator[tuple[str, str]]:
    """Each mark with the color of its edge: that of its stroke, unless that is what it lies on, or
    else of its fill.
    """
    raised = in_scheme("var(--raised)", scheme)
    for selector, rule in RULES:
        colors = dict(re.findall(r"(fill|stroke): (#[0-9a-f]{6})", in_scheme(rule, scheme)))
        shown = [colors[name] for name in ("stroke", "fill") if colors.get(name, raised) != raised]
        if shown:
            yield selector, shown[0]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_marks_have_3_to_1_and_text_has_4_and_a_half(scheme):
    raised = in_scheme("var(--raised)", scheme)
    found = {selector: contrast(color, raised) for selector, color in edges(scheme)}
    assert len(found) > 35
    faint = {
        selector: round(ratio, 2)
        for selector, ratio in found.items()
        if ratio < (4.5 if selector in TEXT else 3)
    }
    allowed = FAINT | {
        f"{area}.{whose}" for area in (".area", ".band") for whose in ("mine", "others", "second")
    }
    assert set(faint) - allowed == set(), faint


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_ink_is_legible_on_every_shaded_cell_of_a_table(scheme):
    ink = in_scheme("var(--ink)", scheme)
    cells = re.findall(r"\.heat-\d \{ background: (.*?); \}", SHEET)
    assert len(cells) == 6
    assert all(contrast(ink, in_scheme(cell, scheme)) >= 4.5 for cell in cells)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_neighboring_shades_can_be_told_apart(scheme):
    shades = [
        in_scheme(rule, scheme) for selector, rule in RULES if re.fullmatch(r"\.shade-\d", selector)
    ]
    colors = [re.search("#[0-9a-f]{6}", rule)[0] for rule in shades]
    ratios = [contrast(a, b) for a, b in pairwise(colors)]
    assert len(ratios) == 5
    assert min(ratios) > 1.12


@pytest.mark.parametrize("name", DRAWN)
def test_every_class_of_a_mark_has_a_rule_or_is_a_bare_name(name):
    found = {
        each for mark in drawn(DRAWN[name]).root.iter() for each in mark.get("class", "").split()
    }
    assert {each for each in found - BARE if not re.search(rf"\.{each}\b", SHEET)} == set()


def test_the_room_at_the_left_is_that_of_the_canvas():
    from cleverdon.pictures.canvas import MARGINS, Canvas

    rooms = {
        int(n): float(room) for n, room in re.findall(r"\.left-(\d+) \{ --left: ([\d.]+)px", SHEET)
    }
    assert rooms == {n: pytest.approx(Canvas(9, margin=n).left) for n in MARGINS if n}


WORDS = dict(
    re.findall(
        r"--((?:mark|line|ink)-\w+): light-dark\((#[0-9a-f]{6}, #[0-9a-f]{6})\)",
        (STYLES / "judging.css").read_text(),
    )
)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_highlighted_words_are_legible_and_their_lines_are_seen(scheme):
    """On the paper of a document and on the panel of a topic, in ink and in the color of what is
    quiet.
    """
    of_word = {name: pair.split(", ")[scheme == "dark"] for name, pair in WORDS.items()}
    grounds = [in_scheme(f"var(--{name})", scheme) for name in ("paper", "sunk", "raised")]
    ink = in_scheme("var(--ink)", scheme)
    for name in ("topic", *range(1, 6)):
        mark, line = of_word[f"mark-{name}"], of_word[f"line-{name}"]
        assert contrast(ink, mark) >= 4.5, name
        assert min(contrast(line, ground) for ground in [*grounds, mark]) >= 3, name
    assert contrast(of_word["ink-hit"], of_word["mark-hit"]) >= 4.5


def test_no_two_marks_of_words_have_the_same_line():
    sheet = (STYLES / "judging.css").read_text()
    marks = r"::highlight\(words-(?:rare|common|\d)\)[^{]*\{[^}]*text-decoration: (.*?px)"
    lines = re.findall(marks, sheet)
    assert len(lines) == len(set(lines)) == 7
