"""What organizers see of everybody's work: how far it is and how fast each person judges."""

from collections.abc import Collection, Mapping, Sequence
from datetime import date, datetime
from typing import Any, NamedTuple

from accounts.models import BY_NAME, User
from assess.core.pace import DAY, Dwell, Likely, Pace
from assess.core.sharing import Prospect
from assess.models.assigning import Assignment
from assess.models.pacing import UNTIMED, Dwells, dwells, paces, shared_pace
from assess.models.serving import AssignmentEntry
from assess.planning import n_without_primary
from assess.web.sharing_page import prospects_of
from campaigns.access.roles import is_judging_over
from campaigns.models.campaign import Campaign
from desk.core.outlook import Outlook, Share
from pooling.models.pools import Pool


class AssessorWork(NamedTuple):
    """An assessor's totals, pace and forecast, or `why_no_date`."""

    user: User
    total: dict[str, Any]
    pace: Pace
    likely: Likely | None
    deadline: date | None
    why_no_date: str

    @property
    def n_left(self) -> int:
        return int(self.total["n_documents"] - self.total["decided"])

    @property
    def part_done(self) -> float:
        return float(self.total["decided"] / (self.total["n_documents"] or 1))

    @property
    def n_days_late(self) -> int:
        if not self.likely or not self.deadline:
            return 0
        return max((self.likely.done - self.deadline).days, 0)

    @property
    def share(self) -> Share:
        has_begun = self.pace.last_at is not None
        name, n_primary = str(self.user), self.total["n_primary"]
        return Share(name, self.n_left, n_primary, has_begun, self.likely)

    def idle_days(self, now: datetime) -> int:
        """Return the days without a judgment, though there are documents left."""
        since = max(filter(None, [self.pace.last_at, self.total["given_at"]]))
        return (now - since) // DAY if self.n_left else 0


class EverybodysWork(NamedTuple):
    """What is done, by whom, and when it will be done; every page shows these numbers."""

    pool: Pool | None
    done: dict[str, int]
    people: list[AssessorWork]
    everybody: dict[str, int]  # sums over people, judgments of the last days, most on one
    outlook: Outlook | None  # None once judging is over
    times: Dwells
    n_without: int  # topics without a primary assessor
    n_stuck: dict[int, int]  # documents that cannot get their judgments, by shared queue


def everybodys_work(
    campaign: Campaign, now: datetime, *, with_times: bool = True
) -> EverybodysWork:
    """Return everybody's work; without times, which cost most, no pace by the hour."""
    assignments = Assignment.objects.in_campaign(campaign).on_record()
    totals = assignments.live().totals()
    times = dwells(campaign) if with_times else UNTIMED
    pace_of = paces(campaign, now, times=times)
    people = _people(campaign, totals, pace_of, now)
    pool = Pool.objects.of(campaign)
    done = assignments.done_by_kind()
    shared: dict[int, Prospect] = {}
    if done["n_shared"]:
        shared = prospects_of(campaign)
        done["n_official"] += sum(each.n_graded for each in shared.values())
        done["n_impossible"] += sum(each.n_impossible for each in shared.values())
    everybody = {
        name: sum(each.total[name] for each in people)
        for name in ("n_documents", "judged", "impossible", "n_before", "n_put_off", "n_reopened")
    }
    everybody["n_recent"] = sum(sum(pace.days) for pace in pace_of.values())
    everybody["most_a_day"] = max((max(each.pace.days) for each in people), default=0)
    n_without = n_without_primary(pool) if pool else 0
    n_stuck = {queue: each.n_stuck for queue, each in shared.items()}
    work = EverybodysWork(pool, done, people, everybody, None, times, n_without, n_stuck)
    return work._replace(outlook=_outlook(campaign, work, shared.values(), now))


def _people(
    campaign: Campaign,
    totals: Mapping[int, dict[str, Any]],
    pace_of: Mapping[int, Pace],
    now: datetime,
) -> list[AssessorWork]:
    """Return everybody who has something to judge, by name."""
    people = []
    is_over, today = is_judging_over(campaign), campaign.day_of(now)
    for user in User.objects.filter(pk__in=totals).order_by(*BY_NAME):
        total, pace = totals[user.pk], pace_of.get(user.pk, Pace())
        n_left = total["n_documents"] - total["decided"]
        likely = None if is_over else pace.likely(n_left, today)
        why = "" if likely else _why_no_date(pace, today, is_over=is_over)
        work = AssessorWork(user, total, pace, likely, campaign.last_day_of_judging, why)
        people.append(work)
    return people


def _why_no_date(pace: Pace, today: date, *, is_over: bool) -> str:
    """Return why there is no day on which somebody will be done."""
    if is_over:
        return "judging is over"
    if not pace.last_at:
        return "not started"
    return "more than a year" if pace.likely(1, today) else "too few yet"


def _outlook(
    campaign: Campaign, work: EverybodysWork, shared: Collection[Prospect], now: datetime
) -> Outlook | None:
    if is_judging_over(campaign) or not work.pool:
        return None
    shares = [each.share for each in work.people if each.n_left]
    n_open, n_stuck = (sum(getattr(p, name) for p in shared) for name in ("n_open", "n_stuck"))
    n_decided = work.done["n_official"] + work.done["n_impossible"]
    n_taken = n_decided + n_open + sum(each.n_primary for each in shares)
    group = None
    if n_reachable := n_open - n_stuck:
        pace, today = shared_pace(campaign, now), campaign.day_of(now)
        likely = pace.likely(sum(each.n_within_reach for each in shared), today)
        has_begun = pace.first_on is not None
        group = Share("the shared topics", n_reachable, n_reachable, has_begun, likely)
    n_nobodys = max(work.pool.n_entries - n_taken, 0)
    return Outlook(shares, n_nobodys, campaign.last_day_of_judging, group, n_stuck)


def assignment_figures(assignments: Sequence[Assignment], times: Dwells) -> dict[str, Any]:
    """Return assignments with their grades and times, and which columns their table needs."""
    by_grade = AssignmentEntry.objects.counting().n_by_grade(assignments)
    taken = [times.of_both.get((each.assessor_id, each.topic_id), Dwell()) for each in assignments]
    grades = [by_grade.get(each.pk, {}) for each in assignments]
    return {
        "rows": list(zip(assignments, grades, taken, strict=True)),
        "has_times": any(dwell.is_known for dwell in taken),
        "has_later": any(each.n_put_off for each in assignments),
        "has_reopened": any(each.n_reopened for each in assignments),
        "has_impossible": any(each.n_cannot_judge for each in assignments),
    }
