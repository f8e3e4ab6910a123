"""Runs: sent once however often it is tried, and waited for until the site has checked them."""

from __future__ import annotations

from contextlib import suppress
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
FREE = {"invalid", "unchecked"}  # others may have the tag
FIELDS = {"is_manual": "manual"}  # of a record, where an act has another name
TAKEN = (
    "The tag {tag} is taken: run {tag} of {team} has it. "
    "Withdraw that run first, or choose another tag."
)


class Runs(Noun):
    """The runs of a campaign that one may see."""

    def __init__(self, campaign: Campaign, connection: Connection, path: str) -> None:
        super().__init__(connection, path)
        self._campaign = campaign

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
        known = self._same(tag, path)
        if known is None:
            try:
                self._connection.post(self._path, {"file": path, **values}, on_progress=on_progress)
            except Problem as problem:
                if "no such value" in str(problem.fields.get("team")):
                    raise ClientError("Only organizers name a team: leave it out.") from problem
                # Another program may have sent the same file meanwhile.
                with suppress(ClientError):
                    known = self._same(tag, path)
                if known is None:
                    raise
        changed = self._described(known, values) if known else []
        record = self.checked(tag)
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

    def checked(self, tag: str) -> Record:
        """Return the record of a run once its check has ended."""
        return self._campaign.settled("runs", tag, *UNCHECKED)

    def report(self, tag: str) -> Record:
        """Return what the last check of a run found."""
        return self[tag].report.get()

    def _same(self, tag: str, path: Path) -> Record | None:
        """Return the record of a run that was made of this very file and stands, None without.

        ClientError if another file has its tag.
        """
        try:
            record = self.checked(tag)
        except Problem as problem:
            if problem.status == NOT_FOUND:
                return None
            raise
        if record["state"] in OUT:
            return None
        with path.open("rb") as file:
            if record["sha256"] == file_digest(file, "sha256").hexdigest():
                return record
        if record["state"] in FREE:
            return None
        raise ClientError(TAKEN.format(**record))


def _tag(path: Path) -> str:
    tag = tag_of(path)
    if not tag:
        raise ClientError(f"{path} has no line of six columns from which to take a tag: name one.")
    return tag
