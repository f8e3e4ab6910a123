"""A person's own pages."""

from http import HTTPStatus
from typing import Any

from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.views import LoginView
from django.forms import BaseForm
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from accounts import services
from accounts.forms import AccountForm, KeysForm, OwnPasswordForm, ReadingForm, SignInForm
from accounts.from_above import DOES_JUDGE
from accounts.models import AccountEvent
from accounts.pages import UserRequest, sent, signed_in
from accounts.throttle import remember


class SignIn(LoginView):
    """The page to sign in on; after too many failures it says when to try again."""

    authentication_form = SignInForm

    def form_valid(self, form: AuthenticationForm) -> HttpResponse:
        response = super().form_valid(form)
        remember(response, form.get_user().get_username())
        return response

    def form_invalid(self, form: AuthenticationForm) -> HttpResponse:
        return _answered(super().form_invalid(form), form)


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def account(request: UserRequest) -> HttpResponse:
    form = AccountForm(**sent(request), instance=request.user)
    if not form.is_valid():
        return _account(request, form=form)
    return _changed(request, form.changes())


@signed_in
@require_POST
def keys(request: UserRequest) -> HttpResponse:
    """Choose one's keys of judging, or go back to the usual ones."""
    if "usual" in request.POST:
        return _changed(request, {"chosen_keys": {}})
    form = KeysForm(request.POST, instance=request.user)
    if not form.is_valid():
        return _account(request, keys=form)
    return _changed(request, form.changes())


def _changed(request: UserRequest, changes: dict[str, Any]) -> HttpResponse:
    if changes:
        services.change_account(user=request.user, changes=changes)
    messages.success(request, "Your account is saved.")
    return redirect("account")


@signed_in
@require_POST
def reading(request: UserRequest) -> HttpResponse:
    """Choose the type of documents for oneself; a script gets no page."""
    form = ReadingForm(request.POST, instance=request.user)
    if not form.is_valid():
        return _account(request, reading=form)
    if changes := form.changes():
        services.change_reading(user=request.user, changes=changes)
    if request.htmx:
        return HttpResponse(status=HTTPStatus.NO_CONTENT)
    messages.success(request, "Your account is saved.")
    return redirect("account")


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def password(request: UserRequest) -> HttpResponse:
    """Change one's own password, and stay signed in here."""
    form = OwnPasswordForm(request.user, request=request, **sent(request))
    if not form.is_valid():
        return _answered(render(request, "accounts/password.html", {"form": form}), form)
    services.change_password(user=request.user, password=form.cleaned_data["new_password1"])
    update_session_auth_hash(request, request.user)
    messages.success(request, "Your new password is set. Everywhere else you are signed out.")
    return redirect("account")


def _account(request: UserRequest, **refused: BaseForm) -> HttpResponse:
    """Show the account's forms as stored, except the one that was refused."""
    request.user.refresh_from_db()  # a refused form has changed the instance
    forms = {
        "form": AccountForm(instance=request.user),
        "keys": KeysForm(instance=request.user),
        "reading": ReadingForm(instance=request.user),
        **refused,
    }
    events = AccountEvent.objects.filter(user=request.user)[:10]
    judges = any(DOES_JUDGE(request.user)) or bool(request.user.chosen_keys)
    context = {**forms, "events": events, "judges": judges}
    page = render(request, "accounts/account.html", context)
    return _answered(page, next(iter(refused.values())))


def _answered(response: HttpResponse, form: Any) -> HttpResponse:
    """Set the status of a page with a refused form."""
    if form.is_bound:
        response.status_code = HTTPStatus.UNPROCESSABLE_ENTITY
    if minutes := getattr(form, "minutes_to_wait", 0):
        response.status_code = HTTPStatus.TOO_MANY_REQUESTS
        response["Retry-After"] = str(60 * minutes)
    return response
