"""The page of one's own access tokens, and revoking one."""

from http import HTTPStatus

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from accounts.pages import UserRequest, sent, signed_in
from api import services
from api.models import AccessToken
from api.web.token_forms import TokenForm

# Of those that are revoked or ended; the others are all shown.
MOST_SHOWN = 20


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def tokens(request: UserRequest) -> HttpResponse:
    """Show the tokens; the answer to the form that made one shows it, and no other answer does."""
    form = TokenForm(request.user, **sent(request))
    if not form.is_valid():
        status = HTTPStatus.UNPROCESSABLE_ENTITY if form.is_bound else HTTPStatus.OK
        return _page(request, form, status=status)
    secret = services.make_token(user=request.user, **form.cleaned_data)
    return _page(request, TokenForm(request.user), secret=secret)


@signed_in
@require_POST
def revoke(request: UserRequest, pk: int) -> HttpResponse:
    token = get_object_or_404(AccessToken, pk=pk, user=request.user)
    services.revoke_token(user=request.user, token=token)
    messages.success(request, f"The access token {token} is revoked.")
    return redirect("tokens")


def _page(
    request: UserRequest, form: TokenForm, *, secret: str = "", status: int = HTTPStatus.OK
) -> HttpResponse:
    own = AccessToken.objects.newest(request.user)
    context = {
        "form": form,
        "secret": secret,
        "tokens": own.live(),
        "over": own.over()[:MOST_SHOWN],
        "api": request.build_absolute_uri(f"{reverse('home')}api/v1/campaigns/"),
    }
    return render(request, "api/tokens.html", context, status=status)
