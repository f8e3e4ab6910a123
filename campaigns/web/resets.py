"""Pages of reset links, by which members set a new password."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.access import Refused, can, why_not
from accounts.forms import NewPasswordForm
from accounts.models import User
from accounts.pages import UserRequest, sent, signed_in
from campaigns.access.people import People
from campaigns.models.campaign import Campaign
from campaigns.models.people import Membership
from campaigns.models.resets import RESET_HOURS, PasswordReset
from campaigns.services import resets
from campaigns.web.frame import attempt, guarded, page


@signed_in
@require_safe
def member(request: UserRequest, slug: str, pk: int) -> HttpResponse:
    """Show organizers a member: their roles, how to reach them, a reset link just made."""
    campaign = guarded(request, slug, People.see)
    person = _person(campaign, pk)
    # Shown once, so not lost to a HEAD.
    token = request.session.pop(_key(person), "") if request.method == "GET" else ""
    memberships = list(Membership.objects.for_people(campaign).filter(user=person))
    reset = PasswordReset(campaign=campaign, user=person)
    context: dict[str, Any] = {
        "person": person,
        "memberships": memberships,
        "can_view_as": can(People.view_as, request.user, memberships[0]),
        "why_not_reset": why_not(People.reset_password, request.user, reset),
        "resets": PasswordReset.objects.filter(user=person, campaign=campaign).select_related(
            "created_by"
        )[:10],
        "link": request.build_absolute_uri(reverse("reset", args=[token])) if token else "",
        "hours": RESET_HOURS,
    }
    return page(request, "campaigns/member.html", campaign, "people", **context)


@signed_in
@require_POST
def make_reset(request: UserRequest, slug: str, pk: int) -> HttpResponse:
    """Make a link, which the page that follows shows once."""
    campaign = guarded(request, slug, People.see)
    person = _person(campaign, pk)
    token = resets.make_reset(user=request.user, campaign=campaign, person=person)
    request.session[_key(person)] = token
    return redirect("campaigns:member", slug, pk)


@signed_in
@require_POST
def withdraw_reset(request: UserRequest, slug: str, pk: int) -> HttpResponse:
    campaign = guarded(request, slug, People.withdraw_reset)
    reset = get_object_or_404(
        PasswordReset.objects.select_related("user"), campaign=campaign, pk=pk
    )
    resets.withdraw_reset(user=request.user, reset=reset)
    messages.success(request, f"The link for {reset.user} is withdrawn.")
    membership = Membership.objects.filter(campaign=campaign, user=reset.user).first()
    if membership is None:  # removed meanwhile
        return redirect("campaigns:people", slug)
    return redirect("campaigns:member", slug, membership.pk)


@require_http_methods(["GET", "HEAD", "POST"])
def reset(request: HttpRequest, token: str) -> HttpResponse:
    """Let the holder of the link set the password of the person it is for."""
    link = PasswordReset.objects.by_token(token).first()
    if link is None:
        raise Http404
    refusal = why_not(People.use_reset, request.user, link)
    form = NewPasswordForm(link.user, **sent(request))
    if not refusal and form.is_valid():
        password = form.cleaned_data["new_password1"]
        refusal = attempt(resets.use_reset, user=link.user, reset=link, password=password)
        if not refusal:
            messages.success(request, "Your new password is set: sign in with it.")
            return redirect("login")
    context = {"reset": link, "form": form, "refusal": refusal}
    status = 422 if request.method == "POST" else 200
    return render(request, "campaigns/reset.html", context, status=status)


def _person(campaign: Campaign, pk: int) -> User:
    """Return the person of a membership, which may have ended since the page was loaded."""
    members = Membership.objects.filter(campaign=campaign, pk=pk).select_related("user")
    if (member := members.first()) is None:
        raise Refused("This person no longer has the role in this campaign.")
    return member.user


def _key(person: User) -> str:
    return f"reset-link-{person.pk}"
