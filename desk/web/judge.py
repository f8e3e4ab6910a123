"""The judging page and the list of an assessor's documents."""

import re
from typing import Any
from uuid import uuid4

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from accounts.access import NotYours, Refused, why_not
from accounts.forms import ReadingForm
from accounts.models import User
from accounts.pages import UserRequest, signed_in
from assess.access.answers import Stale
from assess.access.judging import check_can_judge, check_takes_judgments
from assess.models.assigning import Assignment
from assess.models.judging import Judgment
from assess.models.serving import AssignmentEntry
from assess.services import judging, sharing
from assess.web.judging_forms import JudgmentForm, ProvenanceForm
from assess.web.own import own_assignment
from assess.web.sorting import own_entries
from assess.web.strips import n_by_state, whole_strip
from campaigns.web.frame import listed, page, part, part_asked, sentences
from collection.models.parts import with_part
from collection.models.texts import Document
from desk.web.highlights import words_of
from practice.access import comes_first
from questions.models.notes import TopicNote
from questions.web.question_page import asking_of
from trec.streams import storable

# The judging page


@signed_in
@require_safe
def judge_page(request: UserRequest, slug: str, pk: int) -> HttpResponse:
    """Show a document: the one with this number, or the next open one while it may be judged."""
    assignment = own_assignment(request, slug, pk)
    if _practices_first(request.user, assignment):
        return redirect("practice:practice", slug)
    number = request.GET.get("number", "")
    if re.fullmatch(r"\d{1,9}", number):
        entries = assignment.all_entries.select_related("judgment")
        entry = get_object_or_404(entries, position=int(number) - 1)
        return _show(request, assignment, entry)
    if why_not(check_can_judge, request.user, assignment):
        return redirect("desk:entries", slug, pk)
    sharing.lend(assessor=request.user, assignment=assignment)
    return _show(request, assignment, assignment.all_entries.next_open())


def _practices_first(user: User, assignment: Assignment) -> bool:
    """Whether somebody who opens a topic that they may judge is to practice before."""
    practice = getattr(assignment.topic.campaign, "practice", None)
    if practice is None or not comes_first(user, practice):
        return False
    return not why_not(check_can_judge, user, assignment)


@signed_in
@require_POST
def judge(request: UserRequest, slug: str, pk: int) -> HttpResponse:
    """Record a judgment and show the next open document."""
    assignment = own_assignment(request, slug, pk)
    try:
        judgment = _judged(request, assignment)
    except Refused as refusal:
        return _not_saved(request, assignment, refusal)
    sharing.lend(assessor=request.user, assignment=assignment)
    entry = assignment.all_entries.next_open(after=judgment.entry.position)
    return _show(request, judgment.assignment, entry, last=judgment)


def _judged(request: UserRequest, assignment: Assignment) -> Judgment:
    form = JudgmentForm(request.POST)
    if not form.is_valid():
        raise Refused(sentences(form))
    return judging.judge(
        assessor=request.user,
        assignment=assignment,
        answer=form.answer(),
        provenance=form.provenance(),
        seen=form.seen(),
        number=form.cleaned_data["number"],
    )


def _not_saved(request: UserRequest, assignment: Assignment, refusal: Refused) -> HttpResponse:
    """Show the document as it is now, with what was typed."""
    if isinstance(refusal, NotYours):
        raise refusal
    entry = _on_screen(assignment, request.POST.get("number", ""))
    typed = storable(request.POST.get("comment", ""))
    return _show(
        request,
        assignment,
        entry,
        refusal=str(refusal),
        is_stale=isinstance(refusal, Stale),
        typed=typed,
    )


@signed_in
@require_POST
def undo(request: UserRequest, slug: str, pk: int) -> HttpResponse:
    """Take back the judgment decided last and show its document."""
    assignment = own_assignment(request, slug, pk)
    form = ProvenanceForm(request.POST)
    if not form.is_valid():
        raise Refused("The page is out of date: load it again.")
    undone = judging.undo(
        assessor=request.user, assignment=assignment, provenance=form.provenance()
    )
    if undone is None:
        entry = _on_screen(assignment, request.POST.get("shown", ""))
        return _show(request, assignment, entry, notice=judging.NOTHING_TO_UNDO)
    its = undone.assignment.all_entries.select_related("judgment")
    entry = its.get(docno=undone.docno, control=undone.control)
    return _show(request, undone.assignment, entry, undone=undone, typed=undone.comment)


