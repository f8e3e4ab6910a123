"""The judging page and the list of an assessor's documents."""

import re
from typing import Any
from uuid import uuid4

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.views.decorators.http import require_safe

from accounts.access import can, why_not
from accounts.forms import ReadingForm
from accounts.models import User
from accounts.pages import UserRequest, signed_in
from assess.access.judging import Judging, judging_is_open
from assess.models.assigning import Assignment
from assess.models.judging import Judgment
from assess.models.presenting import PRESENTERS
from assess.models.serving import AssignmentEntry, as_served
from assess.web.own import own_assignment
from assess.web.sorting import own_entries
from assess.web.strips import n_by_state, whole_strip
from campaigns.core.criteria import DOCUMENT
from campaigns.core.grades import Grade
from campaigns.web.frame import is_viewed, listed, page, part, part_asked
from desk.queue import in_dispute, more, told_of
from desk.web.words import words_of
from practice.access import comes_first
from practice.web.page import grade_of, offer_of
from questions.models import TopicNote
from questions.web.question_page import asking_of


@signed_in
@require_safe
def judge_page(request: UserRequest, slug: str, pk: int) -> HttpResponse:
    """Show the document with this number, or the next open one while it may be judged."""
    assignment = own_assignment(request, slug, pk)
    if not assignment.is_practice and _practices_first(request.user, assignment):
        return redirect("practice:practice", slug)
    number = request.GET.get("number", "")
    if re.fullmatch(r"\d{1,9}", number):
        entries = assignment.entries.select_related("item", "judgment")
        entry = get_object_or_404(entries, position=int(number) - 1)
        return _show(request, assignment, entry)
    if why_not(Judging.judge, request.user, assignment):
        return redirect("desk:entries", slug, pk)
    if not is_viewed(request):
        more(request.user, assignment)
    following = assignment.entries.next_open()
    if assignment.is_practice and following is None:
        return redirect("practice:practice", slug)
    return _show(request, assignment, following)


def _practices_first(user: User, assignment: Assignment) -> bool:
    """Whether an assessor who may judge the topic has to practice first."""
    practice = getattr(assignment.topic.campaign, "practice", None)
    if practice is None or practice.may_skip or not comes_first(user, practice):
        return False
    return can(Judging.judge, user, assignment)


def _show(
    request: UserRequest, assignment: Assignment, entry: AssignmentEntry | None
) -> HttpResponse:
    """Render the page, without runs, ranks, others' grades or which documents are controls."""
    [assignment] = as_served([assignment])
    topic, campaign = assignment.topic, assignment.topic.campaign
    presenter = PRESENTERS[entry.item.kind] if entry else None
    document = presenter.find(entry.item, part_asked(request)) if entry and presenter else None
    kind = entry.item.kind if entry else DOCUMENT
    context: dict[str, Any] = {
        "assignment": assignment,
        "topic": topic,
        "entry": entry,
        "judgment": entry.own if entry else None,
        "document": document,
        "body": presenter and presenter.template,
        "closed": _closed(request, assignment),
        "further": campaign.asked_further or campaign.takes_evidence,
        "kind": kind,
        "graded_by": campaign.graded_by,
        "grades": campaign.graded_by[kind].answers,
        "given": _given(assignment, is_finished=entry is None),
        "next_assignment": Assignment.objects.next_of(request.user, assignment),
        **_beside(request.user, assignment, entry),
        **(in_dispute(entry) if entry else {}),
        "states": ["unjudged", *Judgment.State.values],
        "reasons": Judgment.Reason.choices,
        "reading": ReadingForm(instance=request.user),
        "reader": request.user.pk,
        "words": words_of(assignment, document),
    }
    return part(request, "desk/judge.html", campaign, **context)


def _closed(request: UserRequest, assignment: Assignment) -> str:
    """Return why nothing can be answered now, or ""."""
    if is_viewed(request):
        return "An organizer is looking at this page."
    user = request.user
    if assignment.is_practice:
        return why_not(Judging.judge, user, assignment)
    return why_not(judging_is_open, user, assignment)


def _beside(user: User, assignment: Assignment, entry: AssignmentEntry | None) -> dict[str, Any]:
    """Return what may be asked and noted, or in practice how the answer stands."""
    topic, campaign = assignment.topic, assignment.topic.campaign
    if not assignment.is_practice:
        return {
            "asking": asking_of(user, campaign, topic),
            "question_id": uuid4(),
            "note": TopicNote.objects.of(topic, user),
        }
    told = entry and told_of(entry)
    return {
        "offer": offer_of(user, campaign),
        "told": told,
        "known": told and grade_of(campaign.scale, told["grade"]),
    }


def _given(assignment: Assignment, *, is_finished: bool) -> list[tuple[str, Grade, int]]:
    """Return by kind how many items have each grade; until all are judged the script counts."""
    given: list[tuple[str, Grade, int]] = []
    graded_by = assignment.topic.campaign.graded_by
    for kind, criterion in graded_by.items():
        rows = assignment.entries.filter(item__kind=kind)
        if len(graded_by) == 1 or rows.exists():
            numbers = rows.n_by_grade([assignment]).get(assignment.pk, {}) if is_finished else {}
            given += [(kind, each, numbers.get(each.value, 0)) for each in criterion.answers]
    return given


@signed_in
@require_safe
def entries(request: UserRequest, slug: str, pk: int) -> HttpResponse:
    """List the assessor's documents of a topic with their judgments."""
    [assignment] = as_served([own_assignment(request, slug, pk)])
    states = [("", "all"), ("unjudged", "unjudged"), *Judgment.State.choices]
    state = request.GET.get("state", "")
    if state not in dict(states):
        raise Http404
    in_state = assignment.entries.in_state(state).order_by("position")
    shown = in_state.with_versions()
    campaign, numbers = assignment.topic.campaign, n_by_state(assignment)
    at = reverse("desk:judge_page", args=[slug, pk])
    context: dict[str, Any] = {
        "assignment": assignment,
        "closed": why_not(Judging.judge, request.user, assignment),
        "entries": listed(request, shown, own_entries(assignment)),
        "state": state,
        "states": [(value, label, numbers.get(value)) for value, label in states],
        "strip": whole_strip(assignment, campaign.scale, blind=True, at=at),
    }
    return page(request, "desk/entries.html", campaign, "judging", **context)
