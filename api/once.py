"""One act for each `Idempotency-Key`, also after a lost answer."""

from __future__ import annotations

import json
from contextlib import contextmanager
from datetime import timedelta
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple, cast

from django.core.files import File
from django.db import transaction
from django.utils import timezone
from django.utils.datastructures import MultiValueDict
from rest_framework.utils.encoders import JSONEncoder

from accounts.access import Refused, check
from api.models import Answer
from campaigns.access.roles import is_member

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rest_framework.request import Request

    from accounts.models import User
    from campaigns.models.campaign import Campaign

HEADER = "Idempotency-Key"
MOST_CHARACTERS = 200
REMEMBERED = timedelta(days=7)
GONE = 410  # the status of what went with its campaign
TOO_LONG = f"An {HEADER} has at most {MOST_CHARACTERS} characters."
DELETED = f"What this {HEADER} was for has been done, and its campaign has been deleted since."
OF_ANOTHER = f"This {HEADER} has been used for something else: make a new one for each act."


class Key(NamedTuple):
    """What a program named an act with, and the hash of what it sent, before any of it is read."""

    text: str
    sent: str


def known(request: Request) -> Answer | None:
    """Return what was answered under the key of a request, before any of what was sent is read.

    A record is told to nobody who has left its campaign.
    """
    text = request.headers.get(HEADER, "")
    if len(text) > MOST_CHARACTERS:
        raise Refused(TOO_LONG)
    answer = (
        Answer.objects.filter(user=cast("User", request.user), key=text).first() if text else None
    )
    if answer and answer.status == GONE:
        raise Refused(DELETED)
    if answer and answer.body and answer.campaign:
        check(is_member, request.user, answer.campaign)
    return answer


def key_of(request: Request, answer: Answer | None) -> Key | None:
    """Return the key of a request, None without one; refuse one that was for something else."""
    text = request.headers.get(HEADER, "")
    key = Key(text, _digest(request)) if text else None
    if answer and key and answer.sent != key.sent:
        raise Refused(OF_ANOTHER)
    return key


@contextmanager
def only(user: User, key: Key | None) -> Iterator[Answer]:
    """Give the answer to a request under its key: one that is given if it was answered meanwhile.

    What is done in the block and that it was answered are committed together. Somebody who sends
    the same at once waits for it.
    """
    if key is None:
        yield Answer()
        return
    with transaction.atomic():
        own = Answer.objects.filter(user=user)
        own.filter(at__lt=timezone.now() - REMEMBERED).delete()
        answer, is_new = own.get_or_create(user=user, key=key.text, defaults={"sent": key.sent})
        if answer.sent != key.sent:
            raise Refused(OF_ANOTHER)
        yield answer
        if is_new:
            answer.save()


def forget(campaign: Campaign) -> None:
    """Forget what was told of a campaign, but not that its acts were done."""
    told = Answer.objects.filter(campaign=campaign)
    told.update(campaign=None, status=GONE, body="", location="")


def _digest(request: Request) -> str:
    """Return the hash of what was sent, all values of a name, files by what is in them."""
    digest = sha256(f"{request.method} {request.path}\n".encode())
    data, files = request.data, list[File[bytes]]()
    if isinstance(data, MultiValueDict):
        sent = [(name, each) for name, its in sorted(data.lists()) for each in its]
        files = [each for _, each in sent if isinstance(each, File)]
        data = [(name, each.name if each in files else each) for name, each in sent]
    digest.update(json.dumps(data, sort_keys=True, cls=JSONEncoder).encode())
    for file in files:
        digest.update(f"\n{file.size}\n".encode())
        for chunk in file.chunks():
            digest.update(chunk)
        file.seek(0)
    return digest.hexdigest()
