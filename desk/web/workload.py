"""What organizers see of everybody's work: how far it is, who judges how fast, and what needs somebody."""

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


class Person(NamedTuple):
    """An assessor in the table: their totals, pace and forecast. `why_no_date` stands where there is none."""

    user: User
    total: dict[str, Any]
    pace: Pace
    most: int  # judgments on a day, by whoever has judged most
    likely: Likely | None
    deadline: date | None
    why_no_date: str

    @property
    def n_left(self) -> int:
        return int(self.total["n_documents"] - self.total["decided"])

    @property
    def done(self) -> Picture:
        """How much is decided, and how much of that by themselves."""
        n, decided, n_before = (self.total[name] for name in ("n_documents", "decided", "n_before"))
        before = f", {n_before:,} of them by others before" if n_before else ""
        said = f"{self.user}: {decided:,} of {counted(n, 'document')} decided{before}"
        return part_bar(decided - n_before, decided, most=n, sentence=said, track=True, height=8)

    @property
    def days(self) -> Picture:
        """Their judgments of each of the last days."""
        days = self.pace.days
        said = f"{self.user}: {counted(sum(days), 'judgment')} in the last {len(days)} days"
        return small_bars(days, sentence=said, most=self.most)

    @property
    def n_days_late(self) -> int:
        """By how many days they will miss the deadline."""
        if not self.likely or not self.deadline:
            return 0
        return max((self.likely.done - self.deadline).days, 0)

    @property
    def share(self) -> Share:
        return Share(
            str(self.user),
            self.n_left,
            self.total["n_primary"],
            self.pace.last_at is not None,
            self.likely,
        )

    def idle_days(self, now: datetime) -> int:
        """Return for how many days they have not judged what they have."""
        since = max(filter(None, [self.pace.last_at, self.total["given_at"]]))
        return (now - since) // DAY if self.n_left else 0


class Work(NamedTuple):
    """Everybody's work, as every page tells it: what is done, who does it, and when it will be done."""

    pool: Pool | None
    done: dict[str, int]
    people: list[Person]
    # How many documents anybody has decided in the last days, and the sums of what people have.
    everybody: dict[str, int]
    # None once nobody can judge any more.
    outlook: Outlook | None
    times: Dwells
    n_without: int  # topics without a primary assessor
    n_stuck: dict[int, int]  # documents that cannot get their judgments, by shared queue


def everybodys_work(campaign: Campaign, now: datetime, *, with_times: bool = True) -> Work:
    """Read what organizers are told of the judging. Without times, which cost most, nobody's pace by the hour is known."""
    assignments = Assignment.objects.in_campaign(campaign).on_record()
    totals = assignments.live().totals()
    times = dwells(campaign) if with_times else UNTIMED
    found = paces(campaign, now, times=times)
    people = _people(campaign, totals, found, now)
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
    everybody["n_recent"] = sum(sum(pace.days) for pace in found.values())
    return Work(
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
    found: Mapping[int, Pace],
    now: datetime,
) -> list[Person]:
    """Return everybody who has something to judge, by name."""
    most = max((max(found[pk].days) for pk in totals if pk in found), default=0)
    users = User.objects.filter(pk__in=totals).order_by(*BY_NAME)
    return [
        _person(user, totals[user.pk], found.get(user.pk, Pace()), most, campaign, now)
        for user in users
    ]


def _person(
    user: User, total: dict[str, Any], pace: Pace, most: int, campaign: Campaign, now: datetime
) -> Person:
    is_over = is_judging_over(campaign)
    today = campaign.day_of(now)
    likely = None if is_over else pace.likely(total["n_documents"] - total["decided"], today)
    why = _why_no_date(pace, today, is_over=is_over) if not likely else ""
    return Person(user, total, pace, most, likely, campaign.last_day_of_judging, why)


def _why_no_date(pace: Pace, today: date, *, is_over: bool) -> str:
    """Say why there is no day by which somebody will have judged what they have left."""
    if is_over:
        return "judging is over"
    if not pace.last_at:
        return "not started"
    return "more than a year" if pace.likely(1, today) else "too few yet"


def _outlook(
    campaign: Campaign,
    people: Sequence[Person],
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
    """Return what is left of shared topics, but for what cannot get its judgments: the group's share."""
    if not n_documents:
        return None
    pace, today = shared_pace(campaign, now), campaign.day_of(now)
    likely = pace.likely(n_lacking, today)
    return Share("the shared topics", n_documents, n_documents, pace.first_on is not None, likely)


class Blocks(NamedTuple):
    """Assignments with pictures of their grades and how long a document takes, and which columns their table needs."""

    rows: list[tuple[Assignment, Picture, Dwell]]
    has_times: bool
    has_later: bool
    has_reopened: bool
    has_impossible: bool


def blocks_of(assignments: Sequence[Assignment], campaign: Campaign, times: Dwells) -> Blocks:
    """Return each assignment with a picture of its grades, and how long its assessor takes on the topic."""
    by_grade = AssignmentEntry.objects.n_by_grade(assignments)
    taken = [times.of_both.get((each.assessor_id, each.topic_id), Dwell()) for each in assignments]
    return Blocks(
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
    said = [f"{n:,} with grade {grade}" for grade, n in counts if n]
    rest = assignment.n_open - assignment.n_later
    for mark, n, name in (
        (IMPOSSIBLE, assignment.n_cannot_judge, "cannot be judged"),
        (LATER, assignment.n_later, "for later"),
        (None, rest, "open"),
    ):
        counts.append((mark, n))
        said += [f"{n:,} {name}"] if n else []
    sentence = f"{counted(assignment.n_entries, 'document')}: {', '.join(said)}."
    return grade_blocks(counts, highest=grades[0], lowest=grades[-1], sentence=sentence)
