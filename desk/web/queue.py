"""The documents of an assignment for its judging page: no runs, ranks or others' grades."""

from collections.abc import Collection, Iterator, Sequence
from typing import Any

from django.db.models import F, OuterRef, Subquery
from django.db.models.functions import Left

from assess.models.assigning import Assignment
from assess.models.history import JudgmentEvent
from assess.models.judging import Judgment
from assess.models.pacing import dwells
from assess.models.serving import GIVEN_UP, AssignmentEntry
from collection.models.texts import Document

# Of a title, so much is shown in a list.
TITLE_LENGTH = 120
# What the page knows of each document, in this order.
COLUMNS = (
    "docno",
    "version",
    "state",
    "grade",
    "reason",
    "comment",
    "change",
    "judged_version",
    "judged_topic",
    "by",
    "former",
    "title",
    "ratings",
    "passages",
)


def queued(assignment: Assignment, positions: Collection[int] | None = None) -> Iterator[list[Any]]:
    """Yield the `COLUMNS` of each document in the order served, or of those at these positions.

    `version` is that of the present text, `by` an earlier assessor who judged it, `former` the
    grade of a reopened document. With controls a document not judged yet has neither docno nor
    title, or the list would tell which come again; one given up has both, as it does not come.
    """
    predecessors, is_hidden = _names(assignment), assignment.names_nothing_ahead
    for (
        docno,
        version,
        given_up_at,
        state,
        *rest,
        assessor,
        former,
        title,
        ratings,
        passages,
    ) in _rows(assignment, positions):
        if state is None and is_hidden and not given_up_at:
            yield ["", version, "unjudged", None, "", "", 0, 0, 0, "", None, "", {}, []]
        elif state is None:
            yield [
                docno,
                version,
                GIVEN_UP if given_up_at else "unjudged",
                None,
                "",
                "",
                0,
                0,
                0,
                "",
                None,
                title,
                {},
                [],
            ]
        elif assessor != assignment.assessor_id:
            change = rest[3]
            yield [
                docno,
                version,
                state,
                None,
                "",
                "",
                change,
                0,
                0,
                predecessors[assessor],
                None,
                title,
                {},
                [],
            ]
        else:
            is_reopened = state == Judgment.State.REOPENED
            yield [
                docno,
                version,
                state,
                *rest,
                "",
                former if is_reopened else None,
                title,
                ratings,
                shown(passages),
            ]


def shown(passages: Sequence[Sequence[Any]]) -> list[list[Any]]:
    """Return passages for the page: the characters before each, and its text."""
    return [[before, text] for _, _, before, text in passages]


def _rows(assignment: Assignment, positions: Collection[int] | None) -> Iterator[tuple[Any, ...]]:
    campaign = assignment.topic.campaign_id
    documents = Document.objects.filter(campaign=campaign, docno=OuterRef("docno"))
    titles = documents.values_list(Left("title", TITLE_LENGTH))
    entries = assignment.all_entries.with_versions(campaign)
    if positions is not None:
        entries = entries.filter(position__in=positions)
    last = JudgmentEvent.objects.filter(
        judgment=OuterRef("judgment"), change=OuterRef("judgment__change")
    )
    rows = entries.annotate(
        former=Subquery(last.values("from_grade")[:1]), title=Subquery(titles[:1])
    )
    names = ("state", "grade", "reason", "comment", "change", "document_version", "topic_version")
    given = [F(f"judgment__{name}") for name in names]
    ordered = rows.order_by("position").values_list(
        "docno",
        "present_version",
        "given_up_at",
        *given,
        F("judgment__assessor"),
        "former",
        "title",
        F("judgment__ratings"),
        F("judgment__passages"),
    )
    return ordered.iterator(5000)


def _names(assignment: Assignment) -> dict[int, str]:
    """Return by id who else has judged documents of the assignment; nobody in a shared topic."""
    if assignment.is_shared:
        return {}
    others = assignment.all_judgments.exclude(assessor=assignment.assessor_id)
    return {
        judgment.assessor_id: str(judgment.assessor)
        for judgment in others.distinct("assessor").order_by("assessor").select_related("assessor")
    }


def seconds_each(assignment: Assignment) -> float | None:
    """Return the assessor's seconds per document of the topic, or else of the campaign."""
    topic, assessor = assignment.topic, assignment.assessor
    times = dwells(topic.campaign, assessor)
    found = (times.of_both.get((assessor.pk, topic.pk)), times.of_assessors.get(assessor.pk))
    return next((dwell.seconds for dwell in found if dwell and dwell.is_known), None)


def as_now(entry: AssignmentEntry) -> dict[str, Any]:
    """Return an entry `to_answer` after an act, by the names of `COLUMNS`."""
    judgment, own = entry.judgment, entry.own
    now = {
        "version": entry.served.version,
        "state": GIVEN_UP if entry.is_given_up else entry.state,
        "change": judgment.change if judgment else 0,
        "by": str(entry.predecessor or ""),
    }
    if own is None:
        return {
            **now,
            "grade": None,
            "reason": "",
            "comment": "",
            "judged_version": 0,
            "judged_topic": 0,
            "ratings": {},
            "passages": [],
        }
    return {
        **now,
        "grade": own.grade,
        "reason": own.reason,
        "comment": own.comment,
        "judged_version": own.document_version,
        "judged_topic": own.topic_version,
        "ratings": own.ratings,
        "passages": shown(own.passages),
    }
