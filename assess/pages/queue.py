"""How each document of an assignment stands, for the assessor's own page: nothing of runs, ranks or others' grades."""

from collections.abc import Iterator
from typing import Any

from django.db.models import F, OuterRef, Subquery

from assess.models import Assignment, AssignmentEntry, Judgment, JudgmentEvent

# What the page knows of each document, in this order.
COLUMNS = ("docno", "version", "state", "grade", "reason", "comment", "change", "judged_version", "judged_topic", "by", "former")  # fmt: skip


def queued(assignment: Assignment) -> Iterator[list[Any]]:
    """Yield the `COLUMNS` of each document in the order served, in one query.

    `version` is that of the text as it is now, `by` who judged it before the assignment passed on, `former` the grade that
    a reopened document had.
    """
    entries = assignment.entries.with_versions(assignment.topic.campaign_id)
    last = JudgmentEvent.objects.filter(
        judgment=OuterRef("judgment"), change=OuterRef("judgment__change")
    )
    rows = entries.annotate(former=Subquery(last.values("from_grade")[:1]))
    names = ("state", "grade", "reason", "comment", "change", "document_version", "topic_version")  # fmt: skip
    given = [F(f"judgment__{name}") for name in names]
    author = F("judgment__assessor")
    listed = rows.order_by("position").values_list(
        "docno", "present_version", *given, author, "former"
    )
    predecessors = _names(assignment)
    for docno, version, state, *rest, assessor, former in listed.iterator(5000):
        if state is None:
            yield [docno, version, "unjudged", None, "", "", 0, 0, 0, "", None]
        elif assessor != assignment.assessor_id:
            change = rest[3]
            yield [docno, version, state, None, "", "", change, 0, 0, predecessors[assessor], None]  # fmt: skip
        else:
            is_reopened = state == Judgment.State.REOPENED
            yield [docno, version, state, *rest, "", former if is_reopened else None]


def _names(assignment: Assignment) -> dict[int, str]:
    """Return who else has judged documents of the assignment, by id."""
    others = assignment.judgments.exclude(assessor=assignment.assessor_id)
    return {judgment.assessor_id: str(judgment.assessor) for judgment in others.distinct("assessor").order_by("assessor").select_related("assessor")}  # fmt: skip


def as_now(entry: AssignmentEntry) -> dict[str, Any]:
    """Return how a document stands after an act, by the names of `COLUMNS`; for entries `to_answer`."""
    judgment, own = entry.judgment, entry.own
    now = {
        "version": entry.served.version,
        "state": entry.state,
        "change": judgment.change if judgment else 0,
        "by": str(entry.predecessor or ""),
    }
    if own is None:
        return {**now, "grade": None, "reason": "", "comment": "", "judged_version": 0, "judged_topic": 0}  # fmt: skip
    return {
        **now,
        "grade": own.grade,
        "reason": own.reason,
        "comment": own.comment,
        "judged_version": own.document_version,
        "judged_topic": own.topic_version,
    }
