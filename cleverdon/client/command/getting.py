"""`cleverdon get`, and the lists of other commands."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from contextlib import contextmanager
from io import TextIOWrapper
from shutil import copyfileobj
from typing import TYPE_CHECKING, Any, BinaryIO, TextIO

from cleverdon.client.command.output import as_csv, as_fields, as_json, as_table
from cleverdon.client.errors import ClientError
from cleverdon.client.site import Campaign, Client

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from cleverdon.client.nouns import Below, Noun

ONLY_ONE = {"settings"}  # record, and no list
NO_SCORES = "There are no scores that you may see."
NO_QRELS = "There are no qrels that you may see."
# The fields that a table has first.
FIRST: Mapping[str, tuple[str, ...]] = {
    "runs": ("tag", "team", "state", "topics", "errors", "warnings", "submitted_at"),
    "campaigns": ("slug", "name", "submission_closes_at"),
    "jobs": ("id", "does", "state", "outcome"),
    "events": ("at", "by", "event", "subject"),
    "evaluations": ("id", "qrels", "marks", "finished_at"),
    "qrels": ("number", "level", "topics", "judgments", "marks", "published_at"),
}


def get(options: Namespace) -> int:
    """Print or write what is asked for."""
    client, what, asked = Client(), options.what, _asked(options)
    if not options.is_of_campaign:
        _list(client.campaigns, asked, options)
        return 0
    campaign = client.campaign(options.campaign)
    is_list = options.list or options.json or options.csv
    if what in FILES and not (is_list and what == "qrels"):
        if is_list or asked:
            raise ClientError(f"get {what} gives a file as it is, without choosing from it.")
        noun, name, key = FILES[what](campaign, options.key)
        with noun.received(name, key) as content:
            _copy(content, options.output)
    elif what in {"board", "scores"}:
        _scores(_evaluation(campaign, options.key), asked, options)
    elif options.key is not None or what in ONLY_ONE:
        _print(campaign.noun(what).get(options.key, **asked), options)
    else:
        _list(campaign.noun(what), asked, options)
    return 0


def _asked(options: Namespace) -> dict[str, str]:
    asked = {name: getattr(options, name) for name in ("fields", "sort") if getattr(options, name)}
    for each in options.where:
        name, is_one, value = each.partition("=")
        if not is_one:
            raise ClientError(f"--where {each}: write NAME=VALUE.")
        asked[name] = value
    return asked


def _list(noun: Noun, asked: dict[str, str], options: Namespace) -> None:
    if options.csv:
        with noun.received(format="csv", **asked) as content:
            _copy(content, options.output)
    else:
        _print(noun.each(**asked), options)


def _print(found: Any, options: Namespace) -> None:
    """Print records, or a single one."""
    is_one = isinstance(found, Mapping)
    with _written(options.output) as out:
        if options.json:
            as_json(found, out)
        elif options.csv:
            as_csv([found] if is_one else found, out)
        elif is_one:
            as_fields(found, out)
        else:
            fields = options.fields
            as_table(found, out, fields.split(",") if fields else FIRST.get(options.what, ()))


@contextmanager
def _written(output: Path | None) -> Iterator[TextIO]:
    """Yield where to write; a file that could not be written whole is removed."""
    if output is None:
        yield sys.stdout
        return
    binary = _opened(output)
    try:
        with TextIOWrapper(binary, encoding="utf-8", newline="") as file:
            yield file
    except BaseException:
        output.unlink(missing_ok=True)
        raise


def _copy(content: Any, output: Path | None) -> None:
    if output is None:
        sys.stdout.flush()
        copyfileobj(content, sys.stdout.buffer)
        return
    with _opened(output) as file:
        copyfileobj(content, file)


def _opened(output: Path) -> BinaryIO:
    try:
        return output.open("wb")
    except OSError as error:
        raise ClientError(f"{output} cannot be written: {error.strerror}.") from error


def _qrels(campaign: Campaign, number: Any) -> tuple[Noun, str, object]:
    """Find the version that is asked for, or the last one that was not withdrawn."""
    if number is None:
        versions = campaign.qrels.list(fields="number,withdrawn_at")
        number = max(
            (each["number"] for each in versions if not each["withdrawn_at"]), default=None
        )
    if number is None:
        raise ClientError(NO_QRELS)
    return campaign.qrels, "qrels.txt", number


def _run(campaign: Campaign, tag: Any) -> tuple[Noun, str, object]:
    if tag is None:
        raise ClientError("Name the run: cleverdon get run TAG.")
    return campaign.noun("runs"), "file/", tag


FILES: Mapping[str, Callable[[Campaign, Any], tuple[Noun, str, object]]] = {
    "qrels": _qrels,
    "run": _run,
    "pool": lambda campaign, _: (campaign.pool, "pool.tsv", None),
    "docnos": lambda campaign, _: (campaign.pool, "docnos.txt", None),
}


def _evaluation(campaign: Campaign, key: Any) -> Below:
    """Return what is below the evaluation that is asked for, or the last one."""
    if key is None:
        shown = campaign.evaluations.list(fields="id,finished_at")
        if not shown:
            raise ClientError(NO_SCORES)
        key = max(shown, key=lambda each: str(each["finished_at"]))["id"]
    return campaign.evaluations[key]


def _scores(evaluation: Below, asked: dict[str, str], options: Namespace) -> None:
    """Print scores as the site lists them, or rows of them with a value to a cell."""
    is_board = options.what == "board"
    if options.by_topic and not is_board:
        _list(evaluation.noun("values"), asked, options)
    elif options.json and is_board:
        _list(evaluation.scores, asked, options)
    else:
        asked.pop("fields", None)
        rows = evaluation.scores.each(**asked)
        flat = map(_on_board, rows) if is_board else (each for row in rows for each in _single(row))
        _print(_chosen(flat, options.fields), options)


def _on_board(row: dict[str, Any]) -> dict[str, Any]:
    return {**{name: row[name] for name in ("run", "team", "topics")}, **row["values"]}


def _single(row: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for measure, value in row["values"].items():
        yield {"run": row["run"], "measure": measure, "value": value}


def _chosen(rows: Iterable[dict[str, Any]], fields: str | None) -> Iterator[dict[str, Any]]:
    """Yield the fields that are asked for of rows that are made here."""
    for row in rows:
        names = fields.split(",") if fields else [*row]
        if unknown := [name for name in names if name not in row]:
            raise ClientError(f"--fields: There is no {unknown[0]}. There are: {', '.join(row)}.")
        yield {name: row[name] for name in names}
