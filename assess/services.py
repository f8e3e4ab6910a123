"""Assign topics, judge, undo, publish qrels."""

import hashlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from functools import partial

from django.core.files.base import ContentFile
from django.db import IntegrityError, transaction
from django.db.models.fields.files import FieldFile
from django.utils import timezone

from accounts.access import Refused
from accounts.models import User
from assess.access import (
    assessors_of,
    check_answer,
    check_can_assign,
    check_can_be_assigned,
    check_can_judge,
    check_can_publish,
    check_provenance,
)
from assess.announcing import announce
from assess.core.answers import Answer, Provenance
from assess.events import AssessEvent
from assess.models import Assignment, AssignmentEntry, Judgment, JudgmentEvent, Qrels
from campaigns.access import check_can_organize
from campaigns.core import chance
from campaigns.models import AuditEvent, Campaign, Topic
from pooling.models import Pool, PoolEntry
from trec.qrels import write_qrels
from trec.streams import storable

Kind = Assignment.Kind
COUNTERS: Mapping[str, str] = {
    Judgment.State.JUDGED: "n_judged",
    Judgment.State.LATER: "n_later",
    Judgment.State.REOPENED: "n_later",
    Judgment.State.CANNOT_JUDGE: "n_cannot_judge",
}

USED_ELSEWHERE = "This client_id has already recorded an answer for another topic: make a new one for each answer."


@transaction.atomic
def assign(
    *, user: User, topic: Topic, assessor: User, kind: str, share: float = 1.0
) -> Assignment:
    """Assign a topic to an assessor: all its documents, or a sampled share of them, in a shuffled order that is stored."""
    check_can_assign(user, topic.campaign)
    check_can_be_assigned(assessor, topic, kind)
    pool = Pool.objects.get(campaign=topic.campaign, state=Pool.State.FROZEN)
    docnos = list(pool.entries.filter(topic=topic).values_list("docno", flat=True))
    if share < 1:
        sample_seed = chance.seed_for(pool.seed, topic.number, "sample")
        docnos = chance.sample(docnos, share, sample_seed)
    seed = chance.seed_for(pool.seed, topic.number, assessor.username)
    assignment = Assignment.objects.create(
        topic=topic, pool=pool, assessor=assessor, kind=kind, seed=seed, n_entries=len(docnos), created_by=user
    )  # fmt: skip
    entries = (
        AssignmentEntry(assignment=assignment, position=position, docno=docno)
        for position, docno in enumerate(chance.shuffled(docnos, seed))
    )
    AssignmentEntry.objects.bulk_create(entries, batch_size=5000)
    what = f"{topic} to {assessor} ({kind})"
    AuditEvent.record(topic.campaign, user, AssessEvent.TOPIC_ASSIGNED, what)
    return assignment


@transaction.atomic
def distribute(*, user: User, campaign: Campaign, second_share: float = 0.0) -> int:
    """Assign topics without a primary assessor to the assessors in turn, and a share of each to the next assessor.

    Return the number of topics.
    """
    check_can_assign(user, campaign)
    assessors = list(assessors_of(campaign).order_by("pk"))
    if not assessors:
        raise Refused("There is nobody to assign topics to: invite assessors first.")
    if second_share and len(assessors) < 2:
        raise Refused("A second judgment needs a second assessor: invite one more.")
    topics = _unassigned(campaign)
    for turn, topic in enumerate(topics):
        primary, second = (assessors[n % len(assessors)] for n in (turn, turn + 1))
        assign(user=user, topic=topic, assessor=primary, kind=Kind.PRIMARY)
        if second_share:
            assign(
                user=user, topic=topic, assessor=second, kind=Kind.SECOND, share=second_share
            )  # fmt: skip
    return len(topics)


def _unassigned(campaign: Campaign) -> list[Topic]:
    primary = Assignment.objects.primary().filter(topic__campaign=campaign)
    pooled = PoolEntry.objects.filter(pool=Pool.objects.frozen_of(campaign))
    topics = campaign.topic_set.exclude(pk__in=primary.values("topic"))
    return list(topics.filter(pk__in=pooled.values("topic")))


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
) -> Judgment:
    """Record an answer, replacing the assessor's earlier one. The judgment's `assignment` has the new counts."""
    provenance = provenance or Provenance()
    assignment, recorded = _begin(assessor, assignment, provenance)
    if recorded:
        return recorded
    check_answer(answer, assignment.topic.campaign.scale)
    entries = assignment.entries.select_related("judgment")
    docno = storable(answer.docno)
    entry = entries.filter(docno=docno).first()
    if entry is None:
        raise Refused(
            f"{docno} is not a document you were given for topic {assignment.topic}."
        )
    return _change(assignment, entry, answer, provenance)


