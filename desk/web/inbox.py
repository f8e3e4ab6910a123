"""The figures of an assessor's own work: the topic to continue, all their topics, their pace."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from accounts.models import User
from assess.access.judging import is_to_open
from assess.core.pace import ENOUGH, Pace, in_words
from assess.models.assigning import Assignment, AssignmentQuerySet
from assess.models.pacing import dwells, last_judged, paces
from assess.models.serving import BEFORE, AssignmentEntry, as_served
from campaigns.access.roles import is_judging_over
from campaigns.models.campaign import Campaign


def inbox(
    user: User,
    campaign: Campaign,
    theirs: AssignmentQuerySet,
    shown: Sequence[Assignment],
    now: datetime,
) -> dict[str, Any]:
    """Return what the page shows of somebody's topics; `shown` are those on this page."""
    pace = paces(campaign, now, user, dwells(campaign, user)).get(user.pk, Pace())
    at, shown = last_judged(theirs, user), as_served(shown)
    marks = AssignmentEntry.with_controls.marks(shown, blind=True)
    sizes = theirs.sizes_as_served()
    topics = {each.pk: _topic(each, marks.get(each.pk, []), at, pace) for each in shown}
    # How much of a shared topic others will judge is not known, so it has no date.
    done_on = pace.done_on(sizes["n_own_left"], campaign.day_of(now))
    last, is_over = campaign.last_day_of_judging, is_judging_over(campaign)
    n_days_to_spare = (last - done_on).days if last and done_on else None
    going_on = _to_go_on_with(shown, at)
    return {
        "going_on": going_on and topics[going_on.pk],
        "my_topics": list(topics.values()),
        **sizes,
        "n_before": theirs.n_before(as_served=True).get(user.pk, 0),
        "time_left": _time_for(pace, sizes["n_own_left"] or sizes["n_left"]),
        "pace": pace,
        "done_on": None if is_over else done_on,
        "n_days_to_spare": n_days_to_spare,
        "n_days_late": -min(n_days_to_spare or 0, 0),
        "n_enough": ENOUGH,
        "is_to_open": is_to_open(campaign),
        "is_over": is_over,
    }


def _topic(
    assignment: Assignment, marks: list[str], at: Mapping[int, datetime], pace: Pace
) -> dict[str, Any]:
    return {
        "assignment": assignment,
        "marks": marks,
        "n_before": marks.count(BEFORE),
        "last_at": at.get(assignment.pk),
        "time_left": _time_for(pace, assignment.n_left),
    }


def _time_for(pace: Pace, n_documents: int) -> str:
    """Write how long these documents take; "" without a pace."""
    minutes = pace.dwell.minutes_for(n_documents)
    return "" if minutes is None else in_words(minutes)


def _to_go_on_with(shown: Sequence[Assignment], at: Mapping[int, datetime]) -> Assignment | None:
    """Return the unfinished topic that was judged last, or else the first of the list."""
    unfinished = [each for each in shown if not each.is_finished]
    judged = [each for each in unfinished if each.pk in at]
    if judged:
        return max(judged, key=lambda each: at[each.pk])
    return next(iter(unfinished), None)
