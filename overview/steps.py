"""What a person should do next, in each of their roles."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import NamedTuple

from django.template.defaultfilters import pluralize
from django.utils import timezone

from accounts.access import can
from assess.access import why_not_now
from campaigns.access import check_takes_runs, deadline
from campaigns.models import Campaign, Role, Team
from evaluation.access import check_scores_shown
from overview.core.stages import Stage
from overview.facts import MemberFacts
from trec.words import counted

PAST = {"opens": "opened", "closes": "closed"}


@dataclass(frozen=True)
class Step:
    """The next step in one role, and the page for it."""

    role: str
    sentence: str
    view: str
    is_urgent: bool = True


class Date(NamedTuple):
    """A date of the campaign that a reader is concerned with."""

    label: str
    at: datetime
    is_past: bool


def dates_of(
    campaign: Campaign, user_roles: Collection[str], team: Team | None
) -> list[Date]:
    """Return the dates that are set, with the team's own deadline; those of judging for organizers and assessors only."""
    dates = {
        "Topics are shown from": campaign.topics_open_at,
        "Submission opens": campaign.submission_opens_at,
        "Submission closes": deadline(campaign, team),
    }
    if {Role.ORGANIZER, Role.ASSESSOR} & set(user_roles):
        dates["Judging opens"] = campaign.judging_opens_at
        dates["Judging closes"] = campaign.judging_closes_at
    now = timezone.now()
    return [_date(label, at, at <= now) for label, at in dates.items() if at]


def _date(label: str, at: datetime, is_past: bool) -> Date:
    """Return a date, in the past tense once it has passed."""
    what, _, verb = label.rpartition(" ")
    return Date(f"{what} {PAST.get(verb, verb)}" if is_past else label, at, is_past)


def next_steps(member: MemberFacts, stages: list[Stage]) -> list[Step]:
    """Return a step for each role of the person; only organizers need the stages."""
    steps = []
    if Role.ORGANIZER in member.roles:
        steps.append(_organizer(stages))
    if Role.ASSESSOR in member.roles:
        steps.append(_assessor(member))
    if Role.PARTICIPANT in member.roles:
        steps.append(_participant(member))
    return steps


def _organizer(stages: list[Stage]) -> Step:
    for stage in stages:
        if stage.is_next:
            return Step(Role.ORGANIZER, stage.next_step, stage.view)
    sentence = "The campaign is complete: see its leaderboard."
    return Step(Role.ORGANIZER, sentence, "evaluation:leaderboard", is_urgent=False)


def _assessor(member: MemberFacts) -> Step:
    view = "assess:judging"
    n_open = member.n_assigned - member.n_judged - member.n_cannot_judge
    if why := why_not_now(member.campaign, n_open):
        return Step(Role.ASSESSOR, why, view, is_urgent=False)
    if n_open:
        waiting = f"{counted(n_open, 'document')} {pluralize(n_open, 'is,are')} waiting for your judgment."
        return Step(Role.ASSESSOR, waiting, view)
    sentence = "No topic has been assigned to you yet."
    if member.n_assigned:
        sentence = "All your documents are judged. Thank you."
    return Step(Role.ASSESSOR, sentence, view, is_urgent=False)


def _participant(member: MemberFacts) -> Step:
    role, view = Role.PARTICIPANT, "campaigns:runs"
    # Scores that their own runs have no part in are none of this team's news.
    if member.n_scored and can(check_scores_shown, member.roles, member.campaign):
        n = member.n_scored
        out = f"The scores of your {counted(n, 'run')} are out."
        return Step(role, out if n > 1 else "The scores of your run are out.", "evaluation:leaderboard")  # fmt: skip
    if member.n_invalid and not member.n_valid:
        n = member.n_invalid
        what = "Your run is" if n == 1 else f"All your {n:,} runs are"
        return Step(role, f"{what} invalid: read why, and upload again.", view)
    count = counted(member.n_valid, "valid run")
    has = f"Your team has {count if member.n_valid else 'no valid run yet'}."
    check = partial(check_takes_runs, has_topics=member.has_topics, team=member.team)
    takes_runs = can(check, member.campaign)
    return Step(role, f"Upload a run. {has}" if takes_runs else has, view, takes_runs)
