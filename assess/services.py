"""What people do on this floor: assign topics, judge, undo, publish qrels."""

from collections.abc import Mapping, Sequence
from functools import partial
from io import BytesIO
from uuid import UUID, uuid4

from django.core.files import File
from django.db import transaction
from django.db.models import F, Max
from django.db.models.fields.files import FieldFile
from django.utils import timezone

from accounts.access import Refused
from accounts.models import User
from assess.access import (
    check_can_assign,
    check_can_be_assigned,
    check_can_judge,
    check_can_publish,
    check_grade,
)
from assess.announcing import announce
from assess.core.rules import fingerprint
from assess.events import AssessEvent
from assess.models import Assignment, AssignmentEntry, Judgment, JudgmentEvent, Qrels
from campaigns.access import check_can_organize
from campaigns.core import chance
from campaigns.models import AuditEvent, Campaign, Role, Topic
from pooling.models import Pool, PoolEntry
from trec.qrels import write_qrels

COUNTERS: Mapping[str, str] = {
    Judgment.State.JUDGED: "n_judged",
    Judgment.State.LATER: "n_later",
    Judgment.State.REOPENED: "n_later",
    Judgment.State.CANNOT_JUDGE: "n_cannot_judge",
}


@transaction.atomic
def assign(
    *, user: User, topic: Topic, assessor: User, kind: str, share: float = 1.0
) -> Assignment:
    """Give a topic to an assessor in an order of their own; a second assessor may get a sampled share."""
    check_can_assign(user, topic.campaign)
    check_can_be_assigned(assessor, topic)
    if (
        kind == Assignment.Kind.PRIMARY
        and Assignment.objects.filter(topic=topic, kind=kind).exists()
    ):
        raise Refused(f"Topic {topic} has its primary assessor.")
    pool = Pool.objects.get(campaign=topic.campaign, state=Pool.State.FROZEN)
    docnos = list(
        PoolEntry.objects.filter(pool=pool, topic=topic).values_list("docno", flat=True)
    )
    if share < 1:
        docnos = chance.sample(
            docnos, share, chance.seed_for(pool.seed, topic.number, "sample")
        )
    seed = chance.seed_for(pool.seed, topic.number, assessor.username)
    assignment = Assignment.objects.create(
        topic=topic,
        pool=pool,
        assessor=assessor,
        kind=kind,
        seed=seed,
        n_entries=len(docnos),
        created_by=user,
    )
    AssignmentEntry.objects.bulk_create(
        (
            AssignmentEntry(assignment=assignment, position=position, docno=docno)
            for position, docno in enumerate(chance.shuffled(docnos, seed))
        ),
        batch_size=5000,
    )
    AuditEvent.record(
        topic.campaign,
        user,
        AssessEvent.TOPIC_ASSIGNED,
        f"{topic} to {assessor} ({kind})",
    )
    return assignment


@transaction.atomic
def distribute(*, user: User, campaign: Campaign, second_share: float = 0.0) -> int:
    """Deal the topics that have no primary assessor out in turn, with second assessors for a share of each."""
    check_can_assign(user, campaign)
    assessors = list(
        User.objects.filter(
            membership__campaign=campaign, membership__role=Role.ASSESSOR
        ).order_by("pk")
    )
    if not assessors:
        raise Refused("There is nobody to assign topics to: invite assessors first.")
    if second_share and len(assessors) < 2:
        raise Refused("A second judgment needs a second assessor: invite one more.")
    topics = _unassigned(campaign)
    for turn, topic in enumerate(topics):
        primary, second = (
            assessors[turn % len(assessors)],
            assessors[(turn + 1) % len(assessors)],
        )
        assign(user=user, topic=topic, assessor=primary, kind=Assignment.Kind.PRIMARY)
        if second_share:
            assign(
                user=user,
                topic=topic,
                assessor=second,
                kind=Assignment.Kind.SECOND,
                share=second_share,
            )
    return len(topics)


def _unassigned(campaign: Campaign) -> Sequence[Topic]:
    primary = Assignment.objects.filter(
        topic__campaign=campaign, kind=Assignment.Kind.PRIMARY
    )
    pooled = PoolEntry.objects.filter(
        pool__campaign=campaign, pool__state=Pool.State.FROZEN
    )
    topics = campaign.topic_set.exclude(pk__in=primary.values("topic"))
    return list(topics.filter(pk__in=pooled.values("topic")))


