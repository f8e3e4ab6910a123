"""A person's own pages."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from accounts.forms import ProfileForm
from accounts.pages import UserRequest, sent, signed_in


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
