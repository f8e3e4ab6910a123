"""Record answers of one assessor, or undo them: checked one by one and written together."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple
from uuid import UUID

from django.utils import timezone

from accounts.access import Refused, can
from accounts.models import User
from assess.access.answers import (
    Stale,
    check_answer,
    check_can_grade,
    check_provenance,
    check_texts_seen,
)
from assess.access.assigning import check_is_independent
from assess.access.judging import check_can_judge
from assess.core.answers import Act, Answer, Provenance, Seen
from assess.core.deciding import NOTHING, Present, Refusal, decide, decide_undo
from assess.events import AssessEvent
from assess.models.answering import lock_assignment, to_answer
from assess.models.judging import Judgment
from assess.models.serving import AssignmentEntry, ServedDocument
from assess.services.answers import answer_of, assign_to, completed
from assess.services.changes import Changes
from campaigns.models.campaign import Campaign
from campaigns.models.trail import AuditEvent
from trec.streams import storable

SET_ASIDE = "This answer was recorded, and has been set aside since: load the page again."
USED_ELSEWHERE = (
    "This client_id has already recorded an answer for another topic: "
    "make a new one for each answer."
)
NOT_SAVED_BEFORE = "It follows an answer that was not saved."


class Outcome(NamedTuple):
    """What became of an act: why it was refused, if so, and the entry that it is about, if any.

    `recorded` is the id of the judgment of an act that had been recorded before.
    """

    act: Act
    refusal: Refused | None
    entry: AssignmentEntry | None
    recorded: int | None = None

    def judgment(self) -> Judgment:
        """Return the judgment that the act made or had made before; Refused as it was."""
        judgment = self.entry.judgment if self.entry else None
        if self.refusal:
            raise self.refusal
        if judgment is None or self.recorded not in {None, judgment.pk}:
            raise Refused(SET_ASIDE)
        return judgment


class Recording:
    """A locked assignment and the acts to record, within a transaction; `changes.write()` ends it.

    An act that was recorded before or is refused changes nothing, and stops none of the others.
    """

    def __init__(self, assessor: User, pk: int, slug: str, acts: Sequence[Act]) -> None:
        # The lock makes the second of two clicks wait for the first, and keeps the counts right.
        self.assignment = lock_assignment(pk, assessor, slug)
        check_can_judge(assessor, self.assignment, self.assignment.roles)
        self.campaign: Campaign = self.assignment.topic.campaign
        ids = {each.provenance.client_id for each in acts}
        ids |= {each.after for each in acts if each.after}
        docnos = {storable(each.answer.docno) for each in acts}
        quoted = {storable(each.answer.docno) for each in acts if each.answer.passages}
        entries, found = to_answer(self.assignment, docnos, ids, quoted)
        # An act that names no place is about the first one of its document.
        self.entries = {entry.number: entry for entry in entries}
        self.first = {
            entry.docno: entry for entry in sorted(entries, key=lambda each: -each.number)
        }
        self.recorded = {UUID(event["client_id"]): event for event in found}
        self.changes = Changes(self.assignment)

    def locks_more(self, acts: Sequence[Act]) -> bool:
        """Whether these acts may need locks that come before that of the assignment.

        The first grade of a campaign fixes its scale, and undo may let another's answer count.
        """
        for act in acts:
            entry = self._entry(act)
            if entry is None or act.provenance.client_id in self.recorded:
                continue
            if act.is_undo:
                if entry.judgment and (entry.own is None or entry.own.replaces_id):
                    return True
            elif self._fixes_scale(act.answer):
                return True
        return False

    def _fixes_scale(self, answer: Answer) -> bool:
        return answer.state == Judgment.State.JUDGED and not self.campaign.has_fixed_scale

    def take(self, act: Act) -> Outcome:
        """Check an act and keep it to be written."""
        entry = self._entry(act)
        event = self.recorded.get(act.provenance.client_id)
        try:
            check_provenance(act.provenance)
            self._check_is_of_here(event)
            if event is None:
                self._take(act, entry)
        except Refused as refusal:
            return Outcome(act, refusal, entry)
        return Outcome(act, None, entry, event["judgment"] if event else None)

    def _entry(self, act: Act) -> AssignmentEntry | None:
        """Return the entry that an act is about, if the document was given at this place."""
        docno = storable(act.answer.docno)
        entry = self.first.get(docno) if act.number is None else self.entries.get(act.number)
        return entry if entry and entry.docno == docno else None

    def _check_is_of_here(self, event: dict[str, Any] | None) -> None:
        if event and event["assignment"] != self.assignment.pk:
            raise Refused(USED_ELSEWHERE)

    def _take(self, act: Act, entry: AssignmentEntry | None) -> None:
        if entry is None:
            docno, topic = storable(act.answer.docno), self.assignment.topic
            raise Refused(f"{docno} is not a document you were given for topic {topic}.")
        if act.is_undo:
            self._undo(entry, act.provenance, self._seen(act))
        else:
            self._answer(act, entry)

    def _answer(self, act: Act, entry: AssignmentEntry) -> None:
        answer, seen = act.answer, self._seen(act)
        check_answer(answer, self.campaign.scale)
        check_texts_seen(seen, self.assignment.topic, entry.served)
        if answer.state == Judgment.State.JUDGED:
            check_can_grade(entry.served)
        answer = completed(answer, entry, self.campaign)
        decided = decide(answer, seen.change, self._present(entry, seen.change))
        if isinstance(decided, Refusal):
            raise _refused(decided)
        self.changes.places.move(entry, answer.state)
        if self._fixes_scale(answer):
            Campaign.objects.filter(pk=self.campaign.pk).update(has_fixed_scale=True)
            self.campaign.has_fixed_scale = True
        self._change(entry, decided, act.provenance, entry.served)

    def _seen(self, act: Act) -> Seen:
        if act.after is None:
            return act.seen
        before = self.recorded.get(act.after)
        if before is None:
            raise Refused(NOT_SAVED_BEFORE)
        return replace(act.seen, change=before["change"])

    def _present(self, entry: AssignmentEntry, shown: int | None) -> Present | None:
        """Return what is decided by; `shown` is the change that the page showed."""
        judgment, is_own = entry.judgment, entry.own is not None
        if judgment is None:
            return None
        reason = f", {judgment.get_reason_display()}" if judgment.reason else ""
        label = f"{judgment.get_state_display().lower()}{reason}"
        present = Present(answer_of(judgment), judgment.change, label, is_own)
        if shown in {None, judgment.change}:
            return present
        if is_own:
            return present._replace(shown_comment=self.changes.comment_at(judgment, shown))
        is_undone = self.changes.has_undone(judgment, shown)
        return present._replace(author=str(judgment.assessor), is_undone=is_undone)

    # Undo

    def _undo(self, entry: AssignmentEntry, how: Provenance, seen: Seen) -> None:
        """Open a document again; the judgment that its own had set aside counts again."""
        judgment = entry.own
        refusal = decide_undo(seen.change, self._present(entry, seen.change))
        if refusal or judgment is None:
            raise _refused(refusal or NOTHING)
        earlier = judgment.replaces
        self.changes.places.move(entry, Judgment.State.REOPENED)
        self._change(entry, Answer(entry.docno, Judgment.State.REOPENED), how)
        if earlier and self._can_count_again(earlier):
            self._bring_back(earlier, judgment, entry)

    def _can_count_again(self, earlier: Judgment) -> bool:
        """Whether a judgment is decided, and its author has no other assignment of the topic."""
        is_decided = earlier.state not in Judgment.OPEN_STATES
        return is_decided and can(check_is_independent, earlier.assessor, self.assignment)

    def _bring_back(self, earlier: Judgment, undone: Judgment, entry: AssignmentEntry) -> None:
        """Let the earlier judgment of a document count again instead of its successor."""
        undone.set_aside_at, earlier.set_aside_at = timezone.now(), None
        self.changes.keep(undone)
        self.changes.keep(earlier)
        self.changes.link(entry, earlier)
        self.changes.count(undone.state, earlier.state, entry)
        AuditEvent.record(
            self.campaign,
            undone.assessor,
            AssessEvent.JUDGMENTS_BROUGHT_BACK,
            f"{self.assignment.topic}, {earlier.assessor} ({self.assignment.kind}): {entry.docno}",
            assignment=self.assignment.pk,
        )

    # Changes

    def _change(
        self,
        entry: AssignmentEntry,
        answer: Answer,
        how: Provenance,
        document: ServedDocument | None = None,
    ) -> None:
        """Change judgment, event and counts; without a document, the judged versions stay."""
        earlier, from_state = entry.judgment, entry.state
        from_grade = earlier.grade if earlier else None
        judgment = self._own(entry)
        self.assignment.n_changes += 1
        judgment.change = self.assignment.n_changes
        if document:
            judgment.document_version = document.version
            judgment.topic_version = self.assignment.topic.version
        assign_to(judgment, answer)
        judgment.changed_at = timezone.now()
        self.changes.keep(judgment)
        if earlier is not judgment:
            self.changes.link(entry, judgment)
        self.changes.count(from_state, judgment.state, entry)
        self.changes.note(judgment, how, from_state=from_state, from_grade=from_grade)
        self.recorded[how.client_id] = {
            "assignment": self.assignment.pk,
            "judgment": judgment.pk,
            "change": judgment.change,
        }

    def _own(self, entry: AssignmentEntry) -> Judgment:
        """Return the assessor's judgment of a document, to be changed; another's is set aside."""
        earlier, assignment = entry.judgment, self.assignment
        if earlier and earlier.assessor_id == assignment.assessor_id:
            earlier.assignment = assignment
            return earlier
        if earlier:
            earlier.set_aside_at = timezone.now()
            self.changes.keep(earlier)
        return Judgment(
            topic=assignment.topic,
            assessor_id=assignment.assessor_id,
            docno=entry.docno,
            assignment=assignment,
            replaces=earlier,
            control=entry.control,
        )


def _refused(refusal: Refusal) -> Refused:
    return Stale(refusal.sentence) if refusal.is_stale else Refused(refusal.sentence)
