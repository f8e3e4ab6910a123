"""One act for each `Idempotency-Key`, also after a lost answer."""

from __future__ import annotations

import json
from contextlib import contextmanager
from datetime import timedelta
from hashlib import sha256
from typing import TYPE_CHECKING

from django.core.files import File
from django.db import transaction
from django.utils import timezone
from rest_framework.utils.encoders import JSONEncoder

from accounts.access import Refused
from api.models import Answer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rest_framework.request import Request

    from accounts.models import User

HEADER = "Idempotency-Key"
MOST_CHARACTERS = 200
REMEMBERED = timedelta(days=7)
TOO_LONG = f"An {HEADER} has at most {MOST_CHARACTERS} characters."
OF_ANOTHER = f"This {HEADER} has been used for something else: make a new one for each act."


def known(request: Request, user: User) -> Answer | None:
    """Return the answer that was given to this request before, under its key."""
    if not (key := _key(request)):
        return None
    answer = Answer.objects.filter(user=user, key=key).first()
    if answer and answer.sent != _digest(request):
        raise Refused(OF_ANOTHER)
    return answer


@contextmanager
def only(request: Request, user: User, *, is_remembered: bool = True) -> Iterator[Answer]:
    """Give the answer to a request under its key: one that is given if it was answered meanwhile.

    What is done in the block and that it was answered are committed together. Somebody who sends
    the same at once waits for it.
    """
    key = _key(request)
    if not key or not is_remembered:
        yield Answer()
        return
    sent = _digest(request)
    with transaction.atomic():
        own = Answer.objects.filter(user=user)
        own.filter(at__lt=timezone.now() - REMEMBERED).delete()
        answer, is_new = own.get_or_create(user=user, key=key, defaults={"sent": sent})
        if answer.sent != sent:
            raise Refused(OF_ANOTHER)
        yield answer
        if is_new:
            answer.save()


def _key(request: Request) -> str:
    key = request.headers.get(HEADER, "")
    if len(key) > MOST_CHARACTERS:
        raise Refused(TOO_LONG)
    return key


def _digest(request: Request) -> str:
    """Return the hash of what was sent, files by what is in them."""
    digest = sha256(f"{request.method} {request.path}\n".encode())
    values = dict(request.data.items()) if hasattr(request.data, "items") else request.data
    files = {name: values.pop(name) for name in list(values) if isinstance(values[name], File)}
    digest.update(json.dumps(values, sort_keys=True, cls=JSONEncoder).encode())
    for name, file in sorted(files.items()):
        digest.update(f"\n{name}\n".encode())
        for chunk in file.chunks():
            digest.update(chunk)
        file.seek(0)
    return digest.hexdigest()
