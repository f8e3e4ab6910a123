"""Access tokens for tests, and requests of a program that has one."""

import json
from datetime import timedelta
from uuid import uuid4

from django.test import Client
from django.utils import timezone
from rest_framework.response import Response
from rest_framework.views import APIView

from api.models import AccessToken, Scope
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


class Silent(APIView):
    def get(self, request, **_):
        return Response({"user": str(request.user)})


class Reading(Silent):
    scope = Scope.READ


def ask(rf, view, secret, **named):
    request = rf.get("/", headers={"Authorization": f"Bearer {secret}"})
    answer = view.as_view()(request, **named)
    if hasattr(answer, "render"):
        answer.render()
    answer.data = json.loads(answer.content)  # a problem is no answer of the framework's
    return answer
