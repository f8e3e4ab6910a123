"""The figures of the page of all runs."""

from typing import Any

from django.db.models import Count
from django.utils import timezone

from accounts.models import User
from campaigns.access.roles import roles, team_of
from campaigns.access.topics import current_round
from campaigns.access.windows import deadline
from campaigns.dates import Date
from campaigns.models.campaign import Campaign
from campaigns.models.rounds import topics_in
from cleverdon.trec.versions import version
from jobs.models import Job
from runs import checking, unpacking
from runs.from_above import overlaps_of, scores_of
from runs.models import MARKS, Run, RunQuerySet

ARCHIVES = [unpacking.unpack_runs.name, unpacking.unpack_by_folder.name]
STAGES = 20  # jobs whose progress is watched
LABELS = {"": "All", "warned": "With warnings"}


def run_figures(
    user: User, campaign: Campaign, visible: RunQuerySet, *, organizes: bool
) -> dict[str, Any]:
    """Return what the page says of all runs that somebody sees."""
    recent = Job.objects.recent(campaign)
    archives = recent.filter(kind__in=ARCHIVES, **({} if organizes else {"created_by": user}))
    jobs = [*archives[:3], *recent.filter(kind=checking.recheck_runs.name).unfinished()]
    # Read after the jobs: once an archive is unpacked, its runs are there.
    tallies = visible.tallies()
    is_checking = tallies["waiting"] + tallies["checking"] > 0
    kinds = ("", *Run.State.values, *MARKS)
    team = None if organizes else team_of(user, campaign)
    closes_at = deadline(campaign, team)
    return {
        "jobs": jobs,
        "is_unsettled": is_checking or any(not job.is_finished for job in jobs),
        "n_runs": tallies["n"],
        "n_valid": tallies["valid"],
        "n_teams": tallies["n_teams"],
        "n_topics": len(topics_in(campaign, campaign.round)),
        "kinds": [(k, LABELS.get(k, k.capitalize()), tallies[k or "n"]) for k in kinds],
        "current_round": current_round(roles(user, campaign), campaign),
        **_rounds(campaign, visible),
        "team": team,
        "closes": Date("", closes_at, closes_at <= timezone.now()) if closes_at else None,
        "overlaps": overlaps_of(campaign) if organizes else {},
        "scores": scores_of(user, campaign),
    }


def stage_of(user: User, campaign: Campaign, visible: RunQuerySet) -> str:
    """Return the version of what a list that waits for checks would show anew."""
    states = visible.order_by("state").values_list("state").annotate(n=Count("pk"))
    kinds = [*ARCHIVES, checking.recheck_runs.name]
    jobs = Job.objects.recent(campaign).filter(kind__in=kinds)[:STAGES]
    dates = (campaign.submission_opens_at, deadline(campaign, team_of(user, campaign)))
    passed = [at is not None and at <= timezone.now() for at in dates]
    return version([list(states), list(jobs.values_list("pk", "state", "progress")), passed])


def _rounds(campaign: Campaign, visible: RunQuerySet) -> dict[str, Any]:
    """Return the rounds, if there are several, with their runs; and how many topics each has."""
    rows = list(campaign.rounds.all())
    counts = dict(visible.order_by().values_list("round").annotate(n=Count("pk"))) if rows else {}
    numbers = [each.number for each in rows] or [campaign.round]
    return {
        "rounds": [(each, counts.get(each.number, 0)) for each in rows],
        "n_expected": {number: len(topics_in(campaign, number)) for number in numbers},
    }
