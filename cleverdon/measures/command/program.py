"""The command, from its arguments to its exit status; what scores is slow to import, and waits."""

from collections.abc import Sequence
from typing import TextIO

from cleverdon.measures.command import helptext
from cleverdon.measures.command.options import Options, UsageError


def main(
    arguments: Sequence[str], out: TextIO, err: TextIO, program: str = "cleverdon evaluate"
) -> int:
    """Run the command; return its exit status: 0, or 1 after a line on `err` for each error.

    `program` is how it was called.
    """
    try:
        options = Options.read(arguments, program)
        if options.wants == "scores":
            from cleverdon.measures.command.scoring import print_scores  # noqa: PLC0415 - numpy

            return print_scores(options, out, err)
        if options.wants == "help":
            out.write(helptext.text(options))
        else:
            err.write(helptext.VERSION)
    except UsageError as error:
        err.write(f"{program}: {error} Try -h.\n")
    except ValueError as error:
        err.write(f"{program}: {error}\n")
    else:
        return 0
    return 1
