"""Controls: what is answered to them, and the grades that documents are known to have."""

from functools import partial

from django.contrib import messages
from django.forms import Form
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods, require_POST

from accounts.pages import UserRequest, sent, signed_in
from agreement.models import ControlRecord, control_records
from agreement.web.control_figures import control_tables
from assess.access.known_grades import KnownGrades
from assess.services import known_grades
from assess.services.judgment_files import JudgingFile
from assess.services.known_grades import confirm_known as confirm_known_grade
from assess.web.known_grades_forms import ConfirmKnownForm, KnownForm, RemoveKnownForm
from assess.web.lines import lines_taken
from assess.web.records import table_of
from campaigns.models.campaign import Campaign
from campaigns.web.frame import done, guarded, page, sentences
from cleverdon.trec.words import counted

CONTROLS = JudgingFile("controls.csv", "the answers to controls", ControlRecord, control_records)
controls_file = table_of(CONTROLS)


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def controls(request: UserRequest, slug: str) -> HttpResponse:
    """Show how assessors answer controls, and take a file of known grades."""
    campaign = guarded(request, slug, KnownGrades.see)
    form = KnownForm(**sent(request), campaign=campaign)
    if form.is_valid() and (n := _imported(request, campaign, form)):
        messages.success(request, f"{counted(n, 'known grade')} imported.")
        return redirect("agreement:controls", slug)
    context = {"form": form, **control_tables(request, campaign)}
    return page(request, "agreement/controls.html", campaign, "judging", **context)


def _imported(request: UserRequest, campaign: Campaign, form: KnownForm) -> int | None:
    lines, seen = form.cleaned_data["file"], form.cleaned_data["seen"]
    act = partial(known_grades.import_known, user=request.user, campaign=campaign)
    return lines_taken(form, lambda: act(lines=lines, replaces=form.replaces, seen=seen))


@signed_in
@require_POST
def confirm_known(request: UserRequest, slug: str) -> HttpResponse:
    campaign, form = guarded(request, slug, KnownGrades.confirm), ConfirmKnownForm(request.POST)
    act = partial(confirm_known_grade, user=request.user, campaign=campaign)
    if form.is_valid() and (known := done(form, lambda: act(**form.cleaned_data))):
        messages.success(request, f"{known.docno} has grade {known.grade} for topic {known.topic}.")
        return redirect("agreement:controls", slug)
    return _refused(request, campaign, form)


@signed_in
@require_POST
def remove_known(request: UserRequest, slug: str) -> HttpResponse:
    campaign = guarded(request, slug, KnownGrades.remove)
    form = RemoveKnownForm(request.POST, campaign=campaign)
    act = partial(known_grades.remove_known, user=request.user, campaign=campaign)
    if form.is_valid() and (n := done(form, lambda: act(**form.cleaned_data))):
        messages.success(request, f"{counted(n, 'known grade')} removed.")
        return redirect("agreement:controls", slug)
    return _refused(request, campaign, form)


def _refused(request: UserRequest, campaign: Campaign, form: Form) -> HttpResponse:
    again = KnownForm(campaign=campaign)
    context = {"form": again, "refusal": sentences(form), **control_tables(request, campaign)}
    return page(request, "agreement/controls.html", campaign, "judging", **context)
