"""Forecast, build, freeze and delete batches, take the last one back, look for duplicates."""

from collections.abc import Mapping, Sequence
from typing import Any, BinaryIO, cast

from django.db.models import Exists, OuterRef

from accounts.access import check, check_seen
from accounts.models import User
from campaigns.acting import act, in_campaign
from campaigns.models.campaign import Campaign
from campaigns.models.trail import AuditEvent
from cleverdon.pools.strategy.table import STRATEGIES
from cleverdon.trec.ranking import DEFAULT_RULES
from cleverdon.trec.versions import version
from jobs import work
from jobs.models import Job
from pooling import tasks
from pooling.access import Batches, Pools, check_choice
from pooling.events import PoolEvent
from pooling.freezing import drafted, freeze, lock, present
from pooling.from_above import REMOVE_DEPENDENTS, dependents_of, existing_judgments
from pooling.importing import choice_of
from pooling.models.batches import Batch
from pooling.models.contributors import Contributor
from pooling.models.forecasts import Forecast
from pooling.models.pools import Pool
from runs.models import Run


@act(Batches.build)
def request_forecast(*, user: User, campaign: Campaign) -> Job:
    """Have a worker number the documents of the valid runs, unless that is done or on its way."""
    is_done = Forecast.objects.current_of(campaign, existing_judgments(campaign))
    forecast, _ = Forecast.objects.get_or_create(campaign=campaign)
    about = Job.objects.about(tasks.forecast_pool.name, forecast.pk)
    if about and (is_done or not about.is_finished):
        return about
    return work.request(
        campaign=campaign, kind=tasks.forecast_pool, subject_id=forecast.pk, user=user
    )


@in_campaign
def request_batch(
    *,
    user: User,
    campaign: Campaign,
    runs: Sequence[Run],
    strategy: str,
    parameters: Mapping[str, Any],
    order_rule: str = DEFAULT_RULES,
    topics: Sequence[str] = (),
    **settings: Any,
) -> Batch:
    """Have a worker build a draft of a batch: what the strategy finds and the pool does not have.

    `parameters` are those of the strategy; `topics` are numbers, empty for all; `settings` are
    `existing_sha256`, `joins_duplicates` and `round` of `Batch`, the round by default the current
    one.
    """
    campaign = lock(campaign)
    check(Batches.build, user, campaign)
    how = {
        "strategy": strategy,
        "parameters": parameters,
        "order_rule": order_rule,
        "topics": list(topics),
        **settings,
    }
    return _requested(user, campaign, runs, PoolEvent.REQUESTED, how)


def _requested(
    user: User, campaign: Campaign, runs: Sequence[Run], event: PoolEvent, how: Mapping[str, Any]
) -> Batch:
    check_choice(campaign, runs, how)
    runs = runs if STRATEGIES[how["strategy"]].reads_runs else ()
    usual = {"round": campaign.round, "seed": campaign.seed}
    batch = drafted(user, campaign, runs, **{**usual, **how})
    tags = sorted(run.tag for run in runs)
    AuditEvent.record(campaign, user, event, batch, runs=tags)
    work.request(campaign=campaign, kind=tasks.build_batch, subject_id=batch.pk, user=user)
    return batch


@in_campaign
def import_batch(*, user: User, campaign: Campaign, file: BinaryIO) -> Batch:
    """Have a worker form an exported batch again, as a draft: of runs with the same files.

    The job fails if its hash is not that of the file.
    """
    campaign = lock(campaign)
    check(Batches.build, user, campaign)
    runs, how = choice_of(campaign, file)
    return _requested(user, campaign, runs, PoolEvent.IMPORTED, how)


@in_campaign
def request_duplicates(*, user: User, campaign: Campaign) -> Job:
    """Have a worker look for documents that say the same, in the pool and in its drafts."""
    lock(campaign)
    kind = tasks.find_duplicates
    check(Pools.find_duplicates, user, campaign)
    AuditEvent.record(campaign, user, PoolEvent.COMPARED, "the pool and its drafts")
    return work.request(campaign=campaign, kind=kind, subject_id=campaign.pk, user=user)


@in_campaign
def delete_batch(*, user: User, batch: Batch) -> None:
    """Delete a draft. The same choice gives the same batch again."""
    batch = _going(user, batch)
    AuditEvent.record(batch.campaign, user, PoolEvent.DELETED, batch, sha256=batch.sha256)
    batch.delete()


@in_campaign
def build_again(*, user: User, batch: Batch) -> Batch:
    """Replace a draft by one that is built anew from the same choice."""
    batch = _going(user, batch)
    runs, how = batch.again()
    batch.delete()
    return _requested(user, batch.campaign, runs, PoolEvent.REBUILT, how)


@in_campaign
def freeze_batch(*, user: User, batch: Batch, sha256: str) -> Batch:
    """Freeze the draft that has this hash: its documents join the pool, and can be judged.

    They are served to those who judge their topics already, behind what these have.
    """
    lock(batch.campaign)
    batch = present(Batch.objects.filter(pk=batch.pk))
    return freeze(user, batch, sha256, PoolEvent.FROZEN)


@in_campaign
def take_back_batch(*, user: User, batch: Batch, seen: str | None = None) -> Batch:
    """Make the pool's last batch a draft again, and remove what depends on it.

    Refused once something of it is judged. `seen` is the version of the list of `dependents_of`.
    """
    lock(batch.campaign)
    # The pool goes with its first batch: whoever refers to it at this moment is waited for.
    pools = Pool.objects.filter(campaign=batch.campaign)
    list(pools.select_for_update(no_key=batch.version != 1))
    rows = Batch.objects.filter(pk=batch.pk)
    batch = present(rows.select_for_update(of=("self",), no_key=True))
    check(Batches.take_back, user, batch)
    going = dependents_of(batch)
    check_seen(seen, version(going), f"What depends on the batch ({'; '.join(going)})")
    REMOVE_DEPENDENTS(user, batch)
    pool = cast("Pool", batch.pool)
    rows.move(Batch.State.BUILT, frozen_at=None, frozen_by=None, pool=None, version=None)
    frozen = Contributor.objects.filter(batch__state=Batch.State.FROZEN, is_read=True)
    pooled = frozen.filter(run=OuterRef("pk"))
    Run.objects.filter(~Exists(pooled), contributor__batch=batch).update(is_pooled=False)
    _shrink(pool, batch)
    batch.refresh_from_db()
    AuditEvent.record(batch.campaign, user, PoolEvent.UNFROZEN, batch, removed=going)
    return batch


def _shrink(pool: Pool, batch: Batch) -> None:
    """Give the pool back the version before its last batch, which is no longer its own."""
    if pool.version == 1:
        pool.delete()
        return
    pool.version -= 1
    pool.n_entries -= batch.n_entries
    pool.sha256 = pool.sha256_at(pool.version)
    pool.save()


def _going(user: User, batch: Batch) -> Batch:
    """Return a draft that is about to be deleted, locked, its job ended."""
    work.cancel(tasks.build_batch, batch.pk, "The draft was deleted.")
    lock(batch.campaign)
    batch = present(Batch.objects.filter(pk=batch.pk).select_for_update(of=("self",)))
    check(Batches.delete, user, batch)
    return batch
