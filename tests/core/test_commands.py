"""The command `cleverdon`, and `python -m evaluation` in the site's folder, as they are called."""

import subprocess
import sys

import pytest

import cleverdon
from cleverdon.client.site import Client
from cleverdon.measures.interface import Scored, evaluate
from tests.deployment import ROOT


def done(*arguments: str) -> tuple[int, str, str]:
    command = [sys.executable, "-m", *arguments]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    return ended.returncode, ended.stdout, ended.stderr


@pytest.mark.parametrize("asked", ["-h", "--help"])
def test_its_help_names_its_commands(asked):
    status, out, err = done("cleverdon", asked)
    assert (status, err) == (0, "")
    assert "\ncleverdon pool depth -k N run…\n" in f"\n{out}"


@pytest.mark.parametrize("words", [[], ["score"]])
def test_without_a_command_that_it_has_it_says_which_there_are(words):
    status, out, err = done("cleverdon", *words)
    assert (status, out) == (2, "")
    assert err.endswith(done("cleverdon", "-h")[1])
    assert [word for word in words if f"does not know {word}." not in err] == []


@pytest.mark.parametrize(
    ("called", "itself"),
    [(["cleverdon", "evaluate"], "cleverdon evaluate"), (["evaluation"], "evaluation")],
)
def test_the_command_calls_itself_as_it_was_called(called, itself):
    usage = f"{itself} [options] qrels run…"
    said = f"{itself}: Name a file of judgments and at least one run: {usage} Try -h.\n"
    assert done(*called) == (1, "", said)
    assert done(*called, "-h")[1].startswith(f"{usage}\n\nScore runs against judgments")


@pytest.mark.parametrize("called", [["cleverdon", "evaluate"], ["evaluation"]])
@pytest.mark.parametrize("asked", ["--help", "--version", "--cutoff"])
def test_what_scores_nothing_does_not_wait_for_numpy(called, asked):
    loaded = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", *called, asked],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    ).stderr
    assert "cleverdon.measures.command.options" in loaded
    assert "numpy" not in loaded


def test_both_ways_to_call_it_print_the_same(tmp_path):
    qrels, run = tmp_path / "q", tmp_path / "r"
    qrels.write_text("1 0 d1 1\n1 0 d2 0\n")
    run.write_text("1 Q0 d2 1 2 t\n1 Q0 d1 2 1 t\n")
    asked = ["-q", "-m", "all_trec", str(qrels), str(run)]
    one, other = done("cleverdon", "evaluate", *asked), done("evaluation", *asked)
    assert one == other
    assert "\nmap                   \tall\t0.5000\n" in one[1]


def test_pools_are_a_command_too():
    status, out, _ = done("cleverdon", "pool", "-h")
    assert status == 0
    assert out.startswith("usage: cleverdon pool ")


def test_the_package_has_what_notebooks_import_and_nothing_else():
    assert (cleverdon.evaluate, cleverdon.Scored) == (evaluate, Scored)
    assert cleverdon.Client is Client
    with pytest.raises(AttributeError, match="no attribute 'score'"):
        _ = cleverdon.score


def test_importing_the_package_alone_imports_no_numpy():
    code = "import sys, cleverdon; print('numpy' in sys.modules); from cleverdon import evaluate"
    ended = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert ended.stdout == "False\n"


HELPED = [
    ["--help"],
    ["runs", "--help"],
    ["runs", "submit", "--help"],
    ["get", "--help"],
    ["login", "--help"],
    ["campaigns", "create", "--help"],
]


@pytest.mark.parametrize("words", HELPED)
def test_help_imports_nothing_slow(words):
    code = (
        "import sys; from cleverdon.commands import main\n"
        f"sys.argv = ['cleverdon', *{words}]\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "print({'numpy', 'httpx', 'rich', 'django'} & set(sys.modules))"
    )
    ended = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert ended.stdout.endswith("\nset()\n")
