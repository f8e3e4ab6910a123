"""Record answers of one assessor, or undo them: decided one by one and written together."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple
from uuid import UUID

from accounts.access import Invalid, Refused, check
from accounts.models import User
from assess.access.answers import (
    Stale,
    check_answer,
    check_is_disputed,
    check_is_practised,
    check_provenance,
)
from assess.access.judging import Judging
from assess.core.answers import Act, Seen
from assess.core.deciding import Refusal, decide
from assess.models.answering import lock_assignment, to_answer
from assess.models.history import JudgmentEvent
from assess.models.judging import Judgment
from assess.models.serving import AssignmentEntry
from assess.services.changes import Changes
from assess.services.standing import standing_of

SET_ASIDE = "This answer was recorded, and has been set aside since: load the topic again."
USED = "This client_id has already recorded another answer: make a new one for each answer."
NOT_SAVED_BEFORE = "It follows an answer that was not saved."


class Outcome(NamedTuple):
    """What became of an act: why it was refused, if so, and the entry that it is about, if any.

    `recorded` is the id of the judgment of an act that had been recorded before.
    """

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
    """Records an assessor's acts on an assignment, within a transaction.

    1. Lock the assignment: the second of two clicks waits for the first.
    2. Load the entries, judgments and events that the acts are about, in one query.
    3. Take one act after the other: it is refused, was recorded before, or changes how its
       document stands for the next one. None of these stops the acts that follow.
    4. Write judgments, events and counts together.
    """

    def __init__(self, assessor: User, key: int | UUID, slug: str, acts: Sequence[Act]) -> None:
        self.assignment = lock_assignment(key, assessor, slug)
        check(Judging.judge, assessor, self.assignment)
        self.campaign = self.assignment.topic.campaign
        ids = {each.provenance.client_id for each in acts}
        ids |= {each.after for each in acts if each.after}
        docnos = {each.docno for each in acts}
        quoted = {each.docno for each in acts if each.answer.passages}
        entries, found = to_answer(self.assignment, docnos, ids, quoted)
        # An act that names no place is about the first one of its document.
        self.entries = {entry.number: entry for entry in entries}
        self.first = {
            entry.docno: entry for entry in sorted(entries, key=lambda each: -each.number)
        }
        self.recorded = {event.client_id: event for event in found}
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
            elif act.answer.state == Judgment.State.JUDGED and not (
                self.campaign.has_fixed_scale or self.assignment.is_practice
            ):
                return True
        return False

    def take_all(self, acts: Sequence[Act]) -> list[Outcome]:
        """Write what can be recorded of these acts."""
        outcomes = [self.take(act) for act in acts]
        self.changes.write()
        return outcomes

    def take(self, act: Act) -> Outcome:
        """Decide an act, and keep what it changes to be written."""
        entry, event = self._entry(act), self.recorded.get(act.provenance.client_id)
        try:
            self._take(act, entry, event)
        except Refused as refusal:
            return Outcome(refusal, entry)
        return Outcome(None, entry, event.judgment.pk if event else None)

    def _entry(self, act: Act) -> AssignmentEntry | None:
        """Return the entry that an act is about, if the document was given at this place."""
        entry = self.first.get(act.docno) if act.number is None else self.entries.get(act.number)
        return entry if entry and entry.docno == act.docno else None

    def _seen(self, act: Act) -> Seen | None:
        """Return what was on the screen; None if the act follows one that was not saved."""
        if act.after is None:
            return act.seen
        before = self.recorded.get(act.after)
        return replace(act.seen, change=before.change) if before else None

    def _is_repeated(self, act: Act, entry: AssignmentEntry | None, event: JudgmentEvent) -> bool:
        """Whether an event recorded this act, at the place of a document that comes twice."""
        is_here = entry is None or entry.purpose == event.judgment.purpose
        return is_here and event.assignment_id == self.assignment.pk and event.is_of(act)

    def _take(self, act: Act, entry: AssignmentEntry | None, event: JudgmentEvent | None) -> None:
        check_provenance(act.provenance)
        if event:
            if not self._is_repeated(act, entry, event):
                raise Refused(USED)
            return
        topic, seen = self.assignment.topic, self._seen(act)
        if entry is None or seen is None:
            which = "a document" if act.number is None else f"document {act.number} that"
            unknown = f"{act.docno} is not {which} you were given for {topic.in_words}."
            raise Refused(NOT_SAVED_BEFORE if entry else unknown)
        check_is_practised(entry)
        if not act.is_undo:
            check_is_disputed(entry)
            check_answer(act.answer, self.campaign.graded_by[entry.item.kind])
        act = act._replace(seen=seen)
        change = decide(act, standing_of(entry, act, self.changes))
        if isinstance(change, Refusal):
            raise refused(change)
        self.changes.make(entry, change, act.provenance)
        self.recorded[act.provenance.client_id] = self.changes.events[-1]


def refused(refusal: Refusal) -> Refused:
    if refusal.field:
        return Invalid(refusal.field, refusal.sentence)
    return (Stale if refusal.is_stale else Refused)(refusal.sentence)
