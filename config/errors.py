"""Refusals and other exceptions as HTTP answers, for pages and for the API."""

from collections.abc import Callable
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.defaults import page_not_found
from rest_framework import exceptions, status
from rest_framework.response import Response
from rest_framework.views import exception_handler

from accounts.access import NotThere, Refused
from campaigns.storage import Full, as_full


class refusals:  # noqa: N801 - middleware is named as the settings read it
    """Answer a refusal with its sentence and status; `NotThere` with the page for unknown addresses."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, *_: object) -> HttpResponse | None:
        is_disk_full = getattr(request, "is_disk_full", False)  # see UploadHandler
        return self.process_exception(request, Full()) if is_disk_full else None

    def process_exception(
        self, request: HttpRequest, error: Exception
    ) -> HttpResponse | None:
        error = as_full(error) or error
        if not isinstance(error, Refused):
            return None
        if isinstance(error, NotThere):
            return page_not_found(request, error)
        if getattr(request, "htmx", False):
            return HttpResponse(
                str(error), status=error.status, content_type="text/plain"
            )
        context = {"sentence": str(error)}
        return render(request, "refused.html", context, status=error.status)


def api_exception_handler(error: Exception, context: dict[str, Any]) -> Response | None:
    """Give every error one shape: `{"error": {"code", "message", "fields"}}`."""
    if isinstance(error, Refused):
        code = "not_found" if isinstance(error, NotThere) else "refused"
        return _api_error(error.status, code, str(error))
    if isinstance(error, exceptions.ValidationError):
        return _api_error(
            status.HTTP_422_UNPROCESSABLE_ENTITY,
            "invalid",
            "Some fields are not valid.",
            error.detail,
        )
    response = exception_handler(error, context)
    if response is None:
        return None
    code = (
        "not_found"
        if isinstance(error, Http404)
        else getattr(error, "default_code", "error")
    )
    message = "There is nothing here." if isinstance(error, Http404) else str(error)
    return _api_error(response.status_code, code, message)


def _api_error(
    status_code: int, code: str, message: str, fields: object = None
) -> Response:
    return Response(
        {"error": {"code": code, "message": message, "fields": fields or {}}},
        status=status_code,
    )
