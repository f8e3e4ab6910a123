"""Every command that a page of the documentation shows is run, or stands in a list with why not.

The fenced blocks of `sh`, lines with a `$` before them, and what stands in a line as code.
"""

import gzip
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import get_commands

from cleverdon.commands import COMMANDS
from tests.deployment import ROOT

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
FENCED = re.compile(r"^ *```(\w*)\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)
# What a command begins with, and why it is not run here.
NOT_RUN = {
    "make demo": "tests/e2e/test_demo.py starts what it starts",
    "make test": "it is what runs this",
    "docker ": "there is no Docker",
    "python3 -m venv": "no network: the gate does both",
    ".venv/bin/pip ": "no network: the gate does both",
    "pip install .": "tests/e2e/test_installing.py installs what it does",
    ".venv/bin/python manage.py migrate": "the demo of tests/e2e/test_demo.py begins with it",
    "curl ": "a site and a token; tests/browser/test_tokens.py reads what the page shows of it",
    "cleverdon login ": "a site and a token: tests/client does what these do",
    "cleverdon runs submit ": "the same",
    "cleverdon get ": "the same",
    "cleverdon watch ": "the same",
    "cleverdon api ": "the same",
    "ir_datasets ": "no package of ours, and it fetches data",
    "pg_dump": "tests/e2e/test_operations.py runs it",
    "pg_restore": "tests/e2e/test_operations.py runs it",
    "tar ": "tests/e2e/test_operations.py runs it",
    "mkdir ": "tests/e2e/test_operations.py runs it",
    "cut ": "tests/web/test_from_my_files.py runs it",
    "sed ": "tests/web/test_from_my_files.py runs it",
    "awk ": "tests/web/test_from_my_files.py runs it",
    "gzip ": "tests/web/test_from_my_files.py runs it",
    "jq -nc ": "tests/web/test_from_my_files.py runs it",
    "jq -c ": "tests/web/test_from_my_files.py runs it",
}
COLLECTS = " -m pytest "
# What is added to a command so that it does nothing but begin, or leaves nothing behind.
ADDED = {COLLECTS: " --collect-only -q -n 0", "manage.py collectstatic": " --dry-run --verbosity 0"}


def commands() -> list[tuple[str, str]]:
    """The commands of all pages, each with its page."""
    found = []
    for page in PAGES:
        for language, text in FENCED.findall(page.read_text(encoding="utf-8")):
            lines = re.sub(r"\\\n\s*", "", text).splitlines()
            if language != "sh":
                lines = [line[2:] for line in lines if line.startswith("$ ")]
            bare = [re.sub(r"(^|\s{2,})#.*", "", line).strip() for line in lines]
            found += [(page.name, line) for line in bare if line]
    return found


def is_run(command: str) -> bool:
    return not command.startswith(tuple(NOT_RUN))


def test_every_block_says_what_it_is_written_in():
    """So that no command is taken for something else."""
    blocks = {page: FENCED.findall(page.read_text(encoding="utf-8")) for page in PAGES}
    assert [page.name for page, each in blocks.items() if "" in dict(each)] == []


def test_nothing_is_left_out_that_no_page_shows():
    shown = [command for _, command in commands()]
    assert [each for each in NOT_RUN if not any(c.startswith(each) for c in shown)] == []
    assert [each for each in ADDED if not any(each in c for c in shown)] == []


@pytest.fixture
def folder(tmp_path) -> Path:
    """An empty folder but for files of the names that the commands have."""
    run = "301 Q0 d1 1 2.5 one\n301 Q0 d2 2 1.5 one\n302 Q0 d1 1 3 one\n"
    files = {
        **dict.fromkeys(("qrels.txt", "example-qrels-v1.txt"), "301 0 d1 1\n302 0 d2 0\n"),
        **dict.fromkeys(("run.txt", "one.txt", "myrun.txt"), run),
        **dict.fromkeys(("two.txt", "runs/two.txt"), run.replace("one", "two")),
        **{f"{name}.txt": run.replace("one", name) for name in ("bm25", "dense")},
        "first-hour-qrels-v1.txt": "301 0 d1 1\n302 0 d2 0\n",
        "document-7-versions.jsonl": versions(),
    }
    for name, content in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(content)
    (tmp_path / "dense.txt.gz").write_bytes(gzip.compress(files["dense.txt"].encode()))
    # What pip installs, where it is not installed.
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "cleverdon").write_text('#!/bin/sh\nexec python -m cleverdon "$@"\n')
    (tmp_path / "bin" / "cleverdon").chmod(0o755)
    return tmp_path


