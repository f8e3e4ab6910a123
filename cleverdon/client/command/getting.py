"""`cleverdon get`, and the lists of other commands."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from shutil import copyfileobj
from typing import TYPE_CHECKING, Any, TextIO

from cleverdon.client.command.output import as_csv, as_fields, as_json, as_table
from cleverdon.client.command.runs import NO_CAMPAIGN
from cleverdon.client.errors import ClientError
from cleverdon.client.site import Campaign, Client

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from pathlib import Path

    from cleverdon.client.nouns import Noun

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
    client = Client()
    if not options.is_of_campaign:
        _list(client.campaigns, options)
        return 0
    if not options.campaign:
        raise ClientError(NO_CAMPAIGN)
    campaign = client.campaign(options.campaign)
    is_list = options.list or options.json or options.csv
    if options.what in FILES and not (is_list and options.what == "qrels"):
        if is_list or _asked(options):
            raise ClientError(
                f"get {options.what} gives a file as it is, without choosing from it."
            )
        _file(campaign, options)
    elif options.what in DERIVED:
        _print(_chosen(DERIVED[options.what](campaign, options), options.fields), options)
    elif options.key is not None or options.what in ONLY_ONE:
        _one(campaign.noun(options.what).get(options.key, **_asked(options)), options)
    else:
        _list(campaign.noun(options.what), options)
    return 0


def _asked(options: Namespace) -> dict[str, str]:
    asked = {name: getattr(options, name) for name in ("fields", "sort") if getattr(options, name)}
    for each in options.where:
        name, is_one, value = each.partition("=")
        if not is_one:
            raise ClientError(f"--where {each}: write NAME=VALUE.")
        asked[name] = value
    return asked


def _filters(options: Namespace) -> dict[str, str]:
    """Return what is asked of rows that are made here of others, which have other fields."""
    return {name: value for name, value in _asked(options).items() if name != "fields"}


def _chosen(rows: Iterable[dict[str, Any]], fields: str | None) -> Iterator[dict[str, Any]]:
    for row in rows:
        names = fields.split(",") if fields else [*row]
        if unknown := [name for name in names if name not in row]:
            raise ClientError(f"--fields: There is no {unknown[0]}. There are: {', '.join(row)}.")
        yield {name: row[name] for name in names}


def _list(noun: Noun, options: Namespace) -> None:
    if options.csv:
        with noun.received(form="csv", **_asked(options)) as content:
            _copy(content, options.output)
    else:
        _print(noun.each(**_asked(options)), options)


def _print(records: Iterable[dict[str, Any]], options: Namespace) -> None:
    first = options.fields.split(",") if options.fields else FIRST.get(options.what, ())
    with _written(options.output) as out:
        if options.json:
            as_json(records, out)
        elif options.csv:
            as_csv(records, out)
        else:
            as_table(records, out, first)


def _one(record: dict[str, Any], options: Namespace) -> None:
    with _written(options.output) as out:
        if options.json:
            as_json(record, out)
        elif options.csv:
            as_csv([record], out)
        else:
            as_fields(record, out)


@contextmanager
def _written(output: Path | None) -> Iterator[TextIO]:
    """Yield where to write; a file that could not be written whole is removed."""
    if output is None:
        yield sys.stdout
        return
    try:
        with output.open("w", encoding="utf-8", newline="") as file:
            yield file
    except BaseException:
        output.unlink(missing_ok=True)
        raise


def _copy(content: Any, output: Path | None) -> None:
    if output is None:
        sys.stdout.flush()
        copyfileobj(content, sys.stdout.buffer)
        return
    with output.open("wb") as file:
        copyfileobj(content, file)


def _file(campaign: Campaign, options: Namespace) -> None:
    noun, name, key = FILES[options.what](campaign, options)
    with noun.received(name, key) as content:
        _copy(content, options.output)


def _qrels(campaign: Campaign, options: Namespace) -> tuple[Noun, str, object]:
    """Find the version that is asked for, or the last one that was not withdrawn."""
    number = options.version or options.key
    if number is None:
        versions = campaign.qrels.list(fields=["number", "withdrawn_at"])
        stand = [each["number"] for each in versions if not each["withdrawn_at"]]
        if not stand:
            raise ClientError(NO_QRELS)
        number = max(stand)
    return campaign.qrels, "qrels.txt", number


def _run(campaign: Campaign, options: Namespace) -> tuple[Noun, str, object]:
    if options.key is None:
        raise ClientError("Name the run: cleverdon get run TAG.")
    return campaign.noun("runs"), "file/", options.key


FILES: Mapping[str, Callable[[Campaign, Namespace], tuple[Noun, str, object]]] = {
    "qrels": _qrels,
    "run": _run,
    "pool": lambda campaign, _: (campaign.pool, "pool.tsv", None),
    "docnos": lambda campaign, _: (campaign.pool, "docnos.txt", None),
}


def _evaluation(campaign: Campaign, options: Namespace) -> Any:
    """Return what is below the evaluation that is asked for, or the last one."""
    if options.evaluation:
        return campaign.evaluations[options.evaluation]
    shown = campaign.evaluations.list(fields=["id", "finished_at"])
    if not shown:
        raise ClientError(NO_SCORES)
    return campaign.evaluations[max(shown, key=lambda each: each["finished_at"])["id"]]


def _board(campaign: Campaign, options: Namespace) -> Iterator[dict[str, Any]]:
    for row in _evaluation(campaign, options).scores.each(**_filters(options)):
        if options.json:
            yield row
        else:
            yield {**{name: row[name] for name in ("run", "team", "topics")}, **row["values"]}


def _scores(campaign: Campaign, options: Namespace) -> Iterator[dict[str, Any]]:
    below = _evaluation(campaign, options)
    if options.by_topic:
        yield from below.noun("values").each(**_filters(options))
        return
    for row in below.scores.each(**_filters(options)):
        for measure, value in row["values"].items():
            yield {"run": row["run"], "measure": measure, "value": value}


DERIVED: Mapping[str, Callable[[Campaign, Namespace], Iterator[dict[str, Any]]]] = {
    "board": _board,
    "scores": _scores,
}