@_recorded_once()
def undo(
    *, assessor: User, assignment: Assignment, provenance: Provenance | None = None
) -> AssignmentEntry | None:
    """Reopen the document decided last and return its entry; None if there is nothing to undo."""
    provenance = provenance or Provenance()
    assignment, recorded = _begin(assessor, assignment, provenance)
    if recorded:
        return recorded.entry
    entry = assignment.entries.decided_last()
    if entry:
        reopened = Answer(entry.docno, Judgment.State.REOPENED)
        _change(assignment, entry, reopened, provenance)
    return entry


def _begin(
    assessor: User, assignment: Assignment, provenance: Provenance
) -> tuple[Assignment, Judgment | None]:
    """Lock the assignment and return it, with the judgment if this event was recorded before."""
    check_provenance(provenance)
    # The lock makes the second of two clicks wait for the first, and keeps the counts right.
    locked = Assignment.objects.locked(assignment.pk)
    check_can_judge(assessor, locked)
    event = JudgmentEvent.objects.recorded(provenance.client_id)
    if event is None:
        return locked, None
    if event.assignment_id != locked.pk:
        raise Refused(USED_ELSEWHERE)
    event.judgment.assignment = event.judgment.entry.assignment = locked
    return locked, event.judgment


def _change(
    assignment: Assignment,
    entry: AssignmentEntry,
    answer: Answer,
    provenance: Provenance,
) -> Judgment:
    """Write judgment, event and counts together."""
    judgment = entry.judgment or Judgment(
        topic=assignment.topic, assessor_id=assignment.assessor_id, docno=entry.docno
    )
    judgment.assignment = assignment
    judgment.change = assignment.n_changes + 1
    before = {"from_state": judgment.state or "unjudged", "from_grade": judgment.grade}
    _save_answer(judgment, answer)
    event = JudgmentEvent.objects.create(
        assignment=assignment,
        judgment=judgment,
        to_state=answer.state,
        to_grade=answer.grade,
        reason=answer.reason,
        **before,
        **asdict(provenance),
    )
    if entry.judgment is None:
        entry.judgment = judgment
        entry.save(update_fields=["judgment"])
    _count(assignment, event)
    if assignment.kind == Kind.PRIMARY:
        campaign_id = assignment.topic.campaign_id
        # The judgment is kept even if this fails: the board looks for new ones every minute.
        transaction.on_commit(partial(announce, campaign_id), robust=True)
    return judgment


def _save_answer(judgment: Judgment, answer: Answer) -> None:
    """Save the answer as the judgment's present state; without a comment, the earlier one stays."""
    judgment.state, judgment.grade = answer.state, answer.grade
    judgment.reason = answer.reason
    if answer.comment is not None:
        judgment.comment = answer.comment
    judgment.changed_at = timezone.now()
    judgment.save()


def _count(assignment: Assignment, event: JudgmentEvent) -> None:
    """Update the counts of a locked assignment."""
    assignment.n_changes += 1
    for state, change in ((event.from_state, -1), (event.to_state, 1)):
        if counter := COUNTERS.get(state):
            setattr(assignment, counter, getattr(assignment, counter) + change)
    assignment.save(update_fields=["n_changes", *set(COUNTERS.values())])


@transaction.atomic
def publish_qrels(*, user: User, campaign: Campaign) -> Qrels:
    """Publish the official grades as the next numbered version, by the rule "primary assessor"."""
    check_can_publish(user, campaign)
    # The lock gives two organizers who publish at once different numbers.
    Campaign.objects.select_for_update().get(pk=campaign.pk)
    rows = Judgment.objects.by_rule(Qrels.Rule.PRIMARY, campaign.pk)
    content = b"".join(write_qrels(rows))
    pool = Pool.objects.get(campaign=campaign, state=Pool.State.FROZEN)
    last = Qrels.objects.filter(campaign=campaign).first()
    sha256 = hashlib.sha256(content).hexdigest()
    qrels = Qrels.objects.create(
        campaign=campaign,
        pool=pool,
        number=last.number + 1 if last else 1,
        level=campaign.level,
        file=ContentFile(content, name="qrels.txt"),
        sha256=sha256,
        n_topics=len({topic for topic, _, _ in rows}),
        n_judgments=len(rows),
        n_relevant=sum(grade >= campaign.level for _, _, grade in rows),
        n_unjudged=pool.n_entries - len(rows),
        published_by=user,
    )
    AuditEvent.record(campaign, user, AssessEvent.QRELS_PUBLISHED, qrels, sha256=sha256)
    return qrels


@transaction.atomic
def download_qrels(*, user: User, qrels: Qrels) -> FieldFile:
    """Open a published file and record who downloads it."""
    check_can_organize(user, qrels.campaign)
    AuditEvent.record(qrels.campaign, user, AssessEvent.QRELS_DOWNLOADED, qrels)
    qrels.file.open("rb")
    return qrels.file
