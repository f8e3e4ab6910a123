"""An assignment as its organizer sees it: what was judged by whom, and what can be done with it."""

from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_http_methods

from accounts.access import why_not
from accounts.fields import SeenForm
from accounts.models import BY_NAME, User
from accounts.pages import UserRequest, signed_in
from assess.access.assigning import Assignments, assessors_of
from assess.access.judging import judging_is_open
from assess.core.pace import Dwell
from assess.models.assigning import Assignment
from assess.models.history import JudgmentEvent
from assess.models.judging import Judgment
from assess.models.pacing import dwells
from assess.planning import takers_of_each
from assess.services import handover, reopening, sampling
from assess.web.assigning_forms import (
    GiveUpForm,
    HandOverForm,
    PageAct,
    ReopenForm,
    RestoreForm,
    SampleForm,
    act_sent,
    offer,
)
from assess.web.sorting import ASIDE, ENTRIES
from assess.web.strips import n_by_state, whole_strip
from campaigns.models.campaign import Campaign
from campaigns.web.frame import attempt, guarded, listed, page
from cleverdon.trec.streams import storable
from cleverdon.trec.words import counted
from questions.models import TopicNote

EARLIER = "earlier"
STATES = {
    "": "all",
    "unjudged": "unjudged",
    **dict(Judgment.State.choices),
    EARLIER: "of an earlier text or topic",
}


def _judgments(n: int) -> str:
    return counted(n, "judgment")


def _brought_back(back: reopening.BroughtBack) -> str:
    others = {
        "judged again since": back.n_again,
        "judged often enough by others, or no longer in dispute": back.n_full,
        "only put off or reopened": back.n_open,
    }
    why = ", ".join(f"{n:,} {reason}" for reason, n in others.items() if n)
    if not why:
        return f"{_judgments(back.n)} brought back."
    return f"{back.n:,} of {_judgments(back.n_aside)} brought back: {why}."


def _taken_back(it: Assignment) -> str:
    if it.is_shared:
        return f"Topic {it.topic} is taken back from {it.assessor}; its group goes on with it."
    return f"Topic {it.topic} is taken back; it waits to be assigned again."


ACTS = {
    "hand_over": PageAct(
        HandOverForm, handover.hand_over, lambda to: f"Topic {to.topic} is with {to.assessor} now."
    ),
    "take_back": PageAct(SeenForm, handover.take_back, _taken_back),
    "give_up": PageAct(
        GiveUpForm,
        handover.give_up,
        lambda it: f"{counted(it.n_open, 'document')} of topic {it.topic} given up.",
    ),
    "reset": PageAct(SeenForm, reopening.reset, lambda n: f"{_judgments(n)} set aside."),
    "sample_more": PageAct(
        SampleForm, sampling.sample_more, lambda n: f"{counted(n, 'document')} more to be judged."
    ),
    "restore": PageAct(RestoreForm, reopening.restore, _brought_back),
    "reopen": PageAct(ReopenForm, reopening.reopen, lambda n: f"{_judgments(n)} reopened."),
}


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def assignment(request: UserRequest, slug: str, pk: int) -> HttpResponse:
    """Show an assignment, and do one of the `ACTS` with it."""
    campaign = guarded(request, slug, Assignments.see)
    assignments = Assignment.objects.in_campaign(campaign)
    found = get_object_or_404(assignments, pk=pk)
    refusal = ""
    if request.method == "POST":
        refusal = attempt(act_sent, request=request, campaign=campaign, acts=ACTS, assignment=found)
        if not refusal:
            return redirect("desk:assignment", slug, pk)
    context = _shown(request, campaign, assignments.get(pk=pk))
    return page(request, "desk/assignment.html", campaign, "judging", refusal=refusal, **context)


def _hand_over_form(campaign: Campaign, found: Assignment, assessor: str | None) -> HandOverForm:
    """Offer the assessors who can take it."""
    people = assessors_of(campaign).order_by(*BY_NAME)
    form = HandOverForm(initial={"assessor": assessor}, assessors=people)
    [takers] = takers_of_each(campaign, [found])
    if found.holder:
        takers.refused[found.holder] = "has it now"
    offer(form, takers)
    return form


def _shown(request: UserRequest, campaign: Campaign, found: Assignment) -> dict[str, Any]:
    state = request.GET.get("state", "")
    if state not in STATES:
        raise Http404
    docno = storable(request.GET.get("docno", ""))
    earlier = found.entries.counting().with_versions().on_earlier(found.topic.version)
    entries = found.entries.counting().in_state("" if state == EARLIER else state)
    entries = entries.with_versions()
    if state == EARLIER:
        entries = entries.on_earlier(found.topic.version)
    aside = found.judgments.counting().exclude(set_aside_at=None).select_related("item", "assessor")
    events = JudgmentEvent.objects.counting().filter(assignment=found, judgment__item__key=docno)
    numbers = {**n_by_state(found), EARLIER: earlier.count()}
    aside_in_order = aside.order_by("item__key", "set_aside_at", "pk")
    return {
        "assignment": found,
        "closed": why_not(judging_is_open, request.user, campaign),
        "entries": listed(request, entries.order_by("position"), ENTRIES),
        "state": state,
        "states": [(value, label, numbers.get(value)) for value, label in STATES.items()],
        "strip": whole_strip(found, campaign.scale, blind=False),
        "hand_over_form": _hand_over_form(campaign, found, request.POST.get("assessor")),
        "sample_form": SampleForm() if found.kind == Assignment.Kind.SECOND else None,
        "give_up_form": GiveUpForm() if found.waits else None,
        "times": times_of(found),
        "notes": TopicNote.objects.on(found.topic),
        "groups": found.set_aside_groups(),
        "aside": listed(request, aside_in_order, ASIDE, name="aside"),
        "docno": docno,
        "events": events.select_related("judgment__assessor", "by") if docno else [],
    }


def times_of(assignment: Assignment) -> list[tuple[str, str, Dwell]]:
    """Return times of the topic, by assessor and of all, and its assessor's on all topics."""
    topic, assessor = assignment.topic, assignment.assessor
    times = dwells(topic.campaign)
    here = {person: dwell for (person, its), dwell in times.of_both.items() if its == topic.pk}
    people = User.objects.filter(pk__in=here).order_by(*BY_NAME)
    rows = [(str(user), "this topic", here[user.pk]) for user in people]
    if len(rows) > 1:
        rows.append(("All", "this topic", times.of_topics[topic.pk]))
    if assessor.pk in times.of_assessors:
        rows.append((str(assessor), "all topics", times.of_assessors[assessor.pk]))
    return rows
