"""Pages of topics and documents."""

import json
from typing import Any

from django.contrib import messages
from django.db.models import Model
from django.forms import Form
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from accounts.access import Refused
from accounts.pages import UserRequest, sent, signed_in
from campaigns import services
from campaigns.access import check_can_organize, check_can_see_topics
from campaigns.forms import (
    CollectionForm,
    DocumentSearchForm,
    DocumentsForm,
    ShownForm,
    TopicsForm,
)
from campaigns.models import Campaign, Document, Import, Topic
from campaigns.pages import guarded, listed, page, sentences
from campaigns.storage import Full

# Topics are shown whole.
TOPICS_PER_PAGE = 50
SHOWN_IMPORTS = 10


@signed_in
@require_http_methods(["GET", "POST"])
def topics(request: UserRequest, slug: str) -> HttpResponse:
    is_post = request.method == "POST"
    campaign = guarded(request, slug, check_can_organize if is_post else check_can_see_topics)  # fmt: skip
    form = TopicsForm(**sent(request))
    if form.is_valid():
        given = {name: form.cleaned_data[name] for name in ("file", "is_short")}
        if row := _uploaded(request, campaign, form, Import.Kind.TOPICS, given):
            return redirect("campaigns:import", slug, row.pk)
    return _topics_page(request, campaign, form)


def _uploaded(
    request: UserRequest,
    campaign: Campaign,
    form: Form,
    kind: Import.Kind,
    given: dict[str, Any],
) -> Import | None:
    """Have the file read. What is refused is said by the form; that the disk is full stays what it is for every upload."""
    try:
        return services.request_import(user=request.user, campaign=campaign, kind=kind, **given)  # fmt: skip
    except Full:
        raise
    except Refused as refusal:
        form.add_error(None, str(refusal))
        return None


def _topics_page(
    request: UserRequest, campaign: Campaign, form: TopicsForm, refusal: str = ""
) -> HttpResponse:
    at = reverse("campaigns:topics", args=[campaign.slug])
    topics = listed(request, campaign.topic_set.all(), per_page=TOPICS_PER_PAGE, at=at)
    context = {
        "form": form,
        "refusal": refusal,
        "topics": topics,
        "imports": Import.objects.recent(campaign, Import.Kind.TOPICS)[:SHOWN_IMPORTS],
    }
    return page(request, "campaigns/topics.html", campaign, "topics", **context)


@signed_in
@require_POST
def delete_topics(request: UserRequest, slug: str) -> HttpResponse:
    campaign = guarded(request, slug, check_can_organize)
    try:
        given = _read(ShownForm(request.POST))
        services.delete_topics(user=request.user, campaign=campaign, **given)
    except Refused as refusal:
        return _topics_page(request, campaign, TopicsForm(), str(refusal))
    messages.success(request, "All topics are deleted.")
    return redirect("campaigns:topics", slug)


@signed_in
@require_http_methods(["GET", "POST"])
def topic(request: UserRequest, slug: str, pk: int) -> HttpResponse:
    """Show a topic with its earlier versions; a POST deletes it."""
    is_post = request.method == "POST"
    campaign = guarded(request, slug, check_can_organize if is_post else check_can_see_topics)  # fmt: skip
    found = get_object_or_404(Topic, campaign=campaign, pk=pk)
    refusal = ""
    if is_post:
        try:
            services.delete_topic(user=request.user, topic=found)
        except Refused as error:
            refusal = str(error)
        else:
            messages.success(request, f"Topic {found} is deleted.")
            return redirect("campaigns:topics", slug)
    earlier = found.earlier.select_related("replaced_by", "replaced_in")
    context = {"topic": found, "earlier": earlier, "refusal": refusal}
    return page(request, "campaigns/topic.html", campaign, "topics", **context)


@signed_in
@require_GET
def topic_versions(request: UserRequest, slug: str, pk: int) -> HttpResponse:
    campaign = guarded(request, slug, check_can_organize)
    found = get_object_or_404(Topic, campaign=campaign, pk=pk)
    fields = ("number", "title", "description", "narrative")
    return _versions(found, fields, f"topic-{found.pk}-versions.jsonl")


@signed_in
@require_http_methods(["GET", "POST"])
def documents(request: UserRequest, slug: str) -> HttpResponse:
    campaign = guarded(request, slug, check_can_organize)
    form = DocumentsForm(**sent(request))
    if form.is_valid():
        given, kind = form.cleaned_data, Import.Kind.DOCUMENTS
        if row := _uploaded(request, campaign, form, kind, given):
            return redirect("campaigns:import", slug, row.pk)
    return _documents_page(request, campaign, form)


