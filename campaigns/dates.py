"""A campaign's dates, as its pages tell them."""

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import NamedTuple

from django.utils import timezone

from campaigns.access.windows import deadline
from campaigns.models.campaign import Campaign
from campaigns.models.people import Role, Team
from trec.words import counted

PAST = {"open": "opened", "opens": "opened", "closes": "closed"}


class Date(NamedTuple):
    """A date of the campaign that a reader is concerned with."""

    label: str
    at: datetime
    is_past: bool

    @property
    def past(self) -> str:
        """What is said of it once it has passed."""
        what, _, verb = self.label.rpartition(" ")
        return f"{what} {PAST.get(verb, verb)}"

    @property
    def left(self) -> str:
        """How long it is until then: in days, and in the last two of them in hours or minutes."""
        left = self.at - timezone.now()
        if left >= timedelta(days=2):
            return counted(left.days, "day")
        if left >= timedelta(hours=1):
            return counted(left // timedelta(hours=1), "hour")
        return counted(max(left // timedelta(minutes=1), 0), "minute")


def dates_of(campaign: Campaign, user_roles: Collection[str], team: Team | None) -> list[Date]:
    """Return the dates that are set, with the team's own deadline; those of judging for organizers and assessors only."""
    dates = {
        "Topics open": campaign.topics_open_at,
        "Submission opens": campaign.submission_opens_at,
        "Submission closes": deadline(campaign, team),
    }
    if {Role.ORGANIZER, Role.ASSESSOR} & set(user_roles):
        dates["Judging opens"] = campaign.judging_opens_at
        dates["Judging closes"] = campaign.judging_closes_at
    now = timezone.now()
    return [_date(label, at, at <= now) for label, at in dates.items() if at]


def next_date(campaign: Campaign, user_roles: Collection[str], team: Team | None) -> Date | None:
    """Return what comes next for a member: that something opens or closes."""
    dates = dates_of(campaign, user_roles, team)
    if Role.ORGANIZER not in user_roles:
        # Whoever only judges hands nothing in, and reads the topics with their documents.
        whose = {Role.PARTICIPANT: ("Topics", "Submission"), Role.ASSESSOR: ("Judging",)}
        theirs = tuple(what for role in whose if role in user_roles for what in whose[role])
        dates = [each for each in dates if each.label.startswith(theirs)]
    return min((each for each in dates if not each.is_past), key=lambda each: each.at, default=None)


def _date(label: str, at: datetime, is_past: bool) -> Date:
    """Return a date, in the past tense once it has passed."""
    date = Date(label, at, is_past)
    return date._replace(label=date.past) if is_past else date
