"""Waiting for what a site does after its answer: jobs, and records whose state goes on."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from cleverdon.client.errors import ClientError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from cleverdon.client.connection import Progress, Record
    from cleverdon.client.nouns import Noun
    from cleverdon.client.site import Campaign

UNFINISHED = {"waiting", "running"}
FAILED = "failed"
# Short work is told of soon, and long work asks for little of what a token may ask.
FIRST_SECONDS, MOST_SECONDS, GROWTH = 0.1, 3.0, 1.4


def pauses() -> Iterator[None]:
    """Yield at once, and then after pauses that grow."""
    seconds = FIRST_SECONDS
    while True:
        yield
        time.sleep(seconds)
        seconds = min(MOST_SECONDS, seconds * GROWTH)


def finished(campaign: Campaign, key: str, on_progress: Progress | None = None) -> Record:
    """Return the record of a job that has ended; ClientError with its outcome if it failed."""
    for _ in pauses():
        job = campaign.noun("jobs").get(key)
        if on_progress:
            on_progress(job["percent"], 100)
        if job["state"] not in UNFINISHED:
            break
    if job["state"] == FAILED:
        raise ClientError(job["outcome"])
    return job


def settled(noun: Noun, key: object, passing: Collection[str]) -> Record:
    for _ in pauses():
        record = noun.get(key)
        if record["state"] not in passing:
            break
    return record
