"""Waiting for jobs, and whatever else the API does."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from shutil import copyfileobj
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs

from cleverdon.client.command.output import as_json, progress
from cleverdon.client.errors import ClientError
from cleverdon.client.site import Client

if TYPE_CHECKING:
    from argparse import Namespace

    from cleverdon.client.site import Campaign

# Addresses that answer with a file.
FILE = re.compile(r"(\.[a-z]+|/file/)$")
VALUE = re.compile(r"([\w-]+)(:=|=|@)(.*)", re.DOTALL)


def watch(options: Namespace) -> int:
    campaign = Client().campaign(options.campaign)
    key = options.job or _newest(campaign)
    with progress("waiting") as tell:
        job = campaign.wait(key, tell)
    sys.stdout.write(f"{job['outcome']}\n")
    return 0


def _newest(campaign: Campaign) -> str:
    jobs = campaign.jobs.list(fields="id,created_at")
    if not jobs:
        raise ClientError("There is no job.")
    return str(max(jobs, key=lambda job: job["created_at"])["id"])


def api(options: Namespace) -> int:
    """Print what an address answers: JSON, a list whole, or a file as it is."""
    values = dict(_value(each) for each in options.values)
    connection, path = Client().connection, options.path.lstrip("/").removeprefix("api/v1/")
    if options.method == "GET":
        path, _, query = path.partition("?")
        values |= parse_qs(query, keep_blank_values=True)
    if options.method == "POST":
        with progress("sending") as tell:
            answer = connection.post(path, values, on_progress=tell)
        if answer is not None:
            as_json(answer, sys.stdout)
    elif FILE.search(path) or values.get("format", "json") not in ("json", ["json"]):
        with connection.whole(path, **values) as content:
            copyfileobj(content, sys.stdout.buffer)
    else:
        answer = connection.get(path, **values)
        is_cut = isinstance(answer, list) and not {"per_page", "cursor"} & set(values)
        as_json(connection.pages(path, **values) if is_cut else answer, sys.stdout)
    return 0


def _value(text: str) -> tuple[str, Any]:
    """Read a value of an act: name=text, name:=JSON or name@FILE."""
    found = VALUE.fullmatch(text)
    if found is None:
        raise ClientError(f"{text}: write name=text, name:=JSON or name@FILE.")
    name, mark, value = found.groups()
    if mark == "@":
        if not Path(value).is_file():
            raise ClientError(f"There is no file {value}.")
        return name, Path(value)
    try:
        return name, json.loads(value) if mark == ":=" else value
    except ValueError as error:
        raise ClientError(f"{name}: the JSON cannot be read. {error}.") from error
