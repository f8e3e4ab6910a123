"""Refusals and other exceptions as HTTP answers, for pages and for the API."""

import logging
import sys
from collections.abc import Callable, Mapping
from typing import Any

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import is_valid_path
from django.views import defaults
from rest_framework import exceptions, status
from rest_framework.settings import api_settings
from rest_framework.views import exception_handler

from accounts.access import Invalid, NotThere, Refused, Unconfirmed
from accounts.pages import SIGNED_OUT_MEANWHILE, not_saved, told, typed_into
from api.problems import API, problem_page
from campaigns.web.frame import framed_refusal
from campaigns.web.refusals import record_refusal
from jobs import database
from jobs.storage import Full, as_full

logger = logging.getLogger(__name__)

NOT_FROM_HERE = (
    "This page was opened before you last signed in, so nothing was saved. "
    "Open it again, and send it once more."
)
EXPIRED = (
    "This page is too old to be sent, so nothing was saved. "
    "Open it again, sign in if it asks you to, and send it once more."
)
NOTHING_CHANGED, NOT_TO_OPEN = "Nothing was changed", "You cannot open this page"
NOTHING_HERE = "There is nothing here"
NOTHING = (
    "This page does not exist, or no longer does: what it showed may have been deleted or replaced."
)
NO_SLASH = "There is nothing here. The address ends in a slash."
LONGEST_TITLE = 90
TOO_LARGE = (
    "What was sent is longer than it may be, so nothing was saved. Send long texts as a file."
)


class refusals:  # noqa: N801 - middleware is named as the settings read it
    """Answer a refusal with its sentence and status, `NotThere` like an unknown address.

    A database that is away is answered with 503 and a sentence.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        is_silent = not response.streaming and not response.content
        if response.status_code == status.HTTP_405_METHOD_NOT_ALLOWED and is_silent:
            return _wrong_method(request, response)
        if response.status_code == status.HTTP_404_NOT_FOUND and not request.resolver_match:
            return _nothing_there(request, framed=True)  # Django's own page has no frame
        return response

    def process_view(self, request: HttpRequest, *_: object) -> HttpResponse | None:
        is_disk_full = getattr(request, "is_disk_full", False)  # see UploadHandler
        return self.process_exception(request, Full()) if is_disk_full else None

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        error = as_full(error) or _overtaken(error) or error
        if database.why_unavailable(error):
            return database_away(request, error)
        if isinstance(error, Http404):
            return _nothing_there(request, framed=True)
        if not isinstance(error, Refused):
            return None
        if isinstance(error, NotThere):
            return _nothing_there(request)
        record_refusal(request, error)
        if getattr(request, "htmx", False):
            return told(str(error), error.status)
        title, sentence = _titled(request, str(error))
        framed = framed_refusal(request, title, sentence, error.status)
        context = {"title": title, "sentence": sentence, "typed": typed_into(request)}
        return framed or render(request, "refused.html", context, status=error.status)


def _overtaken(error: Exception) -> Exception | None:
    """Return the answer if somebody else's change was first; logged, as it may be a bug."""
    answer = database.overtaken(error)
    if answer:
        logger.warning("overtaken=%r", str(error), exc_info=error)
    return answer


def _titled(request: HttpRequest, sentence: str) -> tuple[str, str]:
    """Return the title of a refusal, for a page its first sentence if short, and the text."""
    if request.method == "POST":
        return NOTHING_CHANGED, sentence
    first, _, rest = sentence.partition(". ")
    if len(first) > LONGEST_TITLE:
        return NOT_TO_OPEN, sentence
    return first.removesuffix("."), rest


def _nothing_there(request: HttpRequest, *, framed: bool = False) -> HttpResponse:
    """Answer like an unknown address, with the texts of a form sent by a person removed meanwhile.

    `framed`: in the frame of the address's campaign, for people who may know of it.
    """
    if request.path_info.startswith(API):
        is_cut = is_valid_path(f"{request.path_info}/")
        return problem_page("not_found", 404, NO_SLASH if is_cut else str(NotThere()))
    if framed and (page := framed_refusal(request, NOTHING_HERE, NOTHING, 404)):
        return page
    return render(request, "404.html", {"typed": typed_into(request)}, status=404)


