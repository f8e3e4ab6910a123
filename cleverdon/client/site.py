"""A site from Python: campaigns, and their nouns by name.

>>> campaign = Client("https://example.org", "cleverdon_0").campaign("trec-2027")
>>> campaign.judgment_events
<judgment-events of campaigns/trec-2027 at https://example.org>
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote

from cleverdon.client.connection import PAUSES, Connection
from cleverdon.client.errors import ClientError
from cleverdon.client.nouns import Below, Noun
from cleverdon.client.runs import Runs
from cleverdon.client.tokens import found

if TYPE_CHECKING:
    from typing import Any

    from cleverdon.client.connection import Progress, Record


NO_CAMPAIGN = "Name the campaign: --campaign SLUG, or the variable CLEVERDON_CAMPAIGN."


class Campaign(Below):
    """A campaign, with its nouns by name."""

    def __init__(self, connection: Connection, slug: str) -> None:
        super().__init__(connection, f"campaigns/{quote(slug, safe='')}/")
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

        ClientError, with its outcome, if it failed.
        """
        key = job if isinstance(job, str) else job["id"]
        ended = self.noun("jobs").settled(key, "waiting", "running", on_progress=on_progress)
        if ended["state"] == "failed":
            raise ClientError(ended["outcome"])
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
