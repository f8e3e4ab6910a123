"""Pages of topics and documents."""

import json
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from django.contrib import messages
from django.db.models import Model, QuerySet
from django.db.models.functions import Left
from django.forms import Form
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import SimpleLazyObject
from django.views.decorators.http import (
    require_http_methods,
    require_POST,
    require_safe,
)

from accounts.access import can, why_not
from accounts.models import BY_NAME
from accounts.pages import UserRequest, sent, signed_in
from campaigns.access.roles import check_can_organize, check_can_see_topics
from campaigns.forms.imports import (
    CollectionForm,
    DocumentSearchForm,
    DocumentsForm,
    SeenForm,
    ShownForm,
    TopicsForm,
)
from campaigns.forms.searching import SearchForm
from campaigns.listing import ListPage
from campaigns.mentions import mentions_of
from campaigns.models.campaign import Campaign
from campaigns.models.collection import Document, Topic
from campaigns.models.imports import Import
from campaigns.models.parts import with_part
from campaigns.pages import (
    done,
    guarded,
    listed,
    open_to_visitors,
    page,
    part_asked,
    sentences,
)
from campaigns.progress import Progress, judging_of, progress_of
from campaigns.services import collection, imports
from campaigns.sorting import Column, Sorting
from campaigns.uses import check_can_delete

# A campaign's topics are on one page, where they can be sorted; a few campaigns have more.
TOPICS_PER_PAGE = 300
IMPORTS_PER_PAGE = 10
# Characters of a document that the list shows.
BEGINNING = 160
# And of an earlier version that its page shows.
OF_EARLIER = 20_000
IMPORTS = Sorting(
    "imports",
    unasked="-When",
    file=Column("file_name"),
    what_came_of_it=Column("state"),
    by=Column(tuple(f"created_by__{name}" for name in BY_NAME)),
    when=Column("created_at", is_date=True),
)
DOCUMENTS = Sorting(
    "documents",
    unasked="Docno",
    docno=Column("docno", is_indexed=True),
    title=Column("title"),
)


@open_to_visitors
@require_http_methods(["GET", "HEAD", "POST"])
def topics(request: UserRequest, slug: str) -> HttpResponse:
    is_post = request.method == "POST"
    campaign = guarded(request, slug, check_can_organize if is_post else check_can_see_topics)  # fmt: skip
    form = TopicsForm(**sent(request))
    if form.is_valid():
        given = {name: form.cleaned_data[name] for name in ("file", "is_short")}
        if row := _uploaded(request, campaign, form, Import.Kind.TOPICS, given):
            return redirect("campaigns:import", slug, row.pk)
    return _topics_page(request, campaign, form)


def _are_closed(campaign: Campaign) -> bool:
    """Whether participants do not see the topics yet."""
    return bool(campaign.topics_open_at and campaign.topics_open_at > timezone.now())


def _uploaded(
    request: UserRequest,
    campaign: Campaign,
    form: Form,
    kind: Import.Kind,
    given: dict[str, Any],
) -> Import | None:
    """Have the file read. What is refused is said by the form."""
    row: Import | None = done(form, partial(imports.request_import, user=request.user, campaign=campaign, kind=kind, **given))  # fmt: skip
    return row


def _by(progress: Mapping[int, Progress]) -> Sorting:
    """Return what topics are sorted by: also by how far they are, for who is shown that."""
    columns = {"number": Column(("sort_key", "number"), is_number=True), "title": Column("title")}  # fmt: skip
    if progress:
        columns["pooled"] = Column(lambda topic: _of(progress, topic).n_pooled, is_number=True)  # fmt: skip
        columns["judged"] = Column(lambda topic: _of(progress, topic).share)
    return Sorting("topics", unasked="Number", **columns)


def _of(progress: Mapping[int, Progress], topic: Topic) -> Progress:
    return progress.get(topic.pk, Progress(0, 0))


