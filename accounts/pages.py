"""The guard of every page: it asks for a sign-in."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django_htmx.middleware import HtmxDetails

from accounts.models import User


class UserRequest(HttpRequest):
    """A request from somebody who has signed in."""

    user: User
    htmx: HtmxDetails


def sent(request: HttpRequest) -> dict[str, Any]:
    """Return a form's arguments for what was posted, be it nothing: only for a GET is the form an empty one to fill in."""
    if request.method == "POST":
        return {"data": request.POST, "files": request.FILES}
    return {}


View = Callable[..., HttpResponseBase]


def signed_in(view: View) -> View:
    """Redirect to the sign-in page, but answer htmx with a sentence: the page keeps what was typed into it."""

    @wraps(view)
    def guard(
        request: HttpRequest, *arguments: object, **options: object
    ) -> HttpResponseBase:
        if request.user.is_authenticated:
            return view(request, *arguments, **options)
        if getattr(request, "htmx", False):
            return HttpResponse(
                "You have been signed out: sign in again in another tab.",
                status=401,
                content_type="text/plain",
            )
        return redirect_to_login(request.get_full_path())

    return guard
