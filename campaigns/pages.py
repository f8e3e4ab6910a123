"""What every page of a campaign needs: the guard at its door and the frame around it."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django import forms
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, render

from campaigns import jobs
from campaigns.access import check_can_view, roles
from campaigns.models import Campaign, Job, Role, User

TABS = [
    (
        "overview",
        "Overview",
        "overview",
        {Role.ORGANIZER, Role.ASSESSOR, Role.PARTICIPANT},
    ),
    (
        "topics",
        "Topics",
        "campaigns:topics",
        {Role.ORGANIZER, Role.ASSESSOR, Role.PARTICIPANT},
    ),
    ("documents", "Documents", "campaigns:documents", {Role.ORGANIZER}),
    ("runs", "Runs", "campaigns:runs", {Role.ORGANIZER, Role.PARTICIPANT}),
    ("pool", "Pool", "pooling:pool", {Role.ORGANIZER}),
    ("judging", "Judging", "assess:judging", {Role.ORGANIZER, Role.ASSESSOR}),
    ("agreement", "Agreement", "assess:agreement", {Role.ORGANIZER}),
    ("qrels", "Qrels", "assess:qrels", {Role.ORGANIZER}),
    (
        "leaderboard",
        "Leaderboard",
        "evaluation:leaderboard",
        {Role.ORGANIZER, Role.PARTICIPANT},
    ),
    ("people", "People", "campaigns:people", {Role.ORGANIZER}),
    ("settings", "Settings", "campaigns:settings", {Role.ORGANIZER}),
]


class UserRequest(HttpRequest):
    """A request of somebody who has signed in."""

    user: User


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


def sentences(form: forms.Form) -> str:
    """Return everything a form objects to, where the form itself is not shown again."""
    return " ".join(str(said) for errors in form.errors.values() for said in errors)


def guarded(
    request: UserRequest,
    slug: str,
    check: Callable[[User, Campaign], None] = check_can_view,
) -> Campaign:
    """Fetch the campaign and refuse whoever the check refuses."""
    campaign = get_object_or_404(Campaign, slug=slug)
    check(request.user, campaign)
    return campaign


def page(
    request: UserRequest,
    template: str,
    campaign: Campaign,
    tab: str,
    *,
    status: int = 200,
    **context: Any,
) -> HttpResponse:
    """Render a page inside the campaign's frame: its tabs, its notice, and whether a worker is there."""
    mine = roles(request.user, campaign)
    is_organizer = Role.ORGANIZER in mine
    frame = {
        "campaign": campaign,
        "tab": tab,
        "tabs": [
            (name, label, view) for name, label, view, allowed in TABS if allowed & mine
        ],
        "is_organizer": is_organizer,
        "is_assessor": Role.ASSESSOR in mine,
        "is_participant": Role.PARTICIPANT in mine,
        "no_worker": is_organizer and not jobs.is_worker_alive(),
        "n_waiting_jobs": Job.objects.filter(campaign=campaign).unfinished().count()
        if is_organizer
        else 0,
    }
    return render(request, template, {**frame, **context}, status=status)
