"""The documents of an assignment for its judging page: no runs, ranks or others' grades."""

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from django.db.models import F, OuterRef, Subquery
from django.db.models.functions import Left

from accounts.models import User
from assess.core.answers import without_grade
from assess.models.assigning import Assignment
from assess.models.controls import KnownGrade
from assess.models.disputes import opinions, steps_between, version_of
from assess.models.history import JudgmentEvent
from assess.models.judging import Judgment
from assess.models.pacing import dwells
from assess.models.serving import GIVEN_UP, AssignmentEntry, tell_known
from assess.services import adjudicating, sharing
from campaigns.core.criteria import DOCUMENT

# Of a title, so much is shown in a list.
TITLE_LENGTH = 120
# What is shown of a judgment of one's own, by the name that the page has for it.
JUDGED = {
    "state": "state",
    "grade": "grade",
    "reason": "reason",
    "comment": "comment",
    "change": "change",
    "judged_version": "document_version",
    "judged_topic": "topic_version",
    "ratings": "answers",
    "passages": "passages",
}


def more(assessor: User, assignment: Assignment) -> list[int]:
    """Serve what an assessor can have beyond what they have, and return the positions changed.

    That is more of a shared topic, and to an adjudicator what came into dispute. Refused where they
    may not judge.
    """
    if assignment.is_adjudication:
        return adjudicating.bring(assessor=assessor, assignment=assignment)
    return sharing.lend(assessor=assessor, assignment=assignment)


def in_dispute(entry: AssignmentEntry) -> dict[str, Any]:
    """Return what assessors said of an adjudicator's document, as its page shows it."""
    if not entry.assignment.is_adjudication:
        return {}
    said = opinions(entry)
    scale = list(entry.assignment.topic.campaign.graded_by[entry.item.kind].fixed)
    return {
        "opinions": said,
        "opinions_version": version_of(said),
        "steps": steps_between(said, scale),
    }


def queued(
    assignment: Assignment, positions: Collection[int] | None = None
) -> Iterator[dict[str, Any]]:
    """Yield documents in the order served, each with what differs from an unjudged one.

    `version` is that of the present text, `by` an earlier assessor who judged it, `former` the
    grade of a reopened document. With controls a document not judged yet has neither docno nor
    title, or the list would tell which come again; one given up has both, as it does not come.
    """
    predecessors, is_hidden = _names(assignment), assignment.names_nothing_ahead
    known = _known(assignment)
    for row in _rows(assignment, positions):
        new = {"number": row["position"] + 1, "version": row["version"]}
        if row["priority"]:
            new["priority"] = row["priority"]
        if row["item__kind"] != DOCUMENT:
            new["kind"] = row["item__kind"]
        named = {**new, "docno": row["docno"], "title": row["title"]}
        if row["state"] is None and row["given_up_at"]:
            yield {**named, "state": GIVEN_UP}
        elif row["state"] is None:
            yield new if is_hidden else named
        elif row["judgment__assessor"] != assignment.assessor_id:
            by = predecessors[row["judgment__assessor"]]
            yield {**named, "state": row["state"], "change": row["change"], "by": by}
        else:
            yield {**named, **_judged(row, known.get(row["docno"]))}


def _judged(row: Mapping[str, Any], known: KnownGrade | None) -> dict[str, Any]:
    """Return what is shown of a judgment of one's own."""
    is_reopened = row["state"] == Judgment.State.REOPENED
    judged = {name: row[name] for name in JUDGED}
    judged |= beside(judged)
    judged["former"] = row["former"] if is_reopened else None
    if row["known"] is not None:
        judged["known"] = told(row["known"], known)
    return judged


def _known(assignment: Assignment) -> dict[str, KnownGrade]:
    if not assignment.is_practice:
        return {}
    rows = (
        KnownGrade.objects.practice().filter(item__topic=assignment.topic_id).select_related("item")
    )
    return {each.docno: each for each in rows}


def told(then: int, known: KnownGrade | None) -> dict[str, Any]:
    """Return what an answer of practice is compared with, and why the grade is that one.

    `now` is the known grade if it was corrected since the answer, None otherwise.
    """
    now = known.grade if known and known.grade != then else None
    return {"grade": then, "now": now, "why": known.explanation if known else ""}


def told_of(entry: AssignmentEntry) -> dict[str, Any] | None:
    """Return `told` of an entry of practice that its reader has answered."""
    if entry.own is None or entry.own.known is None:
        return None
    tell_known([entry])
    return told(entry.own.known, entry.known)


def beside(judged: Mapping[str, Any]) -> dict[str, Any]:
    """Return what goes with a grade; each passage as the characters before it and its text."""
    passages = [[before, text] for _, _, before, text in judged["passages"]]
    return {"ratings": without_grade(judged["ratings"]), "passages": passages}


def _rows(assignment: Assignment, positions: Collection[int] | None) -> Iterator[Any]:
    entries = assignment.entries.with_versions()
    if positions is not None:
        entries = entries.filter(position__in=positions)
    last = JudgmentEvent.objects.filter(
        judgment=OuterRef("judgment"), change=OuterRef("judgment__change")
    )
    rows = entries.order_by("position").values(
        "position",
        "priority",
        "given_up_at",
        "item__kind",
        "judgment__assessor",
        known=F("judgment__known"),
        version=F("present_version"),
        former=Subquery(last.values("from_grade")[:1]),
        docno=F("item__key"),
        title=Left("item__document__title", TITLE_LENGTH),
        **{name: F(f"judgment__{field}") for name, field in JUDGED.items()},
    )
    return rows.iterator(5000)


def _names(assignment: Assignment) -> dict[int, str]:
    """Return by id who else has judged documents of the assignment; nobody in a shared topic."""
    if assignment.is_shared:
        return {}
    others = assignment.judgments.exclude(assessor=assignment.assessor_id)
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
    """Return how a document stands after an act, by the names of `queued`."""
    judgment, own = entry.judgment, entry.own
    now = {
        "version": entry.served.version,
        "state": GIVEN_UP if entry.is_given_up else entry.state,
        "change": judgment.change if judgment else 0,
        "by": str(entry.predecessor or ""),
    }
    if entry.assignment.is_adjudication:
        now["named"] = [(each.name, each.grade) for each in opinions(entry) if each.name]
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
    judged = {name: getattr(own, field) for name, field in JUDGED.items()}
    if own.known is not None:
        judged["known"] = told(own.known, entry.known)
    return {**judged, **beside(judged), **now}