def _on_screen(assignment: Assignment, number: str) -> AssignmentEntry | None:
    """Return the entry that the page showed, or the next open one."""
    entries = assignment.all_entries.select_related("judgment")
    is_number = re.fullmatch(r"\d{1,9}", number)
    entry = entries.filter(position=int(number) - 1).first() if is_number else None
    return entry or assignment.all_entries.next_open()


@signed_in
@require_safe
def entries(request: UserRequest, slug: str, pk: int) -> HttpResponse:
    """List the assessor's documents of a topic with their judgments."""
    assignment = own_assignment(request, slug, pk).as_served()
    states = [("", "all"), ("unjudged", "unjudged"), *Judgment.State.choices]
    state = request.GET.get("state", "")
    if state not in dict(states):
        raise Http404
    in_state = assignment.all_entries.in_state(state).order_by("position")
    shown = in_state.with_versions(assignment.topic.campaign_id)
    campaign, numbers = assignment.topic.campaign, n_by_state(assignment)
    at = reverse("desk:judge_page", args=[slug, pk])
    context: dict[str, Any] = {
        "assignment": assignment,
        "closed": why_not(check_can_judge, request.user, assignment),
        "entries": listed(request, shown, own_entries(assignment)),
        "state": state,
        "states": [(value, label, numbers.get(value)) for value, label in states],
        "strip": whole_strip(assignment, campaign.scale, blind=True, at=at),
    }
    return page(request, "desk/entries.html", campaign, "judging", **context)


def _show(
    request: UserRequest,
    assignment: Assignment,
    entry: AssignmentEntry | None,
    *,
    last: Judgment | None = None,
    undone: Judgment | None = None,
    refusal: str = "",
    is_stale: bool = False,
    notice: str = "",
    typed: str = "",
) -> HttpResponse:
    """Render the judging page. It must not show runs, ranks or others' grades, nor which documents are controls."""
    assignment = assignment.as_served()
    campaign = assignment.topic.campaign
    texts = with_part(Document.objects.filter(campaign=campaign), part_asked(request))
    document = texts.filter(docno=entry.docno).first() if entry else None
    judgment = entry.own if entry else None
    saved = judgment.comment if judgment else ""
    n_by_grade = AssignmentEntry.with_controls.n_by_grade([assignment]) if not entry else {}
    context: dict[str, Any] = {
        "assignment": assignment,
        "topic": assignment.topic,
        "scale": campaign.scale,
        "entry": entry,
        "judgment": judgment,
        "document": document,
        "closed": why_not(check_takes_judgments, campaign),
        "further": campaign.asked_criteria or campaign.takes_evidence,
        "refusal": refusal,
        "is_stale": is_stale,
        "notice": notice,
        "comment": typed or saved,
        "saved_comment": saved if typed and typed != saved else "",
        "grades": campaign.scale.grades,
        "given": [
            (grade, n_by_grade.get(assignment.pk, {}).get(grade.value, 0))
            for grade in campaign.scale.grades
        ],
        "next_assignment": Assignment.objects.next_of(request.user, assignment),
        "asking": asking_of(request.user, campaign, assignment.topic),
        "question_id": uuid4(),
        "note": TopicNote.objects.of(assignment.topic, request.user),
        "difficulties": [("", "not said"), *TopicNote.Difficulty.choices],
        "states": ["unjudged", *Judgment.State.values],
        "reasons": Judgment.Reason.choices,
        "client_id": uuid4(),
        "reading": ReadingForm(instance=request.user),
        "reader": request.user.pk,
        "reason_id": uuid4(),
        "missing_id": uuid4(),
        "undo_id": uuid4(),
        "last": last,
        "last_label": campaign.scale.label_of(last.grade)
        if last and last.grade is not None
        else "",
        "undone": undone,
        "words": words_of(assignment, document),
    }
    status = 422 if refusal else 200
    return part(request, "desk/judge.html", campaign, status=status, **context)
