"""Share topics among a group, change how, and lend their documents."""

from collections.abc import Iterable, Sequence

from django.db import transaction
from django.db.models import F
from django.db.models.functions import Greatest
from django.utils import timezone

from accounts.access import Refused, check, check_seen
from accounts.models import User
from assess import leases
from assess.access.judging import Judging
from assess.access.sharing import (
    SharedTopics,
    check_are_enough,
    check_can_join,
    check_can_share,
    check_terms,
)
from assess.assignments import Kind, lock_assigning, materials, pass_on
from assess.core.together import together
from assess.events import AssessEvent
from assess.models.answering import lock_assignment
from assess.models.assigning import Assignment
from assess.models.official import OfficialGrade
from assess.models.sharing import SharedQueue
from campaigns.acting import act, in_campaign
from campaigns.models.campaign import Campaign
from campaigns.models.trail import AuditEvent
from cleverdon.pools import seeds
from cleverdon.trec.versions import version
from cleverdon.trec.words import counted
from collection.models.texts import Topic


@act(SharedTopics.share)
def share(
    *,
    user: User,
    campaign: Campaign,
    topics: Sequence[Topic],
    assessors: Sequence[User],
    n_wanted: int,
    lease_minutes: int,
) -> list[SharedQueue]:
    """Have each document of these topics judged by `n_wanted` of a group. Return the queues."""
    check_terms(n_wanted, lease_minutes)
    check_are_enough(len(assessors), n_wanted)
    pool = lock_assigning(campaign)
    check_can_share(topics, pool)
    terms = {"n_wanted": n_wanted, "lease_minutes": lease_minutes}
    queues, material = [], materials(pool, [topic.pk for topic in topics])
    for topic in topics:
        seed = seeds.seed_for(pool.seed, topic.number, "shared")
        queue = SharedQueue(topic=topic, pool=pool, seed=seed, created_by=user, **terms)
        queue.save()
        its = material[topic.pk]
        order = together(seeds.shuffled(its.items, seed), its.alike)
        queue.put([its.items[docno] for docno in order])
        _admit(queue, assessors, user)
        queues.append(queue)
        what = f"{topic} among {_names(assessors)}"
        AuditEvent.record(campaign, user, AssessEvent.TOPIC_SHARED, what, **terms)
    return queues


@act(SharedTopics.change)
def change_sharing(
    *, user: User, queue: SharedQueue, n_wanted: int, lease_minutes: int, seen: str | None = None
) -> SharedQueue:
    """Change how many judgments each document is to have, and how long new leases are.

    A document with more judgments keeps them. `seen` is the `terms` that the page showed.
    """
    locked = _locked(queue)
    check_terms(n_wanted, lease_minutes)
    now = f"now {counted(locked.n_wanted, 'judgment')} for {locked.lease_minutes:,} minutes"
    check_seen(seen, locked.terms, f"The sharing of topic {locked.topic}, {now},")
    if (n_wanted, lease_minutes) == (locked.n_wanted, locked.lease_minutes):
        raise Refused("Nothing has been changed.")
    check_are_enough(Assignment.objects.who_give(locked).count(), n_wanted)
    leases.lock(locked.documents.values_list("pk", flat=True))
    locked.documents.update(n_wanted=Greatest(n_wanted, F("n_judged")))
    locked.n_wanted, locked.lease_minutes = n_wanted, lease_minutes
    locked.save(update_fields=["n_wanted", "lease_minutes"])
    items = locked.documents.values_list("item", flat=True)
    OfficialGrade.objects.decide(locked.topic.campaign, items)
    what = f"{locked.topic}: {counted(n_wanted, 'judgment')} of each document"
    terms = {"n_wanted": n_wanted, "lease_minutes": lease_minutes}
    AuditEvent.record(locked.topic.campaign, user, AssessEvent.SHARING_CHANGED, what, **terms)
    return locked


@act(SharedTopics.join)
def join_sharing(*, user: User, queue: SharedQueue, assessors: Sequence[User]) -> SharedQueue:
    """Add people to the group of a shared topic. Former members continue where they left."""
    locked = _locked(queue)
    _admit(locked, assessors, user)
    what = f"{locked.topic} to {_names(assessors)}"
    AuditEvent.record(locked.topic.campaign, user, AssessEvent.SHARING_JOINED, what)
    return locked


@in_campaign
def unshare(*, user: User, queue: SharedQueue, seen: str | None = None) -> Topic:
    """Stop sharing a topic that nobody has judged in, and return it: it can be assigned again.

    `seen` is the `version_of` the sharing that the page showed.
    """
    locked = _locked(queue)
    assignments = Assignment.objects.filter(queue=locked).order_by("pk")
    rows = assignments.select_for_update().values_list("assessor", "taken_back_at")
    group = [assessor for assessor, left_at in rows if left_at is None]
    check(SharedTopics.unshare, user, locked)
    topic, now = locked.topic, f"now among {counted(len(group), 'assessor')}"
    check_seen(seen, version_of(locked, group), f"The sharing of topic {topic}, {now},")
    assignments.delete()
    locked.delete()
    AuditEvent.record(topic.campaign, user, AssessEvent.TOPIC_UNSHARED, topic)
    return topic


def version_of(queue: SharedQueue, group: Iterable[int]) -> str:
    """Return the version of a sharing: its terms, and who is in the group, by id."""
    return version(queue.terms, sorted(group))


def lend(*, assessor: User, assignment: Assignment) -> list[int]:
    """Lease more shared documents to an assessor who has few left. Return the changed positions.

    Does nothing in an assignment of another kind. Refused where the assessor may not judge.
    """
    if not leases.has_few(assignment):
        return []
    with transaction.atomic():
        locked = lock_assignment(assignment.pk, assessor)
        check(Judging.judge, assessor, locked)
        return leases.lend(locked, timezone.now())


def _locked(queue: SharedQueue) -> SharedQueue:
    """Return the queue, locked; Refused if it is gone."""
    lock_assigning(queue.topic.campaign)
    found = SharedQueue.objects.select_related("topic__campaign").filter(pk=queue.pk)
    # Not a full lock: judging checks the queue's key while it has documents locked.
    if locked := found.select_for_update(of=("self",), no_key=True).first():
        return locked
    raise Refused(f"Topic {queue.topic} is not shared any more.")


def _admit(queue: SharedQueue, assessors: Sequence[User], user: User) -> None:
    """Give people an assignment of a queue, or give back the one they had."""
    before = Assignment.objects.filter(queue=queue, assessor__in=assessors)
    had = before.exclude(taken_back_at=None)
    check_can_join(assessors, queue.topic, had)
    left = {each.assessor_id: each for each in had.select_for_update(no_key=True)}
    of = {name: getattr(queue, name) for name in ("topic", "pool", "seed")}
    new = []
    for assessor in assessors:
        if assessor.pk in left:
            pass_on(left[assessor.pk], assessor)
        else:
            new.append(
                Assignment(**of, assessor=assessor, kind=Kind.SHARED, queue=queue, created_by=user)
            )
    Assignment.objects.bulk_create(new)


def _names(people: Iterable[User]) -> str:
    return ", ".join(str(each) for each in people)
