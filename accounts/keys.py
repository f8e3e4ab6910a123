"""The keys of judging: what each does, the usual ones, and those that a person has chosen."""

from collections.abc import Mapping
from typing import NamedTuple


class JudgingKey(NamedTuple):
    """An act of judging and its usual key."""

    name: str
    usual: str
    does: str


# Digits and the minus sign are for grades, so they cannot be chosen.
KEYS = (
    JudgingKey("later", "l", "later: the document comes back at the end"),
    JudgingKey("cannot_judge", "x", "cannot judge, with a reason"),
    JudgingKey(
        "missing", "m", "cannot judge: missing or unreadable, where there is nothing to read"
    ),
    JudgingKey("comment", "c", "write a comment"),
    JudgingKey("undo", "u", "undo: take the last judgment back, then the one before it"),
    JudgingKey("redo", "r", "redo: give the judgment that you undid again"),
    JudgingKey("next", "n", "next document, without judging"),
    JudgingKey("previous", "p", "previous document, without judging"),
    JudgingKey("next_hit", "h", "next hit of a highlighted word"),
    JudgingKey("previous_hit", "g", "previous hit of a highlighted word"),
    JudgingKey("word", "w", "add a word of your own"),
    JudgingKey("find", "/", "find in the text, or in the list of your documents"),
    JudgingKey("topic", "t", "show or hide the topic"),
    JudgingKey("documents", "d", "show or hide the list of your documents"),
    JudgingKey("reading", "a", "text size, line width and typeface"),
    JudgingKey(
        "evidence", "e", "mark the selected passage as evidence, where a campaign takes any"
    ),
    JudgingKey("ask", "q", "ask the organizers about the document or the topic"),
    JudgingKey("help", "?", "show the list of keys"),
)
USUAL: Mapping[str, str] = {key.name: key.usual for key in KEYS}


def keys_of(chosen: Mapping[str, str]) -> dict[str, str]:
    """Return the key of each act, chosen or usual.

    >>> keys_of({"later": "z", "unheard of": "y"})["later"], keys_of({})["undo"]
    ('z', 'u')
    """
    return {name: chosen.get(name, usual) for name, usual in USUAL.items()}


def fault_of(key: str) -> str:
    """Say why this cannot be the key of an act; "" if it can.

    >>> fault_of("é"), fault_of("/"), fault_of(" "), fault_of("4")
    ('', '', 'One character that can be seen.', 'Digits and the minus sign are for grades.')
    """
    if len(key) != 1 or not key.isprintable() or key.isspace():
        return "One character that can be seen."
    if key.isdigit() or key == "-":
        return "Digits and the minus sign are for grades."
    return ""


def shared(keys: Mapping[str, str]) -> dict[str, list[str]]:
    """Return the keys of more than one act, with the names of these acts.

    >>> shared({"later": "l", "undo": "u", "redo": "l"})
    {'l': ['later', 'redo']}
    """
    names: dict[str, list[str]] = {}
    for name, key in keys.items():
        names.setdefault(key, []).append(name)
    return {key: acts for key, acts in names.items() if len(acts) > 1}