@transaction.atomic
def judge(
    *,
    assessor: User,
    assignment: Assignment,
    docno: str,
    state: str,
    grade: int | None = None,
    reason: str = "",
    comment: str | None = None,
    client_id: UUID | None = None,
    method: str = JudgmentEvent.Method.OTHER,
    active_ms: int = 0,
    away_ms: int = 0,
) -> Judgment:
    """Record what an assessor says of a document, in place of what they said before; a repeated `client_id` changes nothing."""
    client_id = client_id or uuid4()
    # The lock makes a double click wait for its twin, and keeps the counts true.
    assignment = Assignment.objects.locked(assignment.pk)
    check_can_judge(assessor, assignment)
    told = JudgmentEvent.objects.recorded(assignment, client_id)
    if told:
        return told.judgment
    check_grade(assignment, state, grade)
    entry = assignment.entries.select_related("judgment").filter(docno=docno).first()
    if entry is None:
        raise Refused(
            f"{docno} is not a document you were given for topic {assignment.topic}."
        )
    change: dict[str, object] = {"state": state, "grade": grade, "reason": reason}
    if comment is not None:
        change["comment"] = comment
    event = JudgmentEvent(
        client_id=client_id, method=method, active_ms=active_ms, away_ms=away_ms
    )
    return _change(assignment, entry, event, change)


@transaction.atomic
def undo(
    *, assessor: User, assignment: Assignment, client_id: UUID | None = None
) -> AssignmentEntry | None:
    """Reopen the document decided last; again, the one before it. None when there is nothing to undo."""
    client_id = client_id or uuid4()
    assignment = Assignment.objects.locked(assignment.pk)
    check_can_judge(assessor, assignment)
    told = JudgmentEvent.objects.recorded(assignment, client_id)
    if told:
        return told.judgment.entry
    entry = assignment.entries.select_related("judgment").decided_last()
    if entry:
        change = {"state": Judgment.State.REOPENED, "grade": None, "reason": ""}
        _change(assignment, entry, JudgmentEvent(client_id=client_id), change)
    return entry


def _change(
    assignment: Assignment,
    entry: AssignmentEntry,
    event: JudgmentEvent,
    change: Mapping[str, object],
) -> Judgment:
    """Write judgment, event and counts together."""
    judgment = entry.judgment or Judgment(
        assignment=assignment,
        topic=assignment.topic,
        assessor_id=assignment.assessor_id,
        docno=entry.docno,
    )
    event.from_state, event.from_grade = judgment.state or "unjudged", judgment.grade
    for name, value in change.items():
        setattr(judgment, name, value)
    judgment.changed_at = timezone.now()
    judgment.save()
    event.assignment, event.judgment, event.reason = (
        assignment,
        judgment,
        judgment.reason,
    )
    event.to_state, event.to_grade = judgment.state, judgment.grade
    event.save(force_insert=True)
    if entry.judgment is None:
        AssignmentEntry.objects.filter(pk=entry.pk).update(judgment=judgment)
        entry.judgment = judgment
    _count(assignment, event)
    if assignment.kind == Assignment.Kind.PRIMARY:
        campaign_id = assignment.topic.campaign_id
        # The judgment stands whether or not the board hears of it now: it looks again every minute.
        transaction.on_commit(partial(announce, campaign_id), robust=True)
    return judgment


def _count(assignment: Assignment, event: JudgmentEvent) -> None:
    before, after = COUNTERS.get(event.from_state), COUNTERS[event.to_state]
    changes = {"n_changes": F("n_changes") + 1}
    if before != after:
        changes[after] = F(after) + 1
    if before and before != after:
        changes[before] = F(before) - 1
    Assignment.objects.filter(pk=assignment.pk).update(**changes)


@transaction.atomic
def publish_qrels(*, user: User, campaign: Campaign) -> Qrels:
    """Publish the official grades as the next numbered version, by the rule "primary assessor"."""
    check_can_publish(user, campaign)
    Campaign.objects.select_for_update().get(
        pk=campaign.pk
    )  # two publishers take two numbers
    rows = Judgment.objects.by_rule(Qrels.Rule.PRIMARY, campaign)
    content = b"".join(write_qrels(rows))
    pool = Pool.objects.get(campaign=campaign, state=Pool.State.FROZEN)
    last = (
        Qrels.objects.filter(campaign=campaign).aggregate(last=Max("number"))["last"]
        or 0
    )
    qrels = Qrels(
        campaign=campaign,
        pool=pool,
        number=last + 1,
        level=campaign.level,
        published_by=user,
    )
    qrels.n_topics = len({topic for topic, _, _ in rows})
    qrels.n_judgments, qrels.n_unjudged = len(rows), pool.n_entries - len(rows)
    qrels.n_relevant = sum(grade >= campaign.level for _, _, grade in rows)
    qrels.sha256 = fingerprint(content)
    qrels.file = File(BytesIO(content), name="qrels.txt")
    qrels.save()
    AuditEvent.record(
        campaign, user, AssessEvent.QRELS_PUBLISHED, qrels, sha256=qrels.sha256
    )
    return qrels


@transaction.atomic
def download_qrels(*, user: User, qrels: Qrels) -> FieldFile:
    """Open a published file; the trail keeps who took it."""
    check_can_organize(user, qrels.campaign)
    AuditEvent.record(qrels.campaign, user, AssessEvent.QRELS_DOWNLOADED, qrels)
    qrels.file.open("rb")
    return qrels.file