def versions() -> str:
    """The example of a document's versions."""
    page = (ROOT / "docs" / "formats.md").read_text(encoding="utf-8")
    [found] = [text for _, text in FENCED.findall(page) if '"What it said."' in text]
    return found


def run(command: str, folder: Path) -> str:
    """Run a command in a folder, or the project's own in the project; return what it prints."""
    of_project = ".venv/bin/" in command
    for part, added in ADDED.items():
        command += added if part in command else ""
    command = command.replace(".venv/bin/", "")
    variables = {
        "PATH": f"{folder / 'bin'}:{Path(sys.executable).parent}:{os.environ['PATH']}",
        "HOME": str(folder),
        "VAR_DIR": str(folder / "var"),
        "PYTHONPATH": str(ROOT),
    }
    place = ROOT if of_project else folder
    done = subprocess.run(
        ["sh", "-ec", command],
        cwd=place,
        env=variables,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{command}\n{done.stdout[-2000:]}{done.stderr[-2000:]}"
    return done.stdout


def test_the_tests_that_a_command_names_are_there():
    """They are collected by `make test-deep`, which takes seconds each."""
    named = {
        word for _, each in commands() if COLLECTS in each for word in re.findall(r"tests\S+", each)
    }
    assert named
    assert [each for each in named if not (ROOT / each).exists()] == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("page", "command"),
    [
        pytest.param(*each, id=each[1][:60], marks=[pytest.mark.deep] * (COLLECTS in each[1]))
        for each in commands()
        if is_run(each[1])
    ],
)
def test_a_command_of_the_documentation_runs(page, command, folder):
    if command.startswith("jq ") and not shutil.which("jq"):
        pytest.skip("There is no jq on the path.")
    said = run(command, folder)
    if command.startswith("jq "):
        assert said.split()[0] == json.loads(versions().splitlines()[1])["sha256"]


INLINE = re.compile(r"`([^`\n]+)`")


def test_commands_within_a_line_are_there():
    """Modules, commands of manage.py and of the library, targets of make; with files of theirs they
    are run.
    """
    targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
    missing = []
    for page in PAGES:
        for code in INLINE.findall(page.read_text(encoding="utf-8")):
            modules = re.findall(r"\bpython3? -m ([\w.]+)", code)
            missing += [code for each in modules if not importlib.util.find_spec(each)]
            names = re.findall(r"\bmanage\.py (\w+)", code)
            missing += [code for each in names if each not in get_commands()]
            words = re.findall(r"^(?:.* -m )?cleverdon (\w+)\b(?! \d)", code)
            missing += [code for each in words if each not in COMMANDS]
            if code.startswith("make "):
                wanted = [each for each in code.split()[1:] if "=" not in each]
                missing += [code for each in wanted if each not in targets]
    assert missing == []


def inline_commands() -> list[str]:
    """Those within a line that name files of the folder."""
    found = {
        code
        for page in PAGES
        for code in INLINE.findall(page.read_text(encoding="utf-8"))
        if re.match(r"cleverdon (evaluate|pool) (-h|.*\bqrels\.txt)", code) and "…" not in code
    }
    return sorted(found)


@pytest.mark.parametrize("command", inline_commands())
def test_a_command_within_a_line_runs(command, folder):
    assert run(command, folder)


@pytest.mark.slow
def test_what_the_page_of_the_library_shows_of_a_notebook_runs(folder):
    page = (ROOT / "docs" / "command.md").read_text(encoding="utf-8")
    blocks = [text for language, text in FENCED.findall(page) if language == "python"]
    assert len(blocks) == 2
    for n, block in enumerate(blocks):
        (folder / f"{n}.py").write_text(block)
        run(f"python {n}.py", folder)