def _documents_page(
    request: UserRequest, campaign: Campaign, form: DocumentsForm, refusal: str = ""
) -> HttpResponse:
    campaign.refresh_from_db()
    imports = Import.objects.recent(campaign, Import.Kind.DOCUMENTS)
    context = {
        "form": form,
        "refusal": refusal,
        "imports": imports[:SHOWN_IMPORTS],
        **_documents(request, campaign),
    }
    return page(request, "campaigns/documents.html", campaign, "documents", **context)


def _documents(request: UserRequest, campaign: Campaign) -> dict[str, Any]:
    """Return a page of the documents that match the search. A bad page number means page 1, a bad search none."""
    matching = Document.objects.filter(campaign=campaign).order_by("docno")
    matching = matching.only("docno", "title", "version")
    search = DocumentSearchForm(request.GET)
    docno = search.cleaned_data["docno"] if search.is_valid() else ""
    if docno:
        matching = matching.filter(docno__startswith=docno)
    at = reverse("campaigns:documents", args=[campaign.slug])
    return {
        "documents": listed(request, matching, at=at),
        "docno": docno,
    }


@signed_in
@require_POST
def declare(request: UserRequest, slug: str) -> HttpResponse:
    campaign = guarded(request, slug, check_can_organize)
    try:
        given = _read(CollectionForm(request.POST))
        services.declare_collection(user=request.user, campaign=campaign, **given)
    except Refused as refusal:
        return _documents_page(request, campaign, DocumentsForm(), str(refusal))
    return redirect("campaigns:documents", slug)


@signed_in
@require_POST
def delete_documents(request: UserRequest, slug: str) -> HttpResponse:
    campaign = guarded(request, slug, check_can_organize)
    try:
        given = _read(ShownForm(request.POST))
        services.delete_documents(user=request.user, campaign=campaign, **given)
    except Refused as refusal:
        return _documents_page(request, campaign, DocumentsForm(), str(refusal))
    messages.success(request, "A worker deletes the documents.")
    return redirect("campaigns:documents", slug)


@signed_in
@require_http_methods(["GET", "POST"])
def document(request: UserRequest, slug: str, docno: str) -> HttpResponse:
    """Show a document with its earlier versions; a POST deletes it."""
    campaign = guarded(request, slug, check_can_organize)
    found = get_object_or_404(Document, campaign=campaign, docno=docno)
    refusal = ""
    if request.method == "POST":
        try:
            services.delete_document(user=request.user, document=found)
        except Refused as error:
            refusal = str(error)
        else:
            messages.success(request, f"Document {found} is deleted.")
            return redirect("campaigns:documents", slug)
    earlier = found.earlier.select_related("replaced_by", "replaced_in")
    context = {"document": found, "earlier": earlier, "refusal": refusal}
    return page(request, "campaigns/document.html", campaign, "documents", **context)


@signed_in
@require_GET
def document_versions(request: UserRequest, slug: str, docno: str) -> HttpResponse:
    campaign = guarded(request, slug, check_can_organize)
    found = get_object_or_404(Document, campaign=campaign, docno=docno)
    fields = ("docno", "title", "text", "url", "language")
    return _versions(found, fields, f"document-{found.pk}-versions.jsonl")


def _versions(found: Any, fields: tuple[str, ...], name: str) -> HttpResponse:
    """Return all versions as JSON Lines, the first one first, in the form in which they are imported."""
    replaced = found.earlier.order_by("version").select_related("replaced_by")
    lines = []
    for row in [*replaced, found]:
        values = {each: getattr(row if hasattr(row, each) else found, each) for each in fields}  # fmt: skip
        lines.append(json.dumps({"version": row.version, **values, **_end(row)}, ensure_ascii=False))  # fmt: skip
    content = "".join(line + "\n" for line in lines)
    response = HttpResponse(content, content_type="application/x-ndjson; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def _end(row: Model) -> dict[str, str]:
    """Say who replaced an earlier version, and when."""
    if not hasattr(row, "replaced_at"):
        return {}
    at = row.replaced_at.isoformat(timespec="seconds").replace("+00:00", "Z")
    return {"replaced_by": row.replaced_by.username, "replaced_at": at}  # type: ignore[attr-defined]


def _read(form: Form) -> dict[str, Any]:
    """Return what a form holds that the page does not show again; Refused with what is wrong with it."""
    if form.is_valid():
        return form.cleaned_data
    raise Refused(sentences(form))
