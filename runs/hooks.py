"""What this app tells the floors below it."""

from collections.abc import Mapping, Sequence, Set
from typing import Any

import runs.unpacking  # noqa: F401 - registers the kinds of job
from accounts.models import User
from campaigns.from_above import SETTINGS_CHANGED, SETTINGS_COST, TABS, Tab
from campaigns.models.campaign import Campaign
from campaigns.models.people import Role
from campaigns.models.trail import EVENTS
from collection.from_above import DELETION_COST, TEXTS_CHANGED
from runs.access.runs import Runs
from runs.checking import answering, lost_in_words, request_recheck
from runs.events import RunEvent
from runs.models import Run


def _lost_with(campaign: Campaign, topics: Set[str]) -> str:
    return lost_in_words(campaign, answering(campaign, topics))


def _lost_by(campaign: Campaign, changes: Mapping[str, Any]) -> str:
    """Say which runs another depth makes invalid."""
    if "run_depth" not in changes:
        return ""
    runs = Run.objects.filter(campaign=campaign)
    return lost_in_words(campaign, runs.too_deep_for(changes["run_depth"]))


def _check_again(campaign: Campaign, user: User, changed: Sequence[str]) -> None:
    if {"run_depth", "topics"} & set(changed):
        request_recheck(campaign, user)


EVENTS.append(RunEvent)
TEXTS_CHANGED.register(request_recheck)
DELETION_COST.register(_lost_with)
SETTINGS_CHANGED.register(_check_again)
SETTINGS_COST.register(_lost_by)
TABS += [
    Tab(310, "runs", "runs:runs", {Role.ORGANIZER, Role.PARTICIPANT}),
    Tab(311, "runs", "runs:released_runs", verb=Runs.see_only_released),
    Tab(320, "team", "runs:my_team", {Role.PARTICIPANT}),
]
