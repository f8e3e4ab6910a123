"""Pages of the ground floor: setting up, topics, documents, people, runs."""

from typing import Any, cast
from urllib.parse import urlencode
from zoneinfo import ZoneInfo

from django.contrib import messages
from django.contrib.auth import login
from django.core.paginator import Paginator
from django.http import FileResponse, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from campaigns import services
from campaigns.access import (
    Refused,
    can,
    check_can_organize,
    check_can_see_run,
    check_can_submit,
    check_can_view,
    check_can_withdraw,
    why_not,
)
from campaigns.core.runs import Report
from campaigns.forms import (
    CampaignForm,
    DocumentsForm,
    InvitationForm,
    ProfileForm,
    RunForm,
    SignUpForm,
    TopicsForm,
)
from campaigns.models import (
    AuditEvent,
    Campaign,
    Document,
    Invitation,
    Job,
    Membership,
    Run,
    User,
)
from campaigns.pages import UserRequest, guarded, page, signed_in

PER_PAGE = 50


# Setting up


@signed_in
@require_http_methods(["GET", "POST"])
def create(request: UserRequest) -> HttpResponse:
    with timezone.override(_zone(request)):
        form = CampaignForm(request.POST or None)
        if not form.is_valid():
            return render(
                request,
                "campaigns/create.html",
                {"form": form},
                status=422 if form.is_bound else 200,
            )
    campaign = services.create_campaign(user=request.user, **form.values())
    messages.success(request, "The campaign exists. Its topics come next.")
    return redirect("overview", campaign.slug)


@signed_in
@require_http_methods(["GET", "POST"])
def settings(request: UserRequest, slug: str) -> HttpResponse:
    campaign = guarded(request, slug, check_can_organize)
    with timezone.override(_zone(request, campaign)):
        form = CampaignForm(
            request.POST or None, instance=Campaign.objects.get(pk=campaign.pk)
        )
        if form.is_valid() and _changed(request.user, campaign, form):
            messages.success(request, "The settings are saved.")
            return redirect("campaigns:settings", slug)
        events = AuditEvent.objects.filter(campaign=campaign).select_related("actor")
        context: dict[str, Any] = {"form": form, "audit": events[:PER_PAGE]}
        status = 422 if form.is_bound else 200
        return page(
            request,
            "campaigns/settings.html",
            campaign,
            "settings",
            status=status,
            **context,
        )


def _changed(user: User, campaign: Campaign, form: CampaignForm) -> bool:
    """Change the settings; a refusal stands beside the field it is about."""
    try:
        services.change_campaign(user=user, campaign=campaign, changes=form.values())
    except Refused as refusal:
        form.add_error("grades", str(refusal))
        return False
    return True


def _zone(request: UserRequest, campaign: Campaign | None = None) -> ZoneInfo:
    """Return the zone in which the form's times are meant."""
    name = request.POST.get("time_zone") or (campaign.time_zone if campaign else "UTC")
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError):  # the form itself will refuse the name
        return ZoneInfo("UTC")


# Topics and documents


@signed_in
@require_http_methods(["GET", "POST"])
def topics(request: UserRequest, slug: str) -> HttpResponse:
    campaign = guarded(
        request,
        slug,
        check_can_organize if request.method == "POST" else check_can_view,
    )
    form = TopicsForm(request.POST or None, request.FILES or None)
    if not form.is_valid():
        status = 422 if form.is_bound else 200
        topics = campaign.topic_set.all()
        return page(
            request,
            "campaigns/topics.html",
            campaign,
            "topics",
            status=status,
            form=form,
            topics=topics,
        )
    added, replaced = services.import_topics(
        user=request.user, campaign=campaign, text=form.cleaned_data["text"]
    )
    messages.success(request, f"Topics imported: {added} new, {replaced} replaced.")
    return redirect("campaigns:topics", slug)


