"""The command `cleverdon`, whose first word says what it does, on files or with a site."""

import gc
import os
import signal
import sys
from collections.abc import Callable, Sequence

from cleverdon.version import VERSION

USAGE = """\
cleverdon evaluate [options] qrels run…
    score runs against judgments, as trec_eval does
cleverdon pool depth -k N run…
    the depth pool of runs
cleverdon runs check|submit|list|report|withdraw [options] …
    run files checked as a site does, and sent to it
cleverdon get [options] board|scores|qrels|pool|topics|…
    what a campaign has, as a table, as a file, as JSON or CSV
cleverdon campaigns list|create|export [options] …
    campaigns, also made as a file says
cleverdon watch JOB, cleverdon api GET|POST PATH …
    a job waited for; whatever else a site does for programs
cleverdon login URL, cleverdon logout
    the access token of a site
cleverdon completion bash|zsh|fish
    what makes a shell complete these words

Each lists its options by -h.
"""


def main() -> int:
    """Run the command of the program's arguments; return its exit status."""
    name, *arguments = sys.argv[1:] or [""]
    if name in COMMANDS:
        return COMMANDS[name](arguments)
    if name == "--version":
        sys.stdout.write(f"cleverdon {VERSION}\n")
        return 0
    is_help = name in {"-h", "--help"}
    if name and not is_help:
        sys.stderr.write(f"cleverdon does not know {name}. It knows:\n")
    (sys.stdout if is_help else sys.stderr).write(USAGE)
    return 0 if is_help else 2


def evaluate(arguments: Sequence[str], program: str = "cleverdon evaluate") -> int:
    """Run the drop-in for trec_eval, which calls itself `program` where it speaks of itself."""
    _begin()
    from cleverdon.measures.command.program import main as score  # noqa: PLC0415 - slow import

    return _told_if_it_is_full(lambda: score(arguments, sys.stdout, sys.stderr, program))


def pool(arguments: Sequence[str]) -> int:
    _begin()
    from cleverdon.pools.command import main as form  # noqa: PLC0415 - slow import

    _write_utf8()
    return _told_if_it_is_full(lambda: form(arguments, sys.stdout, sys.stderr))


def _write_utf8() -> None:
    """Write UTF-8 whatever the terminal says; bytes of names that are none as they were read."""
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(encoding="utf-8", errors="surrogateescape")  # type: ignore[union-attr]


def with_a_site(name: str) -> Callable[[Sequence[str]], int]:
    """Return a command of the client, which asks a site."""

    def command(arguments: Sequence[str]) -> int:
        _begin()
        _write_utf8()
        from cleverdon.client.command.main import main as ask  # noqa: PLC0415 - slow import

        return _told_if_it_is_full(lambda: ask([name, *arguments]))

    return command


def _told_if_it_is_full(command: Callable[[], int]) -> int:
    """Run a command; say so in a line if its output cannot be written, as on a full disk."""
    try:
        status = command()
        sys.stdout.flush()
    except BrokenPipeError:  # the reader of the output has ended, and so does this
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGPIPE)
        raise
    except OSError as error:
        sys.stderr.write(f"The output cannot be written: {error.strerror}.\n")
        # What is left is not tried again at the end of the program.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    return status


def _begin() -> None:
    """End like any command by Ctrl-C, and when the reader of the output ends (`| head`)."""
    # The threads of linear algebra, hardly ever of use here, take as long to start as all else.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # Nothing that is imported is garbage: to look for some takes a tenth of the time until a score.
    gc.set_threshold(100_000)
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_DFL)


WITH_A_SITE = ("api", "campaigns", "completion", "get", "login", "logout", "runs", "watch")
COMMANDS: dict[str, Callable[[Sequence[str]], int]] = {
    "evaluate": evaluate,
    "pool": pool,
    **{name: with_a_site(name) for name in WITH_A_SITE},
}
