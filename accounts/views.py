"""A person's own pages."""

from http import HTTPStatus

from django.contrib import messages
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.views import LoginView
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from accounts.forms import ProfileForm, SignInForm
from accounts.pages import UserRequest, sent, signed_in


class SignIn(LoginView):
    """The page to sign in on; after too many failures it says when to try again."""

    authentication_form = SignInForm

    def form_invalid(self, form: AuthenticationForm) -> HttpResponse:
        response = super().form_invalid(form)
        response.status_code = HTTPStatus.UNPROCESSABLE_ENTITY
        if minutes := getattr(form, "minutes_to_wait", 0):
            response.status_code = HTTPStatus.TOO_MANY_REQUESTS
            response["Retry-After"] = str(60 * minutes)
        return response


@signed_in
@require_http_methods(["GET", "POST"])
def profile(request: UserRequest) -> HttpResponse:
    form = ProfileForm(**sent(request), instance=request.user)
    if not form.is_valid():
        return render(
            request,
            "accounts/profile.html",
            {"form": form},
            status=422 if form.is_bound else 200,
        )
    form.save()
    messages.success(request, "Your profile is saved.")
    return redirect("profile")