@signed_in
@require_http_methods(["GET", "POST"])
def documents(request: UserRequest, slug: str) -> HttpResponse:
    campaign = guarded(request, slug, check_can_organize)
    initial = {"is_whole_collection": campaign.has_whole_collection}
    form = DocumentsForm(request.POST or None, request.FILES or None, initial=initial)
    if form.is_valid():
        services.request_document_import(
            user=request.user, campaign=campaign, **form.cleaned_data
        )
        return redirect("campaigns:documents", slug)
    found = Document.objects.filter(campaign=campaign).order_by("docno")
    if docno := request.GET.get("docno", "").strip():
        found = found.filter(docno__startswith=docno)
    context: dict[str, Any] = {
        "form": form,
        "documents": Paginator(found, PER_PAGE).get_page(request.GET.get("page")),
        "docno": docno,
        "query": urlencode({"docno": docno}) if docno else "",
        "jobs": Job.objects.recent(campaign).filter(kind=Job.Kind.IMPORT_DOCUMENTS)[:5],
    }
    return page(
        request,
        "campaigns/documents.html",
        campaign,
        "documents",
        status=422 if form.is_bound else 200,
        **context,
    )


@signed_in
@require_GET
def document(request: UserRequest, slug: str, docno: str) -> HttpResponse:
    campaign = guarded(request, slug, check_can_organize)
    found = get_object_or_404(Document, campaign=campaign, docno=docno)
    return page(
        request, "campaigns/document.html", campaign, "documents", document=found
    )


# Runs


@signed_in
@require_http_methods(["GET", "POST"])
def runs(request: UserRequest, slug: str) -> HttpResponse:
    campaign = guarded(
        request, slug, check_can_submit if request.method == "POST" else check_can_view
    )
    form = RunForm(request.POST or None, request.FILES or None)
    if form.is_valid():
        try:
            run = services.submit_run(
                user=request.user, campaign=campaign, **form.cleaned_data
            )
        except Refused as refusal:
            form.add_error("tag", str(refusal))
        else:
            return redirect("campaigns:run", slug, run.pk)
    context: dict[str, Any] = {
        "form": form,
        **_runs(request, campaign),
        "why_not_submit": why_not(check_can_submit, request.user, campaign),
    }
    return page(
        request,
        "campaigns/runs.html",
        campaign,
        "runs",
        status=422 if form.is_bound else 200,
        **context,
    )


@signed_in
@require_GET
def run(request: UserRequest, slug: str, pk: int) -> HttpResponse:
    """Show a run with its check report; htmx asks for the state alone until it is settled."""
    campaign, found = _run(request, slug, pk)
    context: dict[str, Any] = {
        "run": found,
        "report": Report.from_json(found.report) if found.report else None,
        "job": Job.objects.about(Job.Kind.CHECK_RUN, found.pk),
        "can_withdraw": can(check_can_withdraw, request.user, found),
    }
    template = "campaigns/_run_state.html" if request.htmx else "campaigns/run.html"  # type: ignore[attr-defined]
    return page(request, template, campaign, "runs", **context)


@signed_in
@require_GET
def run_states(request: UserRequest, slug: str) -> HttpResponse:
    """Show the table alone, which asks for itself until every run is settled."""
    campaign = guarded(request, slug)
    return page(
        request, "campaigns/_runs.html", campaign, "runs", **_runs(request, campaign)
    )


def _runs(request: UserRequest, campaign: Campaign) -> dict[str, Any]:
    runs = Run.objects.visible_to(request.user, campaign)
    return {"runs": runs, "is_unsettled": runs.unsettled().exists()}


@signed_in
@require_GET
def run_file(request: UserRequest, slug: str, pk: int) -> FileResponse:
    _, found = _run(request, slug, pk)
    return FileResponse(
        found.file.open("rb"), as_attachment=True, filename=found.file_name
    )


@signed_in
@require_POST
def withdraw_run(request: UserRequest, slug: str, pk: int) -> HttpResponse:
    _, found = _run(request, slug, pk)
    services.withdraw_run(user=request.user, run=found)
    messages.success(
        request, f"Run {found} is withdrawn. Its file and report are kept."
    )
    return redirect("campaigns:runs", slug)


