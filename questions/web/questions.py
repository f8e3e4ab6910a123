"""Questions to the organizers: asked and read by assessors, answered by any organizer."""

import re
from functools import partial
from typing import Any
from uuid import uuid4

from django import forms
from django.contrib import messages
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.access import Refused, why_not
from accounts.fields import SeenField
from accounts.pages import UserRequest, came_from, signed_in
from assess.models.assigning import Assignment
from assess.models.presenting import PRESENTERS
from assess.web.own import own_topic
from assess.web.records import table_of
from campaigns.access.roles import is_not_archived
from campaigns.models.campaign import Campaign
from campaigns.web.frame import check_is_of_the_state, done, guarded, listed, page, part, sentences
from cleverdon.trec.streams import storable
from collection.models.items import Item
from collection.models.texts import Document
from questions import services as asking
from questions.access import Questions
from questions.models import STATES, Answering, Question
from questions.web.question_page import asked_of, asking_of, has_left, n_by_state, who_reads

PER_PAGE = 30
SEEN = re.compile(r"\d{1,18}( \d{1,18}){0,200}", re.ASCII)  # ids of answers


class QuestionForm(forms.Form):
    """A question about a document or, without a docno, the topic; the id keeps it unique."""

    client_id = forms.UUIDField(
        error_messages={
            "required": "The question has no client_id.",
            "invalid": "A client_id is a UUID.",
        },
        initial=uuid4,
        widget=forms.HiddenInput,
    )
    about = forms.CharField(required=False, widget=forms.HiddenInput)
    text = forms.CharField(
        label="Your question",
        error_messages={"required": "A question needs some words."},
        widget=forms.Textarea(attrs={"rows": 4}),
    )


class AnswerForm(forms.Form):
    """An answer and its audience."""

    text = forms.CharField(
        label="Your answer",
        error_messages={"required": "An answer needs some words."},
        widget=forms.Textarea(attrs={"rows": 5}),
    )
    audience = forms.ChoiceField(
        label="Who reads it",
        choices=Answering.Audience.choices,
        initial=Answering.Audience.ASKER,
        widget=forms.RadioSelect,
    )
    seen = SeenField()


# Assessors


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def ask(request: UserRequest, slug: str, pk: int) -> HttpResponse:
    """Show the questions about a topic, and ask; the judging page gets the list alone, or JSON."""
    assignment = own_topic(request, slug, pk)
    if request.method != "POST":
        return _asking(request, assignment, QuestionForm())
    form = QuestionForm(request.POST)
    try:
        _ask(request, assignment, form)
    except Refused as refusal:
        check_is_of_the_state(refusal)
        if request.htmx:
            return JsonResponse({"refused": str(refusal)}, status=refusal.status)
        return _asking(request, assignment, form, refusal=str(refusal))
    if request.htmx:
        return JsonResponse({})
    messages.success(request, "Your question is with the organizers.")
    return redirect("questions:ask", slug, pk)


def _ask(request: UserRequest, assignment: Assignment, form: QuestionForm) -> None:
    if not form.is_valid():
        raise Refused(sentences(form))
    values = form.cleaned_data
    asking.ask(
        user=request.user,
        assignment=assignment,
        client_id=values["client_id"],
        text=values["text"].replace("\r\n", "\n"),
        docno=values["about"],
    )


def _asking(
    request: UserRequest, assignment: Assignment, form: QuestionForm, **context: Any
) -> HttpResponse:
    campaign, topic = assignment.topic.campaign, assignment.topic
    context["asking"] = asking_of(request.user, campaign, topic)
    if request.htmx:
        return part(request, "questions/_my_questions.html", campaign, **context)
    context |= {"assignment": assignment, "form": form}
    context["closed"] = why_not(Questions.ask, request.user, assignment)
    return page(request, "questions/my_questions.html", campaign, "judging", **context)


@signed_in
@require_POST
def withdraw(request: UserRequest, slug: str, pk: int) -> HttpResponse:
    campaign = guarded(request, slug, Questions.see_own)
    question = get_object_or_404(Question.objects.in_campaign(campaign), pk=pk)
    asking.withdraw_question(user=request.user, question=question)
    return _done(request, campaign)


@signed_in
@require_POST
def see(request: UserRequest, slug: str) -> HttpResponse:
    """Mark answers as seen."""
    campaign = guarded(request, slug)
    sent = request.POST.get("answers", "").strip()
    answers = [int(pk) for pk in sent.split()] if SEEN.fullmatch(sent) else []
    asking.see_answers(user=request.user, campaign=campaign, answers=answers)
    return _done(request, campaign)


def _done(request: UserRequest, campaign: Campaign) -> HttpResponse:
    """Return to the page that the form was on."""
    if request.htmx:
        return JsonResponse({})
    return redirect(came_from(request) or reverse("desk:judging", args=[campaign.slug]))


# Organizers


@signed_in
@require_safe
def questions(request: UserRequest, slug: str) -> HttpResponse:
    """List the questions of a campaign."""
    campaign = guarded(request, slug, Questions.see)
    state = request.GET.get("state", "open")
    if state not in ("", *STATES):
        raise Http404
    rows = Question.objects.in_campaign(campaign).with_answer()
    numbers = n_by_state(rows)
    found = rows.in_state(state).select_related("topic", "asker").order_by("-pk")
    shown = listed(request, found, per_page=PER_PAGE)
    states = [("open", "open"), ("answered", "answered"), ("withdrawn", "withdrawn"), ("", "all")]
    return page(
        request,
        "questions/questions.html",
        campaign,
        "judging",
        questions=shown,
        asked=asked_of(shown),
        state=state,
        n_open=numbers["open"],
        n=numbers[""],
        states=[(value, label, numbers[value]) for value, label in states],
    )


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def question(request: UserRequest, slug: str, pk: int) -> HttpResponse:
    """Show a question with all its answers, and answer it."""
    campaign = guarded(request, slug, Questions.see)
    rows = Question.objects.in_campaign(campaign).with_answer()
    found = get_object_or_404(rows.select_related("topic__campaign", "asker"), pk=pk)
    form = AnswerForm(request.POST) if request.method == "POST" else _answer_form(found)
    if request.method == "POST" and _answered(request, found, form):
        messages.success(request, who_reads(found))
        return redirect("questions:questions", slug)
    return page(
        request,
        "questions/question.html",
        campaign,
        "judging",
        question=found,
        has_left=has_left(found),
        answers=found.answers.select_related("by"),
        form=form,
        document=_read(found),
        assignments=Assignment.objects.in_campaign(campaign).filter(
            topic=found.topic, assessor=found.asker
        ),
        closed=why_not(is_not_archived, request.user, campaign),
    )


def _read(found: Question) -> Document | None:
    """Return what its asker reads: a stored document, or the text of another item."""
    item = Item.objects.filter(topic=found.topic, key=found.docno).first()
    return PRESENTERS[item.kind].find(item, 0) if item else None


def _answer_form(found: Question) -> AnswerForm:
    present = found.answers.last()
    initial = {"text": present.text, "audience": present.audience} if present else {}
    return AnswerForm(initial=initial)


def _answered(request: UserRequest, found: Question, form: AnswerForm) -> Any:
    if not form.is_valid():
        return None
    values = form.cleaned_data
    values["text"] = storable(values["text"]).replace("\r\n", "\n")
    return done(form, partial(asking.answer, user=request.user, question=found, **values))


questions_file = table_of(asking.QUESTIONS)
