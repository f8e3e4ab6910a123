"""A person's own pages."""

from http import HTTPStatus
from typing import Any

from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.views import LoginView
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from accounts import services
from accounts.forms import AccountForm, OwnPasswordForm, SignInForm
from accounts.models import AccountEvent
from accounts.pages import UserRequest, sent, signed_in


class SignIn(LoginView):
    """The page to sign in on; after too many failures it says when to try again."""

    authentication_form = SignInForm

    def form_invalid(self, form: AuthenticationForm) -> HttpResponse:
        return _answered(super().form_invalid(form), form)


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def account(request: UserRequest) -> HttpResponse:
    form = AccountForm(**sent(request), instance=request.user)
    if not form.is_valid():
        return _account(request, form=form)
    if changes := form.changes():
        services.change_account(user=request.user, changes=changes)
    messages.success(request, "Your account is saved.")
    return redirect("account")


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def password(request: UserRequest) -> HttpResponse:
    """Change one's own password, and stay signed in here."""
    form = OwnPasswordForm(request.user, request=request, **sent(request))
    if not form.is_valid():
        return _answered(render(request, "accounts/password.html", {"form": form}), form)  # fmt: skip
    services.change_password(user=request.user, password=form.cleaned_data["new_password1"])  # fmt: skip
    update_session_auth_hash(request, request.user)
    messages.success(
        request,
        "Your new password is set. Everywhere else you are signed out.",
    )
    return redirect("account")


def _account(request: UserRequest, form: AccountForm) -> HttpResponse:
    request.user.refresh_from_db()  # a refused form has put what was typed into it
    context: dict[str, Any] = {
        "form": form,
        "events": AccountEvent.objects.filter(user=request.user)[:10],
    }
    return _answered(render(request, "accounts/account.html", context), form)


def _answered(response: HttpResponse, form: Any) -> HttpResponse:
    """Give a page the status of its form."""
    if form.is_bound:
        response.status_code = HTTPStatus.UNPROCESSABLE_ENTITY
    if minutes := getattr(form, "minutes_to_wait", 0):
        response.status_code = HTTPStatus.TOO_MANY_REQUESTS
        response["Retry-After"] = str(60 * minutes)
    return response
