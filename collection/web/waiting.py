"""All files of documents that wait: what each would do, and one button that imports them."""

from collections import Counter
from collections.abc import Iterable

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from accounts.pages import UserRequest, sent, signed_in
from campaigns.models.campaign import Campaign
from campaigns.web.frame import attempt, guarded, page, sentences
from cleverdon.trec.words import counted, verb
from collection.access import Imports
from collection.models.imports import Import
from collection.services.imports import confirm_import
from collection.web.forms import MOST_FILES, ConfirmAllForm

State = Import.State
# Files that the page shows; others follow once these are imported or discarded.
MOST_SHOWN = 2 * MOST_FILES


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def imports(request: UserRequest, slug: str) -> HttpResponse:
    """Show what the files would do; a POST imports those whose preview the page showed."""
    campaign = guarded(request, slug, Imports.see)
    form = ConfirmAllForm(**sent(request))
    if form.is_valid():
        _confirm(request, campaign, form.cleaned_data["seen"])
        return redirect("collection:imports", slug)
    waiting = Import.objects.waiting(campaign, Import.Kind.DOCUMENTS)
    rows = list(waiting.select_related("created_by")[:MOST_SHOWN])
    ready = [each for each in rows if each.state == State.READY and not each.preview["n_fixed"]]
    context = {
        "rows": rows,
        "ready": ready,
        "heading": _heading(rows, ready),
        "lead": _lead(rows),
        "is_busy": any(each.is_busy for each in rows),
        "refusal": sentences(form),
    }
    return page(request, "collection/waiting.html", campaign, "documents", **context)


def _confirm(request: UserRequest, campaign: Campaign, seen: dict[str, str]) -> None:
    """Confirm each file by itself, and name those that are refused."""
    waiting = Import.objects.waiting(campaign, Import.Kind.DOCUMENTS).select_related("campaign")
    rows = [each for each in waiting[:MOST_SHOWN] if str(each.pk) in seen]
    refusals = {
        row: attempt(confirm_import, user=request.user, row=row, seen=seen[str(row.pk)])
        for row in rows
    }
    for row, refusal in refusals.items():
        if refusal:
            messages.error(request, f"{row}: {refusal}")
    if n := len(seen) - len(rows):
        messages.error(request, f"{counted(n, 'file')} of that page no longer {verb(n, 'waits')}.")
    if n := list(refusals.values()).count(""):
        messages.success(request, f"{counted(n, 'file')} {verb(n, 'is')} being imported.")


def _heading(rows: Iterable[Import], ready: list[Import]) -> str:
    if not rows:
        return "No file of documents waits"
    if not ready:
        return f"{counted(len([*rows]), 'file')} of documents"
    n_new, n_changed = (sum(each.preview[n] for each in ready) for n in ("n_new", "n_changed"))
    can = f"{counted(len(ready), 'file')} can be imported"
    return f"{can}: {counted(n_new, 'new document')}, {n_changed:,} changed"


def _lead(rows: Iterable[Import]) -> str:
    """Say of how many files what is not ready."""
    n = Counter(each.state for each in rows)
    n_fixed = sum(each.state == State.READY and each.preview["n_fixed"] > 0 for each in rows)
    parts = {
        State.READING: f"{verb(n[State.READING], 'is')} being read",
        State.IMPORTING: f"{verb(n[State.IMPORTING], 'is')} being imported",
        State.UNREADABLE: "cannot be read",
        State.INTERRUPTED: "stopped half-way",
    }
    said = [f"{n[state]:,} {words}" for state, words in parts.items() if n[state]]
    if n_fixed:
        said.append(f"{n_fixed:,} {verb(n_fixed, 'needs')} a tick of yours")
    return f"{', '.join(said)}." if said else ""
