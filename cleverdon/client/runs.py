"""Runs: sent once however often it is tried, and waited for until the site has checked them."""

from __future__ import annotations

from hashlib import file_digest
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cleverdon.client.checking import tag_of
from cleverdon.client.errors import NOT_FOUND, ClientError, Problem
from cleverdon.client.nouns import Noun

if TYPE_CHECKING:
    from cleverdon.client.connection import Connection, Progress, Record
    from cleverdon.client.site import Campaign

UNCHECKED = ("waiting", "checking")
OUT = {"withdrawn", "disqualified"}


class Runs(Noun):
    """The runs of a campaign that one may see."""

    def __init__(self, campaign: Campaign, connection: Connection, path: str) -> None:
        super().__init__(connection, path)
        self._campaign = campaign

    def submit(
        self, path: str | Path, *, on_progress: Progress | None = None, **values: Any
    ) -> Record:
        """Upload a run file and wait for its check; return its record, with `is_known`.

        `is_known` is whether the very same file was there before: then nothing is uploaded.
        `values` are `tag`, `description`, `is_manual`, `priority`, and for organizers `team`.
        Problem if it is refused; a file with errors is none: its `state` is "invalid".
        """
        path = Path(path)
        tag = values.get("tag") or _tag(path)
        known = self._same(tag, path)
        if known is None:
            self._connection.post(self._path, {"file": path, **values}, on_progress=on_progress)
        record = known or self.checked(tag)
        record["is_known"] = known is not None
        return record

    def checked(self, tag: str) -> Record:
        """Return the record of a run once its check has ended."""
        return self._campaign.settled("runs", tag, *UNCHECKED)

    def report(self, tag: str) -> Record:
        """Return what the last check of a run found."""
        return self[tag].report.get()

    def _same(self, tag: str, path: Path) -> Record | None:
        """Return the record of a run that was made of this very file and stands, None without."""
        try:
            record = self.checked(tag)
        except Problem as problem:
            if problem.status == NOT_FOUND:
                return None
            raise
        with path.open("rb") as file:
            is_same = record["sha256"] == file_digest(file, "sha256").hexdigest()
        return record if is_same and record["state"] not in OUT else None


def _tag(path: Path) -> str:
    tag = tag_of(path)
    if not tag:
        raise ClientError(f"{path} has no line of six columns from which to take a tag: name one.")
    return tag