def _topics_page(
    request: UserRequest, campaign: Campaign, form: TopicsForm, refusal: str = ""
) -> HttpResponse:
    at = reverse("campaigns:topics", args=[campaign.slug])
    search = SearchForm(request.GET, label="number or title")
    everything = campaign.topic_set.all()
    found = everything.matching(search.words()).defer("narrative")
    organizes = can(check_can_organize, request.user, campaign)
    progress = progress_of(campaign) if organizes else {}
    topics = listed(request, found, _by(progress), per_page=TOPICS_PER_PAGE, at=at)
    context = {
        "form": form,
        "refusal": refusal,
        "topics": topics,
        "rows": [(each, _of(progress, each)) for each in topics],
        "totals": Progress(*map(sum, zip(*progress.values(), strict=True))) if progress else None,
        "topics_closed": _are_closed(campaign),
        "n_pooled_topics": len(progress),
        "n_topics": everything.count(),
        "search": search,
        "imports": _imports(request, campaign, Import.Kind.TOPICS, at),
        # Only organizers are shown it, and it takes a look through pools and judgments.
        "why_not_delete": SimpleLazyObject(partial(why_not, check_can_delete, campaign, Topic)),
    }  # fmt: skip
    return page(request, "campaigns/topics.html", campaign, "topics", **context)


@signed_in
@require_POST
def delete_topics(request: UserRequest, slug: str) -> HttpResponse:
    campaign, form = guarded(request, slug, check_can_organize), ShownForm(request.POST)
    if _is_done(request, campaign, form, collection.delete_topics):
        messages.success(request, "All topics are deleted.")
        return redirect("campaigns:topics", slug)
    return _topics_page(request, campaign, TopicsForm(), sentences(form))


def _is_done(
    request: UserRequest, campaign: Campaign, form: Form, act: Callable[..., Any]
) -> bool:
    """Do to the collection what a form asks for; what is refused is said by the form."""
    act = partial(act, user=request.user, campaign=campaign)
    return form.is_valid() and bool(done(form, partial(act, **form.cleaned_data)))


@open_to_visitors
@require_http_methods(["GET", "HEAD", "POST"])
def topic(request: UserRequest, slug: str, pk: int) -> HttpResponse:
    is_post = request.method == "POST"
    campaign = guarded(request, slug, check_can_organize if is_post else check_can_see_topics)  # fmt: skip
    found = get_object_or_404(Topic, campaign=campaign, pk=pk)
    delete = partial(collection.delete_topic, user=request.user, topic=found)
    organizes = can(check_can_organize, request.user, campaign)
    shown = {
        "neighbors": found.neighbors(),
        "progress": progress_of(campaign).get(found.pk) if organizes else None,
        "judging": judging_of(found) if organizes else [],
    }
    return _one(request, campaign, found, found.earlier.all(), delete, **shown)


def _one(
    request: UserRequest,
    campaign: Campaign,
    found: Topic | Document,
    earlier: QuerySet[Any],
    delete: Callable[..., None],
    **shown: Any,
) -> HttpResponse:
    """Show a topic or a document with its earlier versions; a POST deletes it."""
    model, noun = type(found), type(found).__name__.lower()
    form = SeenForm(**sent(request))
    if form.is_valid() and done(form, partial(delete, **form.cleaned_data)):
        messages.success(request, f"{noun.capitalize()} {found} is deleted.")
        return redirect(f"campaigns:{noun}s", campaign.slug)
    context: dict[str, Any] = {
        noun: found,
        "earlier": earlier.select_related("replaced_by", "replaced_in"),
        "refusal": sentences(form),
        "why_not_delete": why_not(check_can_delete, campaign, model, str(found)),
        **shown,
    }  # fmt: skip
    return page(request, f"campaigns/{noun}.html", campaign, f"{noun}s", **context)


