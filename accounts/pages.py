"""The guard of every page: it asks for a sign-in, and shows the texts of a form sent too late."""

import re
from collections.abc import Callable, Mapping
from functools import wraps
from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit

from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.utils.http import url_has_allowed_host_and_scheme
from django_htmx.middleware import HtmxDetails

from accounts.models import User

# Fields that no page shows again, and those that pages fill in.
NOT_TYPED = re.compile(
    "csrf|password|^seen|times_are_in|client_id|_version$|_ms$|"
    "^(was|n_seen|sha256|act|after|reader|change|scale|method)$"
)
# Fields with ids of rows, whose names are only for people who are signed in.
CHOSEN = re.compile(r"^(team|into|topic|assessors?|successor|runs|evaluation|earlier)$")
TO_BE_CHOSEN = "(to be chosen again)"
SIGNED_OUT = (
    "You have been signed out since this page was opened, so nothing was saved. "
    "Sign in, and send it again from the page it was on."
)


SIGNED_OUT_MEANWHILE = "You have been signed out: sign in again in another tab."


class UserRequest(HttpRequest):
    """A request of a person who is signed in."""

    user: User
    htmx: HtmxDetails


def sent(request: HttpRequest) -> dict[str, Any]:
    """Return the arguments of a form, bound if the request is a POST."""
    if request.method == "POST":
        return {"data": request.POST, "files": request.FILES}
    return {}


View = Callable[..., HttpResponseBase]


def signed_in(view: View) -> View:
    """Redirect to the sign-in page. htmx gets a sentence instead, so that typed text stays.

    The texts of a form sent without script are shown again, as its page is gone.
    """

    @wraps(view)
    def guard(request: HttpRequest, *arguments: object, **options: object) -> HttpResponseBase:
        if request.user.is_authenticated:
            if request.method in {"GET", "HEAD"}:  # which change no role
                request.user.memberships_known = {}
            return view(request, *arguments, **options)
        if getattr(request, "htmx", False):
            return told(SIGNED_OUT_MEANWHILE, HTTPStatus.UNAUTHORIZED)
        if request.method == "POST":
            return not_saved(request, SIGNED_OUT, HTTPStatus.UNAUTHORIZED)
        return redirect_to_login(request.get_full_path())

    return guard


def told(sentence: str, status: int, headers: Mapping[str, str] | None = None) -> HttpResponse:
    """Answer htmx with a sentence to show; the page stays as it is."""
    return HttpResponse(sentence, "text/plain", status, headers=headers)


def not_saved(request: HttpRequest, sentence: str, status: int) -> HttpResponse:
    """Answer a form that came too late with its texts, and a link to the page it was on.

    They come from this request: nothing is kept for the next person who signs in.
    """
    here = came_from(request) or request.path
    signs_in = status == HTTPStatus.UNAUTHORIZED
    context = {
        "title": "Not saved",
        "sentence": sentence,
        "typed": typed_into(request),
        "again": redirect_to_login(here).url if signs_in else here,
        "again_label": "Sign in" if signs_in else "Open the page again",
    }
    return render(request, "refused.html", context, status=status)


def came_from(request: HttpRequest) -> str:
    """Return the address of the previous page, or "" if it is not on this site."""
    referer = request.headers.get("Referer", "")
    if not url_has_allowed_host_and_scheme(referer, {request.get_host()}):
        return ""
    parts = urlsplit(referer)
    # One slash: two would begin the address of another site.
    path = "/" + parts.path.lstrip("/\\")
    return f"{path}?{parts.query}" if parts.query else path


def typed_into(request: HttpRequest) -> dict[str, str]:
    """Return the typed texts of the form in this request, by field."""
    if request.method != "POST":
        return {}
    typed = {
        name.replace("_", " "): TO_BE_CHOSEN
        if CHOSEN.search(name)
        else ", ".join(filter(None, values))
        for name, values in request.POST.lists()
        if any(values) and not NOT_TYPED.search(name)
    }
    files = {
        name.replace("_", " "): f"{files[-1].name} {TO_BE_CHOSEN}"
        for name, files in request.FILES.lists()
    }
    return typed | files
