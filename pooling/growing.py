"""Adaptive pools grow while they are judged: where little is left, the next documents join."""

import logging
from collections.abc import Iterator, Mapping
from itertools import chain

from celery import shared_task
from django.core.cache import cache

from accounts.access import NotThere, Refused, can
from accounts.models import User
from campaigns.access.campaign import Campaigns
from campaigns.models.campaign import Campaign
from campaigns.models.people import Role
from campaigns.models.trail import check_not_archived
from cleverdon.pools.entries import GRADED
from collection.models.texts import Topic
from jobs import broker, work
from jobs.acting import acting
from jobs.models import Job
from pooling.freezing import drafted, exhausted, is_outdated, lock
from pooling.from_above import GRADES, N_LEFT
from pooling.models.batches import Batch, BatchQuerySet
from pooling.models.entries import PoolEntry
from pooling.models.pools import LOW, Pool
from pooling.tasks import EXTENDS, build_batch

logger = logging.getLogger(__name__)

SECONDS_FOR_GROWTH = 20  # then it is asked for again


@shared_task
def grow_all() -> None:
    """Grow every adaptive pool, in a task for each campaign."""
    batches = Batch.objects.adaptive().filter(pool__isnull=False, campaign__archived_at=None)
    for (campaign_id,) in batches.order_by().values_list("campaign").distinct():
        broker.send(grow, campaign_id, seconds=SECONDS_FOR_GROWTH)


@shared_task
def grow(campaign_id: int) -> None:
    """Draft the next documents of the topics that need some: a job builds and freezes them.

    The pool keeps why that failed until it is tried again.
    """
    fault = ""
    try:
        with acting(campaign_id):
            fault = _grow(Campaign.objects.get(pk=campaign_id))
    except NotThere:
        logger.info("campaign=%s grown=False gone=True", campaign_id)
    except Refused as refusal:
        fault = str(refusal)
    if fault:
        logger.warning("campaign=%s grown=False refusal=%s", campaign_id, fault)
    pool = Pool.objects.filter(campaign=campaign_id)
    pool.exclude(growth_fault=fault).update(growth_fault=fault)


def _grow(campaign: Campaign) -> str:
    """Draft a batch, unless an organizer has taken the last step back, or one is on its way.

    One that failed is built again; return why it did.
    """
    pool = Pool.objects.of(campaign)
    latest = _latest(pool) if pool else None
    if pool is None or latest is None:
        return ""
    check_not_archived(campaign)
    failed = list(_failed(campaign))
    for draft, job in failed:
        if not is_outdated(draft):
            work.retry(job)
            return job.outcome
    if failed:
        lock(campaign)
        Batch.objects.filter(pk__in=[draft.pk for draft, _ in failed], pool=None).delete()
    if not _next_steps(pool).exists():
        topics = sorted(_topics_to_grow(pool, latest))
        if topics and topics != cache.get(exhausted(latest.pk)):
            _draft(pool, latest, topics)
    return ""


def _failed(campaign: Campaign) -> Iterator[tuple[Batch, Job]]:
    """Yield the drafts that the pool was to grow by and that could not be built."""
    drafts = Batch.objects.drafts_of(campaign).filter(state=Batch.State.FAILED).in_bulk()
    jobs = Job.objects.filter(kind=build_batch.name, subject_id__in=drafts, state=Job.State.FAILED)
    for job in jobs.filter(options__has_key=EXTENDS):
        yield drafts[job.subject_id], job


def _next_steps(pool: Pool) -> BatchQuerySet:
    """Return the drafts that extend an adaptive pool as it is."""
    return Batch.objects.adaptive().drafts_of(pool.campaign).filter(base=pool.version)


def may_grow(pool: Pool, topic: Topic) -> bool:
    """Return whether a topic of which little is left gets more documents by itself."""
    latest = _latest(pool)
    if latest is None or topic.number in cache.get(exhausted(latest.pk), ()):
        return False
    if not _chosen(pool, [topic.number]):
        return False
    [grades] = GRADES(pool.campaign, [topic.number])
    n = pool.batches.n_by_topic(*GRADED).get(topic.pk, 0)
    return _goes_on(pool, latest, topic, n, grades.get(topic.number, {}))


def _latest(pool: Pool) -> Batch | None:
    """Return the last step of an adaptive pool."""
    return Batch.objects.adaptive().filter(pool=pool).order_by("version").last()


def _chosen(pool: Pool, topics: list[str]) -> list[str]:
    """Return those for which an adaptive batch was asked: no batch by itself is of others."""
    chosen = list(Batch.objects.adaptive().filter(pool=pool).values_list("topics", flat=True))
    return topics if not all(chosen) else [each for each in topics if each in {*chain(*chosen)}]


def _topics_to_grow(pool: Pool, latest: Batch) -> Iterator[str]:
    """Yield the topics that go on, of those of which little is left."""
    [left] = N_LEFT(pool.campaign)
    few = _chosen(pool, [topic for topic, n in left.items() if n <= LOW])
    [grades] = GRADES(pool.campaign, few)
    sizes = pool.batches.n_by_topic(*GRADED)
    for topic in pool.campaign.topic_set.filter(number__in=few):
        n, graded = sizes.get(topic.pk, 0), grades.get(topic.number, {})
        if _goes_on(pool, latest, topic, n, graded):
            yield topic.number


def _goes_on(pool: Pool, latest: Batch, topic: Topic, n: int, grades: Mapping[str, int]) -> bool:
    """Return whether a topic of n documents is to get more.

    From the floor on it does only while its last documents had a relevant one.
    """
    if n < latest.parameters["floor"]:
        return True
    return n < latest.parameters["cap"] and _has_relevant(pool, topic.pk, grades)


def _has_relevant(pool: Pool, topic: int, grades: Mapping[str, int]) -> bool:
    """Tell whether the documents that the topic got last have a relevant one."""
    entries = PoolEntry.objects.in_pool(pool).filter(topic=topic)
    last = entries.latest("batch__version").batch_id
    docnos = entries.filter(batch=last).values_list("item__key", flat=True)
    return any(grades.get(docno, 0) >= pool.campaign.level for docno in docnos)


def _draft(pool: Pool, latest: Batch, topics: list[str]) -> None:
    """Have the next step built, if the pool is still as it was when its topics were looked at."""
    campaign = lock(pool.campaign)
    is_as_it_was = Pool.objects.filter(pk=pool.pk, version=pool.version).exists()
    if is_as_it_was and not _next_steps(pool).exists():
        for draft, _ in _failed(campaign):
            draft.delete()
        user = _organizer_of(latest)
        runs, how = latest.again()
        batch = drafted(user, campaign, runs, **{**how, "topics": topics, "seed": latest.seed})
        work.request(
            campaign=campaign, kind=build_batch, subject_id=batch.pk, user=user, extends=latest.pk
        )


def _organizer_of(batch: Batch) -> User:
    """Return who froze the batch or, if they no longer organize the campaign, who does."""
    who = batch.frozen_by or batch.created_by
    if can(Campaigns.organize, who, batch.campaign):
        return who
    return batch.campaign.membership_set.filter(role=Role.ORGANIZER).earliest("pk").user
