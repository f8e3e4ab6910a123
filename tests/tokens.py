"""Access tokens for tests, and requests of a program that has one."""

from datetime import timedelta
from uuid import uuid4

from django.test import Client
from django.utils import timezone

from api.models import AccessToken
from api.services import make_token
from campaigns.models.resets import hash_of


def made(user, *scopes, campaign=None, days=90, name="laptop") -> str:
    return make_token(
        user=user, name=name, scopes=scopes, days=days, client_id=uuid4(), campaign=campaign
    )


def row(secret: str) -> AccessToken:
    return AccessToken.objects.get(token_hash=hash_of(secret))


def ended(secret: str) -> None:
    """Have it ended a minute ago."""
    now = timezone.now()
    AccessToken.objects.filter(token_hash=hash_of(secret)).update(
        made_at=now - timedelta(days=2), ends_at=now - timedelta(minutes=1)
    )


def program(secret: str) -> Client:
    """A client that sends a token with every request, and checks CSRF as a browser's would be."""
    return Client(enforce_csrf_checks=True, headers={"Authorization": f"Bearer {secret}"})
