"""Forecast, build, freeze, unfreeze and delete a pool."""

from collections.abc import Sequence

from django.db.models import QuerySet
from django.utils import timezone

from accounts.access import Refused, check_seen
from accounts.models import User
from campaigns.acting import in_campaign
from campaigns.models.campaign import Campaign
from campaigns.models.trail import AuditEvent
from jobs import work
from jobs.models import Job
from pooling import access, tasks
from pooling.core.strategies import DEPTH
from pooling.events import PoolEvent
from pooling.from_above import REMOVE_DEPENDENTS, dependents_of
from pooling.models import Contributor, Forecast, Pool, forecast_key
from runs.models import Run
from trec.versions import version

MAX_FORECASTS = 50  # the newest of a campaign; older ones are deleted


@in_campaign
def request_forecast(*, user: User, campaign: Campaign, runs: Sequence[Run]) -> None:
    """Have a worker compute the sizes of the pools of these runs, once for each choice."""
    access.check_can_build(user, campaign)
    access.check_runs(campaign, runs)
    topics = sorted(campaign.topic_set.values_list("number", flat=True))
    inputs = {"run_ids": sorted(run.pk for run in runs), "topics": topics}
    forecast, is_new = Forecast.objects.get_or_create(
        campaign=campaign, key=forecast_key(runs, topics), defaults=inputs
    )
    _drop_others(user, forecast)
    about = Job.objects.about(tasks.forecast_pool.name, forecast.pk)
    is_wanted = is_new or not about or about.state == Job.State.FAILED
    if is_wanted and not forecast.is_computed:
        work.request(campaign=campaign, kind=tasks.forecast_pool, subject_id=forecast.pk, user=user)


def _drop_others(user: User, forecast: Forecast) -> None:
    """Cancel the user's other forecasts, and delete the campaign's oldest with their jobs."""
    jobs = Job.objects.filter(campaign=forecast.campaign, kind=tasks.forecast_pool.name)
    others = jobs.unfinished().filter(created_by=user)
    for subject in others.exclude(subject_id=forecast.pk).values_list("subject_id"):
        work.cancel(tasks.forecast_pool, *subject, "Other runs were chosen meanwhile.")
    rows = Forecast.objects.filter(campaign=forecast.campaign).order_by("-pk")
    kept = [forecast.pk, *rows.values_list("pk", flat=True)[:MAX_FORECASTS]]
    jobs.exclude(subject_id__in=kept).delete()
    rows.exclude(pk__in=kept).delete()


@in_campaign
def request_pool(
    *,
    user: User,
    campaign: Campaign,
    runs: Sequence[Run],
    strategy: str = DEPTH.name,
    second_percent: int = 0,
    seen: str | None = None,
    **parameters: int,
) -> Pool:
    """Have a worker build a pool, which replaces any earlier one that is not frozen.

    `parameters` are those of the strategy; `seen` is the version of the earlier pool's key, 0 for
    none.
    """
    _lock(campaign)
    access.check_can_build(user, campaign)
    access.check_runs(campaign, runs)
    if newest := Pool.objects.current_of(campaign):
        check_seen(seen, version(newest.pk), f"The pool, now {newest} by {newest.created_by},")
    earlier = Pool.objects.filter(campaign=campaign)
    list(earlier.select_for_update())
    earlier.delete()
    pool = Pool.objects.create(
        campaign=campaign,
        strategy=strategy,
        parameters=parameters,
        second_percent=second_percent,
        seed=campaign.seed,
        created_by=user,
    )
    Contributor.objects.bulk_create(
        Contributor(pool=pool, run=run, run_sha256=run.sha256) for run in runs
    )
    tags = sorted(run.tag for run in runs)
    AuditEvent.record(campaign, user, PoolEvent.REQUESTED, pool, runs=tags)
    work.request(campaign=campaign, kind=tasks.build_pool, subject_id=pool.pk, user=user)
    return pool


@in_campaign
def delete_pool(*, user: User, pool: Pool) -> None:
    """Delete a pool that is not frozen. The same choice gives the same pool again."""
    work.cancel(tasks.build_pool, pool.pk, "The pool was deleted.")
    _lock(pool.campaign)
    pool = _present(Pool.objects.filter(pk=pool.pk).select_for_update(of=("self",)))
    access.check_can_delete(user, pool)
    AuditEvent.record(pool.campaign, user, PoolEvent.DELETED, pool, sha256=pool.sha256)
    pool.delete()


@in_campaign
def freeze_pool(*, user: User, pool: Pool, sha256: str) -> Pool:
    """Freeze the pool that has this hash: it can then be judged, and its documents are fixed."""
    _lock(pool.campaign)
    pool = _present(Pool.objects.filter(pk=pool.pk))
    access.check_can_freeze(user, pool)
    unchanged = Pool.objects.filter(pk=pool.pk, sha256=sha256)
    if not unchanged.move(Pool.State.FROZEN, frozen_at=timezone.now(), frozen_by=user):
        raise Refused("The pool has just been rebuilt. Look at it again before freezing it.")
    _fix_tags(pool)
    pool.refresh_from_db()
    detail = {"sha256": pool.sha256, "seed": pool.seed}
    AuditEvent.record(pool.campaign, user, PoolEvent.FROZEN, pool, **detail)
    return pool


@in_campaign
def unfreeze_pool(*, user: User, pool: Pool, seen: str | None = None) -> Pool:
    """Unfreeze a pool of which nothing has been judged, and remove what depends on it.

    `seen` is the version of the list of `dependents_of` it.
    """
    # Locked before assignments, as by all who assign; judging locks an assignment first.
    rows = Pool.objects.filter(pk=pool.pk).select_for_update(of=("self",), no_key=True)
    pool = _present(rows)
    access.check_can_unfreeze(user, pool)
    going = dependents_of(pool)
    check_seen(seen, version(going), f"What depends on the pool ({'; '.join(going)})")
    REMOVE_DEPENDENTS(user, pool)
    row = Pool.objects.filter(pk=pool.pk)
    row.move(Pool.State.BUILT, frozen_at=None, frozen_by=None)
    Run.objects.filter(contributor__pool=pool).update(is_pooled=False)
    pool.refresh_from_db()
    AuditEvent.record(pool.campaign, user, PoolEvent.UNFROZEN, pool, removed=going)
    return pool


def _fix_tags(pool: Pool) -> None:
    """Mark each contributing run as pooled; Refused if one has just been withdrawn."""
    keys = list(pool.contributors.values_list("run", flat=True))
    # The update compares the state once it has locked the row.
    valid = Run.objects.filter(pk__in=keys, state=Run.State.VALID)
    if valid.update(is_pooled=True) != len(keys):
        raise Refused(access.OUTDATED)


def _lock(campaign: Campaign) -> None:
    """Let one transaction at a time build or freeze the campaign's pool."""
    Campaign.objects.select_for_update(no_key=True).filter(pk=campaign.pk).first()


def _present(rows: QuerySet[Pool]) -> Pool:
    pool = rows.select_related("campaign").first()
    if pool is None:
        raise Refused(access.GONE)
    return pool
