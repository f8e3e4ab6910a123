"""A site from Python: campaigns, and their nouns by name.

>>> campaign = Client("https://example.org", "cleverdon_0").campaign("trec-2027")
>>> campaign.judgment_events
<judgment-events of campaigns/trec-2027 at https://example.org>
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote

from cleverdon.client.connection import PAUSES, Connection
from cleverdon.client.nouns import Below, Noun
from cleverdon.client.runs import Runs
from cleverdon.client.tokens import found
from cleverdon.client.waiting import finished, settled

if TYPE_CHECKING:
    from typing import Any

    from cleverdon.client.connection import Progress, Record


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
        return Runs(self, self._connection, f"{self._path}runs/")

    def wait(self, job: str | Record, on_progress: Progress | None = None) -> Record:
        """Wait until a job has ended, of which its id or its record is given; return its record.

        ClientError, with its outcome, if it failed.
        """
        return finished(self, job if isinstance(job, str) else str(job["id"]), on_progress)

    def settled(self, noun: str, key: object, *passing: str) -> Record:
        """Wait until the state of a record is none of the `passing` ones; return the record."""
        return settled(self.noun(noun), key, passing)


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

    def campaign(self, slug: str) -> Campaign:
        return Campaign(self.connection, slug)