def _run(request: UserRequest, slug: str, pk: int) -> tuple[Campaign, Run]:
    campaign = guarded(request, slug)
    found = get_object_or_404(
        Run.objects.select_related("team", "submitted_by", "campaign"),
        campaign=campaign,
        pk=pk,
    )
    check_can_see_run(request.user, found)
    return campaign, found


# Jobs


@signed_in
@require_GET
def job(request: UserRequest, slug: str, pk: int) -> HttpResponse:
    """Show a job's progress; when it is finished the page is loaded anew, so that it shows what came of it."""
    campaign = guarded(request, slug, check_can_organize)
    found = get_object_or_404(Job, campaign=campaign, pk=pk)
    response = render(
        request, "_components/job.html", {"job": found, "campaign": campaign}
    )
    if found.is_finished:
        response["HX-Refresh"] = "true"
    return response


@signed_in
@require_POST
def retry_job(request: UserRequest, slug: str, pk: int) -> HttpResponse:
    campaign = guarded(request, slug, check_can_organize)
    services.retry_job(
        user=request.user, job=get_object_or_404(Job, campaign=campaign, pk=pk)
    )
    return redirect("overview", slug)


# People


@signed_in
@require_http_methods(["GET", "POST"])
def people(request: UserRequest, slug: str) -> HttpResponse:
    campaign = guarded(request, slug, check_can_organize)
    form = InvitationForm(request.POST or None)
    if form.is_valid():
        try:
            services.invite(user=request.user, campaign=campaign, **form.cleaned_data)
        except Refused as refusal:
            form.add_error("team_name", str(refusal))
        else:
            return redirect("campaigns:people", slug)
    context: dict[str, Any] = {
        "form": form,
        "memberships": Membership.objects.for_people(campaign),
        "invitations": Invitation.objects.filter(campaign=campaign).select_related(
            "team"
        ),
        "site": request.build_absolute_uri("/").rstrip("/"),
    }
    return page(
        request,
        "campaigns/people.html",
        campaign,
        "people",
        status=422 if form.is_bound else 200,
        **context,
    )


@signed_in
@require_POST
def remove_member(request: UserRequest, slug: str, pk: int) -> HttpResponse:
    campaign = guarded(request, slug, check_can_organize)
    services.remove_member(
        user=request.user,
        membership=get_object_or_404(Membership, campaign=campaign, pk=pk),
    )
    return redirect("campaigns:people", slug)


@signed_in
@require_POST
def withdraw_invitation(request: UserRequest, slug: str, pk: int) -> HttpResponse:
    campaign = guarded(request, slug, check_can_organize)
    services.withdraw_invitation(
        user=request.user,
        invitation=get_object_or_404(Invitation, campaign=campaign, pk=pk),
    )
    return redirect("campaigns:people", slug)


@require_http_methods(["GET", "POST"])
def invitation(request: HttpRequest, token: str) -> HttpResponse:
    """Let whoever follows the link join, with the account they have or with a new one."""
    invitations = Invitation.objects.select_related("campaign", "team")
    found = get_object_or_404(invitations, token=token)
    form = None if isinstance(request.user, User) else SignUpForm(request.POST or None)
    if request.method == "GET" or (form and not form.is_valid()):
        context = {"invitation": found, "form": form}
        status = 422 if request.method == "POST" else 200
        return render(request, "campaigns/invitation.html", context, status=status)
    if form:
        login(request, form.save(), backend="django.contrib.auth.backends.ModelBackend")
    services.accept_invitation(user=cast("User", request.user), invitation=found)
    return redirect("overview", found.campaign.slug)


@signed_in
@require_http_methods(["GET", "POST"])
def profile(request: UserRequest) -> HttpResponse:
    form = ProfileForm(request.POST or None, instance=request.user)
    if not form.is_valid():
        return render(
            request,
            "campaigns/profile.html",
            {"form": form},
            status=422 if form.is_bound else 200,
        )
    form.save()
    messages.success(request, "Your profile is saved.")
    return redirect("profile")
