"""Headers of every answer: nothing from another host, nothing inline, nothing cached."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.middleware.common import CommonMiddleware

from cleverdon.version import VERSION

POLICY = (
    "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'"
)


def headers(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Forbid what is not from here, and keep pages and downloads out of every cache.

    Nearly all are for one person: on a shared computer the back button must not show them. Static
    files never get here.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        response.headers.setdefault("Content-Security-Policy", POLICY)
        response.headers.setdefault("Cache-Control", "private, no-store")
        if request.path_info.startswith("/api/"):
            response.headers["Cleverdon-Version"] = VERSION  # so that a client tells if it fits
        return response

    return middleware


class Common(CommonMiddleware):
    def should_redirect_with_slash(self, request: HttpRequest) -> bool:
        """Redirect readers alone: what was sent would be lost on the way."""
        return request.method in {"GET", "HEAD"} and super().should_redirect_with_slash(request)
