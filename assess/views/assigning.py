"""Pages of assigning: the inbox of an assessor, and who judges what."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.template.defaultfilters import pluralize
from django.views.decorators.http import require_GET, require_POST

from accounts.access import Refused, why_not
from accounts.pages import UserRequest, signed_in
from assess import services
from assess.access import check_can_assign
from assess.forms import AssignmentForm, DistributionForm
from assess.models import Assignment
from campaigns.pages import guarded, page


@signed_in
@require_GET
def judging(request: UserRequest, slug: str) -> HttpResponse:
    """Show assessors their topics, and organizers everybody's."""
    campaign = guarded(request, slug)
    assignments = Assignment.objects.in_campaign(campaign)
    context: dict[str, Any] = {
        "mine": assignments.live().filter(assessor=request.user),
        "why_not_assign": why_not(check_can_assign, request.user, campaign),
        "assignments": assignments,
        "assignment_form": AssignmentForm(campaign=campaign),
        "distribution_form": DistributionForm(),
    }
    return page(request, "assess/judging.html", campaign, "judging", **context)


@signed_in
@require_POST
def assign(request: UserRequest, slug: str) -> HttpResponse:
    campaign = guarded(request, slug, check_can_assign)
    form = AssignmentForm(request.POST, campaign=campaign)
    if not form.is_valid():
        raise Refused(
            "Choose a topic, an assessor and a share between 1 and 100 percent."
        )
    share = form.cleaned_data.pop("share") / 100
    services.assign(user=request.user, share=share, **form.cleaned_data)
    return redirect("assess:judging", slug)


@signed_in
@require_POST
def distribute(request: UserRequest, slug: str) -> HttpResponse:
    campaign = guarded(request, slug, check_can_assign)
    form = DistributionForm(request.POST)
    if not form.is_valid():
        raise Refused("The share judged twice is a whole number from 0 to 100.")
    share = form.cleaned_data["second_percent"] / 100
    n = services.distribute(user=request.user, campaign=campaign, second_share=share)
    messages.success(request, f"{n:,} assignment{pluralize(n)} made.")
    return redirect("assess:judging", slug)
