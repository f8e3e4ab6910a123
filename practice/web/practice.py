"""Pages of practice: for assessors document by document, for organizers setup and results."""

import re
from functools import partial
from typing import Any

from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.access import Refused, why_not
from accounts.forms import ReadingForm
from accounts.pages import UserRequest, sent, signed_in
from campaigns.access.roles import check_can_organize
from campaigns.models.campaign import Campaign
from campaigns.web.frame import done, guarded, page, part, part_asked, sentences
from practice import services
from practice.access import (
    check_can_answer_practice,
    check_can_practice,
    check_knows_practice,
    comes_first,
)
from practice.models import PracticeTopic
from practice.web.forms import ConfirmPracticeForm, PracticeAnswerForm, PracticeForm
from practice.web.page import Place, Walk, compared, next_topic, shown_at, time_for, walk_of
from practice.web.report import effects_of, preview_of, report_of
from trec.streams import storable
from trec.versions import version


@signed_in
@require_safe
def practice(request: UserRequest, slug: str) -> HttpResponse:
    """Show the document with this number, or the next without an answer, or else the results."""
    topic = PracticeTopic.objects.of(guarded(request, slug, check_knows_practice))
    check_can_practice(request.user, topic)
    walk = walk_of(request.user, topic)
    number = request.GET.get("number", "")
    if re.fullmatch(r"\d{1,9}", number):
        place = walk.at(int(number))
        if place is None:
            raise Http404
        return _show(request, topic, walk, place)
    closed = why_not(check_can_answer_practice, request.user, topic)
    place = next(iter(walk.left), None)
    return _show(request, topic, walk, None if closed else place)


@signed_in
@require_POST
def answer(request: UserRequest, slug: str) -> HttpResponse:
    """Record an answer and show it beside the known grade."""
    campaign = guarded(request, slug, check_knows_practice)
    try:
        docno = _answered(request, campaign)
    except Refused as refusal:
        return _not_saved(request, campaign, refusal)
    walk = walk_of(request.user, PracticeTopic.objects.of(campaign))
    number = next((each.number for each in walk.places if each.document.docno == docno), None)
    there = reverse("practice:practice", args=[slug])
    return redirect(f"{there}?number={number}" if number else there)


def _answered(request: UserRequest, campaign: Campaign) -> str:
    form = PracticeAnswerForm(request.POST)
    # Checked before the form, so that others learn nothing of it.
    check_can_answer_practice(request.user, PracticeTopic.objects.of(campaign))
    if not form.is_valid():
        raise Refused(sentences(form))
    made = services.answer_practice(user=request.user, campaign=campaign, **form.answer())
    return made.docno


def _not_saved(request: UserRequest, campaign: Campaign, refusal: Refused) -> HttpResponse:
    """Show the document as it is now with the refusal, if practice can be seen at all."""
    topic = PracticeTopic.objects.of(campaign)
    if why_not(check_can_practice, request.user, topic):
        raise refusal
    walk, docno = walk_of(request.user, topic), storable(request.POST.get("docno", ""))
    places = [each for each in walk.places if each.document.docno == docno]
    return _show(request, topic, walk, next(iter([*places, *walk.left]), None), refusal)


@signed_in
@require_POST
def skip(request: UserRequest, slug: str) -> HttpResponse:
    """Go to the first topic without finishing practice."""
    campaign = guarded(request, slug, check_knows_practice)
    services.skip_practice(user=request.user, campaign=campaign)
    following = next_topic(request.user, campaign)
    if following is None:
        return redirect("desk:judging", slug)
    return redirect("desk:judge_page", slug, following.pk)


def _show(
    request: UserRequest,
    topic: PracticeTopic,
    walk: Walk,
    place: Place | None,
    refusal: Refused | None = None,
) -> HttpResponse:
    """Render the page of practice; a known grade is shown only once it is answered."""
    campaign, user = topic.campaign, request.user
    closed = why_not(check_can_answer_practice, user, topic)
    context: dict[str, Any] = {
        "practice": topic,
        "scale": campaign.scale,
        "walk": walk,
        "closed": closed,
        "refusal": str(refusal or ""),
        "is_again": "again" in request.GET and not closed,
        "comes_first": comes_first(user, topic),
        "time_left": time_for(walk, campaign),
        "next_topic": next_topic(user, campaign),
        "reading": ReadingForm(instance=user),
        **(shown_at(place, topic, walk, part_asked(request)) if place else {"place": None}),
    }
    if place is None:
        context["differences"] = compared(walk, campaign.scale)
    status = 422 if refusal else 200
    return part(request, "practice/practice.html", campaign, status=status, **context)


# For organizers


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
@transaction.atomic
def edit(request: UserRequest, slug: str) -> HttpResponse:
    """Show the results of practice and change it, after a page with the effects on answers."""
    campaign = guarded(request, slug, check_can_organize)
    if request.method == "POST":
        # Locked, so that the form compares with what the service changes.
        campaign = Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
    if request.POST.get("act") == "confirm":
        return _confirmed(request, campaign)
    form = PracticeForm(**sent(request), campaign=campaign)
    if not form.is_valid():
        return _edit_page(request, form)
    topic = form.practice
    effects = effects_of(topic, form.known_after())
    are_seen = not effects or request.POST.get("seen_effects") == version(effects)
    is_looked_at = request.POST.get("act") == "check"
    if not is_looked_at and are_seen:
        change = partial(services.change_practice, user=request.user, campaign=campaign)
        if done(form, partial(change, changes=form.changes())):
            messages.success(request, "Practice is saved.")
            return redirect("practice:edit_practice", slug)
    shown = {"preview": preview_of(topic, form.known_after()), "is_looked_at": is_looked_at}
    response = _edit_page(request, form, effects=effects, seen_effects=version(effects), **shown)
    if is_looked_at:
        response.status_code = 200  # a preview, as asked
    return response


def _confirmed(request: UserRequest, campaign: Campaign) -> HttpResponse:
    form = ConfirmPracticeForm(request.POST)
    confirm = partial(services.confirm_practice, user=request.user, campaign=campaign)
    if form.is_valid() and done(form, lambda: confirm(**form.cleaned_data)):
        docno = form.cleaned_data["docno"]
        messages.success(request, f"The known grade of {docno} holds for the new text.")
        return redirect("practice:edit_practice", campaign.slug)
    return _edit_page(request, PracticeForm(campaign=campaign), refusal=sentences(form))


def _edit_page(request: UserRequest, form: PracticeForm, **context: Any) -> HttpResponse:
    topic = form.practice
    context |= {"form": form, "practice": topic, "report": report_of(topic)}
    return page(request, "practice/practice_edit.html", topic.campaign, "judging", **context)
