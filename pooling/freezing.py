"""How a batch comes into the pool: drafted and frozen, while its campaign is locked."""

from collections.abc import Iterable
from typing import Any

from django.core.cache import cache
from django.db.models import QuerySet
from django.utils import timezone

from accounts.access import Refused, check
from accounts.models import User
from campaigns.models.campaign import Campaign
from campaigns.models.trail import AuditEvent
from pooling import access
from pooling.access import Batches
from pooling.events import PoolEvent
from pooling.from_above import GROWN
from pooling.models.batches import Batch
from pooling.models.contributors import Contributor
from pooling.models.pools import Pool
from runs.models import Run

EXHAUSTED_SECONDS = 600  # then the runs are looked at again
NOTHING_MORE = "The runs have nothing more for these topics."
CHANGED = "The pool or its runs have changed meanwhile: the next documents are chosen anew."


def lock(campaign: Campaign) -> Campaign:
    """Let one transaction at a time build or freeze batches of the campaign, and return it anew."""
    return Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)


def present(rows: QuerySet[Batch]) -> Batch:
    batch = rows.select_related("campaign", "pool").first()
    if batch is None:
        raise Refused(access.GONE)
    return batch


def drafted(user: User, campaign: Campaign, runs: Iterable[Run], **how: Any) -> Batch:
    """Return a new draft of these runs, not built, of a campaign that is locked."""
    pool = Pool.objects.of(campaign)
    base = pool.version if pool else 0
    batch = Batch.objects.create(campaign=campaign, base=base, created_by=user, **how)
    Contributor.objects.bulk_create(
        Contributor(batch=batch, run=run, run_sha256=run.sha256) for run in runs
    )
    return batch


def freeze(user: User, batch: Batch, sha256: str, event: PoolEvent) -> Batch:
    """Have a draft with this hash join the pool of its campaign, which is locked."""
    check(Batches.freeze, user, batch)
    pool = _grown(batch)
    unchanged = Batch.objects.filter(pk=batch.pk, sha256=sha256)
    now = {"frozen_at": timezone.now(), "frozen_by": user, "pool": pool, "version": pool.version}
    if not unchanged.move(Batch.State.FROZEN, **now):
        raise Refused("The draft has another SHA-256 now. Look at it again before freezing it.")
    GROWN(pool, batch)
    _fix_tags(batch)
    batch.refresh_from_db()
    detail = {"sha256": batch.sha256, "seed": batch.seed, "version": pool.version}
    AuditEvent.record(batch.campaign, user, event, batch, **detail)
    return batch


def _grown(batch: Batch) -> Pool:
    """Return the campaign's pool, locked, with a batch added."""
    # Locked before assignments, as by all who assign; judging locks an assignment first.
    rows = Pool.objects.filter(campaign=batch.campaign).select_for_update(no_key=True)
    pool = rows.first() or Pool(campaign=batch.campaign, seed=batch.seed)
    pool.version += 1
    pool.n_entries += batch.n_entries
    pool.growth_fault = ""
    pool.sha256 = batch.pool_sha256(pool.sha256)
    pool.save()
    return pool


def _fix_tags(batch: Batch) -> None:
    """Mark each run that was read as pooled; Refused if a chosen one has just been withdrawn."""
    chosen = dict(batch.contributors.values_list("run", "is_read"))
    # The updates compare the state once they have locked the row.
    valid = Run.objects.filter(pk__in=chosen, state=Run.State.VALID)
    read = [run for run, is_read in chosen.items() if is_read]
    n_read, n_valid = valid.filter(pk__in=read).update(is_pooled=True), valid.count()
    if (n_read, n_valid) != (len(read), len(chosen)):
        raise Refused(access.OUTDATED)


def exhausted(extended: int) -> str:
    """Return where the cache has the topics for which the runs of a batch have nothing more."""
    return f"exhausted-{extended}"


def is_outdated(draft: Batch) -> bool:
    """Return whether the pool, or one of the draft's runs, is no longer as when it was drafted."""
    pool = Pool.objects.of(draft.campaign)
    is_extended = draft.base != (pool.version if pool else 0)
    return is_extended or draft.contributors.no_longer_valid().exists()


def grow_by(batch: Batch, user: User, extended: int) -> str:
    """Freeze what continues a batch, or delete it and return why nothing comes of it."""
    if is_outdated(batch):
        batch.delete()
        return CHANGED
    if not batch.entries.graded().exists():
        batch.delete()
        cache.set(exhausted(extended), batch.topics, EXHAUSTED_SECONDS)
        return NOTHING_MORE
    batch.refresh_from_db()
    freeze(user, batch, batch.sha256, PoolEvent.GREW)
    return ""
