"""The judging page and the list of an assessor's documents."""

import re
from typing import Any
from uuid import uuid4

from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_GET, require_POST

from accounts.access import Refused
from accounts.pages import UserRequest, signed_in
from assess import services
from assess.access import check_can_judge
from assess.forms import JudgmentForm, ProvenanceForm
from assess.models import Assignment, AssignmentEntry, Judgment
from campaigns.models import Document
from campaigns.pages import page, sentences

PER_PAGE = 100


# The judging page


@signed_in
@require_GET
def judge_page(request: UserRequest, slug: str, pk: int) -> HttpResponse:
    """Show a document to judge: the one with this number, or the next open one."""
    assignment = _assignment(request, slug, pk)
    number = request.GET.get("number", "")
    if not re.fullmatch(r"\d{1,9}", number):
        return _show(request, assignment, assignment.entries.next_open())
    entries = assignment.entries.select_related("judgment")
    entry = get_object_or_404(entries, position=int(number) - 1)
    return _show(request, assignment, entry)


@signed_in
@require_POST
def judge(request: UserRequest, slug: str, pk: int) -> HttpResponse:
    """Record a judgment and show the next open document."""
    assignment = _assignment(request, slug, pk)
    form = JudgmentForm(request.POST)
    if not form.is_valid():
        raise Refused(sentences(form))
    answer, how = form.answer(), form.provenance()
    judgment = services.judge(
        assessor=request.user, assignment=assignment, answer=answer, provenance=how
    )
    entry = assignment.entries.next_open(after=judgment.entry.position)
    return _show(request, judgment.assignment, entry, last=judgment)


@signed_in
@require_POST
def undo(request: UserRequest, slug: str, pk: int) -> HttpResponse:
    """Reopen the document decided last and show it."""
    assignment = _assignment(request, slug, pk)
    form = ProvenanceForm(request.POST)
    if not form.is_valid():
        raise Refused("The page is out of date: load it again.")
    how = form.provenance()
    entry = services.undo(assessor=request.user, assignment=assignment, provenance=how)
    if entry is None:
        return _show(request, assignment, assignment.entries.next_open())
    return _show(request, entry.assignment, entry, undone=entry)


@signed_in
@require_GET
def entries(request: UserRequest, slug: str, pk: int) -> HttpResponse:
    """List the assessor's documents of a topic with their judgments."""
    assignment = _assignment(request, slug, pk)
    states = [("", "all"), ("unjudged", "unjudged"), *Judgment.State.choices]
    state = request.GET.get("state", "")
    if state not in dict(states):
        raise Http404
    shown = assignment.entries.in_state(state).order_by("position")
    context: dict[str, Any] = {
        "assignment": assignment,
        "entries": Paginator(shown, PER_PAGE).get_page(request.GET.get("page")),
        "state": state,
        "query": f"state={state}" if state else "",
        "states": states,
    }
    campaign = assignment.topic.campaign
    return page(request, "assess/entries.html", campaign, "judging", **context)


def _assignment(request: UserRequest, slug: str, pk: int) -> Assignment:
    assignments = Assignment.objects.select_related("topic__campaign", "assessor")
    assignment = get_object_or_404(assignments, pk=pk, topic__campaign__slug=slug)
    check_can_judge(request.user, assignment)
    return assignment


def _show(
    request: UserRequest,
    assignment: Assignment,
    entry: AssignmentEntry | None,
    *,
    last: Judgment | None = None,
    undone: AssignmentEntry | None = None,
) -> HttpResponse:
    """Render the judging page, or for htmx only the part that changes. It must not show runs, ranks or others' grades."""
    campaign = assignment.topic.campaign
    documents = Document.objects.filter(campaign=campaign)
    context: dict[str, Any] = {
        "assignment": assignment,
        "topic": assignment.topic,
        "campaign": campaign,
        "entry": entry,
        "judgment": entry.judgment if entry else None,
        "document": documents.filter(docno=entry.docno).first() if entry else None,
        "grades": campaign.scale.grades,
        "reasons": Judgment.Reason.choices,
        "client_id": uuid4(),
        "reason_id": uuid4(),
        "undo_id": uuid4(),
        "last": last,
        "last_label": campaign.scale.label_of(last.grade)
        if last and last.grade is not None
        else "",
        "undone": undone,
    }
    template = "assess/_judge.html" if request.htmx else "assess/judge.html"
    return render(request, template, context)
