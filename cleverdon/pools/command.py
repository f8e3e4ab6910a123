"""`cleverdon pool`: the depth pool of runs, and the audit of one that was judged."""

import argparse
import json
from collections.abc import Sequence
from functools import partial
from typing import Any, TextIO

from cleverdon.measures.command.inputs import InputError, read
from cleverdon.measures.command.options import STDIN
from cleverdon.measures.inputs.judgments import read_judgments
from cleverdon.measures.inputs.universe import Universe
from cleverdon.measures.scoring.processes import LostProcess, in_processes, usable_cores
from cleverdon.pools.audit import Audit, Found, Parts, audited, depth_pool, parts_of
from cleverdon.trec.ranking import DEFAULT_RULES, FILE_RANK, ORDER_RULES
from cleverdon.trec.runs.read import read_run
from cleverdon.trec.runs.run import RankedRun

RULES = "; ".join(f"{name}: {what}" for name, what in ORDER_RULES.items())
COLUMNS = ("order", "run", "depth", "documents", "unjudged_next", "named")


def main(arguments: Sequence[str], out: TextIO, err: TextIO) -> int:
    """Run the command; return its exit status: 0, or 2 after a line on `err`."""
    parser = _parser()
    options = parser.parse_args(arguments)
    if [*options.runs, options.qrels].count(STDIN) > 1:
        parser.error(f"standard input, {STDIN}, can be read only once")
    try:
        options.act(options, out)
    except (InputError, LostProcess) as error:
        err.write(f"{error}\n")
        return 2
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("cleverdon pool", description=__doc__)
    acts = parser.add_subparsers(required=True, metavar="audit|depth")
    about = "The largest depth at which every document of the runs is judged, by each order rule."
    audit = acts.add_parser("audit", help=about, description=about)
    audit.add_argument("--per-run", action="store_true", help="the same for each run alone")
    audit.add_argument("--json", action="store_true")
    audit.add_argument("qrels", metavar="QRELS", help="gzip or not; - is standard input")
    about = "The pool: a line, topic and docno, for each document that some run ranks so high."
    depth = acts.add_parser("depth", help=about, description=about)
    depth.add_argument("-k", type=_depth, required=True, metavar="N", help="the depth")
    for each, act, order in ((audit, _audit, None), (depth, _depth_pool, DEFAULT_RULES)):
        each.add_argument("--order", choices=ORDER_RULES, default=order, help=RULES)
        each.add_argument("runs", metavar="RUN", nargs="+")
        each.set_defaults(act=act)
    depth.set_defaults(qrels="")
    return parser


def _depth(text: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text)):
        raise argparse.ArgumentTypeError(f"{text}: it must be a whole number from 1")
    return int(text)


def _depth_pool(options: argparse.Namespace, out: TextIO) -> None:
    runs = (_run(name, [options.order]) for name in options.runs)
    out.writelines(
        f"{topic} {docno}\n" for topic, docno in depth_pool(runs, options.k, options.order)
    )


def _run(name: str, order_rules: Sequence[str]) -> RankedRun:
    return read(name, partial(read_run, with_ranks=FILE_RANK in order_rules))


def _audit(options: argparse.Namespace, out: TextIO) -> None:
    """Read the judgments once, then the runs, several at a time."""
    universe = read(options.qrels, read_judgments)
    rules = [options.order] if options.order else list(ORDER_RULES)
    work = partial(_parts, universe=universe, order_rules=rules)
    # Only this process can read its standard input.
    n_processes = 1 if STDIN in options.runs else usable_cores()
    audit = audited(in_processes(work, options.runs, n_processes), len(universe.grades))
    write = _as_json if options.json else _as_text
    write(audit, options, universe.n_topics, out)


def _parts(name: str, universe: Universe, order_rules: Sequence[str]) -> Parts:
    run = _run(name, order_rules)
    if not set(run.topics) & set(universe.topics):
        raise InputError(f"{name}: It has no topic of the judgments.")
    return parts_of(run, universe, order_rules)


def _as_text(audit: Audit, options: argparse.Namespace, n_topics: int, out: TextIO) -> None:
    """Write lines with tabs, after comments; "all": every document of every run is judged."""
    out.write(f"# topics: {n_topics}\n# runs: {len(options.runs)}\n" + "\t".join(COLUMNS) + "\n")
    runs = zip(options.runs, audit.by_run, strict=True) if options.per_run else ()
    for name, by_rule in [("all", audit.overall), *runs]:
        lines = ((rule, name, *_cells(found)) for rule, found in by_rule.items())
        out.writelines("\t".join(line) + "\n" for line in lines)


def _cells(found: Found) -> list[str]:
    figures = found.to_json()
    depth = "all" if figures["depth"] is None else str(figures["depth"])
    named = ", ".join(f"{topic} {docno}" for topic, docno in found.named) or "-"
    return [depth, str(found.n_documents), str(found.n_missing), named]


def _as_json(audit: Audit, options: argparse.Namespace, n_topics: int, out: TextIO) -> None:
    content: dict[str, Any] = {"topics": n_topics, "orders": _plain(audit.overall)}
    content["runs"] = [{"file": name} for name in options.runs]
    if options.per_run:
        for run, own in zip(content["runs"], audit.by_run, strict=True):
            run["orders"] = _plain(own)
    json.dump(content, out, ensure_ascii=False, indent=1)
    out.write("\n")


def _plain(by_rule: dict[str, Found]) -> dict[str, Any]:
    return {rule: found.to_json() for rule, found in by_rule.items()}
