"""Request a pool and freeze it."""

from collections.abc import Sequence

from django.db import transaction
from django.utils import timezone

from accounts.access import Refused
from accounts.models import User
from campaigns import jobs
from campaigns.models import AuditEvent, Campaign, Run
from pooling import tasks
from pooling.access import check_can_build, check_can_freeze
from pooling.events import PoolEvent
from pooling.models import Contributor, Pool


@transaction.atomic
def request_pool(
    *, user: User, campaign: Campaign, runs: Sequence[Run], depth: int
) -> Pool:
    """Have a worker build a pool. It replaces any earlier pool that was not frozen."""
    check_can_build(user, campaign)
    if not runs or any(
        run.campaign_id != campaign.pk or run.state != Run.State.VALID for run in runs
    ):
        raise Refused(
            "A pool is formed from valid runs of this campaign: choose at least one."
        )
    Pool.objects.filter(campaign=campaign).delete()
    pool = Pool.objects.create(
        campaign=campaign, depth=depth, seed=campaign.seed, created_by=user
    )
    Contributor.objects.bulk_create(
        Contributor(pool=pool, run=run, run_sha256=run.sha256) for run in runs
    )
    AuditEvent.record(
        campaign, user, PoolEvent.REQUESTED, pool, runs=sorted(run.tag for run in runs)
    )
    jobs.request(
        campaign=campaign, kind=tasks.build_pool, subject_id=pool.pk, user=user
    )
    return pool


@transaction.atomic
def freeze_pool(*, user: User, pool: Pool, sha256: str) -> Pool:
    """Freeze the pool that has this hash: it can then be judged, and never changes again."""
    check_can_freeze(user, pool)
    unchanged = Pool.objects.filter(pk=pool.pk, sha256=sha256)
    if not unchanged.move(Pool.State.FROZEN, frozen_at=timezone.now()):
        raise Refused(
            "The pool has just been rebuilt. Look at it again before freezing it."
        )
    _fix_tags(pool)
    pool.refresh_from_db()
    AuditEvent.record(pool.campaign, user, PoolEvent.FROZEN, pool, sha256=pool.sha256)
    return pool


def _fix_tags(pool: Pool) -> None:
    """Give each contributing run its tag for good; Refused if one is no longer valid."""
    runs = Run.objects.filter(contributor__pool=pool)
    left = [run.tag for run in runs.exclude(state=Run.State.VALID).order_by("tag")]
    n_fixed = Run.objects.filter(pk__in=runs.valid().values("pk")).update(
        is_pooled=True
    )
    if left or n_fixed != pool.contributors.count():
        raise Refused(
            f"The pool was built from runs that are no longer valid ({', '.join(left)}): build it again."
        )
