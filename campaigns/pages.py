"""What every page of a campaign needs: the guard at its door and the frame around it."""

from collections.abc import Callable
from typing import Any, NamedTuple

from django import forms
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render

from accounts.models import User
from accounts.pages import UserRequest
from campaigns import jobs
from campaigns.access import check_can_view, roles
from campaigns.models import Campaign, Job, Role


class Tab(NamedTuple):
    """A page in the frame of a campaign, for whoever has one of the roles. Tabs stand in the order of `position`."""

    position: int
    name: str
    view: str
    roles: frozenset[str]


_tabs: list[Tab] = []


def register_tab(position: int, name: str, view: str, *roles: str) -> None:
    """Add a tab, from an app's `ready`; its label is its name, capitalized."""
    _tabs.append(Tab(position, name, view, frozenset(roles)))
    _tabs.sort()


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
    **context: Any,
) -> HttpResponse:
    """Render a page inside the campaign's frame: its tabs, its notice, and whether a worker is there.

    Only a form that was refused is answered to a POST with a page: 422.
    """
    mine = roles(request.user, campaign)
    is_organizer = Role.ORGANIZER in mine
    frame = {
        "campaign": campaign,
        "tab": tab,
        "tabs": [tab for tab in _tabs if tab.roles & mine],
        "is_organizer": is_organizer,
        "is_assessor": Role.ASSESSOR in mine,
        "is_participant": Role.PARTICIPANT in mine,
        "no_worker": is_organizer and not jobs.is_worker_alive(),
        "n_waiting_jobs": Job.objects.filter(campaign=campaign).unfinished().count()
        if is_organizer
        else 0,
    }
    status = 422 if request.method == "POST" else 200
    return render(request, template, {**frame, **context}, status=status)
