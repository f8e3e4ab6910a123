"""The keys of judging: what each does, the usual ones, and those that a person has chosen instead."""

from collections.abc import Mapping
from typing import NamedTuple


class Key(NamedTuple):
    """An act of judging that a key does; `usual` is that key."""

    name: str
    usual: str
    does: str


# Digits and the minus sign are the grades of a scale, so they are nobody's to choose.
KEYS = (
    Key("later", "l", "later: the document comes back at the end"),
    Key("cannot_judge", "x", "cannot judge, with a reason"),
    Key("missing", "m", "cannot judge: missing or unreadable, where there is nothing to read"),
    Key("comment", "c", "write a comment"),
    Key("undo", "u", "undo: take the last judgment back, then the one before it"),
    Key("redo", "r", "redo: give the judgment that you undid again"),
    Key("next", "n", "next document, without judging"),
    Key("previous", "p", "previous document, without judging"),
    Key("next_hit", "h", "next hit of a highlighted word"),
    Key("previous_hit", "g", "previous hit of a highlighted word"),
    Key("word", "w", "add a word of your own"),
    Key("topic", "t", "show or hide the topic"),
    Key("documents", "d", "show or hide the list of your documents"),
    Key("reading", "a", "text size, line width and typeface"),
    Key("evidence", "e", "mark the selected passage as evidence, where a campaign takes any"),
    Key("ask", "q", "ask the organizers about the document or the topic"),
    Key("help", "?", "show the list of keys"),
)
USUAL: Mapping[str, str] = {key.name: key.usual for key in KEYS}


def keys_of(chosen: Mapping[str, str]) -> dict[str, str]:
    """Return the key of each act, of those chosen where they name one.

    >>> keys_of({"later": "z", "unheard of": "y"})["later"], keys_of({})["undo"]
    ('z', 'u')
    """
    return {name: chosen.get(name, usual) for name, usual in USUAL.items()}


def fault_of(key: str) -> str:
    """Return why this cannot be the key of an act; "" if it can.

    >>> fault_of("é"), fault_of("/"), fault_of(" "), fault_of("4")
    ('', '', 'One character that can be seen.', 'Digits and the minus sign are for grades.')
    """
    if len(key) != 1 or not key.isprintable() or key.isspace():
        return "One character that can be seen."
    if key.isdigit() or key == "-":
        return "Digits and the minus sign are for grades."
    return ""


def shared(keys: Mapping[str, str]) -> dict[str, list[str]]:
    """Return the keys that more than one act has, with the names of those acts.

    >>> shared({"later": "l", "undo": "u", "redo": "l"})
    {'l': ['later', 'redo']}
    """
    names: dict[str, list[str]] = {}
    for name, key in keys.items():
        names.setdefault(key, []).append(name)
    return {key: those for key, those in names.items() if len(those) > 1}
