"""What the script of the judging page sends and asks for: acts, its queue and documents."""

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from django.db.models import Q
from django.http import HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_POST, require_safe
from rest_framework.exceptions import APIException, UnsupportedMediaType

from accounts.access import NotThere, Refused
from accounts.models import User
from accounts.pages import UserRequest, signed_in
from api.parsers import JSON
from api.reading import check_parameters
from api.stale import HEADER, NO_RECORD
from assess.access.judging import check_is_reader
from assess.core.answers import Act, earlier
from assess.leases import has_few
from assess.models.assigning import Assignment, Unfrozen
from assess.models.history import JudgmentEvent
from assess.models.presenting import PRESENTERS
from assess.services import judging
from assess.services.recording import Outcome
from assess.web.judging_forms import MOST_BYTES, MOST_VALUES, Sent, acts_sent
from assess.web.own import GONE, clock_ms, hung_ms, own_assignment, reader_of, was_given
from campaigns.web.frame import part_asked, whole_number
from desk.queue import as_now, in_dispute, more, queued, seconds_each
from pooling.growing import may_grow

FEW_BYTES = 100_000  # acts take more only with long comments or passages
# For an address with the version of its text. `Vary: Cookie` keeps it from others.
FOR_EVER = "private, max-age=604800, immutable"


class NothingSaved(Refused):
    """The refusal of all acts but those `saved` before, as that answer may have been lost."""

    def __init__(self, sentence: str, status: int, saved: list[UUID]) -> None:
        super().__init__(sentence)
        self.status, self.more = status, {"saved": saved}


def judge(request: UserRequest, slug: str, key: UUID) -> JsonResponse:
    """Record a list of acts, each once, and return each one's outcome and its document now.

    `size` and `changes` tell a page that it is behind: how many documents were served, and how many
    changes the assignment had before these acts and has after them. With `few` left it asks for
    more.
    If the whole request is refused, `saved` names the acts saved before.
    """
    user = request.user
    check_is_reader(user, reader_of(request))
    sent, fault = ([], None) if _is_strangers(request, slug, key) else _read(request)
    given = [earlier(each.act, hung_ms(request)) for each in sent if each.act]
    try:
        assignment, outcomes = judging.judge_all(assessor=user, key=key, slug=slug, acts=given)
    except (NotThere, Unfrozen) as gone:
        raise NothingSaved(GONE, NotThere.status, _saved(user, given)) from gone
    except Refused as refusal:
        raise NothingSaved(str(refusal), refusal.status, _saved(user, given)) from refusal
    if fault:
        raise fault
    of_acts = iter(outcomes)
    results = [_result(each, next(of_acts) if each.act else None) for each in sent]
    n_new = sum(each.refusal is None and each.recorded is None for each in outcomes)
    changes = [assignment.n_changes - n_new, assignment.n_changes]
    beside = {"size": assignment.n_served, "changes": changes, "few": has_few(assignment)}
    return _timed({"results": results, **beside})


def _timed(answer: dict[str, Any]) -> JsonResponse:
    return JsonResponse(answer, headers={"Judging-Clock": str(clock_ms())})


def _saved(assessor: User, acts: Iterable[Act]) -> list[UUID]:
    by_id = {act.provenance.client_id: act for act in acts}
    events = JudgmentEvent.objects.recorded(by_id).filter(judgment__assessor=assessor)
    return [each.client_id for each in events if each.is_of(by_id[each.client_id])]


def _is_strangers(request: UserRequest, slug: str, key: UUID) -> bool:
    """Tell whether much was sent by somebody who was never given this: it is then not even read.

    Of little, as nearly always, it is not asked: that would cost each act a query.
    """
    n_bytes = whole_number(request.META.get("CONTENT_LENGTH") or "")
    return n_bytes > FEW_BYTES and not was_given(request.user, slug, key)


class Acts(JSON):
    """JSON that is read from the request, as `body` is no longer than a form may be."""

    most_bytes, most_values = MOST_BYTES, MOST_VALUES


def _read(request: UserRequest) -> tuple[list[Sent], Exception | None]:
    """Return the acts of a request, or the fault, which is raised only after the checks."""
    try:
        return _acts_of(request), None
    except (Refused, APIException) as fault:
        return [], fault


def _acts_of(request: UserRequest) -> list[Sent]:
    check_parameters(request, "format")
    if HEADER in request.headers:
        raise Refused(NO_RECORD)
    if request.content_type != Acts.media_type:
        raise UnsupportedMediaType(request.content_type or "")
    return acts_sent(Acts().parse(request))


def _result(sent: Sent, outcome: Outcome | None) -> dict[str, Any]:
    why = outcome.refusal if outcome else sent.refusal
    entry = outcome.entry if outcome else None
    now = as_now(entry) if entry else None
    return {"client_id": sent.id, "refused": str(why or ""), "now": now}


def _lent(assessor: User, assignment: Assignment) -> list[int]:
    """Bring more documents that are shared or in dispute, and return the positions changed."""
    try:
        return more(assessor, assignment)
    except (Refused, Unfrozen):  # the documents already served are returned all the same
        return []


@gzip_page
@signed_in
@require_safe
def queue(request: UserRequest, slug: str, pk: int) -> JsonResponse:
    """Return all documents of the assignment in the order served."""
    assignment = own_assignment(request, slug, pk)
    topic = assignment.topic
    _lent(request.user, assignment)
    return _timed(
        {
            "entries": list(queued(assignment)),
            "topic_version": topic.version,
            "scale": topic.campaign.asked_version,
            "seconds": seconds_each(assignment),
            "changes": assignment.n_changes,
        }
    )


@gzip_page
@signed_in
@require_POST
def lend(request: UserRequest, slug: str, pk: int) -> JsonResponse:
    """Return what a page does not have yet, and lend more of a shared topic to who has few.

    The answer has, as `more`, what was lent or given up by that, and whatever comes after the
    `known` documents of the page: it may have joined the pool, or been in an answer that was lost.
    Of other `changes` than the page knows, as where judgments were brought back, it has everything.
    `grows` tells whether more is to come by itself.
    """
    assignment = own_assignment(request, slug, pk)
    known, now = whole_number(request.POST.get("known", "")), str(assignment.n_changes)
    changed = _lent(request.user, assignment)
    served = assignment.entries.all()
    if request.POST.get("changes", now) == now:
        served = served.filter(Q(position__gte=known) | Q(position__in=changed))
    positions = list(served.values_list("position", flat=True))
    more = list(queued(assignment, positions))
    grows = assignment.pool is not None and may_grow(assignment.pool, assignment.topic)
    return JsonResponse({"more": more, "changes": assignment.n_changes, "grows": grows})


@gzip_page
@signed_in
@require_safe
def document(request: UserRequest, slug: str, pk: int, number: int) -> HttpResponse:
    """Show a document, or its text after the character `from`, without its judgment."""
    assignment = own_assignment(request, slug, pk)
    entries, start = assignment.entries.select_related("item", "judgment"), part_asked(request)
    entry = get_object_or_404(entries, position=number - 1)
    presenter = PRESENTERS[entry.item.kind]
    found = presenter.find(entry.item, start)
    context = {"entry": entry, "document": found, "at": f"number={number}&"}
    context |= {"body": presenter.template, **in_dispute(entry)}
    template = "_components/document_part.html" if start else "desk/_judge_document.html"
    response = render(request, template, context)
    version = str(found.version if found else 0)
    response["Document-Version"] = version
    # What others say of it may change.
    is_theirs = assignment.is_adjudication
    if found and request.GET.get("version") == version and not is_theirs:
        response["Cache-Control"] = FOR_EVER
    return response
