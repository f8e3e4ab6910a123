"""What acts change in an assignment, written with as many queries for fifty acts as for one."""

from collections.abc import Mapping
from typing import Any

from django.db import connection
from django.utils import timezone

from accounts.access import can
from accounts.rows import insert, inserting
from assess.access.assigning import check_is_independent
from assess.core.answers import Answer, Provenance, acted
from assess.core.comparing import Present
from assess.events import AssessEvent
from assess.models.assigning import Assignment
from assess.models.controls import OF_CONTROLS
from assess.models.history import JudgmentEvent
from assess.models.judging import Judgment
from assess.models.serving import AssignmentEntry
from assess.services.capacity import Places
from campaigns.models.campaign import Campaign
from campaigns.models.trail import AuditEvent

COUNTERS: Mapping[str, str] = {
    Judgment.State.JUDGED: "n_judged",
    Judgment.State.LATER: "n_later",
    Judgment.State.REOPENED: "n_later",
    Judgment.State.CANNOT_JUDGE: "n_cannot_judge",
}
COUNTED = (
    "n_changes",
    *(
        name
        for pair in sorted(OF_CONTROLS.items())
        if pair[0] in COUNTERS.values()
        for name in pair
    ),
)

# Writes events; the counts of shared documents, which want what their queue wants or what they
# have; the entries with another judgment or lease; and the counts of the assignment, to which
# documents return that had been given up.
WRITE = f"""
    WITH noted AS ({{noted}}), document AS (
        UPDATE assess_shareddocument document
        SET n_judged = now.n_judged, n_impossible = now.n_impossible,
            n_wanted = greatest(queue.n_wanted, now.n_judged)
        FROM assess_sharedqueue queue, unnest(%s::bigint[], %s::integer[], %s::integer[])
            AS now (document, n_judged, n_impossible)
        WHERE document.id = now.document AND queue.id = document.queue_id
    ), back AS (
        SELECT count(*) AS n FROM assess_assignmententry
        WHERE id = ANY (%s::bigint[]) AND given_up_at IS NOT NULL
    ), entry AS (
        UPDATE assess_assignmententry entry SET judgment_id = now.judgment, given_up_at = NULL,
            leased_until = CASE
                WHEN now.stays THEN coalesce(entry.leased_until, now.until) ELSE now.until
            END
        FROM unnest(%s::bigint[], %s::bigint[], %s::timestamptz[], %s::boolean[])
            AS now (entry, judgment, until, stays)
        WHERE entry.id = now.entry
    )
    UPDATE assess_assignment
    SET {", ".join(f"{name} = %s" for name in COUNTED)}, n_entries = n_entries + back.n
    FROM back WHERE id = %s RETURNING n_entries
"""  # noqa: S608 - names of columns


# What an event copies.
OF_JUDGMENT = [
    "assignment",
    "reason",
    "comment",
    "ratings",
    "passages",
    "document_version",
    "topic_version",
    "change",
]
OF_PROVENANCE = ["client_id", "method", "active_ms", "away_ms"]


