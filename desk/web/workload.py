"""What organizers see of everybody's work: how far it is and how fast each person judges."""

from collections.abc import Mapping, Sequence
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
from pictures.bars import small_bars
from pictures.parts import part_bar
from pictures.picture import Picture
from pictures.strips import IMPOSSIBLE, LATER, Mark, grade_blocks
from pooling.models import Pool
from trec.words import counted


class AssessorWork(NamedTuple):
    """An assessor's totals, pace and forecast, or `why_no_date`."""

    user: User
    total: dict[str, Any]
    pace: Pace
    most: int  # judgments on a day, of all assessors: the scale of `days`
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
    def done(self) -> Picture:
        """How much is decided, and how much of that by earlier assessors."""
        n, decided, n_before = (self.total[name] for name in ("n_documents", "decided", "n_before"))
        text = f"{self.user}: {decided:,} of {counted(n, 'document')} decided"
        if n_before:
            text += f", {n_before:,} of them by others before"
        return part_bar(decided - n_before, decided, most=n, sentence=text, track=True, height=8)

    @property
    def days(self) -> Picture:
        """Their judgments of each of the last days."""
        days = self.pace.days
        text = f"{self.user}: {counted(sum(days), 'judgment')} in the last {len(days)} days"
        return small_bars(days, sentence=text, most=self.most)

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
    everybody: dict[str, int]  # sums over people, and judgments of the last days
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
    pool = Pool.objects.frozen_of(campaign)
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
    return EverybodysWork(
        pool,
        done,
        people,
        everybody,
        _outlook(campaign, people, pool, done, list(shared.values()), now),
        times,
        n_without_primary(pool) if pool else 0,
        {queue: each.n_stuck for queue, each in shared.items()},
    )


def _people(
    campaign: Campaign,
    totals: Mapping[int, dict[str, Any]],
    pace_of: Mapping[int, Pace],
    now: datetime,
) -> list[AssessorWork]:
    """Return everybody who has something to judge, by name."""
    most = max((max(pace_of[pk].days) for pk in totals if pk in pace_of), default=0)
    users = User.objects.filter(pk__in=totals).order_by(*BY_NAME)
    return [
        _person(user, totals[user.pk], pace_of.get(user.pk, Pace()), most, campaign, now)
        for user in users
    ]


def _person(
    user: User, total: dict[str, Any], pace: Pace, most: int, campaign: Campaign, now: datetime
) -> AssessorWork:
    is_over = is_judging_over(campaign)
    today = campaign.day_of(now)
    likely = None if is_over else pace.likely(total["n_documents"] - total["decided"], today)
    why = _why_no_date(pace, today, is_over=is_over) if not likely else ""
    return AssessorWork(user, total, pace, most, likely, campaign.last_day_of_judging, why)


def _why_no_date(pace: Pace, today: date, *, is_over: bool) -> str:
    """Return why there is no day on which somebody will be done."""
    if is_over:
        return "judging is over"
    if not pace.last_at:
        return "not started"
    return "more than a year" if pace.likely(1, today) else "too few yet"


def _outlook(
    campaign: Campaign,
    people: Sequence[AssessorWork],
    pool: Pool | None,
    done: Mapping[str, int],
    shared: Sequence[Prospect],
    now: datetime,
) -> Outlook | None:
    if is_judging_over(campaign) or not pool:
        return None
    shares = [each.share for each in people if each.n_left]
    n_decided = done["n_official"] + done["n_impossible"]
    n_open = sum(each.n_open for each in shared)
    n_taken = n_decided + n_open + sum(each.n_primary for each in shares)
    n_stuck = sum(each.n_stuck for each in shared)
    return Outlook(
        shares,
        max(pool.n_entries - n_taken, 0),
        campaign.last_day_of_judging,
        _shared(campaign, n_open - n_stuck, sum(each.n_within_reach for each in shared), now),
        n_stuck,
    )


def _shared(campaign: Campaign, n_documents: int, n_lacking: int, now: datetime) -> Share | None:
    """Return what is left of shared topics, without what is stuck: the group's share."""
    if not n_documents:
        return None
    pace, today = shared_pace(campaign, now), campaign.day_of(now)
    likely = pace.likely(n_lacking, today)
    return Share("the shared topics", n_documents, n_documents, pace.first_on is not None, likely)


class AssignmentBlocks(NamedTuple):
    """Assignments with pictures of their grades and times, and which columns their table needs."""

    rows: list[tuple[Assignment, Picture, Dwell]]
    has_times: bool
    has_later: bool
    has_reopened: bool
    has_impossible: bool


def blocks_of(
    assignments: Sequence[Assignment], campaign: Campaign, times: Dwells
) -> AssignmentBlocks:
    by_grade = AssignmentEntry.objects.n_by_grade(assignments)
    taken = [times.of_both.get((each.assessor_id, each.topic_id), Dwell()) for each in assignments]
    return AssignmentBlocks(
        [
            (each, _blocks(each, by_grade.get(each.pk, {}), campaign), dwell)
            for each, dwell in zip(assignments, taken, strict=True)
        ],
        any(dwell.is_known for dwell in taken),
        any(each.n_put_off for each in assignments),
        any(each.n_reopened for each in assignments),
        any(each.n_cannot_judge for each in assignments),
    )


def _blocks(assignment: Assignment, by_grade: Mapping[int, int], campaign: Campaign) -> Picture:
    grades = [grade.value for grade in reversed(campaign.scale.grades)]
    counts: list[tuple[Mark, int]] = [(grade, by_grade.get(grade, 0)) for grade in grades]
    parts = [f"{n:,} with grade {grade}" for grade, n in counts if n]
    rest = assignment.n_open - assignment.n_later
    for mark, n, name in (
        (IMPOSSIBLE, assignment.n_cannot_judge, "cannot be judged"),
        (LATER, assignment.n_later, "for later"),
        (None, rest, "open"),
    ):
        counts.append((mark, n))
        parts += [f"{n:,} {name}"] if n else []
    sentence = f"{counted(assignment.n_entries, 'document')}: {', '.join(parts)}."
    return grade_blocks(counts, highest=grades[0], lowest=grades[-1], sentence=sentence)
