"""How an act in a campaign is carried out: in one transaction, for which the campaign stays, and whole or not at all.

Rows are locked in the order that docs/architecture.md states, under "Locks"; the campaign that stays comes first.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from django.db import connection, transaction

from accounts.access import NotThere
from campaigns.models import Campaign
from campaigns.storage import stored_with

Values = ParamSpec("Values")
Outcome = TypeVar("Outcome")

# The weakest lock there is: it is in nobody's way but that of who deletes the campaign.
STAYS = "SELECT id FROM campaigns_campaign WHERE id = %s FOR KEY SHARE"


@contextmanager
def acting(campaign_id: int) -> Iterator[None]:
    """Open a transaction of one who acts in a campaign. If the act fails, the files that it stored go."""
    with stored_with(), transaction.atomic():
        stay(campaign_id)
        yield


def stay(campaign_id: int) -> None:
    """Have a campaign stay until the transaction ends; NotThere once it has been deleted."""
    with connection.cursor() as cursor:
        cursor.execute(STAYS, [campaign_id])
        if not cursor.fetchone():
            raise NotThere


def in_campaign(service: Callable[Values, Outcome]) -> Callable[Values, Outcome]:
    """Carry out a service in the campaign that it is given, or that the row which it is given is of."""

    @wraps(service)
    def act(*arguments: Values.args, **values: Values.kwargs) -> Outcome:
        with acting(next(filter(None, map(campaign_of, values.values())))):
            return service(*arguments, **values)

    return act


def campaign_of(row: Any) -> int | None:
    """Return the key of a row's campaign, if need be that of the topic or the assignment that it is about."""
    if isinstance(row, Campaign):
        return row.pk
    if found := getattr(row, "campaign_id", None):
        return int(found)
    about = getattr(row, "topic", None) or getattr(row, "assignment", None)
    return campaign_of(about) if about else None
