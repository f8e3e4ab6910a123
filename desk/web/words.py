"""The addresses for the words that the judging page highlights."""

import json

from django.http import HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_POST, require_safe

from accounts.access import NotThere, Refused
from accounts.pages import UserRequest, signed_in
from assess.models.assigning import Unfrozen
from assess.models.presenting import PRESENTERS
from assess.web.own import GONE, own_assignment
from campaigns.web.frame import part_asked
from desk import services
from desk.core.own_words import WordChange, read
from desk.web.highlights import as_json, forms_in
from desk.web.workbench import FOR_EVER

UNREADABLE = "Send a list of changes of words."


@signed_in
@require_POST
def words(request: UserRequest, slug: str, pk: int) -> JsonResponse:
    """Change the reader's own words, and return them; `refused` says why nothing was changed."""
    assignment = own_assignment(request, slug, pk)
    try:
        changes = _changes(request)
        changed = services.mark_words(user=request.user, assignment=assignment, changes=changes)
    except (NotThere, Unfrozen):
        return JsonResponse({"refused": GONE}, status=NotThere.status)
    except Refused as refusal:
        return JsonResponse({"refused": str(refusal)}, status=refusal.status)
    why = [f"{change.text}: {reason}" for change, reason in changed.refused]
    return JsonResponse({**as_json(changed.marked), "not_saved": why})


def _changes(request: UserRequest) -> list[WordChange]:
    try:
        sent = json.loads(request.POST.get("changes", ""))
    except (ValueError, RecursionError):
        sent = None
    changes = read(sent)
    if changes is None:
        raise Refused(UNREADABLE)
    return list(changes)


@signed_in
@require_safe
def document_words(request: UserRequest, slug: str, pk: int, number: int) -> HttpResponse:
    """Return the forms of the topic's words in a document's title and part, cached by version."""
    assignment = own_assignment(request, slug, pk)
    entries = assignment.all_entries.select_related("item")
    item = get_object_or_404(entries, position=number - 1).item
    document = PRESENTERS[item.kind].find(item, part_asked(request))
    response = JsonResponse(forms_in(assignment, document) if document else {})
    shown = (request.GET.get("version"), request.GET.get("topic"))
    present = (document.version if document else 0, assignment.topic.version)
    if document and shown == tuple(map(str, present)):
        response["Cache-Control"] = FOR_EVER
    return response
