"""Record judgments and undo them."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, replace
from functools import partial
from typing import NamedTuple

from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts.access import Refused, can
from accounts.models import User
from assess.access import (
    Stale,
    check_answer,
    check_can_grade,
    check_can_judge,
    check_is_independent,
    check_provenance,
    check_seen,
)
from assess.announcing import announce
from assess.core.answers import Answer, Provenance, Seen
from assess.dealing import Kind, lock_assigning
from assess.events import AssessEvent
from assess.models import (
    Assignment,
    AssignmentEntry,
    Judgment,
    JudgmentEvent,
    ServedDocument,
)
from campaigns.core.grades import Scale
from campaigns.models import AuditEvent, Campaign, Topic
from trec.streams import storable

COUNTERS: Mapping[str, str] = {
    Judgment.State.JUDGED: "n_judged",
    Judgment.State.LATER: "n_later",
    Judgment.State.REOPENED: "n_later",
    Judgment.State.CANNOT_JUDGE: "n_cannot_judge",
}

USED_ELSEWHERE = "This client_id has already recorded an answer for another topic: make a new one for each answer."

SET_ASIDE = (
    "This answer was recorded, and has been set aside since: load the page again."
)


class Versions(NamedTuple):
    """What an answer is about."""

    document: int
    topic: int


@contextmanager
def _recorded_once() -> Iterator[None]:
    """Write in one transaction; refuse a client id that is being recorded for another assignment at the same moment."""
    try:
        with transaction.atomic():
            yield
    except IntegrityError as error:
        if "client_id" not in str(error):
            raise
        raise Refused(USED_ELSEWHERE) from error


@_recorded_once()
def judge(
    *,
    assessor: User,
    assignment: Assignment,
    answer: Answer,
    provenance: Provenance | None = None,
    seen: Seen | None = None,
) -> Judgment:
    """Record an answer, replacing the assessor's earlier one. The judgment's `assignment` has the new counts.

    Where the client says what its assessor had seen, an answer about something else is refused as `Stale`.
    """
    seen = seen or Seen()
    assignment, recorded = _begin(assessor, assignment, provenance)
    if recorded and recorded.set_aside_at:
        raise Refused(SET_ASIDE)
    if recorded:
        return recorded
    _fix_scale(assignment.topic, answer)
    check_answer(answer, assignment.topic.campaign.scale)
    entry = _entry(assignment, answer)
    document = ServedDocument.of(assignment.topic.campaign_id, entry.docno)
    check_seen(seen, assignment.topic, document)
    if answer.state == Judgment.State.JUDGED:
        check_can_grade(document)
    answer = _unless_newer(assignment, entry, answer, seen)
    versions = Versions(document.version, assignment.topic.version)
    return _change(assignment, entry, answer, provenance or Provenance(), versions)


def _fix_scale(topic: Topic, answer: Answer) -> None:
    """Fix the scale with the first grade; whoever is changing it at this moment comes before or after."""
    if topic.campaign.has_fixed_scale or answer.state != Judgment.State.JUDGED:
        return
    Campaign.objects.filter(pk=topic.campaign_id).update(has_fixed_scale=True)
    topic.campaign.refresh_from_db()


def _entry(assignment: Assignment, answer: Answer) -> AssignmentEntry:
    entries = assignment.entries.select_related("judgment")
    docno = storable(answer.docno)
    entry = entries.filter(docno=docno).first()
    if entry is None:
        raise Refused(
            f"{docno} is not a document you were given for topic {assignment.topic}."
        )
    return entry


def _unless_newer(
    assignment: Assignment, entry: AssignmentEntry, answer: Answer, seen: Seen
) -> Answer:
    """Return the answer, without a comment that only repeats what the page showed. Stale if the judgment differs since."""
    judgment = entry.judgment
    present = judgment.change if judgment else 0
    if seen.change is None or seen.change == present:
        return answer
    if judgment is None:
        raise Stale(f"Your judgment of {entry.docno} was set aside after this page was loaded.")  # fmt: skip
    if entry.predecessor:
        raise Stale(f"{entry.predecessor} has judged {entry.docno} since this page was loaded.")  # fmt: skip
    shown = judgment.comment_at(seen.change)
    comment = None if answer.comment == shown else answer.comment
    is_same = all(getattr(answer, name) == getattr(judgment, name) for name in ("state", "grade", "reason"))  # fmt: skip
    if is_same and (comment is None or judgment.comment in {shown, comment}):
        return replace(answer, comment=comment)
    scale = assignment.topic.campaign.scale
    theirs, yours = _said(judgment, scale), _said(answer, scale)
    both = f"Now: {theirs}. Your answer: {yours}."
    if is_same:
        both = f"Both say {yours}, but the comments differ."
    raise Stale(f"{entry.docno} has changed since this page was loaded. {both}")


def _said(answer: Answer | Judgment, scale: Scale) -> str:
    """Return an answer in words: "grade 2, relevant", "later" or "cannot judge: it cannot be read"."""
    if answer.grade is not None:
        return f"grade {answer.grade}, {scale.label_of(answer.grade)}"
    state = Judgment.State(answer.state).label.lower()
    reason = answer.reason and Judgment.Reason(answer.reason).label
    return f"{state}: {reason}" if reason else state


@_recorded_once()
def undo(
    *,
    assessor: User,
    assignment: Assignment,
    provenance: Provenance | None = None,
) -> Judgment | None:
    """Take back the judgment decided last and return it; None if there is nothing to undo.

    Its document is open again; but a judgment by whoever had the topic before, which it had set aside, counts again.
    """
    if Judgment.objects.filter(assignment=assignment, replaces__isnull=False).exists():
        # Nobody is given another assignment of the topic while their judgment comes back.
        lock_assigning(assignment.topic.campaign)
    assignment, recorded = _begin(assessor, assignment, provenance)
    if recorded:
        return recorded
    entry = assignment.entries.decided_last()
    if entry is None:
        return None
    reopened = Answer(entry.docno, Judgment.State.REOPENED)
    undone = _change(assignment, entry, reopened, provenance or Provenance())
    earlier = undone.replaces
    if earlier and _can_count_again(earlier, assignment):
        _bring_back(earlier, undone, entry)
    return undone


def _can_count_again(earlier: Judgment, assignment: Assignment) -> bool:
    """Tell whether it decided anything, and its author has not been given another assignment of the topic since."""
    is_decided = earlier.state not in Judgment.OPEN_STATES
    return is_decided and can(check_is_independent, earlier.assessor, assignment)


def _bring_back(earlier: Judgment, undone: Judgment, entry: AssignmentEntry) -> None:
    """Let the earlier judgment of a document count again instead of the one that had replaced it."""
    assignment = undone.assignment
    undone.set_aside_at, earlier.set_aside_at = timezone.now(), None
    entry.judgment = earlier
    for row, column in ((undone, "set_aside_at"), (earlier, "set_aside_at"), (entry, "judgment")):  # fmt: skip
        row.save(update_fields=[column])
    _count(assignment, undone.state, earlier.state)
    AuditEvent.record(
        assignment.topic.campaign, undone.assessor, AssessEvent.JUDGMENTS_BROUGHT_BACK,
        f"{assignment.topic}, {earlier.assessor} ({assignment.kind}): {entry.docno}", assignment=assignment.pk,
    )  # fmt: skip


def _begin(
    assessor: User, assignment: Assignment, provenance: Provenance | None
) -> tuple[Assignment, Judgment | None]:
    """Lock the assignment and return it, with the judgment if this event was recorded before; one without provenance is new."""
    if provenance is not None:
        check_provenance(provenance)
    # The lock makes the second of two clicks wait for the first, and keeps the counts right.
    locked = Assignment.objects.locked(assignment.pk)
    check_can_judge(assessor, locked)
    if provenance is None:
        return locked, None
    event = JudgmentEvent.objects.recorded(provenance.client_id)
    if event is None:
        return locked, None
    if event.assignment_id != locked.pk:
        raise Refused(USED_ELSEWHERE)
    event.judgment.assignment = locked
    return locked, event.judgment


def _change(
    assignment: Assignment,
    entry: AssignmentEntry,
    answer: Answer,
    provenance: Provenance,
    versions: Versions | None = None,
) -> Judgment:
    """Write judgment, event and counts together; without versions, those judged before stay."""
    earlier = entry.judgment
    before = {"from_state": entry.state, "from_grade": earlier and earlier.grade}
    judgment = _own(assignment, entry)
    judgment.change = assignment.n_changes + 1
    if versions:
        judgment.document_version, judgment.topic_version = versions
    _save_answer(judgment, answer)
    event = JudgmentEvent.objects.create(
        assignment=assignment,
        judgment=judgment,
        to_state=answer.state,
        to_grade=answer.grade,
        reason=answer.reason,
        comment=judgment.comment,
        document_version=judgment.document_version,
        topic_version=judgment.topic_version,
        change=judgment.change,
        at=judgment.changed_at,
        **before,
        **asdict(provenance),
    )
    if earlier != judgment:
        entry.judgment = judgment
        entry.save(update_fields=["judgment"])
    assignment.n_changes += 1
    _count(assignment, event.from_state, event.to_state)
    if assignment.kind == Kind.PRIMARY:
        campaign_id = assignment.topic.campaign_id
        # The judgment is kept even if this fails: the board looks for new ones every minute.
        transaction.on_commit(partial(announce, campaign_id), robust=True)
    return judgment


def _own(assignment: Assignment, entry: AssignmentEntry) -> Judgment:
    """Return the assessor's judgment of a document, to be changed; one by whoever had the topic before is set aside."""
    earlier = entry.judgment
    if earlier and earlier.assessor_id == assignment.assessor_id:
        earlier.assignment = assignment
        return earlier
    if earlier:
        Judgment.objects.filter(pk=earlier.pk).update(set_aside_at=timezone.now())
    return Judgment(
        topic=assignment.topic,
        assessor_id=assignment.assessor_id,
        docno=entry.docno,
        assignment=assignment,
        replaces=earlier,
    )


def _save_answer(judgment: Judgment, answer: Answer) -> None:
    """Save the answer as the judgment's present state; without a comment, the earlier one stays."""
    judgment.state, judgment.grade = answer.state, answer.grade
    judgment.reason = answer.reason
    if answer.comment is not None:
        judgment.comment = answer.comment
    judgment.changed_at = timezone.now()
    judgment.save()


def _count(assignment: Assignment, from_state: str, to_state: str) -> None:
    """Update the counts of a locked assignment."""
    for state, change in ((from_state, -1), (to_state, 1)):
        if counter := COUNTERS.get(state):
            setattr(assignment, counter, getattr(assignment, counter) + change)
    assignment.save(update_fields=["n_changes", *set(COUNTERS.values())])