class Changes:
    """The judgments, events and counts of a locked assignment that are to be written."""

    def __init__(self, assignment: Assignment) -> None:
        self.assignment = assignment
        self.places = Places(assignment)
        self._n_changes = assignment.n_changes
        self._judgments: dict[int, Judgment] = {}
        self._events: list[JudgmentEvent] = []
        self._linked: dict[int, AssignmentEntry] = {}

    @property
    def are_any(self) -> bool:
        return self.assignment.n_changes > self._n_changes

    def present_judgment(self, entry: AssignmentEntry, shown: int | None) -> Present | None:
        """Return what is decided by; `shown` is the change that the page showed."""
        judgment, is_own = entry.judgment, entry.own is not None
        if judgment is None:
            return None
        reason = f", {judgment.get_reason_display()}" if judgment.reason else ""
        label = f"{judgment.get_state_display().lower()}{reason}"
        present = Present(judgment.answer, judgment.change, label, is_own)
        if shown in {None, judgment.change}:
            return present
        if is_own:
            return present._replace(shown_comment=self._comment_at(judgment, shown))
        is_undone = self._has_undone(judgment, shown)
        return present._replace(author=str(judgment.assessor), is_undone=is_undone)

    def _comment_at(self, judgment: Judgment, change: int) -> str:
        """Return the comment of a judgment after a change of the assignment."""
        for event in reversed(self._events):
            if event.judgment is judgment and event.change <= change:
                return event.comment
        return judgment.comment_at(change) if judgment.pk else ""

    def _has_undone(self, earlier: Judgment, change: int) -> bool:
        """Whether this change took back an answer of the assessor that had replaced another's."""
        pending = {each.pk: each for each in self._judgments.values() if each.pk}
        stored = self.assignment.all_judgments.filter(replaces=earlier, change=change)
        rows = [*self._judgments.values(), *stored.exclude(pk__in=pending)]
        own = [each for each in rows if each.assessor_id == self.assignment.assessor_id]
        return any((each.replaces_id, each.change) == (earlier.pk, change) for each in own)

    def record_answer(self, entry: AssignmentEntry, answer: Answer, how: Provenance) -> Judgment:
        """Change judgment, event and counts.

        A document that is reopened keeps the versions judged, and the judgment that its own had
        set aside counts again.
        """
        back = self._coming_back(entry) if answer.state == Judgment.State.REOPENED else None
        from_state, from_grade = entry.state, entry.judgment and entry.judgment.grade
        self.places.move(entry, answer.state)
        judgment = self._own(entry)
        self.assignment.n_changes += 1
        judgment.change, judgment.changed_at = self.assignment.n_changes, timezone.now()
        self._set(judgment, answer, entry)
        if back:
            judgment.set_aside_at, back.set_aside_at = timezone.now(), None
            self._judgments[id(back)] = back
            entry.judgment, self._linked[entry.pk] = back, entry
        self._count(from_state, back.state if back else judgment.state, entry)
        self._note(judgment, how, from_state=from_state, from_grade=from_grade)
        if back:
            campaign, event = judgment.topic.campaign, AssessEvent.JUDGMENTS_BROUGHT_BACK
            about = f"{judgment.topic}, {back.assessor} ({self.assignment.kind}): {entry.docno}"
            of = self.assignment.pk
            AuditEvent.record(campaign, judgment.assessor, event, about, assignment=of)
        return judgment

    def _coming_back(self, entry: AssignmentEntry) -> Judgment | None:
        """Return the judgment that the assessor's own has set aside, if it can count again.

        It must be decided, and its author have no other assignment of the topic.
        """
        earlier = entry.own.replaces if entry.own else None
        if earlier is None or earlier.state in Judgment.OPEN_STATES:
            return None
        return earlier if can(check_is_independent, earlier.assessor, self.assignment) else None

    def _set(self, judgment: Judgment, answer: Answer, entry: AssignmentEntry) -> None:
        """Change a judgment to an answer, what is None stays; the first grade fixes the scale."""
        topic = self.assignment.topic
        if answer.state != Judgment.State.REOPENED:
            judgment.document_version, judgment.topic_version = entry.served.version, topic.version
        judgment.state, judgment.grade = answer.state, answer.grade
        judgment.reason = answer.reason
        if answer.comment is not None:
            judgment.comment = answer.comment
        if answer.ratings is not None:
            judgment.ratings = dict(answer.ratings)
        if answer.passages is not None:
            judgment.passages = list(map(list, answer.passages))
        self._judgments[id(judgment)] = judgment
        if judgment.state == Judgment.State.JUDGED and not topic.campaign.has_fixed_scale:
            Campaign.objects.filter(pk=topic.campaign_id).update(has_fixed_scale=True)
            topic.campaign.has_fixed_scale = True

    def _own(self, entry: AssignmentEntry) -> Judgment:
        """Return the assessor's judgment of a document, to be changed; another's is set aside."""
        earlier, assignment = entry.judgment, self.assignment
        if earlier and earlier.assessor_id == assignment.assessor_id:
            earlier.assignment = assignment
            return earlier
        if earlier:
            earlier.set_aside_at = timezone.now()
            self._judgments[id(earlier)] = earlier
        judgment = Judgment(
            topic=assignment.topic,
            assessor_id=assignment.assessor_id,
            docno=entry.docno,
            assignment=assignment,
            replaces=earlier,
            control=entry.control,
        )
        entry.judgment, self._linked[entry.pk] = judgment, entry
        return judgment

    def _count(self, from_state: str, to_state: str, entry: AssignmentEntry) -> None:
        for state, change in ((from_state, -1), (to_state, 1)):
            if counter := COUNTERS.get(state):
                counter = OF_CONTROLS[counter] if entry.control else counter
                setattr(self.assignment, counter, getattr(self.assignment, counter) + change)

    def _note(self, judgment: Judgment, how: Provenance, **before: Any) -> None:
        """Write the event of a judgment's last change; `before` is its earlier state and grade."""
        at, given_at = judgment.changed_at, judgment.assignment.given_at
        event = JudgmentEvent(
            judgment=judgment,
            at=at,
            to_state=judgment.state,
            to_grade=judgment.grade,
            **before,
            **{name: getattr(judgment, name) for name in OF_JUDGMENT},
            **{name: getattr(how, name) for name in OF_PROVENANCE},
            **acted(at, given_at, how.ago_ms, how.viewed_ms)._asdict(),
        )
        self._events.append(event)

    def write(self) -> None:
        """Write what has changed since the last time."""
        if not self._events:
            return
        changed = self._judgments.values()
        for judgment in changed:
            if judgment.pk:
                judgment.save()
        insert(Judgment, [each for each in changed if not each.pk])
        for event in self._events:
            event.judgment_id = event.judgment.pk  # unknown when it was noted
        noted, values = inserting(JudgmentEvent, self._events)
        counts = [getattr(self.assignment, name) for name in COUNTED]
        values += [*self.places.counts(), *self._entries(), *counts, self.assignment.pk]
        with connection.cursor() as cursor:
            cursor.execute(WRITE.format(noted=noted), values)
            [self.assignment.n_entries] = cursor.fetchone()
        self.places.clear()
        self._judgments, self._events, self._linked = {}, [], {}

    def _entries(self) -> list[list[Any]]:
        """Return the columns of the entries that change, as `WRITE` takes them."""
        entries = {**self._linked, **self.places.entries}
        leases = [self.places.lease_of(each) for each in entries]
        pks = list(entries)
        judgments = [each.judgment and each.judgment.pk for each in entries.values()]
        ends, stays = [each.until for each in leases], [each.stays for each in leases]
        return [pks, pks, judgments, ends, stays]
