"""Pages of practice: for assessors the way to it and how it went, for organizers its setup."""

from functools import partial
from typing import Any

from django.contrib import messages
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods, require_safe

from accounts.access import check, why_not
from accounts.pages import UserRequest, sent, signed_in
from assess.services.known_grades import confirm_known
from assess.web.known_grades_forms import ConfirmKnownForm
from campaigns.models.campaign import Campaign
from campaigns.web.frame import done, guarded, page, sentences, tabled
from practice import services
from practice.access import PracticeTopic
from practice.models import Practice
from practice.web.forms import PracticeForm
from practice.web.page import next_topic, walk_of
from practice.web.report import PRACTICED, report_of


@signed_in
@require_safe
def practice(request: UserRequest, slug: str) -> HttpResponse:
    """Go on where practice was left, or show how it went."""
    practice = Practice.objects.of(guarded(request, slug, PracticeTopic.see))
    check(PracticeTopic.read, request.user, practice)
    campaign, walk = practice.campaign, walk_of(request.user, practice)
    closed = why_not(PracticeTopic.answer, request.user, practice)
    if walk.left and not closed:
        assignment = services.serve_practice(user=request.user, campaign=campaign)
        if assignment.entries.next_open():
            return redirect("desk:judge_page", slug, assignment.pk)
    context: dict[str, Any] = {
        "practice": practice,
        "walk": walk,
        "closed": closed,
        "assignment": practice.assignments.filter(assessor=request.user).first(),
        "next_topic": next_topic(request.user, campaign),
    }
    return page(request, "practice/practice.html", campaign, "judging", **context)


# For organizers


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
@transaction.atomic
def edit(request: UserRequest, slug: str) -> HttpResponse:
    """Show the results of practice and change it."""
    campaign = guarded(request, slug, PracticeTopic.change)
    if request.method == "POST":
        # Locked, so that the form compares with what the service changes.
        campaign = Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
    if request.POST.get("act") == "confirm":
        return _confirmed(request, campaign)
    form = PracticeForm(**sent(request), campaign=campaign)
    if not form.is_valid():
        return _edit_page(request, form)
    change = partial(services.change_practice, user=request.user, campaign=campaign)
    if done(form, partial(change, changes=form.changes())):
        messages.success(request, "Practice is saved.")
        return redirect("practice:edit_practice", slug)
    return _edit_page(request, form)


def _confirmed(request: UserRequest, campaign: Campaign) -> HttpResponse:
    form = ConfirmKnownForm(request.POST)
    confirm = partial(confirm_known, user=request.user, campaign=campaign)
    if form.is_valid() and (known := done(form, lambda: confirm(**form.cleaned_data))):
        messages.success(request, f"The known grade of {known.docno} holds for the new text.")
        return redirect("practice:edit_practice", campaign.slug)
    return _edit_page(request, PracticeForm(campaign=campaign), refusal=sentences(form))


def _edit_page(request: UserRequest, form: PracticeForm, **context: Any) -> HttpResponse:
    practice = form.practice
    report = report_of(practice)
    context |= {"form": form, "practice": practice, "report": report}
    context["people"] = tabled(request, report.people, PRACTICED)
    return page(request, "practice/practice_edit.html", practice.campaign, "judging", **context)
