"""How an act in a campaign is carried out: as a whole, in a transaction that keeps the campaign.

Rows are locked in the order that docs/architecture.md states, under "Locks"; the campaign that stays comes first.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from django.db import connection, transaction

from accounts.access import NotThere
from campaigns.models.campaign import Campaign
from campaigns.storage import stored_with

Values = ParamSpec("Values")
Outcome = TypeVar("Outcome")

# The weakest lock there is: only deleting the campaign waits for it.
STAYS = "SELECT id FROM campaigns_campaign WHERE id = %s FOR KEY SHARE"


@contextmanager
def acting(campaign_id: int) -> Iterator[None]:
    """Open the transaction of an act in a campaign; if it fails, the files it stored go."""
    with stored_with(), transaction.atomic():
        stay(campaign_id)
        yield


def stay(campaign_id: int) -> None:
    """Keep a campaign from being deleted until the transaction ends; NotThere if it is gone."""
    with connection.cursor() as cursor:
        cursor.execute(STAYS, [campaign_id])
        if not cursor.fetchone():
            raise NotThere


def in_campaign(service: Callable[Values, Outcome]) -> Callable[Values, Outcome]:
    """Carry out a service as an act in the campaign of the first row it is given."""

    @wraps(service)
    def act(*arguments: Values.args, **values: Values.kwargs) -> Outcome:
        with acting(next(filter(None, map(campaign_of, values.values())))):
            return service(*arguments, **values)

    return act


def campaign_of(row: Any) -> int | None:
    """Return the key of a row's campaign, if need be by its topic or assignment."""
    if isinstance(row, Campaign):
        return row.pk
    if found := getattr(row, "campaign_id", None):
        return int(found)
    about = getattr(row, "topic", None) or getattr(row, "assignment", None)
    return campaign_of(about) if about else None
