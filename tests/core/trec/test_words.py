"""A number with its noun, and the verb that follows it, are written one way."""

import re

import pytest

from cleverdon.trec.words import counted, ordinal, verb
from tests.deployment import PACKAGES, ROOT

# A noun that follows its number and takes its "s" by hand: "{n:,} run{pluralize(n)}", or a
# conditional that does the same.
BY_HAND = re.compile(r"""\} [\w ]+\{(pluralize\([^,]*\)\}|(''|"") if )""")
# A verb that is chosen by its number: "{'has' if n == 1 else 'have'}", "wait{'s' if n == 1 else
# ''}", or by `pluralize`.
VERB_BY_HAND = re.compile(
    r"""["'](has|is|was|(\w*)s)["'] if .* == 1 else ["'](have|are|were|\2)["']|pluralize\([^()]*,"""
)


def test_a_number_has_thousands_separators_and_the_right_plural():
    said = ", ".join(counted(n, "run") for n in (0, 1, 2, 1200))
    assert said == "0 runs, 1 run, 2 runs, 1,200 runs"


def test_a_verb_follows_its_number():
    for forms in ("has have", "is are", "was were", "carries carry", "needs need"):
        of_one, of_several = forms.split()
        assert [verb(n, of_one) for n in (0, 1, 2)] == [of_several, of_one, of_several]


@pytest.mark.parametrize("by_hand", [BY_HAND, VERB_BY_HAND], ids=["noun", "verb"])
def test_neither_noun_nor_verb_is_made_plural_by_hand(by_hand):
    files = [path for package in PACKAGES for path in (ROOT / package).rglob("*.py")]
    assert len(files) > 200
    found = [
        f"{path.relative_to(ROOT)}: {line.strip()}"
        for path in files
        for line in path.read_text().splitlines()
        if by_hand.search(line)
    ]
    assert found == []


def test_places_are_written_as_they_are_said():
    written = [ordinal(n) for n in (1, 2, 3, 4, 11, 13, 22, 103, 111)]
    assert written == ["1st", "2nd", "3rd", "4th", "11th", "13th", "22nd", "103rd", "111th"]