@signed_in
@require_safe
def topic_versions(request: UserRequest, slug: str, pk: int) -> HttpResponse:
    campaign = guarded(request, slug, check_can_organize)
    found = get_object_or_404(Topic, campaign=campaign, pk=pk)
    fields = ("number", "title", "description", "narrative")
    return _versions(found, fields, f"topic-{found.pk}-versions.jsonl")


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
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
    at = reverse("campaigns:documents", args=[campaign.slug])
    context = {
        "form": form,
        "refusal": refusal,
        "imports": _imports(request, campaign, Import.Kind.DOCUMENTS, at),
        "why_not_delete": why_not(check_can_delete, campaign, Document),
        **_documents(request, campaign, at),
    }  # fmt: skip
    return page(request, "campaigns/documents.html", campaign, "documents", **context)


def _imports(
    request: UserRequest, campaign: Campaign, kind: Import.Kind, at: str
) -> ListPage:
    found = Import.objects.recent(campaign, kind)
    return listed(
        request, found, IMPORTS, per_page=IMPORTS_PER_PAGE, name="imports", at=at
    )


def _documents(request: UserRequest, campaign: Campaign, at: str) -> dict[str, Any]:
    """Return a page of the documents that match the search. A bad page number means page 1, a bad search none."""
    matching = Document.objects.filter(campaign=campaign).order_by("docno")
    search = DocumentSearchForm(request.GET)
    docno = search.cleaned_data["docno"] if search.is_valid() else ""
    if docno:
        matching = matching.filter(docno__startswith=docno)
    # By docnos, which are in an index: a page far down skips as many rows.
    found = listed(request, matching.values_list("docno", flat=True), DOCUMENTS, at=at)
    rows = matching.filter(docno__in=list(found.object_list)).only("docno", "title", "version")  # fmt: skip
    by_docno = {each.docno: each for each in rows.annotate(beginning=Left("text", BEGINNING))}  # fmt: skip
    return {
        "documents": found,
        "rows": [by_docno[each] for each in found.object_list if each in by_docno],
        "docno": docno,
        "collection": Document.objects.filter(campaign=campaign).facts(),
    }


@signed_in
@require_POST
def declare(request: UserRequest, slug: str) -> HttpResponse:
    campaign, form = guarded(request, slug), CollectionForm(request.POST)
    if _is_done(request, campaign, form, collection.declare_collection):
        return redirect("campaigns:documents", slug)
    return _documents_page(request, campaign, DocumentsForm(), sentences(form))


@signed_in
@require_POST
def delete_documents(request: UserRequest, slug: str) -> HttpResponse:
    campaign, form = guarded(request, slug, check_can_organize), ShownForm(request.POST)
    if _is_done(request, campaign, form, collection.delete_documents):
        messages.success(request, "A worker deletes the documents.")
        return redirect("campaigns:documents", slug)
    return _documents_page(request, campaign, DocumentsForm(), sentences(form))


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def document(request: UserRequest, slug: str, docno: str) -> HttpResponse:
    campaign = guarded(request, slug, check_can_organize)
    texts = Document.objects.filter(campaign=campaign).with_length()
    found = get_object_or_404(with_part(texts, part_asked(request)), docno=docno)
    delete = partial(collection.delete_document, user=request.user, document=found)
    earlier = with_part(found.earlier.all(), size=OF_EARLIER)
    mentions = mentions_of(campaign, Document, [docno])
    return _one(request, campaign, found, earlier, delete, mentions=mentions)


@signed_in
@require_safe
def document_versions(request: UserRequest, slug: str, docno: str) -> HttpResponse:
    campaign = guarded(request, slug, check_can_organize)
    found = get_object_or_404(Document, campaign=campaign, docno=docno)
    fields = ("docno", "title", "text", "url", "language", "html")
    return _versions(found, fields, f"document-{found.pk}-versions.jsonl")


def _versions(found: Any, fields: tuple[str, ...], name: str) -> HttpResponse:
    """Return all versions as JSON Lines, the first one first, in the form in which they are imported."""
    replaced = found.earlier.order_by("version").select_related("replaced_by")
    lines = []
    for row in [*replaced, found]:
        values = {each: getattr(row if hasattr(row, each) else found, each) for each in fields}  # fmt: skip
        lines.append(json.dumps({"version": row.version, **values, "sha256": row.sha256, **_end(row)}, ensure_ascii=False))  # fmt: skip
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
