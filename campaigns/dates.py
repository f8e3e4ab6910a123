"""A campaign's dates, as its pages show them."""

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import NamedTuple

from django.utils import timezone

from campaigns.access.windows import deadline
from campaigns.models.campaign import Campaign
from campaigns.models.people import Role, Team
from cleverdon.trec.words import counted

PAST = {"open": "opened", "opens": "opened", "closes": "closed"}


class Date(NamedTuple):
    """A date of the campaign, for a reader whom it concerns."""

    label: str
    at: datetime
    is_past: bool

    @property
    def past(self) -> str:
        """The label in the past tense."""
        what, _, verb = self.label.rpartition(" ")
        return f"{what} {PAST.get(verb, verb)}"

    @property
    def left(self) -> str:
        """The time left: in days, or for the last two of them in hours or minutes."""
        left = self.at - timezone.now()
        if left >= timedelta(days=2):
            return counted(left.days, "day")
        if left >= timedelta(hours=1):
            return counted(left // timedelta(hours=1), "hour")
        minutes = left // timedelta(minutes=1)
        return counted(minutes, "minute") if minutes >= 1 else "less than a minute"


def dates_of(campaign: Campaign, user_roles: Collection[str], team: Team | None) -> list[Date]:
    """Return the dates that are set; those of judging only for organizers and assessors.

    In an archived campaign nothing opens or closes any more.
    """
    dates = {
        "Topics open": campaign.topics_open_at,
        "Submission opens": campaign.submission_opens_at,
        "Submission closes": deadline(campaign, team),
    }
    if {Role.ORGANIZER, Role.ASSESSOR} & set(user_roles):
        dates["Judging opens"] = campaign.judging_opens_at
        dates["Judging closes"] = campaign.judging_closes_at
    now = timezone.now()
    rows = [Date(label, at, at <= now) for label, at in dates.items() if at]
    shown = [each for each in rows if each.is_past or not campaign.archived_at]
    return [each._replace(label=each.past) if each.is_past else each for each in shown]


def next_date(campaign: Campaign, user_roles: Collection[str], team: Team | None) -> Date | None:
    """Return the next date for a member: something opens or closes."""
    dates = dates_of(campaign, user_roles, team)
    if Role.ORGANIZER not in user_roles:
        topics = {Role.PARTICIPANT: ("Topics", "Submission"), Role.ASSESSOR: ("Judging",)}
        own = tuple(what for role in topics if role in user_roles for what in topics[role])
        dates = [each for each in dates if each.label.startswith(own)]
    return min((each for each in dates if not each.is_past), key=lambda each: each.at, default=None)
