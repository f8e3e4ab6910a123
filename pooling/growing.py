"""Adaptive pools grow while they are judged: where little is left, the next documents join."""

import logging
from collections.abc import Iterator, Mapping
from itertools import chain

from celery import shared_task
from django.core.cache import cache

from accounts.access import NotThere, Refused, can
from accounts.models import User
from campaigns.access.roles import check_can_organize
from campaigns.models.campaign import Campaign
from campaigns.models.people import Role
from cleverdon.pools.entries import GRADED
from cleverdon.trec.mapped import DamagedFile
from collection.bulk.writing import in_turn
from collection.models.texts import Topic
from jobs import broker
from jobs.acting import acting
from pooling.building import build, save
from pooling.from_above import GRADES, N_LEFT
from pooling.models.batches import Batch
from pooling.models.entries import PoolEntry
from pooling.models.pools import LOW, Pool
from pooling.services import drafted, freeze_batch

logger = logging.getLogger(__name__)

EXHAUSTED_SECONDS = 600  # then the runs are looked at again
SECONDS_FOR_GROWTH = 20  # then it is asked for again


@shared_task
def grow_all() -> None:
    """Grow every adaptive pool, in a task for each campaign."""
    batches = Batch.objects.adaptive().filter(pool__isnull=False, campaign__archived_at=None)
    for (campaign_id,) in batches.order_by().values_list("campaign").distinct():
        broker.send(grow, campaign_id, seconds=SECONDS_FOR_GROWTH)


@shared_task
def grow(campaign_id: int) -> None:
    """Choose the next documents of the topics that need some, and freeze them as a batch.

    The pool keeps why that failed until it is tried again.
    """
    fault = ""
    try:
        with acting(campaign_id):
            in_turn(Campaign(pk=campaign_id))  # with imports, which lock the campaign later
            _grow(Campaign.objects.select_for_update(no_key=True).get(pk=campaign_id))
    except NotThere:
        logger.info("campaign=%s grown=False gone=True", campaign_id)
    except (Refused, DamagedFile) as refusal:
        fault = str(refusal)
        logger.warning("campaign=%s grown=False refusal=%s", campaign_id, fault)
    pool = Pool.objects.filter(campaign=campaign_id)
    pool.exclude(growth_fault=fault).update(growth_fault=fault)


def _grow(campaign: Campaign) -> None:
    """Extend the pool of a locked campaign, unless an organizer has taken its last step back."""
    pool = Pool.objects.of(campaign)
    latest = _latest(pool) if pool else None
    if pool is None or latest is None:
        return
    if Batch.objects.adaptive().drafts_of(campaign).filter(base=pool.version).exists():
        return
    topics = sorted(_topics_to_grow(pool, latest))
    if topics and topics != cache.get(_exhausted(latest)):
        _extend(pool, latest, topics)


def _exhausted(latest: Batch) -> str:
    """Return where the cache has the topics for which the runs of a batch have nothing more."""
    return f"exhausted-{latest.pk}"


def may_grow(pool: Pool, topic: Topic) -> bool:
    """Return whether a topic of which little is left gets more documents by itself."""
    latest = _latest(pool)
    if latest is None or topic.number in cache.get(_exhausted(latest), ()):
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


def _extend(pool: Pool, latest: Batch, topics: list[str]) -> None:
    organizer = _organizer_of(latest)
    runs, how = latest.again()
    how |= {"topics": topics, "seed": latest.seed}
    batch = drafted(organizer, pool.campaign, runs, **how)
    built, formed = build(batch)
    Batch.objects.filter(pk=batch.pk).move(Batch.State.BUILT, **built)
    save(batch, formed, built["reasons"])
    if batch.entries.graded().exists():
        freeze_batch(user=organizer, batch=batch, sha256=built["sha256"], by_itself=True)
    else:
        batch.delete()
        cache.set(_exhausted(latest), topics, EXHAUSTED_SECONDS)


def _organizer_of(batch: Batch) -> User:
    """Return who froze the batch or, if they no longer organize the campaign, who does."""
    who = batch.frozen_by or batch.created_by
    if can(check_can_organize, who, batch.campaign):
        return who
    return batch.campaign.membership_set.filter(role=Role.ORGANIZER).earliest("pk").user
