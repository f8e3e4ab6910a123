"""Runs: sent once however often it is tried, and waited for until the site has checked them."""

from __future__ import annotations

from hashlib import file_digest
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cleverdon.client.checking import tag_of
from cleverdon.client.errors import NOT_FOUND, ClientError, Problem
from cleverdon.client.nouns import Noun

if TYPE_CHECKING:
    from cleverdon.client.connection import Progress, Record

STANDING = {"waiting", "checking", "valid"}
FIELDS = {"is_manual": "manual"}  # of a record, where an act has another name


class Runs(Noun):
    """The runs of a campaign that one may see."""

    def submit(
        self, path: str | Path, *, on_progress: Progress | None = None, **values: Any
    ) -> Record:
        """Upload a run file and wait for its check; return its record, with `is_known`.

        `is_known` is whether the very same file was there before: then nothing is uploaded, and
        what is said of the run now is changed, which `changed` names.
        `values` are `tag`, `description`, `is_manual`, `priority`, and for organizers `team`.
        Problem if it is refused; a file with errors is none: its `state` is "invalid".
        """
        path = Path(path)
        tag = values.get("tag") or _tag(path)
        known, changed = self._same(tag, path), list[str]()
        if known is None:
            try:
                self._connection.post(self._path, {"file": path, **values}, on_progress=on_progress)
            except Problem:  # another program may have sent the same file meanwhile
                known = self._same(tag, path)
                if known is None:
                    raise
        if known:
            changed = self._described(known, values)
        record = self.settled(tag, "waiting", "checking")
        record.update(is_known=known is not None, changed=changed)
        return record

    def _described(self, there: Record, values: dict[str, Any]) -> list[str]:
        """Describe a run that is there as is asked; return the names of what was changed."""
        said = {name: each for name, each in values.items() if name != "tag" and each is not None}
        team = said.pop("team", there["team"])
        if str(team).lower() != there["team"].lower():
            raise ClientError(f"Run {there['tag']} is there already, of {there['team']}.")
        changes = {n: each for n, each in said.items() if there.get(FIELDS.get(n, n)) != each}
        if changes:
            self.describe(there["tag"], **changes)
        return [FIELDS.get(name, name) for name in changes]

    def report(self, tag: str) -> Record:
        """Return what the last check of a run found."""
        return self[tag].report.get()

    def _same(self, tag: str, path: Path) -> Record | None:
        """Return the record of a run that was made of this very file and stands, None without."""
        try:
            record = self.settled(tag, "waiting", "checking")
        except Problem as problem:
            if problem.status == NOT_FOUND:
                return None
            raise
        with path.open("rb") as file:
            is_same = record["sha256"] == file_digest(file, "sha256").hexdigest()
        return record if is_same and record["state"] in STANDING else None


def _tag(path: Path) -> str:
    tag = tag_of(path)
    if not tag:
        raise ClientError(f"{path} has no line of six columns from which to take a tag: name one.")
    return tag
