"""Run files checked and sent; reports and withdrawals."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from cleverdon.client import rules
from cleverdon.client.checking import checked
from cleverdon.client.errors import ClientError, Unreachable, confirmed
from cleverdon.trec.runs.run import CheckReport
from cleverdon.trec.words import counted

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterator
    from pathlib import Path

# Of a report what is not looked at here.
OF_THE_SITE = {"n_documents", "n_unknown"}
COUNTED = ("lines", "topics", "documents", "errors", "missing", "unknown")


def check(options: Namespace) -> int:
    """Check files without sending them; without a campaign any topic passes."""
    _check_tag(options)
    found = []
    for path in options.runs:
        tag, report = _checked(path, options)
        told = {name: its for name, its in report.to_json().items() if name not in OF_THE_SITE}
        found.append({"file": str(path), "tag": tag, **told})
        _print(f"{path}: {tag}" if tag else str(path), report, options)
    _print_json(found, options)
    return int(any(each["n_errors"] for each in found))


def _check_tag(options: Namespace) -> None:
    if options.tag and len(options.runs) > 1:
        raise ClientError("Give --tag with one file.")


def _checked(path: Path, options: Namespace) -> tuple[str, CheckReport]:
    """Check a file by what was given or kept, and once more by what the site asks for now."""
    slug, depth = options.campaign, options.depth
    if options.topics or not slug:
        topics = rules.of_file(options.topics) if options.topics else None
        return checked(path, topics, depth or rules.DEPTH, options.tag)
    asked = rules.of_campaign(slug)
    tag, report = checked(path, asked.topics, depth or asked.depth, options.tag)
    is_clean = report.is_valid and not report.caveat
    if is_clean or (now := rules.of_campaign(slug, is_fresh=True)) == asked:
        return tag, report
    return checked(path, now.topics, depth or now.depth, options.tag)


def _print(name: str, report: CheckReport, options: Namespace) -> None:
    if not options.json:
        sys.stdout.writelines(_lines(name, report))


def _lines(name: str, report: CheckReport) -> Iterator[str]:
    """Yield the sentences of a report, each with the lines that it is about."""
    n_lines = counted(report.n_lines, "line")
    if report.is_valid:
        caveat = f", but {report.caveat}" if report.caveat else ""
        yield f"{name}: valid{caveat}; {n_lines}.\n"
    else:
        yield f"{name}: {counted(report.n_errors, 'error')}; {n_lines} read.\n"
    for which, sentence in report.rows:
        yield f"  {_where(which)}{sentence}\n"
    for sentence in report.warnings:
        yield f"  warning: {sentence}\n"


def _where(which: str) -> str:
    """Return the lines of an error as they stand before its sentence, "" for the whole file."""
    if which.startswith("all"):
        return f"{which} lines: "
    one = "line" if which.replace(",", "").isdigit() else "lines"
    return f"{one} {which}: " if which else ""


def submit(options: Namespace) -> int:
    """Check files and upload those without errors; the site's report on each is printed.

    Of several, one that is refused stops no other.
    """
    _check_tag(options)
    runs, found = _runs(options), []
    for path in options.runs:
        try:
            told = _submitted(runs, path, options)
        except Unreachable:
            raise
        except ClientError as error:
            if len(options.runs) == 1:
                raise
            told = {"file": str(path), "state": "refused", "error": str(error)}
            named = "" if str(error).startswith(f"{path} ") else f"{path}: "
            sys.stderr.write(f"{named}{error}\n")
        found.append(told)
    _print_json(found, options)
    return int(any(each["state"] != "valid" for each in found))


def _submitted(runs: Any, path: Path, options: Namespace) -> dict[str, Any]:
    """Check a file, upload it, and print the report on it; return what is to be told of it."""
    from cleverdon.client.command.output import progress  # noqa: PLC0415 - slow import

    tag, report = _checked(path, options)
    name, told = f"{path} was not uploaded", {"state": "not uploaded"}
    if report.is_valid:
        with progress(path.name) as tell:
            told = runs.submit(path, tag=tag, on_progress=tell, **_said(options))
        known = " is there already, of the same file" if told["is_known"] else ""
        known += f"; changed: {', '.join(told['changed'])}" if told["changed"] else ""
        name, report = f"{path}: {tag}{known}", _report(runs.report(tag))
    _print(name, report, options)
    return {"file": str(path), **told, "report": report.to_json()}


def _said(options: Namespace) -> dict[str, Any]:
    """Return what is said of a run; what is not said stays as it was said before."""
    names = ("description", "is_manual", "priority", "team")
    return {name: its for name in names if (its := getattr(options, name)) is not None}


def _runs(options: Namespace) -> Any:
    from cleverdon.client.site import Client  # noqa: PLC0415 - the check alone needs no network

    return Client().campaign(options.campaign).runs


def _report(told: dict[str, Any]) -> CheckReport:
    """Return the report of a check as the site tells it; ClientError before there is one."""
    if told["checked_at"] is None:
        raise ClientError(f"It is {told['state']}: its check has not ended, and reports nothing.")
    its = {f"n_{name}": told[name] or 0 for name in COUNTED}
    its |= {"errors": told["first_errors"], "warnings": told["warnings"], "is_cut": told["is_cut"]}
    return CheckReport.from_json(its)


def report(options: Namespace) -> int:
    told = _runs(options).report(options.tag)
    its = _report(told)
    _print(f"{options.tag} ({told['state']})", its, options)
    _print_json(told, options)
    return int(not its.is_valid)


def withdraw(options: Namespace) -> int:
    runs = _runs(options)
    reason = {"reason": options.reason} if options.reason else {}
    confirmed(runs.withdraw, options.tag, accepts=options.accept, **reason)
    if options.json:
        _print_json(runs.get(options.tag), options)
    else:
        sys.stdout.write(f"{options.tag} is withdrawn.\n")
    return 0


def _print_json(found: Any, options: Namespace) -> None:
    if options.json:
        from cleverdon.client.command.output import as_json  # noqa: PLC0415 - slow import

        as_json(found, sys.stdout)
