"""Who may do what: the page of the handbook that is made from the tables of verbs."""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

from accounts.access import Verb, Verbs
from campaigns.access.roles import is_not_archived

ROOT = Path(__file__).resolve().parent.parent
# A comment of Markdown, which no reader of the site sees.
INTRODUCTION = """# Who may do what

[//]: # (Made from the tables of verbs, */access*, by python -m docs.generate.)

An act is for the people in the second column; the third one says when it is refused all the same,
for which the page gives the reason in a sentence. To strangers a campaign does not exist.
**In an archived campaign** whatever would change it is refused, but restoring it.
"""


def tables() -> list[type[Verbs]]:
    """Return every table, in the order of the floors that their apps are on."""
    for path in sorted(ROOT.glob("*/access*")):
        for file in [path] if path.suffix else sorted(path.glob("[a-z]*.py")):
            import_module(".".join(file.relative_to(ROOT).with_suffix("").parts))
    return Verbs.__subclasses__()


def all_verbs() -> Iterator[tuple[type[Verbs], str, Verb[Any]]]:
    """Yield each verb with its table and its name."""
    for table in tables():
        for name, verb in vars(table).items():
            if isinstance(verb, Verb):
                yield table, name, verb


def rules_of(verb: Callable[..., None]) -> Iterator[Callable[..., None]]:
    """Yield the rules of a verb, and those of the verbs among them."""
    if not isinstance(verb, Verb):
        yield verb
        return
    for rule in verb.rules:
        yield from rules_of(rule)


def page() -> str:
    nouns: dict[str, list[str]] = {}
    for table, name, verb in all_verbs():
        nouns.setdefault(_words(table.__name__), []).append(_row(name, verb))
    parts = (
        "\n".join([f"\n## {noun}\n", "| act | who | refused |", "|---|---|---|", *rows, ""])
        for noun, rows in sorted(nouns.items())
    )
    return INTRODUCTION + "".join(parts)


def _row(name: str, verb: Verb[Any]) -> str:
    rules = list(rules_of(verb))
    people, refused = said_by(rules, "Let (.*) pass"), said_by(rules, "Refuse (.*)")
    # The introduction says it of every change.
    refused = [each for each in refused if each not in said_by([is_not_archived])]
    return f"| {_words(name)} | {'; of these only '.join(people)} | {'; '.join(refused)} |"


def said_by(
    rules: Iterable[Callable[..., None]], form: str = "Let (.*) pass|Refuse (.*)"
) -> list[str]:
    """Return what the docstrings of rules say in sentences of this form, each once."""
    found = (re.fullmatch(rf"(?:{form})\.", text) for rule in rules for text in _paragraphs(rule))
    return [*dict.fromkeys(each[each.lastindex or 0].rstrip(",") for each in found if each)]


def _paragraphs(rule: Callable[..., None]) -> list[str]:
    function, given = (rule.func, rule.args) if isinstance(rule, partial) else (rule, ())
    text = (function.__doc__ or "").format(*given)
    return [" ".join(each.split()) for each in text.split("\n\n")]


def _words(name: str) -> str:
    """Return the words of a name in Python: "QrelsVersions" gives "Qrels versions"."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])|_", " ", name).capitalize()
