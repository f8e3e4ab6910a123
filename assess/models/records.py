"""Judgments and events as records of a file, with the hashes of the texts that were judged."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

from django.db import models
from django.db.models import (
    Case,
    CharField,
    F,
    FilteredRelation,
    Max,
    Min,
    OuterRef,
    Q,
    Subquery,
    Sum,
    Value,
    When,
)
from django.db.models.functions import Coalesce, JSONObject

from assess.core.records import (
    Basis,
    JudgmentEventRecord,
    JudgmentRecord,
    OfficialRecord,
    PassageRecord,
    RatingRecord,
)
from assess.core.rules import CARRIED, CORRECTION, DUPLICATE
from assess.models.history import JudgmentEvent
from assess.models.judging import Judgment, n_wanted
from assess.models.official import OfficialGrade
from assess.models.presenting import present_version
from campaigns.core.criteria import DOCUMENT, GRADE
from collection.models.texts import DocumentVersion, TopicVersion
from pooling.models.entries import PoolEntry

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from campaigns.models.campaign import Campaign

# Rows fetched at once.
CHUNK = 2000


def _ratings(answers: str) -> models.ExpressionWrapper[Any]:
    """Return a column of answers without the grade."""
    beside = F(answers) - Value(GRADE)
    return models.ExpressionWrapper(beside, output_field=models.JSONField())


def _columns(fields: Sequence[str], judgment: str = "", **others: Any) -> list[Any]:
    """Return the columns of these fields of a record; `judgment` is the path to the judgment."""
    columns = {
        "topic": f"{judgment}topic__number",
        "docno": f"{judgment}item__key",
        "judgment": "judgment" if judgment else "pk",
        "assessor": f"{judgment}assessor__username",
        "kind": "assignment__kind",
        **others,
    }
    return [columns.get(field, field) for field in fields]


# The columns before what is said beside a grade.
BESIDE = _columns(RatingRecord._fields[: RatingRecord._fields.index("criterion")])


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


def judgment_records(campaign: Campaign) -> Iterator[JudgmentRecord]:
    """Yield every judgment, those set aside too: topics and docnos in byte order."""
    return (record for record, *_ in _judgments(campaign))


def records_of(campaign: Campaign, basis: Basis) -> Iterator[JudgmentRecord]:
    """Yield every judgment of a document and carried grade.

    The official grades are noted as of one moment.
    """
    for record, kind, rule, grade in _judgments(campaign):
        if kind == DOCUMENT:
            if rule:
                basis.note(record, rule, grade)
            basis.give(record)
            yield record
    pooled = PoolEntry.objects.with_grades().filter(item=OuterRef("item"))
    same_as = Coalesce(Subquery(pooled.values("same_as__key")[:1]), Value(""))
    why = Case(
        When(rule=DUPLICATE, then=same_as), default=F("why"), output_field=models.TextField()
    )
    rows = OfficialGrade.objects.of_documents(campaign).filter(rule__in=[*CARRIED, CORRECTION])
    # Duplicates come last, so that they find their originals.
    is_last = Case(When(rule=DUPLICATE, then=1), default=0)
    ordered = rows.order_by(is_last, "rule", "item__topic__number", "item__key")
    columns = "item__topic__number", "item__key", "grade", "rule", why
    for row in ordered.values_list(*columns).iterator(CHUNK):
        if carried := basis.carry(*row):
            yield carried


def _judgments(campaign: Campaign) -> Iterator[tuple[JudgmentRecord, str, str, int | None]]:
    """Yield each judgment with its item's kind, and the rule and grade that are official now."""
    now = Q(item__officialgrade__until=None, item__officialgrade__criterion=GRADE)
    official = FilteredRelation("item__officialgrade", condition=now)
    rows = Judgment.objects.counting().filter(topic__campaign=campaign).annotate(official=official)
    rows = rows.order_by("topic__number", "item__key", "pk")
    fields = JudgmentRecord._fields
    n, end = fields.index("topic_version"), fields.index("change")
    judgment = _columns(fields[:n], wanted=n_wanted(), ratings=_ratings("answers"))
    its = "item__kind", "official__rule", "official__grade"
    columns = [*its, *judgment, *_texts(), _times(), *fields[end:]]
    for kind, rule, grade, *row in rows.values_list(*columns).iterator(CHUNK):
        texts = _seen(row[n : n + N_TEXTS])
        times, *last = row[n + N_TEXTS :]
        record = JudgmentRecord._make((*row[:n], *texts, *_spent(times), *last))
        yield record, kind, rule, grade


def official_records(campaign: Campaign) -> Iterator[OfficialRecord]:
    """Yield every official grade with its past: topics and docnos in byte order, then in time."""
    rows = OfficialGrade.objects.in_campaign(campaign)
    names = (
        When(item__kind=kind, then=Value(first.name)) for kind, first in campaign.graded_by.items()
    )
    of_item = {"docno": "item__key", "by": "by__username", "criterion": Case(*names)}
    columns = _columns(OfficialRecord._fields, "item__", **of_item)
    ordered = rows.order_by("item__topic__number", "item__key", "since")
    return map(OfficialRecord._make, ordered.values_list(*columns).iterator(CHUNK))


def event_records(campaign: Campaign) -> Iterator[JudgmentEventRecord]:
    """Yield every judgment event in the order recorded."""
    by = Coalesce("by__username", "judgment__assessor__username")
    fields = JudgmentEventRecord._fields
    n, end = fields.index("topic_version"), fields.index("change")
    act = _columns(fields[:n], "judgment__", by=by, ratings=_ratings("to_answers"))
    columns = [*act, *_texts("judgment__"), *fields[end:]]
    rows = JudgmentEvent.objects.of(campaign).counting().order_by("pk")
    for row in rows.values_list(*columns).iterator(CHUNK):
        texts = _seen(row[n : n + N_TEXTS])
        yield JudgmentEventRecord._make((*row[:n], *texts[:-1], *row[n + N_TEXTS :]))


def rating_records(campaign: Campaign) -> Iterator[RatingRecord]:
    """Yield each answer to a criterion: topics and docnos in byte order."""
    rows = Judgment.objects.counting().graded().filter(topic__campaign=campaign)
    criteria = campaign.every_criterion[1:]
    ordered = rows.order_by("topic__number", "item__key", "pk").values_list(*BESIDE, "answers")
    for *row, answers in ordered.iterator(CHUNK):
        for each in criteria:
            if each.name in answers:
                value = answers[each.name]
                yield RatingRecord._make((*row, each.name, value, each.fixed[value]))


def passage_records(campaign: Campaign) -> Iterator[PassageRecord]:
    """Yield each passage of evidence: topics and docnos in byte order, then in the text's order."""
    rows = (
        Judgment.objects.counting().graded().filter(topic__campaign=campaign).exclude(passages=[])
    )
    columns = [*BESIDE, "passages", *_texts()]
    ordered = rows.order_by("topic__number", "item__key", "pk").values_list(*columns)
    n = len(BESIDE)
    for row in ordered.iterator(CHUNK):
        _, _, version, sha256, _ = _seen(row[n + 1 :])
        for start, end, _, text in row[n]:
            yield PassageRecord._make((*row[:n], start, end, text, version, sha256))
