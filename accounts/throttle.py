"""The limits of signing in, counted in PostgreSQL, so that no other service has to answer."""

import hashlib
import math
from datetime import timedelta
from ipaddress import ip_address

from django.conf import settings
from django.core import signing
from django.core.exceptions import ValidationError
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.crypto import get_random_string

from accounts.models import SignInAttempt
from cleverdon.trec.words import counted

WINDOW = timedelta(minutes=15)
# Failures in the window after which to wait. An account has a limit from one address and a wider
# one from all. A browser in which its owner has signed in before has a limit of its own, so that
# no stranger who keeps guessing can lock the owner out.
FROM_ONE_ADDRESS = 10
FROM_ALL_ADDRESSES = 100
OF_ADDRESS = 100
BROWSER = "known_browser"
KNOWN_FOR = timedelta(days=365)


def attempt(request: HttpRequest, username: str) -> SignInAttempt | int:
    """Note an attempt to sign in, before the password is checked, or return the minutes to wait.

    It is stored before it is counted, so that attempts at the same time count each other.
    """
    now = timezone.now()
    SignInAttempt.objects.filter(at__lte=now - WINDOW).delete()
    known = _known_as(request, username)
    account = _hash(f"{username} {known}".strip())
    address = "" if known else address_of(request)
    made = SignInAttempt.objects.create(account=account, address=address, at=now)
    wait = _wait(made)
    if wait <= timedelta():
        return made
    made.delete()  # the wait does not start again
    return math.ceil(wait / timedelta(minutes=1))


class Throttled:
    """A form that checks a password, a limited number of times."""

    minutes_to_wait = 0

    def attempt(self, request: HttpRequest, username: str) -> SignInAttempt:
        made = attempt(request, username)
        if isinstance(made, SignInAttempt):
            return made
        self.minutes_to_wait = made
        minutes = counted(made, "minute")
        raise ValidationError(f"Too many attempts to sign in have failed. Try again in {minutes}.")


def remember(response: HttpResponse, username: str) -> None:
    """Remember in a cookie that this person has signed in with this browser."""
    value = signing.dumps([_hash(username), get_random_string(12)], salt=BROWSER)
    response.set_cookie(
        BROWSER,
        value,
        max_age=KNOWN_FOR,
        path=settings.SESSION_COOKIE_PATH,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def _known_as(request: HttpRequest, username: str) -> str:
    """Return a mark if the account's owner has signed in with this browser, or ""."""
    user, cookie = getattr(request, "user", None), request.COOKIES.get(BROWSER, "")
    if user and user.is_authenticated and user.get_username() == username:
        return str(request.session.session_key)
    try:
        account, _ = signing.loads(cookie, salt=BROWSER, max_age=KNOWN_FOR)
    except signing.BadSignature:
        return ""
    return cookie if account == _hash(username) else ""


def succeeded(made: SignInAttempt) -> None:
    """Forget the attempts of a person who has now signed in."""
    SignInAttempt.objects.filter(account=made.account, address=made.address).delete()


def _wait(made: SignInAttempt) -> timedelta:
    """Return how long to wait until no limit is exceeded."""
    account, address = Q(account=made.account), Q(address=made.address)
    limits = [(account & address, FROM_ONE_ADDRESS), (account, FROM_ALL_ADDRESSES)]
    if made.address:
        limits.append((address, OF_ADDRESS))
    waits = [timedelta()]
    for which, limit in limits:
        earlier = SignInAttempt.objects.filter(which).exclude(pk=made.pk)
        times = list(earlier.order_by("-at").values_list("at", flat=True)[:limit])
        if len(times) == limit:
            waits.append(times[-1] + WINDOW - made.at)
    return max(waits)


def _hash(username: str) -> str:
    """Return a hash to store for a name: people type passwords into that field."""
    return hashlib.sha256(username.casefold().encode()).hexdigest()


def address_of(request: HttpRequest) -> str:
    """Return the address that a trusted proxy added last, or that of the connection; else ""."""
    forwarded = request.headers.get("X-Forwarded-For", "").rpartition(",")[2].strip()
    is_trusted = settings.SECURE_PROXY_SSL_HEADER is not None
    address = forwarded if is_trusted and forwarded else request.META["REMOTE_ADDR"]
    try:
        return str(ip_address(address))
    except ValueError:
        return ""
