"""What organizers see of everybody's work: how far it is, who judges how fast, and what needs somebody."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.db.models import Max
from django.urls import reverse

from accounts.models import BY_NAME, User
from assess.access import what_waits
from assess.core.outlook import NAMED, Outlook, Share
from assess.core.pace import DAY, Dwell, Likely, Pace
from assess.models import Assignment, AssignmentEntry, Question, SharedDocument
from assess.models.pacing import UNTIMED, Dwells, dwells, paces, who_judged
from assess.planning import n_without_primary
from campaigns.access import is_judging_over
from campaigns.models import Campaign
from pictures.bars import small_bars
from pictures.parts import part_bar
from pictures.picture import Picture
from pictures.strips import IMPOSSIBLE, LATER, Mark, grade_blocks
from pooling.models import Pool
from trec.words import counted

# Whoever has something to judge and has not judged for so many days has stopped judging.
STILL_DAYS = 5


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
        n, decided, n_before = (self.total[name] for name in ("n_documents", "decided", "n_before"))  # fmt: skip
        before = f", {n_before:,} of them by others before" if n_before else ""
        said = f"{self.user}: {decided:,} of {counted(n, 'document')} decided{before}"
        return part_bar(decided - n_before, decided, most=n, sentence=said, track=True, height=8)  # fmt: skip

    @property
    def days(self) -> Picture:
        """Their judgments of each of the last days."""
        days = self.pace.days
        said = f"{self.user}: {counted(sum(days), 'judgment')} in the last {len(days)} days"  # fmt: skip
        return small_bars(days, sentence=said, most=self.most)

    @property
    def n_days_late(self) -> int:
        """By how many days they will miss the deadline."""
        if not self.likely or not self.deadline:
            return 0
        return max((self.likely.done - self.deadline).days, 0)

    @property
    def share(self) -> Share:
        return Share(str(self.user), self.n_left, self.total["n_primary"], self.pace.last_at is not None, self.likely)  # fmt: skip

    def idle_days(self, now: datetime) -> int:
        """Return for how many days they have not judged what they have."""
        since = max(filter(None, [self.pace.last_at, self.total["given_at"]]))
        return (now - since) // DAY if self.n_left else 0


class Act(NamedTuple):
    """Something that needs an organizer: what is so, why, and the button for it."""

    title: str
    why: str
    button: str
    at: str


class Work(NamedTuple):
    """Everybody's work, as every page tells it: what is done, who does it, and when it will be done."""

    pool: Pool | None
    done: dict[str, int]
    people: list[Person]
    # How many documents anybody has decided in the last days, and the sums of what people have.
    everybody: dict[str, int]
    # None once nobody can judge any more.
    outlook: Outlook | None
    acts: list[Act]
    times: Dwells


def everybodys_work(
    campaign: Campaign, now: datetime, *, with_times: bool = True
) -> Work:
    """Read what organizers are told of the judging. Without times, which cost most, nobody's pace by the hour is known."""
    assignments = Assignment.objects.in_campaign(campaign).on_record()
    totals = assignments.live().totals()
    times = dwells(campaign) if with_times else UNTIMED
    found = paces(campaign, now, times=times)
    people = _people(campaign, totals, found, now)
    pool = Pool.objects.frozen_of(campaign)
    done, n_shared_left = assignments.done_by_kind(), 0
    if done["n_shared"]:
        shared = SharedDocument.objects.of(campaign).sums()
        done["n_official"] += shared["graded"]
        done["n_impossible"] += shared["impossible"]
        n_shared_left = shared["left"]
    everybody = {
        name: sum(each.total[name] for each in people)
        for name in ("n_documents", "judged", "impossible", "n_before", "n_put_off", "n_reopened")
    }  # fmt: skip
    everybody["n_recent"] = sum(sum(pace.days) for pace in found.values())
    n_without = n_without_primary(pool) if pool else 0
    return Work(
        pool,
        done,
        people,
        everybody,
        _outlook(campaign, people, pool, done, n_shared_left),
        _acts(campaign, people, n_without, now),
        times,
    )


def _people(
    campaign: Campaign, totals: Mapping[int, dict[str, Any]], found: Mapping[int, Pace], now: datetime
) -> list[Person]:  # fmt: skip
    """Return everybody who has something to judge, by name."""
    most = max((max(found[pk].days) for pk in totals if pk in found), default=0)
    users = User.objects.filter(pk__in=totals).order_by(*BY_NAME)
    return [
        _person(user, totals[user.pk], found.get(user.pk, Pace()), most, campaign, now)
        for user in users
    ]


def _person(
    user: User, total: dict[str, Any], pace: Pace, most: int, campaign: Campaign, now: datetime
) -> Person:  # fmt: skip
    is_over = is_judging_over(campaign)
    today = now.astimezone(campaign.zone).date()
    likely = (
        None if is_over else pace.likely(total["n_documents"] - total["decided"], today)
    )
    why = _why_no_date(pace, today, is_over=is_over) if not likely else ""
    return Person(user, total, pace, most, likely, campaign.last_day_of_judging, why)  # fmt: skip


def _why_no_date(pace: Pace, today: date, *, is_over: bool) -> str:
    """Say why there is no day by which somebody will have judged what they have left."""
    if is_over:
        return "judging is over"
    if not pace.last_at:
        return "not begun"
    return "more than a year" if pace.likely(1, today) else "too few yet"


