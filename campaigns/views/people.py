"""Pages of people: members and invitations."""

from typing import Any

from django.contrib import messages
from django.contrib.auth import login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from accounts.access import NameTaken, Refused
from accounts.forms import SignUpForm
from accounts.models import User
from accounts.pages import UserRequest, sent, signed_in
from campaigns import services
from campaigns.access import check_can_organize
from campaigns.forms import InvitationForm
from campaigns.models import Invitation, Membership
from campaigns.pages import guarded, page


@signed_in
@require_http_methods(["GET", "POST"])
def people(request: UserRequest, slug: str) -> HttpResponse:
    campaign = guarded(request, slug, check_can_organize)
    form = InvitationForm(**sent(request))
    if form.is_valid():
        try:
            services.invite(user=request.user, campaign=campaign, **form.cleaned_data)
        except Refused as refusal:
            form.add_error("team_name", str(refusal))
        else:
            return redirect("campaigns:people", slug)
    context: dict[str, Any] = {
        "form": form,
        "memberships": Membership.objects.for_people(campaign),
        "invitations": Invitation.objects.filter(campaign=campaign).select_related(
            "team"
        ),
        "site": request.build_absolute_uri("/").rstrip("/"),
    }
    return page(request, "campaigns/people.html", campaign, "people", **context)


@signed_in
@require_POST
def remove_member(request: UserRequest, slug: str, pk: int) -> HttpResponse:
    campaign = guarded(request, slug)
    services.remove_member(
        user=request.user,
        membership=get_object_or_404(Membership, campaign=campaign, pk=pk),
    )
    return redirect("campaigns:people", slug)


@signed_in
@require_POST
def withdraw_invitation(request: UserRequest, slug: str, pk: int) -> HttpResponse:
    campaign = guarded(request, slug)
    services.withdraw_invitation(
        user=request.user,
        invitation=get_object_or_404(Invitation, campaign=campaign, pk=pk),
    )
    return redirect("campaigns:people", slug)


@require_http_methods(["GET", "POST"])
def invitation(request: HttpRequest, token: str) -> HttpResponse:
    """Let the person who follows the link join, with their account or with a new one."""
    invitations = Invitation.objects.select_related("campaign", "team")
    invitation = get_object_or_404(invitations, token=token)
    if isinstance(request.user, User):
        if request.method == "GET":
            return _invitation(request, invitation)
        return _join(request, invitation, request.user)
    form = SignUpForm(**sent(request))
    if not form.is_valid():
        return _invitation(request, invitation, form)
    try:
        return _join(request, invitation, form.save(commit=False))
    except NameTaken as taken:
        form.add_error("username", str(taken))
        return _invitation(request, invitation, form)


def _invitation(
    request: HttpRequest, invitation: Invitation, form: SignUpForm | None = None
) -> HttpResponse:
    context = {"invitation": invitation, "form": form}
    status = 422 if request.method == "POST" else 200
    return render(request, "campaigns/invitation.html", context, status=status)


def _join(request: HttpRequest, invitation: Invitation, user: User) -> HttpResponse:
    is_new = user.pk is None
    membership = services.accept_invitation(user=user, invitation=invitation)
    if is_new:
        login(request, user, backend="django.contrib.auth.backends.ModelBackend")
    messages.success(request, f"You are in {invitation.campaign} as {membership.role}.")
    return redirect("overview", invitation.campaign.slug)
