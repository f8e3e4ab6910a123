"""A campaign as somebody else sees it: every page of it, for an organizer, read-only."""

import re
from collections.abc import Callable

from django.contrib import messages
from django.contrib.auth.models import AnonymousUser
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST

from accounts.access import can
from accounts.models import User
from accounts.pages import UserRequest, signed_in, told
from campaigns.access.campaign import Campaigns
from campaigns.access.people import People, sees_otherwise
from campaigns.models.campaign import Campaign
from campaigns.models.people import Membership
from campaigns.services.people import view_as
from campaigns.web.frame import IN_CAMPAIGN, guarded, is_viewed, whole_number

KEY = "viewed_as"
# These two take the organizer's own word.
OF_VIEWING = re.compile(r"/campaigns/[-\w]+/view-as/")
NOTHING_CHANGES = "You look at this campaign as somebody else sees it, so nothing can be changed."
SAFE = {"GET", "HEAD"}


class viewing:  # noqa: N801 - middleware is named as the settings read it
    """Answer an organizer who views a campaign as somebody else with what that person sees.

    Nothing is written meanwhile: forms are refused, and the database refuses what a page writes.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if not _begins(request):
            return self.get_response(request)
        with connection.cursor() as cursor:
            cursor.execute("SET default_transaction_read_only = on")
        try:
            response = self.get_response(request)
        finally:
            with connection.cursor() as cursor:
                cursor.execute("SET default_transaction_read_only = off")
        asks_to_sign_in = response.headers.get("Location", "").startswith(reverse("login"))
        return render(request, "campaigns/asks_visitors.html") if asks_to_sign_in else response

    def process_view(self, request: HttpRequest, *_: object) -> HttpResponse | None:
        if not is_viewed(request) or request.method in SAFE:
            return None
        if getattr(request, "htmx", False):
            return told(NOTHING_CHANGES, 409)
        context = {"title": "Nothing was changed", "sentence": NOTHING_CHANGES}
        return render(request, "refused.html", context, status=409)


def _begins(request: HttpRequest) -> bool:
    """Put whom an organizer views a campaign as in their place; False if they view none so."""
    match = IN_CAMPAIGN.match(request.path_info)
    kept = request.session.get(KEY) if match else None
    if not match or not kept or kept["slug"] != match[1] or OF_VIEWING.match(request.path_info):
        return False
    campaign = Campaign.objects.filter(slug=match[1]).first()
    person = _person(campaign, kept["member"]) if campaign else None
    if not campaign or person is None or not can(Campaigns.organize, request.user, campaign):
        del request.session[KEY]
        return False
    request.viewer, request.user = request.user, person  # type: ignore[attr-defined]
    request.viewed_in = campaign  # type: ignore[attr-defined]
    return True


def _person(campaign: Campaign, member: int | None) -> User | AnonymousUser | None:
    """Return a member, or a visitor; None for a member who has left."""
    if member is None:
        return AnonymousUser()
    found = Membership.objects.filter(campaign=campaign, pk=member).select_related("user").first()
    return found.user if found and can(sees_otherwise, None, found) else None


@signed_in
@require_POST
def begin_viewing(request: UserRequest, slug: str) -> HttpResponse:
    """View the campaign as the member whose membership is named, or as a visitor."""
    campaign = guarded(request, slug, People.view_as)
    member = None
    if named := request.POST.get("member"):
        member = get_object_or_404(Membership, campaign=campaign, pk=whole_number(named))
    view_as(user=request.user, campaign=campaign, member=member)
    request.session[KEY] = {"slug": slug, "member": member and member.pk}
    return redirect("overview", slug)


@signed_in
@require_POST
def end_viewing(request: UserRequest, slug: str) -> HttpResponse:
    request.session.pop(KEY, None)
    messages.success(request, "You see the campaign as yourself again.")
    return redirect("overview", slug)
