"""What each command says of itself."""

import argparse

import pytest

from cleverdon.client.command.main import main
from cleverdon.client.command.parser import parsed, parser
from cleverdon.commands import COMMANDS, USAGE, WITH_A_SITE
from cleverdon.commands import main as program
from cleverdon.version import VERSION


def every(of: argparse.ArgumentParser):
    """Every command's parser, with the words that lead to it."""
    groups = [each for each in vars(of)["_actions"] if isinstance(each.choices, dict)]
    for each in (its for group in groups for its in group.choices.values()):
        yield each
        yield from every(each)


PARSERS = {each.prog: each for each in every(parser())}


@pytest.mark.parametrize("command", PARSERS)
def test_each_command_has_examples_in_80_columns(command, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    said = PARSERS[command].format_help()
    assert f"\nexamples:\n  {command}" in said
    assert max(map(len, said.splitlines())) <= 80


@pytest.mark.parametrize("command", PARSERS)
def test_each_example_is_one_that_the_command_takes(command, capsys):
    from shlex import split

    examples = PARSERS[command].epilog.splitlines()[1:]
    for example in examples:
        name, *words = split(example.partition(" < ")[0].partition(" > ")[0])
        assert name == "cleverdon"
        assert parsed(words).does


def test_the_usage_names_each_command():
    assert {command.split()[1] for command in PARSERS} == set(WITH_A_SITE)
    assert [name for name in COMMANDS if f"cleverdon {name}" not in USAGE] == []


def test_what_was_typed_wrongly_is_told_by_its_own_usage(capsys):
    with pytest.raises(SystemExit):
        main(["runs", "submit"])
    assert capsys.readouterr().err.startswith("usage: cleverdon runs submit ")


def test_the_version_is_said_and_an_unknown_word_is_named(monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["cleverdon", "--version"])
    assert (program(), capsys.readouterr().out) == (0, f"cleverdon {VERSION}\n")
    monkeypatch.setattr("sys.argv", ["cleverdon", "nonsense"])
    assert program() == 2
    assert capsys.readouterr().err.startswith("cleverdon does not know nonsense. It knows:\n")
