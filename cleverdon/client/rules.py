"""What a campaign asks of a run: fetched once and kept for a day, to check files with."""

from __future__ import annotations

import json
import time
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

from cleverdon.client.errors import ClientError
from cleverdon.client.tokens import folder, found, written

if TYPE_CHECKING:
    from collections.abc import Collection
    from pathlib import Path

SECONDS_KEPT = 24 * 60 * 60
DEPTH = 1000
QRELS_COLUMNS = 4


class Rules(NamedTuple):
    """The numbers of the round's topics, None for any, and the most documents for each."""

    topics: Collection[str] | None = None
    depth: int = DEPTH


def of_campaign(slug: str, *, is_fresh: bool = False) -> Rules:
    """Return the rules of a campaign, those kept unless they are a day old or are to be fresh."""
    url, token = found()
    file = _file(url, token, slug)
    if not is_fresh and (kept := _kept(file)):
        return kept
    from cleverdon.client.site import Client  # noqa: PLC0415 - offline nothing of it is needed

    campaign = Client(url, token).campaign(slug)
    now = campaign.get()
    topics = [
        each["number"]
        for each in campaign.topics.each()
        if each.get("round", now["round"]) == now["round"]
    ]
    rules = Rules(topics, int(now["run_depth"]))
    written(file, json.dumps(rules._asdict()))
    return rules


def _file(url: str, token: str, slug: str) -> Path:
    """Return where rules are kept: of a person's token, as not everybody sees all topics."""
    name = sha256(f"{url.rstrip('/')}\n{token}\n{slug}".encode()).hexdigest()
    return folder("XDG_CACHE_HOME", ".cache") / "rules" / f"{name[:32]}.json"


def _kept(file: Path) -> Rules | None:
    try:
        age = time.time() - file.stat().st_mtime
        return Rules(**json.loads(file.read_bytes())) if 0 <= age < SECONDS_KEPT else None
    except (OSError, ValueError, TypeError):
        return None


def of_file(path: Path) -> list[str]:
    """Return the topic numbers of a file: topics in any format, qrels, or a number to a line."""
    from cleverdon.trec.streams import FormatError, opened  # noqa: PLC0415 - slow import

    try:
        with path.open("rb") as file:
            content = opened(file).read().decode(errors="replace")
        rows = [line.split() for line in content.splitlines() if line.strip()]
        if not content.lstrip().startswith(("<", "{", "[")) and all(map(_names_topic, rows)):
            return list(dict.fromkeys(row[0] for row in rows))
        from cleverdon.trec.topics import read_topics  # noqa: PLC0415 - slow import

        with path.open("rb") as file:
            return [each.number for each in read_topics(opened(file))]
    except OSError as error:
        raise ClientError(f"{path} cannot be read: {error.strerror}.") from error
    except FormatError as error:
        raise ClientError(f"{path}: {error}") from error


def _names_topic(row: list[str]) -> bool:
    """Tell whether a line is a number alone, or one of qrels."""
    return len(row) == 1 or (len(row) == QRELS_COLUMNS and row[-1].lstrip("-").isdigit())
