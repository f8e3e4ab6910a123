"""What comes tomorrow or lies about: releases, a deadline, drafts."""

from collections.abc import Iterator
from datetime import datetime

from assess.core.pace import DAY
from campaigns.access.windows import shown
from campaigns.dates import Date
from campaigns.models.campaign import Campaign
from campaigns.models.people import Team
from cleverdon.trec.words import counted, verb
from desk.core.needs import Need
from evaluation.releasing import named
from pooling.models.batches import Batch
from runs.models import Run


def reminders_of(campaign: Campaign, now: datetime) -> list[Need]:
    """Return what an organizer should know a day ahead, and the drafts that nobody froze."""
    if campaign.archived_at:
        return []
    return [*_releases(campaign, now), *_teams(campaign, now), *_drafts(campaign, now)]


def _releases(campaign: Campaign, now: datetime) -> Iterator[Need]:
    coming = campaign.releases.standing().filter(from_at__gt=now, from_at__lte=now + DAY)
    for each in coming.order_by("from_at"):
        whom = each.get_audience_display().lower()
        at = f"From {shown(campaign, each.from_at)}."
        title = f"{named(each)} will be shown to {whom} within a day"
        yield Need(title, at, "evaluation:releases", "Releases…")


def _teams(campaign: Campaign, now: datetime) -> Iterator[Need]:
    """Yield the teams without a valid run of the round on its last day."""
    closes_at = campaign.submission_closes_at
    if closes_at is None or not now < closes_at <= now + DAY:
        return
    teams = Team.objects.filter(campaign=campaign, is_baseline=False)
    valid = Run.objects.of_round(campaign, campaign.round).valid()
    n_teams, n = teams.count(), teams.exclude(run__in=valid).count()
    if n:
        title = f"{n:,} of {counted(n_teams, 'team')} {verb(n, 'has')} no valid run"
        left = Date("", closes_at, is_past=False).left
        yield Need(title, f"Submission closes in {left}.", "runs:runs", "Runs…")


def _drafts(campaign: Campaign, now: datetime) -> Iterator[Need]:
    """Yield the drafts older than a day, beside a pool that is frozen."""
    old = Batch.objects.drafts_of(campaign).filter(created_at__lt=now - DAY)
    if n := old.filter(campaign__pool__isnull=False).count():
        title = f"{counted(n, 'draft')} of the pool {verb(n, 'is')} not frozen"
        yield Need(title, "Freeze or delete what you no longer need.", "pooling:pool", "Pool…")
