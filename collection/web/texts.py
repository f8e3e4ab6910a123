"""What the pages of topics and of documents have in common."""

import json
from collections.abc import Callable
from functools import partial
from typing import Any

from django.contrib import messages
from django.db.models import QuerySet
from django.forms import Form
from django.http import HttpResponse
from django.shortcuts import redirect

from accounts.access import why_not
from accounts.fields import SeenForm
from accounts.models import BY_NAME
from accounts.pages import UserRequest, sent
from api.uploads import spending
from campaigns.models.campaign import Campaign
from campaigns.sorting import Column, Sorting
from campaigns.web.frame import done, listed, page, sentences
from campaigns.web.listing import ListPage
from cleverdon.trec.versions import version
from collection.access import may_go
from collection.models.imports import Import
from collection.models.texts import Document, Topic
from collection.services import imports

IMPORTS_PER_PAGE = 10
# Characters of an earlier version that its page shows.
OF_EARLIER = 20_000
IMPORTS = Sorting(
    "imports",
    unasked="-When",
    file=Column("file_name"),
    what_came_of_it=Column("state"),
    by=Column(*(f"created_by__{name}" for name in BY_NAME)),
    when=Column("created_at", is_date=True),
)


def uploaded(
    request: UserRequest, campaign: Campaign, form: Form, kind: Import.Kind, given: dict[str, Any]
) -> Import | None:
    act = partial(spending(imports.request_import), user=request.user, campaign=campaign, kind=kind)
    row: Import | None = done(form, partial(act, **given))
    return row


def is_done(request: UserRequest, campaign: Campaign, form: Form, act: Callable[..., Any]) -> bool:
    act = partial(act, user=request.user, campaign=campaign)
    return form.is_valid() and bool(done(form, partial(act, **form.cleaned_data)))


def imports_of(request: UserRequest, campaign: Campaign, kind: Import.Kind, at: str) -> ListPage:
    rows = Import.objects.recent(campaign, kind)
    return listed(request, rows, IMPORTS, per_page=IMPORTS_PER_PAGE, name="imports", at=at)


def versions_file(text: Any, fields: tuple[str, ...], name: str) -> HttpResponse:
    """Return all versions as JSON Lines that can be imported, the first one first."""
    replaced = text.earlier.order_by("version").select_related("replaced_by")
    lines = []
    for row in [*replaced, text]:
        values = {each: getattr(row if hasattr(row, each) else text, each) for each in fields}
        fields_of_row = {"version": row.version, **values, "sha256": row.sha256, **_end(row)}
        lines.append(json.dumps(fields_of_row, ensure_ascii=False) + "\n")
    content = "".join(lines)
    response = HttpResponse(content, content_type="application/x-ndjson; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def _end(row: Any) -> dict[str, str]:
    if not hasattr(row, "replaced_at"):
        return {}
    at = row.replaced_at.isoformat(timespec="seconds").replace("+00:00", "Z")
    return {"replaced_by": row.replaced_by.username, "replaced_at": at}


def text_page(
    request: UserRequest,
    campaign: Campaign,
    text: Topic | Document,
    earlier: QuerySet[Any],
    delete: Callable[..., None],
    **shown: Any,
) -> HttpResponse:
    """Show a topic or a document with its earlier versions; a POST deletes it."""
    noun = type(text).__name__.lower()
    form = SeenForm(**sent(request))
    if form.is_valid() and done(form, partial(delete, **form.cleaned_data)):
        messages.success(request, f"{noun.capitalize()} {text} is deleted.")
        return redirect(f"collection:{noun}s", campaign.slug)
    context: dict[str, Any] = {
        noun: text,
        "earlier": earlier.select_related("replaced_by", "replaced_in"),
        "refusal": sentences(form),
        "seen": version(text.pk, text.version),
        "why_not": why_not(may_go, request.user, text),
        **shown,
    }
    return page(request, f"collection/{noun}.html", campaign, f"{noun}s", **context)
