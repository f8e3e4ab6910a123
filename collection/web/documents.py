"""Pages of documents."""

from functools import partial
from itertools import takewhile
from typing import Any

from django.contrib import messages
from django.db.models.functions import Left
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.fields import SeenForm
from accounts.pages import UserRequest, signed_in
from api.web.uploads import sent
from campaigns.models.campaign import Campaign
from campaigns.web.frame import guarded, page, part_asked, sentences
from campaigns.web.lists import page_of
from collection.access import Documents
from collection.models.imports import Import
from collection.models.parts import with_part
from collection.models.texts import Document, DocumentQuerySet, listed_title, seen_of
from collection.nouns import DOCUMENTS
from collection.services import collection
from collection.uses import mentions_of, why_not_delete_all
from collection.web.forms import CollectionForm, DocumentsForm
from collection.web.texts import OF_EARLIER, imports_of, is_done, text_page, uploaded, versions_file

# Characters of a document that the list shows.
BEGINNING = 160


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def documents(request: UserRequest, slug: str) -> HttpResponse:
    campaign = guarded(request, slug, Documents.see)
    form = DocumentsForm(**sent(request, campaign, "file"))
    if form.is_valid() and (rows := _taken(request, campaign, form)):
        if len(rows) > 1 or form.faults:
            return redirect("collection:imports", slug)
        return redirect("collection:import", slug, rows[0].pk)
    return _documents_page(request, campaign, form)


def _taken(request: UserRequest, campaign: Campaign, form: DocumentsForm) -> list[Import]:
    """Make an import of each file, and name those that are not taken; none if that is refused."""
    files = form.cleaned_data.pop("file")
    kind, given = Import.Kind.DOCUMENTS, form.cleaned_data
    made = (uploaded(request, campaign, form, kind, {"file": each, **given}) for each in files)
    rows = [each for each in takewhile(bool, made) if each]
    if rows:
        for fault in form.faults:
            messages.error(request, fault)
    return rows


def _documents_page(
    request: UserRequest, campaign: Campaign, form: DocumentsForm, refusal: str = ""
) -> HttpResponse:
    campaign.refresh_from_db()
    at = reverse("collection:documents", args=[campaign.slug])
    context = {
        "form": form,
        "refusal": refusal,
        "imports": imports_of(request, campaign, Import.Kind.DOCUMENTS, at),
        "n_waiting": Import.objects.waiting(campaign, Import.Kind.DOCUMENTS).count(),
        "why_not_delete": why_not_delete_all(campaign, Document),
        **_documents(request, campaign, at),
    }
    return page(request, "collection/documents.html", campaign, "documents", **context)


def _documents(request: UserRequest, campaign: Campaign, at: str) -> dict[str, Any]:
    """Return a page of the documents that match the search; of all if the search is invalid."""
    docnos = page_of(DOCUMENTS, request, campaign, at=at, light=_docnos)
    rows = Document.objects.filter(campaign=campaign, docno__in=list(docnos.object_list))
    shown = {"named": listed_title(), "beginning": Left("text", BEGINNING)}
    by_docno = {each.docno: each for each in rows.only("docno", "version").annotate(**shown)}
    return {
        "documents": docnos,
        "rows": [by_docno[each] for each in docnos.object_list if each in by_docno],
        "docno": docnos.form.words(),
        "collection": Document.objects.filter(campaign=campaign).facts(),
        "seen": seen_of(Document.objects.filter(campaign=campaign)),
    }


def _docnos(documents: DocumentQuerySet) -> Any:
    """Read names alone, which an index has: a page far down skips many rows."""
    return documents.values_list("docno", flat=True)


@signed_in
@require_POST
def declare(request: UserRequest, slug: str) -> HttpResponse:
    campaign, form = guarded(request, slug), CollectionForm(request.POST)
    if is_done(request, campaign, form, collection.declare_collection):
        return redirect("collection:documents", slug)
    return _documents_page(request, campaign, DocumentsForm(), sentences(form))


@signed_in
@require_POST
def delete_documents(request: UserRequest, slug: str) -> HttpResponse:
    campaign, form = guarded(request, slug, Documents.see), SeenForm(request.POST)
    if is_done(request, campaign, form, collection.delete_documents):
        messages.success(request, "A worker deletes the documents.")
        return redirect("collection:documents", slug)
    return _documents_page(request, campaign, DocumentsForm(), sentences(form))


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def document(request: UserRequest, slug: str, docno: str) -> HttpResponse:
    campaign = guarded(request, slug, Documents.see)
    texts = Document.objects.filter(campaign=campaign).with_length()
    found = get_object_or_404(with_part(texts, part_asked(request)), docno=docno)
    delete = partial(collection.delete_document, user=request.user, document=found)
    earlier = with_part(found.earlier.all(), size=OF_EARLIER)
    mentions = mentions_of(campaign, Document, [docno])
    return text_page(request, campaign, found, earlier, delete, mentions=mentions)


@signed_in
@require_safe
def document_versions(request: UserRequest, slug: str, docno: str) -> HttpResponse:
    campaign = guarded(request, slug, Documents.see)
    found = get_object_or_404(Document, campaign=campaign, docno=docno)
    fields = ("docno", "title", "text", "url", "language", "html")
    return versions_file(found, fields, f"document-{found.pk}-versions.jsonl")
