"""`cleverdon pool`: the depth pool of runs, a line, topic and docno, for each of its documents."""

import argparse
from collections.abc import Sequence
from functools import partial
from typing import TextIO

from cleverdon.measures.command.inputs import InputError, read
from cleverdon.measures.command.options import STDIN
from cleverdon.pools.depth import depth_pool
from cleverdon.trec.ranking import DEFAULT_RULES, FILE_RANK, ORDER_RULES
from cleverdon.trec.runs.read import read_run

RULES = "; ".join(f"{name}: {what}" for name, what in ORDER_RULES.items())


def main(arguments: Sequence[str], out: TextIO, err: TextIO) -> int:
    """Run the command; return its exit status: 0, or 2 after a line on `err`."""
    parser = _parser()
    options = parser.parse_args(arguments)
    if options.runs.count(STDIN) > 1:
        parser.error(f"standard input, {STDIN}, can be read only once")
    reader = partial(read_run, with_ranks=options.order == FILE_RANK)
    runs = (read(name, reader) for name in options.runs)
    try:
        pool = depth_pool(runs, options.k, options.order)
        out.writelines(f"{topic} {docno}\n" for topic, docno in pool)
    except InputError as error:
        err.write(f"{error}\n")
        return 2
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("cleverdon pool", description=__doc__)
    parser.add_argument("strategy", choices=["depth"], help="what some run ranks so high")
    parser.add_argument("-k", type=_depth, required=True, metavar="N", help="the depth")
    parser.add_argument("--order", choices=ORDER_RULES, default=DEFAULT_RULES, help=RULES)
    parser.add_argument("runs", metavar="RUN", nargs="+", help="gzip or not; - is standard input")
    return parser


def _depth(text: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text)):
        raise argparse.ArgumentTypeError(f"{text}: it must be a whole number from 1")
    return int(text)
