"""An assignment as its organizer sees it: what was judged by whom, and what can be done with it."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from django import forms
from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_http_methods

from accounts.access import Refused, why_not
from accounts.models import BY_NAME
from accounts.pages import UserRequest, signed_in
from assess.access.assigning import assessors_of
from assess.access.judging import check_takes_judgments
from assess.models.assigning import Assignment
from assess.models.history import JudgmentEvent
from assess.models.judging import Judgment
from assess.planning import takers_of_each
from assess.services import handover, reopening
from assess.web.assigning_forms import (
    HandOverForm,
    ReopenForm,
    ResetForm,
    RestoreForm,
    TakeBackForm,
)
from assess.web.sorting import ASIDE, ENTRIES
from assess.web.strips import n_by_state, whole_strip
from campaigns.access.roles import check_can_organize
from campaigns.models.campaign import Campaign
from campaigns.web.frame import attempt, guarded, listed, page, sentences
from desk.web.times import rows_of
from questions.models.notes import TopicNote
from trec.streams import storable
from trec.words import counted, verb

EARLIER = "earlier"
STATES = {
    "": "all",
    "unjudged": "unjudged",
    **dict(Judgment.State.choices),
    EARLIER: "of an earlier text or topic",
}


class Act(NamedTuple):
    """Something to do with an assignment: its form, its service, and what is said when it is done."""

    form: Callable[..., forms.Form]
    service: Callable[..., Any]
    done: Callable[[Any], str]


def _judgments(n: int) -> str:
    return counted(n, "judgment")


def _brought_back(back: reopening.BroughtBack) -> str:
    found = [
        (back.n_again, "has", "been judged again since, and the new judgments stand"),
        (back.n_full, "has", "all judgments wanted, from others"),
        (
            back.n_open,
            "was",
            "only put off or reopened, and left to others when the topic was taken back",
        ),
    ]
    why = [f"{counted(n, 'document')} {verb(n, said)} {rest}" for n, said, rest in found if n]
    if not why:
        return f"{_judgments(back.n)} brought back."
    return f"{back.n:,} of {_judgments(back.n_aside)} brought back: {'; '.join(why)}."


def _taken_back(it: Assignment) -> str:
    if it.is_shared:
        return f"Topic {it.topic} is taken back from {it.assessor}; the others of its group go on with it."
    return f"Topic {it.topic} is taken back; it waits to be assigned again."


ACTS: Mapping[str, Act] = {
    "hand_over": Act(
        HandOverForm, handover.hand_over, lambda to: f"Topic {to.topic} is with {to.assessor} now."
    ),
    "take_back": Act(TakeBackForm, handover.take_back, _taken_back),
    "reset": Act(ResetForm, reopening.reset, lambda n: f"{_judgments(n)} set aside."),
    "restore": Act(RestoreForm, reopening.restore, _brought_back),
    "reopen": Act(ReopenForm, reopening.reopen, lambda n: f"{_judgments(n)} reopened."),
}


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def assignment(request: UserRequest, slug: str, pk: int) -> HttpResponse:
    """Show an assignment, and hand it over, take it back, set its judgments aside, bring them back or reopen them."""
    campaign = guarded(request, slug, check_can_organize)
    assignments = Assignment.objects.in_campaign(campaign)
    found = get_object_or_404(assignments, pk=pk)
    refusal = ""
    if request.method == "POST":
        refusal = attempt(_do, request=request, campaign=campaign, found=found)
        if not refusal:
            return redirect("desk:assignment", slug, pk)
    context = _shown(request, campaign, assignments.get(pk=pk))
    return page(request, "desk/assignment.html", campaign, "judging", refusal=refusal, **context)


def _do(request: UserRequest, campaign: Campaign, found: Assignment) -> None:
    """Do what was asked for, and say so."""
    act = ACTS.get(request.POST.get("act", ""))
    if act is None:
        raise Refused("The page is out of date: load it again.")
    others: dict[str, Any] = (
        {"assessors": assessors_of(campaign)} if act.form is HandOverForm else {}
    )
    form = act.form(request.POST, **others)
    if not form.is_valid():
        raise Refused(sentences(form))
    outcome = act.service(user=request.user, assignment=found, **form.cleaned_data)
    messages.success(request, act.done(outcome))


def _hand_over_form(campaign: Campaign, found: Assignment, seen: dict[str, Any]) -> HandOverForm:
    """Offer the assessors, and nobody who could not take it."""
    people = assessors_of(campaign).order_by(*BY_NAME)
    form = HandOverForm(initial=seen, assessors=people)
    [takers] = takers_of_each(campaign, [found])
    if found.holder:
        takers.refused[found.holder] = "has it now"
    form.offer(takers.refused, takers.notes)
    return form


def _shown(request: UserRequest, campaign: Campaign, found: Assignment) -> dict[str, Any]:
    """Return what the page shows, read after whatever was done."""
    state = request.GET.get("state", "")
    if state not in STATES:
        raise Http404
    docno = storable(request.GET.get("docno", ""))
    entries = found.entries.in_state("" if state == EARLIER else state)
    entries = entries.with_versions(campaign.pk)
    earlier = found.entries.with_versions(campaign.pk).on_earlier(found.topic.version)
    if state == EARLIER:
        entries = entries.on_earlier(found.topic.version)
    seen = {"seen_holder": found.holder, "assessor": request.POST.get("assessor")}
    aside = found.judgments.exclude(set_aside_at=None).select_related("assessor")
    events = JudgmentEvent.objects.without_controls().filter(
        assignment=found, judgment__docno=docno
    )
    numbers = {**n_by_state(found), EARLIER: earlier.count()}
    return {
        "assignment": found,
        "closed": why_not(check_takes_judgments, campaign),
        "entries": listed(request, entries.order_by("position"), ENTRIES),
        "state": state,
        "states": [(value, label, numbers.get(value)) for value, label in STATES.items()],
        "strip": whole_strip(found, campaign.scale, blind=False),
        "hand_over_form": _hand_over_form(campaign, found, seen),
        "times": rows_of(found),
        "notes": TopicNote.objects.on(found.topic),
        "groups": found.set_aside_groups(),
        "aside": listed(request, aside.order_by("docno", "set_aside_at"), ASIDE, name="aside"),
        "docno": docno,
        "events": events.select_related("judgment__assessor", "by") if docno else [],
    }
