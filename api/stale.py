"""Acts on what a program has read, which are refused once that has changed."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from django.db import connection, transaction

from accounts.access import Refused
from api.reading import etag, record_of
from campaigns.access.roles import campaign_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rest_framework.request import Request

    from api.acting import Act

HEADER = "If-Match"
NO_RECORD = f"This act is not on a single record, so that there is nothing for {HEADER} to match."
# Before all other locks: none is ever held by who waits for this one.
ALONE = "SELECT pg_advisory_xact_lock(9110, %s)"


class Stale(Refused):
    """Refused because the record changed since the program read it."""

    status = 412


@contextmanager
def as_read(
    request: Request, act: Act, thing: Any, subject: Any, find: Callable[[], Any]
) -> Iterator[Any]:
    """Yield the row of an act; if its program sends what it read, the row as it is now.

    Of programs that do so in a campaign one acts after the other, so that of two that have read the
    same only one passes.
    """
    if not (wanted := request.headers.get(HEADER)):
        yield subject
        return
    if act.is_of_all:
        raise Refused(NO_RECORD)
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute(ALONE, [campaign_of(subject).pk])
        now = find()
        if wanted != etag(record_of(act.tells or act.noun, thing, now)):
            raise Stale("It changed since you read it: read it again.")
        yield now