def not_from_here(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Answer a form without a valid token, opened before its reader last signed in or long ago."""
    logger.warning("csrf=refused path=%s reason=%r", request.path, reason)
    is_signed_in = request.user.is_authenticated
    if getattr(request, "htmx", False):  # the page stays, with the typed texts
        return told(NOT_FROM_HERE, 403) if is_signed_in else told(SIGNED_OUT_MEANWHILE, 401)
    sentence = NOT_FROM_HERE if is_signed_in else EXPIRED
    return not_saved(request, sentence, 403)


def _wrong_method(request: HttpRequest, empty: HttpResponse) -> HttpResponse:
    """Redirect a browser to the page above an address that only takes forms, as after a sign-in."""
    if request.method in {"GET", "HEAD"} and not getattr(request, "htmx", False):
        return redirect(_page_above(request))
    context = {"sentence": f"This address takes {empty['Allow']}, not {request.method}."}
    response = render(request, "refused.html", context, status=empty.status_code)
    response["Allow"] = empty["Allow"]
    return response


def _page_above(request: HttpRequest) -> str:
    """Return the nearest address that begins this one."""
    path = request.path_info
    while path != "/":
        path = path.rstrip("/").rpartition("/")[0] + "/"
        if is_valid_path(path):
            break
    return settings.SITE_PATH + path


def database_away(request: HttpRequest, error: BaseException) -> HttpResponse:
    sentence = _logged(error)
    headers = {"Retry-After": "5", "Cache-Control": "no-store"}
    if getattr(request, "htmx", False):
        return told(sentence, 503, headers)
    # This page needs no query, not even for the user.
    page = render_to_string("503.html", {"sentence": sentence})
    return HttpResponse(page, status=503, headers=headers)


def _logged(error: BaseException) -> str:
    """Log a failure of the database, and return the sentence for it."""
    [first, *_] = str(error).splitlines() or [""]
    sentence = database.why_unavailable(error)
    kind = "away" if sentence == database.AWAY else "late"
    logger.error("database=%s error=%r", kind, first)
    return sentence


def server_error(request: HttpRequest) -> HttpResponse:
    """Answer an exception outside the views, as when a session is saved."""
    error = sys.exception()
    if error and database.why_unavailable(error):
        return database_away(request, error)
    if request.path_info.startswith(API):
        sentence = "Something went wrong. It is our fault, and has been logged."
        return problem_page("error", 500, sentence)
    return defaults.server_error(request)


def unreadable(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer a request that cannot be read, mostly one that is longer than any form."""
    is_long = isinstance(exception, RequestDataTooBig)
    sentence = TOO_LARGE if is_long else "This request cannot be read, so nothing was saved."
    number = status.HTTP_413_REQUEST_ENTITY_TOO_LARGE if is_long else status.HTTP_400_BAD_REQUEST
    if request.path_info.startswith(API):
        return problem_page("too_large" if is_long else "unreadable", number, sentence)
    context = {"title": NOTHING_CHANGED, "sentence": sentence}
    return render(request, "refused.html", context, status=number)


def api_exception_handler(error: Exception, context: dict[str, Any]) -> HttpResponse | None:
    """Answer with problem details, in which every error has one shape; see `api.problems`."""
    error = _overtaken(error) or as_full(error) or error
    if isinstance(error, RequestDataTooBig):
        return problem_page("too_large", 413, TOO_LARGE)
    if isinstance(error, Refused):
        return _refused(error)
    if database.why_unavailable(error):
        return problem_page("unavailable", 503, _logged(error), headers={"Retry-After": "5"})
    if isinstance(error, exceptions.ValidationError | Http404):
        return _misfit(error)
    response = exception_handler(_in_words(error, context["request"]), context)
    if response is None:
        return None
    headers = {name: response[name] for name in KEPT if name in response}
    kind = OF_STATUS.get(response.status_code, "refused")
    return problem_page(kind, response.status_code, str(error), headers=headers)


# By what the framework raises: what it tells a page, whose script asks at the API too.
TOLD: Mapping[Any, str] = {
    exceptions.NotAuthenticated: SIGNED_OUT_MEANWHILE,
    exceptions.PermissionDenied: NOT_FROM_HERE,  # the CSRF token does not fit
}


# What it tells a program.
IN_WORDS: Mapping[Any, str] = {
    exceptions.NotAuthenticated: "No access token was sent.",
    exceptions.MethodNotAllowed: "This address takes no {method}.",
    exceptions.NotAcceptable: "There is no such form of this answer.",
    exceptions.UnsupportedMediaType: "This address takes nothing of that kind (Content-Type).",
}


def _in_words(error: Exception, request: Any) -> Exception:
    told = TOLD if getattr(request, "htmx", False) else {}
    words = told.get(type(error)) or IN_WORDS.get(type(error))
    if words and isinstance(error, exceptions.APIException):
        error.detail = exceptions.ErrorDetail(words.format(method=request.method))
    return error


# By the status of what the framework refuses.
OF_STATUS = {
    400: "unreadable",
    401: "not_signed_in",
    403: "not_yours",
    404: "not_found",
    405: "wrong_method",
    406: "not_acceptable",
    412: "stale",
    413: "too_large",
    415: "unreadable",
    429: "too_many",
}
KEPT = ("Allow", "Retry-After", "WWW-Authenticate")


def _refused(refusal: Refused) -> HttpResponse:
    kind = getattr(refusal, "kind", OF_STATUS.get(refusal.status, "refused"))
    if isinstance(refusal, Invalid):
        return problem_page("invalid", 422, str(refusal), fields={refusal.field: [str(refusal)]})
    if isinstance(refusal, Unconfirmed):
        return problem_page("unconfirmed", refusal.status, str(refusal))
    return problem_page(kind, refusal.status, str(refusal), **getattr(refusal, "more", {}))


def _misfit(error: exceptions.ValidationError | Http404) -> HttpResponse:
    if isinstance(error, Http404):
        return problem_page("not_found", 404, str(NotThere()))
    detail = error.detail if isinstance(error.detail, dict) else {"": error.detail}
    fields = _by_place(detail)
    told = " ".join(": ".join(filter(None, (at, " ".join(its)))) for at, its in fields.items())
    return problem_page("invalid", 422, told, fields=fields)


NON_FIELD = api_settings.NON_FIELD_ERRORS_KEY


def _by_place(detail: Mapping[Any, Any], path: str = "") -> dict[str, list[str]]:
    """Return the sentences about each value by its place in what was sent: "docnos.2".

    Of a list the first one is 1, as people count.
    """
    found: dict[str, list[str]] = {}
    for name, each in detail.items():
        place = name + 1 if isinstance(name, int) else name
        at = path.removesuffix(".") if name == NON_FIELD else f"{path}{place}"
        if isinstance(each, Mapping):
            found |= _by_place(each, f"{at}.")
        elif any(isinstance(its, Mapping) for its in each):
            found |= _by_place({n: its for n, its in enumerate(each) if its}, f"{at}.")
        else:
            found[at] = [str(its) for its in each]
    return found
