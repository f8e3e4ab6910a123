"""Acts on what a program has read, which are refused once that has changed."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from django.db import connection, transaction
from django.utils.http import parse_etags
from rest_framework.exceptions import ParseError

from accounts.access import Refused
from api.reading import etag, record_of
from campaigns.access.roles import campaign_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rest_framework.request import Request

    from api.acting import Act

HEADER = "If-Match"
NO_RECORD = f"This act is not on a single record, so that there is nothing for {HEADER} to match."
NO_TAG = f"{HEADER} is an ETag with its quotes, several with commas between, or *."
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
    # What compresses an answer on its way makes its tag a weak one.
    if not (tags := {each.removeprefix("W/") for each in parse_etags(wanted)}):
        raise ParseError(NO_TAG)
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute(ALONE, [campaign_of(subject).pk])
        now = find()
        if not {"*", etag(record_of(act.tells or act.noun, thing, now))} & tags:
            raise Stale("It changed since you read it: read it again.")
        yield now
