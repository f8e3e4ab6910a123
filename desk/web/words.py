"""The words that the judging page highlights: the topic's, the reader's own, and their forms."""

from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any

from django.core.cache import cache
from django.db.models.functions import Left
from django.http import HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_POST, require_safe

from accounts.access import NotThere, Refused, why_not
from accounts.pages import UserRequest, signed_in
from assess.access.judging import Judging
from assess.models.assigning import Assignment, Unfrozen
from assess.models.presenting import PRESENTERS
from assess.web.own import GONE, own_assignment
from campaigns.web.frame import part_asked
from cleverdon.trec.json_values import read_json
from collection.core.hypertext.showing import words_only
from collection.models.texts import Document, Topic
from desk import services
from desk.core.languages import language, stop_words
from desk.core.own_words import MARKS, MAX_LENGTH, MAX_OWN, Marked, WordChange, read
from desk.core.words import Term, forms, language_of, runs, terms, weights
from desk.models import TopicWord
from desk.web.workbench import FOR_EVER
from pooling.models.entries import PoolEntry

# How rare a word is in a pool is estimated from some of its documents, and the start of each.
SAMPLE, BEGINNING = 100, 20_000  # documents, characters
SECONDS = 24 * 60 * 60  # in the cache
# Of changes sent: some 200 words.
MOST_BYTES, MOST_VALUES = 100_000, 5_000


def topic_language(assignment: Assignment) -> str:
    """Return the language of a topic: by its statement, else that of the first document served."""
    topic = assignment.topic
    first = assignment.entries.filter(position=0).values("item__key")[:1]
    documents = Document.objects.filter(campaign=topic.campaign_id, docno__in=first)
    tag = documents.values_list("language", flat=True).first()
    statement = " ".join([topic.title, topic.description, topic.narrative])
    return language_of(statement, language(tag or ""))


def words_of(assignment: Assignment, document: Document | None) -> dict[str, Any]:
    """Return the topic's words, how rare each is, and the reader's own.

    `version` is that of the document shown first. `runs` have no spaces between words: the browser
    divides them and leaves out the `stop` words.
    """
    topic, code = assignment.topic, topic_language(assignment)
    # Not of the narrative, which also says what is not relevant.
    found = terms(topic.title, topic.description, code)
    weight = _weights(topic, found, code)
    pieces = runs(f"{topic.title}\n{topic.description}")
    reader = assignment.assessor
    return {
        "language": code,
        "terms": [{"label": term.label, "mark": weight.get(term.label, "topic")} for term in found],
        "runs": pieces,
        "stop": sorted(stop_words().get(code, ())) if pieces else [],
        "topic_version": topic.version,
        "version": document.version if document else 0,
        "closed": why_not(Judging.mark_words, reader, assignment),
        "most": MAX_OWN,
        "longest": MAX_LENGTH,
        "marks": len(MARKS),
        **as_json(TopicWord.objects.marked(reader, topic.pk)),
    }


def _weights(topic: Topic, found: Sequence[Term], code: str) -> Mapping[str, str]:
    """Return which of a topic's words are rare or common in its pool, from the cache if there."""
    digest = sha256(repr((code, found)).encode()).hexdigest()
    place = f"word-weights:{topic.pk}:{digest[:16]}"
    weight: Mapping[str, str] | None = cache.get(place)
    if weight is None:
        weight = weights(found, _sample(topic), code)
        cache.set(place, weight, SECONDS)
    return weight


def _sample(topic: Topic) -> list[tuple[tuple[str, str], str]]:
    """Return title and start, and the language, of documents from all over a topic's pool."""
    entries = PoolEntry.objects.pooled().filter(topic=topic)
    docnos = list(entries.order_by("item__key").values_list("item__key", flat=True))
    chosen = docnos[:: len(docnos) // SAMPLE + 1]
    documents = Document.objects.filter(campaign=topic.campaign_id, docno__in=chosen)
    rows = documents.values_list("title", Left("text", BEGINNING), "language")
    return [((title, text), language(tag)) for title, text, tag in rows]


def as_json(marked: Marked) -> dict[str, Any]:
    return {"own": [word._asdict() for word in marked.own], "off": list(marked.off)}


def forms_in(assignment: Assignment, document: Document) -> dict[str, list[str]]:
    """Return by label the forms of the topic's words in a document's title and part."""
    code, part = topic_language(assignment), document.part
    text = words_only(part.text) if part.is_html else part.text
    found = terms(assignment.topic.title, assignment.topic.description, code)
    return dict(forms(found, [document.title, text], language(document.language) or code))


UNREADABLE = "Send a list of changes of words."


@signed_in
@require_POST
def words(request: UserRequest, slug: str, pk: int) -> JsonResponse:
    """Change the reader's own words, and return them; `refused` says why nothing was changed."""
    assignment = own_assignment(request, slug, pk)
    try:
        changes = _changes(request)
        marked, not_made = services.mark_words(
            user=request.user, assignment=assignment, changes=changes
        )
    except (NotThere, Unfrozen):
        return JsonResponse({"refused": GONE}, status=NotThere.status)
    except Refused as refusal:
        return JsonResponse({"refused": str(refusal)}, status=refusal.status)
    why = [f"{change.text}: {reason}" for change, reason in not_made]
    return JsonResponse({**as_json(marked), "not_saved": why})


def _changes(request: UserRequest) -> list[WordChange]:
    given = request.POST.get("changes", "")
    try:
        sent = read_json(given, most_bytes=MOST_BYTES, most_values=MOST_VALUES)
    except ValueError:
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
    entries = assignment.entries.select_related("item")
    item = get_object_or_404(entries, position=number - 1).item
    document = PRESENTERS[item.kind].find(item, part_asked(request))
    response = JsonResponse(forms_in(assignment, document) if document else {})
    shown = (request.GET.get("version"), request.GET.get("topic"))
    present = (document.version if document else 0, assignment.topic.version)
    if document and shown == tuple(map(str, present)):
        response["Cache-Control"] = FOR_EVER
    return response
