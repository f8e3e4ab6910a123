"""Signing in by an access token, and what it may do at a view."""

from typing import TYPE_CHECKING, Any, cast

from django.db import connection
from django.urls import reverse
from rest_framework import authentication
from rest_framework.exceptions import AuthenticationFailed, PermissionDenied
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request

from accounts.access import NotYours, Refused, check
from accounts.models import User
from accounts.rows import Columns, split
from api.access import MISSPELLED, UNKNOWN, Tokens, check_campaign, check_scope
from api.core.spelling import is_spelled_right
from api.models import AccessToken
from api.services import note_use
from campaigns.access.roles import campaign_of
from campaigns.models.campaign import Campaign
from campaigns.models.resets import hash_of

if TYPE_CHECKING:
    from rest_framework.views import APIView  # which imports these classes

NO_CSRF = (
    "A session of a browser acts by a page's CSRF token, as `X-CSRFToken`: a program sends an "
    "access token instead."
)
REALM = 'Bearer realm="Cleverdon"'
# By hand, as every request of a program reads one.
TOKEN, USER = Columns(AccessToken, "token"), Columns(User, "person")
CAMPAIGN = Columns(Campaign, "campaign")
BY_HASH = f"""
    SELECT {TOKEN.sql}, {USER.sql}, {CAMPAIGN.sql} FROM api_accesstoken token
    JOIN accounts_user person ON person.id = token.user_id
    LEFT JOIN campaigns_campaign campaign ON campaign.id = token.campaign_id
    WHERE token.token_hash = %s
"""  # noqa: S608 - names of columns


class InvalidToken(AuthenticationFailed):
    default_code = "invalid_token"


class InsufficientScope(PermissionDenied):
    """A token that may not do this, answered as RFC 6750 has it."""

    default_code = "insufficient_scope"

    def __init__(self, sentence: str, scope: str | None) -> None:
        super().__init__(sentence)
        wanted = f', scope="{scope}"' if scope else ""
        self.auth_header = f'{REALM}, error="insufficient_scope"{wanted}'


class BearerAuthentication(authentication.BaseAuthentication):
    """`Authorization: Bearer …`. Other schemes are left to others, such as a proxy in front."""

    def authenticate(self, request: Request) -> tuple[User, AccessToken] | None:
        if (secret := _sent(request)) is None:
            return None
        try:
            token = _found(secret)
            check(Tokens.use, token.user, token)
        except Refused as refusal:
            raise InvalidToken(_with_page(request, refusal)) from refusal
        note_use(token)
        return token.user, token

    def authenticate_header(self, request: Request) -> str:
        return REALM if _sent(request) is None else f'{REALM}, error="invalid_token"'


class SessionAuthentication(authentication.SessionAuthentication):
    """A browser's session. What it sends as JSON is not read to find its CSRF token.

    The framework's own request parses all of it for that.
    """

    def enforce_csrf(self, request: Request) -> None:
        try:
            super().enforce_csrf(request._request)  # type: ignore[arg-type]  # noqa: SLF001
        except PermissionDenied as error:
            raise PermissionDenied(NO_CSRF) from error


class HasScope(IsAuthenticated):
    """Have a token do only what its scopes and its campaign allow; a session may do all.

    A view says its `scope`; one that does not is refused to tokens. A token for one campaign is for
    addresses with that campaign's `slug`. A view without one `finds_campaign` itself: it calls
    `check_object_permissions` with the campaign, or anything in it, or shows that campaign alone.
    """

    def has_permission(self, request: Request, view: "APIView") -> bool:
        if not super().has_permission(request, view):
            return False
        if isinstance(request.auth, AccessToken):
            scope: str | None = getattr(view, "scope", None)
            try:
                check_scope(request.auth, scope)
                if not getattr(view, "finds_campaign", False):
                    leaves = getattr(view, "leaves_campaign", False)
                    check_campaign(request.auth, None if leaves else view.kwargs.get("slug"))
            except NotYours as refusal:
                raise InsufficientScope(_with_page(request, refusal), scope) from refusal
        return True

    def has_object_permission(self, request: Request, view: "APIView", thing: Any) -> bool:
        if isinstance(request.auth, AccessToken):
            try:
                check_campaign(request.auth, campaign_of(thing).slug)
            except NotYours as refusal:
                raise InsufficientScope(_with_page(request, refusal), None) from refusal
        return True


def _sent(request: Request) -> str | None:
    """Return what is sent as a token; None where none is."""
    scheme, _, secret = request.headers.get("Authorization", "").partition(" ")
    return secret.strip() if scheme.lower() == "bearer" else None


def _found(secret: str) -> AccessToken:
    if not is_spelled_right(secret):
        raise Refused(MISSPELLED)
    with connection.cursor() as cursor:
        cursor.execute(BY_HASH, [hash_of(secret)])
        row = cursor.fetchone()
    if row is None:
        raise Refused(UNKNOWN)
    token, user, campaign, _ = split(row, TOKEN, USER, CAMPAIGN)
    token.user, token.campaign = user, campaign
    return cast("AccessToken", token)


def _with_page(request: Request, refusal: Refused) -> str:
    """Add to a sentence where to get another token."""
    page = request.build_absolute_uri(reverse("tokens"))
    return f"{refusal} Another one can be made at {page}"
