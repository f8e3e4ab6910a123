"""What assessors see of their own work: the topic to continue, all their topics, their pace."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Any, NamedTuple

from django.urls import reverse

from accounts.models import User
from assess.access.judging import is_to_open
from assess.core.pace import DAY, ENOUGH, SHOWN, Pace, in_words
from assess.models.assigning import Assignment, AssignmentQuerySet
from assess.models.pacing import dwells, last_judged, paces
from assess.models.serving import BEFORE, AssignmentEntry
from assess.web.strips import LARGE, Strip, strip_of
from campaigns.access.roles import is_judging_over
from campaigns.models.campaign import Campaign
from pictures.bars import bars
from pictures.dates import day_and_month
from pictures.picture import Picture


class InboxTopic(NamedTuple):
    """A topic in an assessor's list."""

    assignment: Assignment
    strip: Strip
    n_before: int  # judged by earlier assessors
    last_at: datetime | None
    time_left: str


class JudgingForecast(NamedTuple):
    """The day on which somebody will be done, and the days from it to the deadline."""

    on: date
    n_days_to_spare: int | None

    @property
    def is_late(self) -> bool:
        return self.n_days_to_spare is not None and self.n_days_to_spare < 0

    @property
    def n_days_late(self) -> int:
        return -(self.n_days_to_spare or 0)


def forecast(pace: Pace, n_left: int, campaign: Campaign, now: datetime) -> JudgingForecast | None:
    """Return when it will be done at this pace; None if unknown, or if judging is over."""
    done_on = pace.done_on(n_left, campaign.day_of(now))
    if done_on is None or is_judging_over(campaign):
        return None
    last = campaign.last_day_of_judging
    return JudgingForecast(done_on, (last - done_on).days if last else None)


def time_for(pace: Pace, n_documents: int) -> str:
    """Write how long these documents take; "" without a pace."""
    minutes = pace.dwell.minutes_for(n_documents)
    return "" if minutes is None else in_words(minutes)


def days_picture(pace: Pace, now: datetime, whose: str) -> Picture:
    """Draw the judgments of each of the last days."""
    first = now - timedelta(days=SHOWN - 1)
    names = [day_and_month((first + n * DAY).date().toordinal()) for n in range(SHOWN - 1)]
    n, most = sum(pace.days), max(pace.days)
    sentence = (
        f"{whose} judged {n:,} documents in the last {SHOWN} days, at most {most:,} on one day."
    )
    return bars(
        pace.days,
        [*names, "today"],
        sentence=sentence,
        heads=("Day", "Judgments"),
        highest_first=False,
        height=120,
    )


def inbox(
    user: User,
    campaign: Campaign,
    theirs: AssignmentQuerySet,
    shown: Sequence[Assignment],
    now: datetime,
) -> dict[str, Any]:
    """Return what the page shows of somebody's topics; `shown` are those on this page."""
    times = dwells(campaign, user)
    pace = paces(campaign, now, user, times).get(user.pk, Pace())
    at, shown = last_judged(theirs, user), [each.as_served() for each in shown]
    marks = AssignmentEntry.with_controls.marks(shown, blind=True)
    sizes = theirs.sizes_as_served()
    going_on = _to_go_on_with(shown, at)
    local = now.astimezone(campaign.zone)
    return {
        "going_on": going_on and _topic(going_on, campaign, marks, at, pace, LARGE),
        "my_topics": [_topic(each, campaign, marks, at, pace) for each in shown],
        **sizes,
        "n_before": theirs.n_before(as_served=True).get(user.pk, 0),
        "time_left": time_for(pace, sizes["n_own_left"] or sizes["n_left"]),
        "dwell": pace.dwell,
        # How much of a shared topic others will judge is not known, so it has no date.
        "forecast": forecast(pace, sizes["n_own_left"], campaign, now),
        "days": days_picture(pace, local, "You") if any(pace.days) else None,
        "n_enough": ENOUGH,
        "is_to_open": is_to_open(campaign),
        "is_over": is_judging_over(campaign),
    }


def _to_go_on_with(shown: Sequence[Assignment], at: Mapping[int, datetime]) -> Assignment | None:
    """Return the unfinished topic that was judged last, or else the first of the list."""
    unfinished = [each for each in shown if not each.is_finished]
    judged = [each for each in unfinished if each.pk in at]
    if judged:
        return max(judged, key=lambda each: at[each.pk])
    return next(iter(unfinished), None)


def _topic(
    assignment: Assignment,
    campaign: Campaign,
    marks: Mapping[int, list[str]],
    at: Mapping[int, datetime],
    pace: Pace,
    height: int = 24,
) -> InboxTopic:
    there = reverse("desk:judge_page", args=[campaign.slug, assignment.pk])
    leads_there = there if height == LARGE and not is_to_open(campaign) else ""
    strip = strip_of(marks.get(assignment.pk, []), campaign.scale, height=height, at=leads_there)
    n_before = marks.get(assignment.pk, []).count(BEFORE)
    time_left = time_for(pace, assignment.n_left)
    return InboxTopic(assignment, strip, n_before, at.get(assignment.pk), time_left)
