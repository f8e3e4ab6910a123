"""Judgments and events as records of a file, with the hashes of the texts that were judged."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

from django.db import models
from django.db.models import CharField, F, Max, Min, OuterRef, Subquery, Sum, Value
from django.db.models.functions import Coalesce, JSONObject

from assess.core.records import JudgmentEventRecord, JudgmentRecord, PassageRecord, RatingRecord
from assess.models.history import JudgmentEvent
from assess.models.judging import Judgment, n_wanted
from assess.models.presenting import present_version
from campaigns.core.criteria import RELEVANCE
from collection.models.texts import DocumentVersion, TopicVersion
from pooling.models.entries import PoolEntry

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from campaigns.models.campaign import Campaign
    from pooling.models.pools import Pool

# Rows fetched at once.
CHUNK = 2000


def _ratings(answers: str) -> models.ExpressionWrapper[Any]:
    """Return a column of answers without the grade."""
    beside = F(answers) - Value(RELEVANCE)
    return models.ExpressionWrapper(beside, output_field=models.JSONField())


# The columns of each kind of record, before and after those of the texts.
JUDGMENT = [
    "topic__number",
    "item__key",
    "pk",
    "assignment",
    "assessor__username",
    "assignment__kind",
]
JUDGMENT_ACT = ["state", "grade", "reason", "comment", _ratings("answers"), "passages"]
JUDGMENT_END = ["change", "changed_at", "set_aside_at"]
EVENT = [
    "judgment__topic__number",
    "judgment__item__key",
    "judgment",
    "assignment",
    "judgment__assessor__username",
    "assignment__kind",
]
EVENT_ACT = [
    "from_state",
    "from_grade",
    "to_state",
    "to_grade",
    "reason",
    "comment",
    _ratings("to_answers"),
    "passages",
    "method",
    "active_ms",
    "away_ms",
    "first_viewed_at",
    "pressed_at",
]
EVENT_END = ["change", "at"]
BESIDE = [*JUDGMENT, "grade"]


def _texts(judgment: str = "") -> list[Any]:
    """Return the columns that `_seen` reads; `judgment` is the path to the judgment."""
    document, topic = OuterRef(f"{judgment}item__document__pk"), OuterRef(f"{judgment}topic")
    texts = DocumentVersion.objects.filter(document=document, version=OuterRef("document_version"))
    statements = TopicVersion.objects.filter(topic=topic, version=OuterRef("topic_version"))
    of_text, none = CharField(), Value("")
    return [
        "topic_version",
        F(f"{judgment}topic__version"),
        Coalesce(
            Subquery(statements.values("sha256")[:1]),
            F(f"{judgment}topic__sha256"),
            output_field=of_text,
        ),
        "document_version",
        present_version(f"{judgment}item"),
        F(f"{judgment}item__document__sha256"),
        Coalesce(Subquery(texts.values("sha256")[:1]), none, output_field=of_text),
    ]


N_TEXTS = 7


def _seen(texts: Sequence[Any]) -> tuple[int, str, int, str, str]:
    """Return version and hash of topic and document as judged, and which of them changed since."""
    statement, statement_now, statement_sha256, document, *present, earlier_sha256 = texts
    document_now, present_sha256 = present
    is_present = document == document_now
    sha256 = (present_sha256 or "") if is_present else earlier_sha256
    is_earlier = {"document": not is_present, "topic": statement != statement_now}
    earlier = " ".join(name for name, is_so in is_earlier.items() if is_so)
    return statement, statement_sha256, document, sha256, earlier


def _times() -> Subquery:
    """Return sums and bounds of the times of the assessor's acts, as `_spent` reads them."""
    acts = JudgmentEvent.objects.filter(judgment=OuterRef("pk"), by=None).order_by()
    sums = acts.values("judgment").values_list(
        JSONObject(
            active_ms=Sum("active_ms"),
            away_ms=Sum("away_ms"),
            first=Min("first_viewed_at"),
            last=Max("pressed_at"),
        )
    )
    return Subquery(sums[:1])


def _spent(times: Mapping[str, Any] | None) -> tuple[int, int, datetime | None, datetime | None]:
    """Return the times of a judgment; none if all its events are of organizers."""
    if times is None:
        return 0, 0, None, None
    first, last = (at and datetime.fromisoformat(at) for at in (times["first"], times["last"]))
    return times["active_ms"], times["away_ms"], first, last


def carried_records(pool: Pool, given: Mapping[str, Mapping[str, int]]) -> Iterator[JudgmentRecord]:
    """Yield the grades of a pool that were not given in it."""
    for each in PoolEntry.objects.carried(pool, given):
        yield JudgmentRecord.carried(*each)


def judgment_records(campaign: Campaign) -> Iterator[JudgmentRecord]:
    """Yield every judgment, those set aside too: topics and docnos in byte order."""
    rows = Judgment.objects.filter(topic__campaign=campaign)
    rows = rows.order_by("topic__number", "item__key", "pk")
    judgment = [*JUDGMENT, n_wanted(), *JUDGMENT_ACT]
    columns = [*judgment, *_texts(), _times(), *JUDGMENT_END]
    n = len(judgment)
    for row in rows.values_list(*columns).iterator(CHUNK):
        texts = _seen(row[n : n + N_TEXTS])
        times, *end = row[n + N_TEXTS :]
        yield JudgmentRecord._make((*row[:n], *texts, *_spent(times), *end))


def event_records(campaign: Campaign) -> Iterator[JudgmentEventRecord]:
    """Yield every judgment event in the order recorded."""
    by = Coalesce("by__username", "judgment__assessor__username")
    act = [*EVENT, by, *EVENT_ACT]
    columns = [*act, *_texts("judgment__"), *EVENT_END]
    rows, n = (JudgmentEvent.objects.of(campaign).counting().order_by("pk"), len(act))
    for row in rows.values_list(*columns).iterator(CHUNK):
        texts = _seen(row[n : n + N_TEXTS])
        yield JudgmentEventRecord._make((*row[:n], *texts[:-1], *row[n + N_TEXTS :]))


def rating_records(campaign: Campaign) -> Iterator[RatingRecord]:
    """Yield each answer to a criterion: topics and docnos in byte order."""
    rows = Judgment.objects.graded().filter(topic__campaign=campaign)
    criteria = campaign.every_criterion[1:]
    ordered = rows.order_by("topic__number", "item__key", "pk").values_list(*BESIDE, "answers")
    for *row, answers in ordered.iterator(CHUNK):
        for each in criteria:
            if each.name in answers:
                value = answers[each.name]
                yield RatingRecord._make((*row, each.name, value, each.fixed[value]))


def passage_records(campaign: Campaign) -> Iterator[PassageRecord]:
    """Yield each passage of evidence: topics and docnos in byte order, then in the text's order."""
    rows = Judgment.objects.graded().filter(topic__campaign=campaign).exclude(passages=[])
    columns = [*BESIDE, "passages", *_texts()]
    ordered = rows.order_by("topic__number", "item__key", "pk").values_list(*columns)
    n = len(BESIDE)
    for row in ordered.iterator(CHUNK):
        _, _, version, sha256, _ = _seen(row[n + 1 :])
        for start, end, _, text in row[n]:
            yield PassageRecord._make((*row[:n], start, end, text, version, sha256))
