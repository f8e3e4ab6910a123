"""Pages of programs as assessors: the list, the card of each, and its labels."""

from functools import partial
from http import HTTPStatus
from typing import Any

from django.contrib import messages
from django.http import HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.access import why_not
from accounts.pages import UserRequest, sent, signed_in
from assess.web.lines import lines_taken
from assess.web.records import send_file
from campaigns.models.campaign import Campaign
from campaigns.sorting import Cell, Figure, Sorting
from campaigns.web.frame import attempt, done, guarded, page, tabled
from cleverdon.trec.words import counted
from programs import services
from programs.access import Programs
from programs.models import Program
from programs.web.forms import LabelsForm, ProgramForm, TokenForm

MOST_SHOWN = 20  # of the verdicts that are no grades
PROGRAMS = Sorting(
    "programs",
    program=Cell(lambda each: each.name),
    model=Cell(lambda each: f"{each.model} {each.version}"),
    labels=Figure(lambda each: each.n_labels),
    no_grade=Figure(lambda each: each.n_unread),
    date=Cell(lambda each: each.labelled_on),
)


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def programs(request: UserRequest, slug: str) -> HttpResponse:
    """List the programs, and register another."""
    campaign = guarded(request, slug, Programs.see)
    form = ProgramForm(**sent(request), campaign=campaign)
    if form.is_valid():
        act = partial(services.register_program, user=request.user, campaign=campaign)
        if made := done(form, lambda: act(**form.cleaned_data)):
            messages.success(request, f"{made} is registered. Send its labels next.")
            return redirect("programs:program", slug, made.name)
    rows = Program.objects.with_counts().filter(campaign=campaign)
    context = {
        "form": form,
        "programs": tabled(request, list(rows), PROGRAMS),
        "why_not": why_not(Programs.register, request.user, campaign),
    }
    return page(request, "programs/programs.html", campaign, "judging", **context)


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def program(request: UserRequest, slug: str, name: str) -> HttpResponse:
    """Show the card of a program and what it said, and take a file of labels."""
    campaign, its = program_of(request, slug, name)
    form = LabelsForm(**sent(request))
    if form.is_valid():
        act = partial(services.take_labels, user=request.user, program=its)
        if now := lines_taken(form, lambda: act(labels=form.cleaned_data["file"])):
            messages.success(request, f"{its} has {counted(now.n_labels, 'label')} now.")
            return redirect("programs:program", slug, name)
    return _page(request, campaign, its, form=form)


@signed_in
@require_POST
def make_token(request: UserRequest, slug: str, name: str) -> HttpResponse:
    """Make an access token; the answer to this form shows it, and no other answer does."""
    campaign, its = program_of(request, slug, name)
    form, secret = TokenForm(request.POST), ""
    if form.is_valid():
        act = partial(services.make_program_token, user=request.user, program=its)
        secret = done(form, lambda: act(**form.cleaned_data)) or ""
    answer = _page(request, campaign, its, secret=secret, token_form=form)
    answer.status_code = HTTPStatus.OK if secret else answer.status_code
    return answer


@signed_in
@require_POST
def remove(request: UserRequest, slug: str, name: str) -> HttpResponse:
    _, its = program_of(request, slug, name)
    if refusal := attempt(services.remove_program, user=request.user, program=its):
        messages.error(request, refusal)
        return redirect("programs:program", slug, name)
    messages.success(request, f"{name} is removed, with its labels.")
    return redirect("programs:programs", slug)


@signed_in
@require_safe
def labels_file(request: UserRequest, slug: str, name: str) -> StreamingHttpResponse:
    campaign, its = program_of(request, slug, name)
    download = partial(services.download_labels, program=its)
    return send_file(request, f"{campaign.slug}-labels-{its}.csv", download)


def program_of(request: UserRequest, slug: str, name: str) -> tuple[Campaign, Program]:
    """Return the campaign and its program of this name, to an organizer."""
    campaign = guarded(request, slug, Programs.see)
    rows = Program.objects.with_counts().filter(campaign=campaign)
    return campaign, get_object_or_404(rows, name=name)


def _page(request: UserRequest, campaign: Campaign, its: Program, **more: Any) -> HttpResponse:
    labels = its.labels.all()
    names: dict[int | None, str] = {grade.value: grade.label for grade in campaign.scale.grades}
    why_hidden = why_not(Programs.see_labels, request.user, its)
    context = {
        "program": its,
        "form": LabelsForm(),
        "token_form": TokenForm(),
        "why_hidden": why_hidden,
        "why_not": why_not(Programs.label, request.user, its),
        "why_keep": why_not(Programs.remove, request.user, its),
        "n_unlabelled": its.unlabelled.count(),
        "verdicts": [(grade, names.get(grade, ""), n) for grade, n in labels.by_verdict()],
        "unread": labels.filter(grade=None).in_order()[:MOST_SHOWN],
        **more,
    }
    return page(request, "programs/program.html", campaign, "judging", **context)
