"""What acts change in an assignment, written with as many queries for fifty acts as for one."""

from collections.abc import Collection
from datetime import date, datetime
from functools import partial
from typing import Any, NamedTuple

from django.db import connection, transaction
from django.utils import timezone

from accounts.models import User
from accounts.rows import insert, inserting
from assess.core.answers import Answer, Provenance, acted
from assess.core.deciding import Change
from assess.core.purposes import CONTROLS, COUNTING
from assess.events import AssessEvent
from assess.from_above import JUDGED
from assess.leases import lease_of
from assess.models.assigning import Assignment
from assess.models.history import JudgmentEvent
from assess.models.judging import COUNTERS, Judgment
from assess.models.official import deciding
from assess.models.serving import AssignmentEntry
from campaigns.models.campaign import Campaign
from campaigns.models.trail import AuditEvent

COUNTED = ("n_changes", "n_judged", "n_later", "n_cannot_judge")

# Writes events; the counts of shared documents, which want what their queue wants or what they
# have; the entries with another judgment or lease; the counts by day, and of the assignment.
WRITE = f"""
    WITH noted AS ({{noted}}), document AS (
        UPDATE assess_shareddocument document
        SET n_judged = now.n_judged, n_impossible = now.n_impossible,
            n_wanted = greatest(queue.n_wanted, now.n_judged)
        FROM assess_sharedqueue queue, unnest(%s::bigint[], %s::integer[], %s::integer[])
            AS now (document, n_judged, n_impossible)
        WHERE document.id = now.document AND queue.id = document.queue_id
    ), entry AS (
        UPDATE assess_assignmententry entry SET judgment_id = now.judgment, given_up_at = NULL,
            leased_until = now.until
        FROM unnest(%s::bigint[], %s::bigint[], %s::timestamptz[]) AS now (entry, judgment, until)
        WHERE entry.id = now.entry
    ), day AS (
        INSERT INTO assess_judgedday AS day
            (assignment_id, assessor_id, day, n_decided, n_graded, n_controls, last_at)
        SELECT %s, * FROM unnest(
            %s::bigint[], %s::date[], %s::integer[], %s::integer[], %s::integer[], %s::timestamptz[]
        ) AS now
        ON CONFLICT (assignment_id, assessor_id, day) DO UPDATE
        SET n_decided = day.n_decided + excluded.n_decided,
            n_graded = day.n_graded + excluded.n_graded,
            n_controls = day.n_controls + excluded.n_controls,
            last_at = greatest(day.last_at, excluded.last_at)
    )
    UPDATE assess_assignment
    SET {", ".join(f"{name} = %s" for name in COUNTED)}, n_entries = %s WHERE id = %s
"""  # noqa: S608 - names of columns

VERSIONS = ["document_version", "topic_version"]
OF_SHARED = ("pk", "n_judged", "n_impossible")
# What an event copies.
OF_JUDGMENT = ["assignment", "change", "reason", "comment", "passages", *VERSIONS]
OF_PROVENANCE = ["client_id", "method", "active_ms", "away_ms"]
# What changes of a judgment.
CHANGING = ["state", "answers", *OF_JUDGMENT[1:], "changed_at", "known", "set_aside_at"]
CHANGING += ["decided_at"]


class Day(NamedTuple):
    """What is added to a `JudgedDay`."""

    n_decided: int
    n_graded: int
    n_controls: int
    last_at: datetime


