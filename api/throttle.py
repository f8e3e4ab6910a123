"""How often an access token may ask; people who are signed in may as often as they like."""

from typing import TYPE_CHECKING

from django.conf import settings
from rest_framework.exceptions import Throttled
from rest_framework.request import Request
from rest_framework.throttling import SimpleRateThrottle

from api.models import AccessToken, Scope

if TYPE_CHECKING:
    from rest_framework.views import APIView  # which imports these classes

SECONDS = 60


class TooOften(Throttled):
    extra_detail_singular = "Try again in {wait} second."
    extra_detail_plural = "Try again in {wait} seconds."


class TokenThrottle(SimpleRateThrottle):
    """So many requests of each token in any minute: many for reading, fewer for acts.

    Judging has no limit, as nobody is to wait for the next document. They are counted in the cache:
    while Redis is away there is none either, and two requests at the same moment may count as one.
    """

    def __init__(self) -> None:
        """Begin without a rate, which depends on the view."""

    def allow_request(self, request: Request, view: "APIView") -> bool:
        scope = getattr(view, "scope", None)
        if not isinstance(request.auth, AccessToken) or scope == Scope.JUDGE:
            return True
        what = "read" if scope == Scope.READ else "act"
        most = settings.TOKEN_REQUESTS_PER_MINUTE[what]
        self.rate, self.num_requests, self.duration = what, most, SECONDS
        if not most or super().allow_request(request, view):
            return True
        # Not `wait()`, which knows no answer once the limit has been lowered.
        wait = SECONDS - (self.now - self.history[most - 1])
        raise TooOften(wait, f"An access token may {what} {most:,} times a minute.")

    def get_cache_key(self, request: Request, view: "APIView") -> str:
        return f"token:{request.auth.pk}:{self.rate}"
