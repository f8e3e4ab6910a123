"""What every page of a campaign needs: its guard and the frame around it."""

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
    """A page in the frame of a campaign, shown to people with one of the roles, in the order of `position`."""

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
    """Join the error messages of a form, for a page that does not show the form again."""
    return " ".join(
        str(message) for errors in form.errors.values() for message in errors
    )


def guarded(
    request: UserRequest,
    slug: str,
    check: Callable[[User, Campaign], None] = check_can_view,
) -> Campaign:
    """Return the campaign if the check lets the user pass; Http404 for an unknown slug."""
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
    """Render a page inside the campaign's frame: its tabs, its notice, and whether a worker is running.

    A POST is answered with a page only if its form was refused, hence 422.
    """
    user_roles = roles(request.user, campaign)
    is_organizer = Role.ORGANIZER in user_roles
    frame = {
        "campaign": campaign,
        "tab": tab,
        "tabs": [tab for tab in _tabs if tab.roles & user_roles],
        "is_organizer": is_organizer,
        "is_assessor": Role.ASSESSOR in user_roles,
        "is_participant": Role.PARTICIPANT in user_roles,
        "no_worker": is_organizer and not jobs.is_worker_alive(),
        "n_waiting_jobs": Job.objects.filter(campaign=campaign).unfinished().count()
        if is_organizer
        else 0,
    }
    status = 422 if request.method == "POST" else 200
    return render(request, template, {**frame, **context}, status=status)
