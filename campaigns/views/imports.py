"""Pages of topics and documents."""

from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.core.files import File
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_GET, require_http_methods

from accounts.pages import UserRequest, sent, signed_in
from campaigns import services, tasks
from campaigns.access import check_can_organize, check_can_see_topics
from campaigns.forms import (
    DocumentSearchForm,
    DocumentsForm,
    TopicsForm,
)
from campaigns.models import Campaign, Document, Job
from campaigns.pages import guarded, page
from trec.topics import TopicRecord

PER_PAGE = 50


@signed_in
@require_http_methods(["GET", "POST"])
def topics(request: UserRequest, slug: str) -> HttpResponse:
    campaign = guarded(
        request,
        slug,
        check_can_organize if request.method == "POST" else check_can_see_topics,
    )
    form = TopicsForm(**sent(request))
    if not form.is_valid():
        topics = Paginator(campaign.topic_set.all(), PER_PAGE)
        imports = Job.objects.recent(campaign).filter(kind=tasks.import_topics.name)
        context = {"form": form, "topics": topics.get_page(request.GET.get("page")), "jobs": imports[:5]}  # fmt: skip
        return page(request, "campaigns/topics.html", campaign, "topics", **context)
    _import_topics(request, campaign, **form.cleaned_data)
    return redirect("campaigns:topics", slug)


def _import_topics(
    request: UserRequest,
    campaign: Campaign,
    records: list[TopicRecord] | None,
    file: File[bytes],
    **_: str,
) -> None:
    """Import topics that the form has read, or have a worker read them."""
    user = request.user
    if records is None:
        services.request_topic_import(user=user, campaign=campaign, file=file)
        return
    added, replaced = services.import_topics(
        user=user, campaign=campaign, records=records
    )
    messages.success(request, f"Topics imported: {added} new, {replaced} replaced.")


@signed_in
@require_http_methods(["GET", "POST"])
def documents(request: UserRequest, slug: str) -> HttpResponse:
    campaign = guarded(request, slug, check_can_organize)
    initial = {"is_whole_collection": campaign.has_whole_collection}
    form = DocumentsForm(**sent(request), initial=initial)
    if form.is_valid():
        services.request_document_import(
            user=request.user, campaign=campaign, **form.cleaned_data
        )
        return redirect("campaigns:documents", slug)
    imports = Job.objects.recent(campaign).filter(kind=tasks.import_documents.name)
    context = {"form": form, "jobs": imports[:5], **_documents(request, campaign)}
    return page(request, "campaigns/documents.html", campaign, "documents", **context)


def _documents(request: UserRequest, campaign: Campaign) -> dict[str, Any]:
    """Return a page of the documents that match the search. A bad page number means page 1, a bad search none."""
    matching = Document.objects.filter(campaign=campaign).order_by("docno")
    search = DocumentSearchForm(request.GET)
    docno = search.cleaned_data["docno"] if search.is_valid() else ""
    if docno:
        matching = matching.filter(docno__startswith=docno)
    return {
        "documents": Paginator(matching, PER_PAGE).get_page(request.GET.get("page")),
        "docno": docno,
        "query": urlencode({"docno": docno}) if docno else "",
    }


@signed_in
@require_GET
def document(request: UserRequest, slug: str, docno: str) -> HttpResponse:
    campaign = guarded(request, slug, check_can_organize)
    context = {"document": get_object_or_404(Document, campaign=campaign, docno=docno)}
    return page(request, "campaigns/document.html", campaign, "documents", **context)
