"""Create a campaign and change its settings; try a failed job again."""

import secrets
from collections.abc import Mapping
from itertools import chain, count
from typing import Any
from zoneinfo import ZoneInfo

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.text import slugify

from accounts.access import Invalid, Refused, check, check_accepted
from accounts.models import User
from campaigns.access.campaign import Campaigns, check_can_change_criteria, off_scale_in_words
from campaigns.access.windows import date_conflicts
from campaigns.acting import act
from campaigns.changes import label_of, recorded
from campaigns.core.criteria import scale_of
from campaigns.core.guidelines import rendered
from campaigns.core.settings import setting_faults
from campaigns.events import CampaignEvent
from campaigns.from_above import SETTINGS_CHANGED, SETTINGS_COST
from campaigns.models.campaign import Campaign
from campaigns.models.people import Membership, Role, Team
from campaigns.models.trail import AuditEvent
from jobs import work
from jobs.models import Job

# Addresses beside those of the campaigns: /campaigns/new/.
RESERVED_SLUGS = {"new"}
NO_SLUG = "{} is taken, or no name for addresses: these have at most 50 of a-z, 0-9, - and _."
# Those that rules about several settings look at.
SETTINGS = (
    "criteria",
    "time_zone",
    "evidence_from",
    "takes_evidence",
    "submission_opens_at",
    "submission_closes_at",
    "judging_opens_at",
    "judging_closes_at",
)


@transaction.atomic
def create_campaign(*, user: User, name: str, slug: str = "", **settings: Any) -> Campaign:
    """Create a campaign; without a slug, its name in addresses is made of its name."""
    check(Campaigns.create, user, None)
    if slug and slug != _free_slug(slug):
        raise Invalid("slug", NO_SLUG.format(slug))
    campaign = Campaign(name=name, seed=secrets.randbits(62), **settings)
    _check_settings(campaign, {})
    establish(campaign, user, slug)
    AuditEvent.record(campaign, user, CampaignEvent.CREATED, campaign)
    return campaign


def establish(campaign: Campaign, user: User, slug: str = "") -> None:
    campaign.rendered_guidelines = rendered(campaign.guidelines)
    _save_under_free_slug(campaign, slug or campaign.name)
    Membership.objects.create(campaign=campaign, user=user, role=Role.ORGANIZER)


def _save_under_free_slug(campaign: Campaign, name: str) -> None:
    """Save a new campaign, with a number after its slug if another has it or takes it meanwhile."""
    campaign.slug = _free_slug(name)
    try:
        with transaction.atomic():
            campaign.save()
    except IntegrityError:
        taken = campaign.slug
        campaign.slug = _free_slug(name)
        if campaign.slug == taken:
            raise  # it was something else
        campaign.save()


def _free_slug(name: str) -> str:
    base = slugify(name)[:50] or "campaign"
    slugs = chain([base], (f"{base}-{number}" for number in count(2)))
    return next(slug for slug in slugs if not _is_taken(slug))


def _is_taken(slug: str) -> bool:
    return slug in RESERVED_SLUGS or Campaign.objects.filter(slug=slug).exists()


@act(Campaigns.change)
def change_campaign(
    *,
    user: User,
    campaign: Campaign,
    changes: Mapping[str, Any],
    keeps_clock: bool = False,
    accepts: str | None = None,
) -> Campaign:
    """Change settings, recording what they were and are, if any changes.

    What would turn valid runs invalid, or leave known grades off the scale, is refused until
    `accepts` says just that; None: nobody is asked.

    With `keeps_clock` the teams' extended deadlines keep their clock time in another zone, as the
    times in `changes` do.
    """
    teams = Team.objects.locked(campaign) if keeps_clock else []
    campaign = Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
    _check_changes(campaign, changes, accepts)
    changed = [name for name, value in changes.items() if getattr(campaign, name) != value]
    if not changed:
        return campaign
    detail = recorded(campaign, {name: changes[name] for name in changed})
    if "time_zone" in changed:
        detail |= _keep_clock(teams, campaign.zone, ZoneInfo(changes["time_zone"]))
    for name in changed:
        setattr(campaign, name, changes[name])
    campaign.rendered_guidelines = rendered(campaign.guidelines)
    campaign.save(update_fields=[*changed, "rendered_guidelines"])
    names = ", ".join(label_of(name) for name in changed)
    AuditEvent.record(campaign, user, CampaignEvent.CHANGED, names, **detail)
    SETTINGS_CHANGED(campaign, user, changed)
    return campaign


def _check_changes(campaign: Campaign, changes: Mapping[str, Any], accepts: str | None) -> None:
    """Refuse what judgments or runs keep from being changed. The campaign is locked."""
    _check_settings(campaign, changes)
    consequences = [*SETTINGS_COST(campaign, changes), _conflicts(campaign, changes)]
    if "criteria" in changes:
        check_can_change_criteria(campaign, changes["criteria"])
        consequences.append(off_scale_in_words(campaign, changes["criteria"]))
    check_accepted(" ".join(filter(None, consequences)), accepts)


def _check_settings(campaign: Campaign, changes: Mapping[str, Any]) -> None:
    """Refuse settings that do not fit each other once these are changed."""
    now = {name: getattr(campaign, name) for name in SETTINGS}
    after = {name: changes.get(name, value) for name, value in now.items()}
    before = _faults(now) if changes else []
    for fault in _faults(after):
        if fault not in before:
            raise Invalid(*fault)


def _faults(settings: Mapping[str, Any]) -> list[tuple[str, str]]:
    grades = [each.value for each in scale_of(settings["criteria"]).grades]
    return list(setting_faults(settings, grades))


def _conflicts(campaign: Campaign, changes: Mapping[str, Any]) -> str:
    """Say which dates would contradict each other that do not now."""
    names = ("topics_open_at", "submission_closes_at", "judging_closes_at")
    now = {name: getattr(campaign, name) for name in names}
    then = date_conflicts({name: changes.get(name, now[name]) for name in names})
    return "" if then == date_conflicts(now) else then


def _keep_clock(teams: list[Team], before: ZoneInfo, zone: ZoneInfo) -> dict[str, Any]:
    """Give extended deadlines the same clock time in another zone; return what they were."""
    moved: dict[str, str] = {}
    for team in teams:
        if closes_at := team.submission_closes_at:
            clock = timezone.make_naive(closes_at, before)
            team.submission_closes_at = clock.replace(tzinfo=zone)
            team.save(update_fields=["submission_closes_at"])
            moved[team.name] = closes_at.isoformat()
    return {"extensions_before": moved} if moved else {}


@act(Campaigns.retry_jobs)
def retry_job(*, user: User, job: Job) -> None:
    """Have a worker try again what failed."""
    if not work.retry(job):
        raise Refused("Only a failed job can be tried again.")
    AuditEvent.record(job.campaign, user, CampaignEvent.JOB_RETRIED, job.label)
