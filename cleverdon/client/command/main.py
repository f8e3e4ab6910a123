"""A command, from its arguments to its exit status: 0, 1 for what failed, 2 for wrong usage."""

from __future__ import annotations

import signal
import sys
from importlib import import_module
from typing import TYPE_CHECKING

from cleverdon.client.command.parser import parsed
from cleverdon.client.errors import NOT_FOUND, UNCONFIRMED, ClientError, Problem

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Sequence

NOT_INSTALLED = (
    'The client needs httpx and rich: pip install ".[client]" in the folder of the repository.\n'
)
CHECK = "Check the names, also of the campaign: cleverdon campaigns list has yours.\n"


def main(arguments: Sequence[str]) -> int:
    """Run a command; what is wrong is said in a line or two on standard error."""
    options = parsed(arguments)
    # A connection that is cut is no reader of the output that has ended: it must not end all.
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    module, _, name = options.does.partition(".")
    does: Callable[[argparse.Namespace], int]
    try:
        does = getattr(import_module(f"cleverdon.client.command.{module}"), name)
        return does(options)
    except Problem as problem:
        sys.stderr.write(f"{problem}\n{_remedy(problem, options)}")
    except ClientError as error:
        sys.stderr.write(f"{error}\n")
    except ModuleNotFoundError:
        sys.stderr.write(NOT_INSTALLED)
    return 1


def _remedy(problem: Problem, options: argparse.Namespace) -> str:
    """Return what to do about a refusal, in a line of its own, "" if there is nothing to add."""
    if problem.kind == UNCONFIRMED and hasattr(options, "accept"):
        return "If you want that, say it again with --accept.\n"
    if problem.status == NOT_FOUND:
        return CHECK
    # What the site advises is of its protocol: for those who speak it themselves.
    return f"{problem.remedy}\n" if options.does == "others.api" else ""
