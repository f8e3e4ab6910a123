"""The outer door of every page: only who has signed in comes through."""

from collections.abc import Callable
from functools import wraps

from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django_htmx.middleware import HtmxDetails

from accounts.models import User


class UserRequest(HttpRequest):
    """A request of somebody who has signed in."""

    user: User
    htmx: HtmxDetails


View = Callable[..., HttpResponseBase]


def signed_in(view: View) -> View:
    """Ask for a sign-in first. A page that is being worked in says so, instead of turning into the sign-in page."""

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
