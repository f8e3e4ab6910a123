"""A site from Python: campaigns, and their nouns by name.

>>> campaign = Client("https://example.org", "cleverdon_0").campaign("trec-2027")
>>> campaign.judgment_events
<judgment-events of campaigns/trec-2027 at https://example.org>
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cleverdon.client.connection import PAUSES, Connection
from cleverdon.client.errors import ClientError
from cleverdon.client.nouns import Below, Noun, part
from cleverdon.client.runs import Runs
from cleverdon.client.tokens import found

if TYPE_CHECKING:
    from typing import Any

    from cleverdon.client.connection import Progress, Record


# By which field what may be waited for is known: its noun, and the field that is its key.
WAITED = {
    "does": ("jobs", "id"),
    "tag": ("runs", "tag"),
    "strategy": ("batches", "id"),
    "imported_at": ("imports", "id"),
}
PASSING = ("waiting", "running", "checking", "building", "reading", "importing")
NO_CAMPAIGN = "Name the campaign: --campaign SLUG, or the variable CLEVERDON_CAMPAIGN."


class Campaign(Below):
    """A campaign, with its nouns by name."""

    def __init__(self, connection: Connection, slug: str) -> None:
        super().__init__(connection, f"campaigns/{part(slug)}/")
        self.slug, self._campaigns = slug, Noun(connection, "campaigns/")

    def get(self) -> Record:
        """Return what everybody in the campaign sees of its settings."""
        return self._campaigns.get(self.slug)

    def act(self, name: str, /, **how: Any) -> Any:
        """Do something to the campaign as a whole, such as "change" or "archive"."""
        return self._campaigns.act(name, self.slug, **how)

    @property
    def runs(self) -> Runs:
        return Runs(self._connection, f"{self._path}runs/")

    def wait(self, job: str | Record, on_progress: Progress | None = None) -> Record:
        """Wait until a job has ended, of which its id or its record is given; return its record.

        The record of a run, a batch or an import will do too. ClientError if it failed.
        """
        told = {"does": "", "id": job} if isinstance(job, str) else job
        found = next((WAITED[each] for each in WAITED if each in told), None)
        if found is None:
            raise ClientError("Only a job, a run, a batch or an import can be waited for.")
        noun, key = self.noun(found[0]), told[found[1]]
        ended = noun.settled(key, *PASSING, on_progress=on_progress)
        if ended["state"] == "failed":
            raise ClientError(ended.get("outcome") or "It failed: campaign.jobs says why.")
        return ended


class Client:
    """A site, asked with an access token: those of `cleverdon login` unless others are given."""

    def __init__(
        self,
        url: str = "",
        token: str = "",
        *,
        pauses: tuple[float, ...] = PAUSES,
        transport: Any = None,
    ) -> None:
        where, secret = (url, token) if url and token else found(url, token)
        self.connection = Connection(where, secret, pauses, transport)

    @property
    def campaigns(self) -> Noun:
        return Noun(self.connection, "campaigns/")

    def campaign(self, slug: str | None) -> Campaign:
        if not slug:
            raise ClientError(NO_CAMPAIGN)
        return Campaign(self.connection, slug)
