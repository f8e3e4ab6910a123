"""A transaction in which a campaign cannot be deleted."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction

from accounts.access import NotThere
from jobs.storage import stored_with

# The weakest lock there is: only deleting the campaign waits for it.
STAYS = "SELECT id FROM campaigns_campaign WHERE id = %s FOR KEY SHARE"


@contextmanager
def acting(campaign_id: int) -> Iterator[None]:
    """Open the transaction of an act in a campaign; if it fails, its files are deleted."""
    with stored_with(), transaction.atomic():
        stay(campaign_id)
        yield


def stay(campaign_id: int) -> None:
    """Keep a campaign from being deleted until the transaction ends; NotThere if it is gone."""
    with connection.cursor() as cursor:
        cursor.execute(STAYS, [campaign_id])
        if not cursor.fetchone():
            raise NotThere
