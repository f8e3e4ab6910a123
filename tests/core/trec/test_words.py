"""A number with its noun is written one way."""

import re
from pathlib import Path

from trec.words import counted

ROOT = Path(__file__).parents[3]
APPS = ("trec", "pictures", "accounts", "campaigns", "pooling", "assess", "evaluation", "overview", "demo", "config")  # fmt: skip
# A noun that follows its number and takes its "s" by hand: "{n:,} run{pluralize(n)}", or a conditional that does the same.
BY_HAND = re.compile(r"""\} [\w ]+\{(pluralize\([^,]*\)\}|(''|"") if )""")


def test_a_number_has_thousands_separators_and_the_right_plural():
    assert [counted(n, "run") for n in (0, 1, 2, 1200)] == ["0 runs", "1 run", "2 runs", "1,200 runs"]  # fmt: skip


def test_no_noun_is_made_plural_by_hand():
    files = [path for app in APPS for path in (ROOT / app).rglob("*.py")]
    assert len(files) > 200
    found = [
        f"{path.relative_to(ROOT)}: {line.strip()}"
        for path in files
        for line in path.read_text().splitlines()
        if BY_HAND.search(line)
    ]
    assert found == []