class Changes:
    """The judgments, events and counts of a locked assignment that are to be written."""

    def __init__(self, assignment: Assignment) -> None:
        self.assignment = assignment
        self.events: list[JudgmentEvent] = []
        self._judgments: dict[int, Judgment] = {}
        self._entries: dict[int, AssignmentEntry] = {}
        self._acted_on: list[AssignmentEntry] = []
        self._days: dict[tuple[int, date], Day] = {}

    @property
    def judgments(self) -> Collection[Judgment]:
        return self._judgments.values()

    def make(
        self, entry: AssignmentEntry, change: Change, how: Provenance, by: User | None = None
    ) -> Judgment:
        """Change judgment, event and counts; `by` is the organizer who did it, if one did.

        A document that is reopened keeps the versions that were judged.
        """
        before = entry.judgment.answers if entry.judgment else {}
        self._acted_on.append(entry)
        judgment = self._own(entry, change)
        self.assignment.n_changes += 1
        judgment.change, judgment.changed_at = self.assignment.n_changes, timezone.now()
        self._set(judgment, change.answer, entry)
        if change.brings_back:
            self._bring_back(judgment, entry)
        self._share(entry, change)
        self._count(change.from_state, change.to_state, entry)
        self._note(judgment, how, from_state=change.from_state, from_answers=before, by=by)
        return judgment

    def _own(self, entry: AssignmentEntry, change: Change) -> Judgment:
        """Return the assessor's judgment of a document, to be changed; another's is set aside."""
        earlier = entry.judgment
        if earlier and not change.sets_aside:
            earlier.assignment = self.assignment
            return earlier
        if earlier:
            earlier.set_aside_at = timezone.now()
            self._judgments[id(earlier)] = earlier
        judgment = Judgment(
            topic=self.assignment.topic,
            assessor_id=self.assignment.assessor_id,
            item=entry.item,
            assignment=self.assignment,
            replaces=earlier,
            purpose=entry.purpose,
        )
        entry.judgment, self._entries[entry.pk] = judgment, entry
        return judgment

    def _set(self, judgment: Judgment, answer: Answer, entry: AssignmentEntry) -> None:
        """Apply an answer; None keeps what there is. The first grade fixes the scale."""
        topic = self.assignment.topic
        if answer.state != Judgment.State.REOPENED:
            judgment.document_version, judgment.topic_version = entry.served.version, topic.version
        judgment.state, judgment.answers = answer.state, dict(answer.answers)
        judgment.grade, judgment.reason = answer.grade, answer.reason
        if answer.comment is not None:
            judgment.comment = answer.comment
        if answer.passages is not None:
            judgment.passages = list(map(list, answer.passages))
        self._judgments[id(judgment)] = judgment
        if self.assignment.is_practice:
            if entry.known and judgment.known is None and answer.state in Judgment.DECIDED_STATES:
                judgment.known = entry.known.grade
        elif judgment.state == Judgment.State.JUDGED and not topic.campaign.has_fixed_scale:
            Campaign.objects.filter(pk=topic.campaign_id).update(has_fixed_scale=True)
            topic.campaign.has_fixed_scale = True

    def _bring_back(self, judgment: Judgment, entry: AssignmentEntry) -> None:
        """Let the judgment count again that the assessor's own had set aside."""
        back, of = judgment.replaces, self.assignment
        assert back is not None  # noqa: S101 - as decided
        judgment.set_aside_at, back.set_aside_at = timezone.now(), None
        self._judgments[id(back)] = back
        entry.judgment, self._entries[entry.pk] = back, entry
        about = f"{of.topic}, {back.assessor} ({of.kind}): {entry.docno}"
        kind = AssessEvent.JUDGMENTS_BROUGHT_BACK
        AuditEvent.record(of.topic.campaign, judgment.assessor, kind, about, assignment=of.pk)

    def _share(self, entry: AssignmentEntry, change: Change) -> None:
        """Have a document again that was given up; move the counts and lease of a shared one."""
        self.assignment.n_entries += entry.is_given_up
        document, now, entry.given_up_at = entry.shared, timezone.now(), None
        if document is None:
            return
        document.n_judged += change.n_more("judged")
        document.n_impossible += change.n_more("cannot_judge")
        until = {"ends": None, "begins": now + lease_of(self.assignment)}
        entry.leased_until = until.get(change.lease, entry.leased_until or now)
        self._entries[entry.pk] = entry

    def _count(self, from_state: str, to_state: str, entry: AssignmentEntry) -> None:
        if entry.purpose != self.assignment.kind:
            return  # controls are counted when they are shown
        for state, change in ((from_state, -1), (to_state, 1)):
            if counter := COUNTERS.get(state):
                setattr(self.assignment, counter, getattr(self.assignment, counter) + change)

    def _note(self, judgment: Judgment, how: Provenance, **beside: Any) -> None:
        """Note the event of a judgment's last change; `beside` is what neither of them says."""
        at, given_at = judgment.changed_at, judgment.assignment.given_at
        event = JudgmentEvent(
            judgment=judgment,
            at=at,
            to_state=judgment.state,
            to_answers=judgment.answers,
            **beside,
            **{name: getattr(judgment, name) for name in OF_JUDGMENT},
            **{name: getattr(how, name) for name in OF_PROVENANCE},
            **acted(at, given_at, how.ago_ms, how.viewed_ms)._asdict(),
        )
        self.events.append(event)
        if event.by is None and judgment.state in Judgment.DECIDED_STATES:
            self._count_day(judgment, event.pressed_at)

    def _count_day(self, judgment: Judgment, pressed_at: datetime) -> None:
        """Count a decision on its day; a document that was decided before only moves the last."""
        if judgment.purpose not in {*COUNTING, *CONTROLS}:
            return
        key = (judgment.assessor_id, self.assignment.topic.campaign.day_of(pressed_at))
        day = self._days.get(key, Day(0, 0, 0, pressed_at))
        n, counts = int(judgment.decided_at is None), judgment.purpose in COUNTING
        judgment.decided_at = judgment.decided_at or pressed_at
        self._days[key] = Day(
            day.n_decided + n * counts,
            day.n_graded + n * (counts and judgment.state == Judgment.State.JUDGED),
            day.n_controls + n * (not counts),
            max(day.last_at, pressed_at),
        )

    def write(self) -> None:
        """Write what has changed since the last time, and tell the floors above."""
        if not self.events:
            return
        self._write_judgments()
        statements, values = self._rest()
        if self.assignment.is_official:
            # Sent with the rest, to save a query; it sees what the statement before it wrote.
            decide, asked = self._deciding()
            statements, values = f"{statements}; {decide}", [*values, *asked]
        with connection.cursor() as cursor:
            cursor.execute(statements, values)
        self.events, self._acted_on = [], []
        self._judgments, self._entries, self._days = {}, {}, {}
        announce(self.assignment)

    def _deciding(self) -> tuple[str, list[Any]]:
        """Return the statement that decides the official grades, and its values."""
        of, items = self.assignment, [each.item_id for each in self.judgments]
        duplicates = any(each.has_duplicates for each in self._acted_on)
        return deciding(of.topic.campaign, items, of.kind, duplicates=duplicates)

    def _write_judgments(self) -> None:
        stored = [each for each in self.judgments if each.pk]
        if len(stored) == 1:
            stored[0].save()  # bulk_update takes 4 ms to say it
        else:
            Judgment.objects.bulk_update(stored, CHANGING)
        insert(Judgment, [each for each in self.judgments if not each.pk])
        for event in self.events:
            event.judgment_id = event.judgment.pk  # unknown when it was noted

    def _rest(self) -> tuple[str, list[Any]]:
        """Return the statement that writes the rest, and its values."""
        noted, values = inserting(JudgmentEvent, self.events)
        entries = self._entries.values()
        documents = [each.shared for each in entries if each.shared]
        values += [
            *([getattr(each, name) for each in documents] for name in OF_SHARED),
            [each.pk for each in entries],
            [each.judgment and each.judgment.pk for each in entries],
            [each.leased_until for each in entries],
            self.assignment.pk,
            *([key[place] for key in self._days] for place in range(2)),
            *([each[place] for each in self._days.values()] for place in range(len(Day._fields))),
            *(getattr(self.assignment, name) for name in (*COUNTED, "n_entries", "pk")),
        ]
        return WRITE.format(noted=noted), values


def announce(assignment: Assignment) -> None:
    """Tell the floors above, once it is committed, that official grades changed."""
    if assignment.is_official:
        # The judgments are kept even if this fails: the board checks for new ones every minute.
        transaction.on_commit(partial(JUDGED, assignment.topic.campaign_id), robust=True)
