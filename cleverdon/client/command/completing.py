"""Words that a shell offers where Tab is pressed: those that the parser takes there."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from cleverdon.client.command.parser import OFFERED, commands_of, parser

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

# Each asks this command for the words, and without any offers the names of files.
SHELLS = {
    "bash": """\
_cleverdon() {
    local IFS=$'\\n'
    COMPREPLY=($(cleverdon completion bash "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _cleverdon cleverdon
""",
    "zsh": """\
#compdef cleverdon
_cleverdon() {
    local -a offered=(${(f)"$(cleverdon completion zsh "${(@)words[2,CURRENT]}" 2>/dev/null)"})
    (( $#offered )) && compadd -- $offered || _files
}
compdef _cleverdon cleverdon
""",
    "fish": """\
complete -c cleverdon -a '(
    cleverdon completion fish (commandline -opc)[2..] "$(commandline -ct)" 2>/dev/null
)'
""",
}


def complete(options: argparse.Namespace) -> int:
    """Print what a shell reads as it begins or, once that asks, the words for what is typed."""
    if options.typed:
        sys.stdout.writelines(f"{each}\n" for each in words(options.typed))
    else:
        sys.stdout.write(SHELLS[options.shell])
    return 0


def words(typed: Sequence[str]) -> list[str]:
    """Return the words that the last one typed may become.

    >>> words(["runs", "sub"]), words(["runs", "list", "--js"]), words(["api", "P"])
    (['submit'], ['--json'], ['POST'])
    """
    *before, begun = typed
    if before and before[0] in OFFERED["cleverdon"]:
        return []  # files
    at, awaited = parser(), False
    for word in before:
        # What follows an option that takes a value is one, whatever it looks like.
        awaited = not awaited and word in _options(at, with_values=True)
        at = commands_of(at).get(word, at)
    if awaited:
        return []
    offered = _options(at) if begun.startswith("-") else _known(at)
    return [each for each in offered if each.startswith(begun)]


def _options(at: Any, *, with_values: bool = False) -> list[str]:
    return [
        name
        for action in vars(at)["_actions"]
        for name in action.option_strings
        if action.nargs != 0 or not with_values
    ]


def _known(at: Any) -> list[str]:
    """Return the words that may stand at a place of their own, without options."""
    places = [each for each in vars(at)["_actions"] if not each.option_strings]
    known = [word for each in places for word in each.choices or ()]
    return [*known, *OFFERED.get(at.prog, ())]