def _outlook(
    campaign: Campaign, people: Sequence[Person], pool: Pool | None, done: Mapping[str, int], n_shared: int
) -> Outlook | None:  # fmt: skip
    if is_judging_over(campaign) or not pool:
        return None
    shares = [each.share for each in people if each.n_left]
    n_decided = done["n_official"] + done["n_impossible"]
    n_taken = n_decided + n_shared + sum(each.n_primary for each in shares)
    return Outlook(shares, max(pool.n_entries - n_taken, 0), campaign.last_day_of_judging, n_shared)  # fmt: skip


class Blocks(NamedTuple):
    """Assignments with pictures of their grades and how long a document takes, and which columns their table needs."""

    rows: list[tuple[Assignment, Picture, Dwell]]
    has_times: bool
    has_later: bool
    has_reopened: bool
    has_impossible: bool


def blocks_of(assignments: Sequence[Assignment], campaign: Campaign, times: Dwells) -> Blocks:  # fmt: skip
    """Return each assignment with a picture of its grades, and how long its assessor takes on the topic."""
    by_grade = AssignmentEntry.objects.n_by_grade(assignments)
    taken = [times.of_both.get((each.assessor_id, each.topic_id), Dwell()) for each in assignments]  # fmt: skip
    return Blocks(
        [(each, _blocks(each, by_grade.get(each.pk, {}), campaign), dwell) for each, dwell in zip(assignments, taken, strict=True)],
        any(dwell.is_known for dwell in taken),
        any(each.n_put_off for each in assignments),
        any(each.n_reopened for each in assignments),
        any(each.n_cannot_judge for each in assignments),
    )  # fmt: skip


def _blocks(
    assignment: Assignment, by_grade: Mapping[int, int], campaign: Campaign
) -> Picture:
    grades = [grade.value for grade in reversed(campaign.scale.grades)]
    counts: list[tuple[Mark, int]] = [(grade, by_grade.get(grade, 0)) for grade in grades]  # fmt: skip
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


def _acts(
    campaign: Campaign, people: Sequence[Person], n_without: int, now: datetime
) -> list[Act]:
    """Return what needs an organizer now, with its button."""
    found: list[Act] = []
    if campaign.archived_at:
        return found
    if n_asked := Question.objects.n_open([campaign]).get(campaign.pk, 0):
        found.append(
            Act(
                f"{counted(n_asked, 'question')} of assessors {'waits' if n_asked == 1 else 'wait'}",
                "Whoever asked may be waiting with the document on the screen.",
                "Answer…",
                reverse("assess:questions", args=[campaign.slug]),
            )
        )  # fmt: skip
    if n_without:
        has = "has" if n_without == 1 else "have"
        found.append(
            Act(
                f"{counted(n_without, 'topic')} {has} no assessor",
                "Nobody judges it as primary assessor." if n_without == 1 else "Nobody judges them as primary assessor.",
                "Assign topics…",
                reverse("assess:distribute", args=[campaign.slug]),
            )
        )  # fmt: skip
    if not what_waits(campaign):
        found += _standing_still(campaign, people, now) + _too_late(campaign, people)
    return found


def _standing_still(
    campaign: Campaign, people: Sequence[Person], now: datetime
) -> list[Act]:
    still = [each for each in people if each.idle_days(now) >= STILL_DAYS]
    still.sort(key=lambda each: -each.n_left)
    there = reverse("assess:judging", args=[campaign.slug])
    found = [
        Act(
            f"{each.user} has stopped judging" if each.pace.last_at else f"{each.user} has not begun",
            f"No judgment for {counted(each.idle_days(now), 'day')}; {counted(each.n_left, 'document')} {'waits' if each.n_left == 1 else 'wait'}.",
            "See the topics",
            f"{there}?{urlencode({'who': each.user.username})}#who-title",
        )
        for each in still[:NAMED]
    ]  # fmt: skip
    if n_more := len(still) - NAMED if len(still) > NAMED else 0:
        others = counted(n_more, "other assessor")
        found.append(
            Act(f"{others} {'stands' if n_more == 1 else 'stand'} still", "The table of assessors shows since when.", "See who", "#people-title")
        )  # fmt: skip
    return found


def n_standing_still(campaigns: Iterable[Campaign], now: datetime) -> Counter[int]:
    """Return how many assessors have stopped judging in each of these campaigns, by its id: those whom its own page names."""
    open_now = [each for each in campaigns if not each.archived_at and not what_waits(each)]  # fmt: skip
    since = now - STILL_DAYS * DAY
    waiting = (
        Assignment.objects.dealt()
        .live()
        .unfinished()
        .filter(topic__campaign__in=open_now)
    )
    of_whom = waiting.order_by().values_list("topic__campaign", "assessor")
    people = of_whom.annotate(last=Max("given_at")).filter(last__lte=since)
    idle = {(campaign, assessor) for campaign, assessor, _ in people}
    idle -= who_judged(since, idle)
    return Counter(campaign for campaign, _ in idle)


def _too_late(campaign: Campaign, people: Sequence[Person]) -> list[Act]:
    late = [each for each in people if each.n_days_late]
    late.sort(key=lambda each: -each.n_days_late)
    if not late:
        return []
    names = [str(each.user) for each in late[:NAMED]]
    if len(late) > NAMED:
        names.append(counted(len(late) - NAMED, "other"))
    *but_last, last = names
    who = f"{', '.join(but_last)} and {last}" if but_last else last
    days = counted(late[0].n_days_late, "day")
    return [
        Act(
            f"{who} will miss the deadline",
            f"At the pace of the last seven days, by up to {days}.",
            "Change the date…",
            reverse("campaigns:settings", args=[campaign.slug]),
        )
    ]
