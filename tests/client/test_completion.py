"""What a shell offers where Tab is pressed, asked of the shell itself."""

import os
import re
import shlex
import shutil
import subprocess
import sys

import pytest

from cleverdon.client.command.completing import words
from cleverdon.commands import COMMANDS
from tests.deployment import ROOT

# What is typed, with what is offered; None for files.
OFFERED = {
    "": {*COMMANDS},
    "ru": {"runs"},
    "--h": {"--help"},
    "evaluate qr": None,
    "runs ": {"check", "submit", "list", "report", "withdraw"},
    "runs sub": {"submit"},
    "runs submit --m": {"--manual"},
    "runs submit alpha.txt --ta": {"--tag"},
    "runs submit --description --tag --j": {"--json"},
    "get --sort qr": None,
    "runs submit qr": None,
    "campaigns create --from qr": None,
    "campaigns create --f": {"--from"},
    "get judg": {"judgments", "judgment-events"},
    "api P": {"POST"},
    "--": {"--help"},
    "get shared": {"shared-topics"},
    "completion ": {"bash", "zsh", "fish"},
}
BASH = """
eval "$(cleverdon completion bash)"
COMP_WORDS=({words}) COMP_CWORD={place}
_cleverdon
[ ${{#COMPREPLY[@]}} = 0 ] || printf '%s\\n' "${{COMPREPLY[@]}}"
complete -p cleverdon
"""
ZSH = """
autoload -Uz compinit && compinit -u -d {folder}/dump
compadd() {{ shift; printf '%s\\n' "$@" }}
_files() {{ print files }}
eval "$(cleverdon completion zsh)"
words=({words}) CURRENT={place}
(( CURRENT++ ))
_cleverdon
"""
FISH = """
cleverdon completion fish | source
complete -C {line}
"""


@pytest.fixture
def shell(tmp_path):
    """Run a shell in a folder with one file, where the command is installed."""
    command = tmp_path / "bin" / "cleverdon"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec {sys.executable} -m cleverdon "$@"\n')
    command.chmod(0o755)
    folder = tmp_path / "here"
    folder.mkdir()
    (folder / "qrels.txt").touch()
    path = f"{command.parent}:{os.environ['PATH']}"
    variables = {"PATH": path, "HOME": str(tmp_path), "PYTHONPATH": str(ROOT), "LC_ALL": "C.UTF-8"}

    def run(name, *options, script):
        if not shutil.which(name):
            pytest.skip(f"{name} is not installed")
        done = subprocess.run(
            [name, *options, "-c", script],
            cwd=folder,
            env=variables,
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, "")
        return done.stdout.splitlines()

    return run


def of_words(typed: str) -> dict[str, object]:
    words = ["cleverdon", *typed.split(" ")]
    return {"words": shlex.join(words), "place": len(words) - 1}


@pytest.mark.parametrize("typed", OFFERED)
def test_bash_offers_the_words_of_the_parser_and_else_files(shell, typed):
    *offered, registered = shell("bash", script=BASH.format(**of_words(typed)))
    assert set(offered) == (OFFERED[typed] or set())
    assert registered == "complete -o default -F _cleverdon cleverdon"


@pytest.mark.parametrize("typed", OFFERED)
def test_zsh_offers_them(shell, typed, tmp_path):
    script = ZSH.format(folder=tmp_path, **of_words(typed))
    assert set(shell("zsh", "-f", script=script)) == (OFFERED[typed] or {"files"})


@pytest.mark.parametrize("typed", OFFERED)
def test_fish_offers_them(shell, typed):
    line = shlex.quote(f"cleverdon {typed}")
    offered = {each.split("\t")[0] for each in shell("fish", script=FISH.format(line=line))}
    assert offered >= (OFFERED[typed] or {"qrels.txt"})
    assert OFFERED[typed] is None or offered <= OFFERED[typed] | {"qrels.txt"}


def test_every_list_of_a_campaign_is_offered():
    there = re.findall(
        r"^\| GET[^|]*\| `campaigns/<slug>/([a-z-]+)/` \|",
        (ROOT / "docs/addresses.md").read_text(),
        re.MULTILINE,
    )
    assert len(there) > 30
    assert {*there} <= {*words(["get", ""])}


def test_no_word_of_the_client_is_offered_to_what_works_on_files():
    assert words(["evaluate", "ru"]) == words(["pool", "depth", ""]) == []
