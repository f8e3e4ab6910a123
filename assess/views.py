"""Pages of judging: the inbox, the judging page, agreement, qrels."""

import re
from typing import Any
from uuid import uuid4

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import FileResponse, Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.template.defaultfilters import pluralize
from django.views.decorators.http import require_GET, require_POST

from accounts.access import Refused, why_not
from accounts.pages import UserRequest, signed_in
from assess import services
from assess.access import check_can_assign, check_can_judge, check_can_publish
from assess.core.agreement import agreement_report
from assess.forms import AssignmentForm, DistributionForm, JudgmentForm, ProvenanceForm
from assess.models import Assignment, AssignmentEntry, Judgment, Qrels
from campaigns.access import check_can_organize
from campaigns.models import Document
from campaigns.pages import guarded, page, sentences

PER_PAGE = 100


@signed_in
@require_GET
def judging(request: UserRequest, slug: str) -> HttpResponse:
    """Show assessors their topics, and organizers everybody's."""
    campaign = guarded(request, slug)
    assignments = Assignment.objects.in_campaign(campaign)
    context: dict[str, Any] = {
        "mine": assignments.filter(assessor=request.user),
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
    n_topics = services.distribute(
        user=request.user, campaign=campaign, second_share=share
    )
    messages.success(request, f"{n_topics:,} topic{pluralize(n_topics)} assigned.")
    return redirect("assess:judging", slug)


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


# Agreement and qrels


@signed_in
@require_GET
def agreement(request: UserRequest, slug: str) -> HttpResponse:
    campaign = guarded(request, slug, check_can_organize)
    scale = campaign.scale
    rows = Judgment.objects.twice_judged(campaign)
    grades = [grade.value for grade in scale.grades]
    report = agreement_report(rows, grades=grades, level=scale.level)
    context: dict[str, Any] = {
        "report": report,
        "scale": scale,
        "binary_note": f"Relevant means grade {scale.level} and above.",
        "pairs": [(" and ".join(pair), each) for pair, each in report.by_pair.items()],
        "topics": list(report.by_topic.items()),
    }
    return page(request, "assess/agreement.html", campaign, "agreement", **context)


@signed_in
@require_GET
def qrels(request: UserRequest, slug: str) -> HttpResponse:
    campaign = guarded(request, slug, check_can_organize)
    versions = Qrels.objects.filter(campaign=campaign).select_related("published_by")
    context: dict[str, Any] = {
        "versions": versions,
        "why_not_publish": why_not(check_can_publish, request.user, campaign),
        "n_official": Assignment.objects.n_official(campaign),
    }
    return page(request, "assess/qrels.html", campaign, "qrels", **context)


@signed_in
@require_POST
def publish_qrels(request: UserRequest, slug: str) -> HttpResponse:
    campaign = guarded(request, slug)
    published = services.publish_qrels(user=request.user, campaign=campaign)
    n = published.n_judgments
    counted = f"{n:,} judgment{pluralize(n)}"
    sentence = f"Published {published} with {counted}. Score the runs next."
    messages.success(request, sentence)
    return redirect("assess:qrels", slug)


@signed_in
@require_GET
def qrels_file(request: UserRequest, slug: str, number: int) -> FileResponse:
    campaign = guarded(request, slug)
    version = get_object_or_404(Qrels, campaign=campaign, number=number)
    file = services.download_qrels(user=request.user, qrels=version)
    name = f"{slug}-qrels-v{number}.txt"
    return FileResponse(file, as_attachment=True, filename=name)
