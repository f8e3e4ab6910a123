"""What organizers see of everybody's work: how far it is, who judges how fast, and what needs somebody."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.urls import reverse

from accounts.models import BY_NAME, User
from assess.core.pace import DAY, Pace, together
from assess.models import Assignment, AssignmentEntry
from assess.models.pacing import paces
from assess.pages.inbox import Forecast, forecast
from campaigns.models import Campaign
from pictures.bars import small_bars
from pictures.parts import part_bar
from pictures.picture import Picture
from pictures.strips import IMPOSSIBLE, LATER, Mark, grade_blocks
from trec.words import counted

# Whoever has something to judge and has not judged for so many days stands still.
STILL_DAYS = 5
NAMED = 3


class Person(NamedTuple):
    """An assessor in the table: their totals, pace and forecast."""

    user: User
    total: dict[str, Any]
    pace: Pace
    done: Picture
    days: Picture
    forecast: Forecast | None

    @property
    def n_left(self) -> int:
        return int(self.total["n_documents"] - self.total["decided"])

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


def people_of_table(
    campaign: Campaign, totals: Mapping[int, dict[str, Any]], now: datetime
) -> list[Person]:
    """Return everybody who has something to judge, by name."""
    found = paces(campaign, now) if totals else {}
    most = max((max(found[pk].days) for pk in totals if pk in found), default=0)
    users = User.objects.filter(pk__in=totals).order_by(*BY_NAME)
    return [
        _person(user, totals[user.pk], found.get(user.pk, Pace()), most, campaign, now)
        for user in users
    ]


def _person(
    user: User, total: dict[str, Any], pace: Pace, most: int, campaign: Campaign, now: datetime
) -> Person:  # fmt: skip
    n, decided = total["n_documents"], total["decided"]
    said = f"{user}: {decided:,} of {counted(n, 'document')} judged"
    done = part_bar(decided, most=n, sentence=said, track=True, height=8)
    of_days = f"{user}: {counted(sum(pace.days), 'judgment')} in the last {len(pace.days)} days"
    days = small_bars(pace.days, sentence=of_days, most=most)
    ahead = forecast(pace, n - decided, campaign, now)
    return Person(user, total, pace, done, days, ahead)


class Blocks(NamedTuple):
    """Assignments with pictures of their grades, and which columns their table needs."""

    rows: list[tuple[Assignment, Picture]]
    has_later: bool
    has_reopened: bool
    has_impossible: bool


def blocks_of(assignments: Sequence[Assignment], campaign: Campaign) -> Blocks:
    """Return each assignment with a picture of its grades."""
    by_grade = AssignmentEntry.objects.n_by_grade(assignments)
    return Blocks(
        [(each, _blocks(each, by_grade.get(each.pk, {}), campaign)) for each in assignments],
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
    return grade_blocks(counts, highest=grades[0], sentence=sentence)


def all_together(
    people: Iterable[Person], campaign: Campaign, now: datetime
) -> dict[str, Any]:
    """Return the foot of the table of people, and the forecast for all."""
    known = list(people)
    n_left = sum(each.n_left for each in known)
    pace = together(each.pace for each in known)
    return {
        "n_left": n_left,
        "n_recent": sum(pace.days),
        "n_documents": sum(each.total["n_documents"] for each in known),
        "decided": sum(each.total["decided"] for each in known),
        "n_topics": sum(each.total["n_topics"] for each in known),
        "n_put_off": sum(each.total["n_put_off"] for each in known),
        "n_reopened": sum(each.total["n_reopened"] for each in known),
        "forecast": forecast(pace, n_left, campaign, now),
    }


def acts(
    campaign: Campaign,
    people: Sequence[Person],
    n_without_primary: int,
    now: datetime,
    *,
    is_open: bool,
) -> list[Act]:
    """Return what needs an organizer now, with its button."""
    found = []
    if n_without_primary:
        has = "has" if n_without_primary == 1 else "have"
        found.append(
            Act(
                f"{counted(n_without_primary, 'topic')} {has} no assessor",
                "Nobody judges them as primary assessor.",
                "Assign topics…",
                reverse("assess:distribute", args=[campaign.slug]),
            )
        )
    if is_open:
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
            f"{each.user} stands still" if each.pace.last_at else f"{each.user} has not begun",
            f"No judgment for {counted(each.idle_days(now), 'day')}; {counted(each.n_left, 'document')} {'waits' if each.n_left == 1 else 'wait'}.",
            "See the topics",
            f"{there}?{urlencode({'q': each.user.username})}#who-title",
        )
        for each in still[:NAMED]
    ]  # fmt: skip
    if n_more := len(still) - NAMED if len(still) > NAMED else 0:
        others = counted(n_more, "other assessor")
        found.append(
            Act(f"{others} {'stands' if n_more == 1 else 'stand'} still", "The table of assessors shows since when.", "See who", "#people-title")
        )  # fmt: skip
    return found


def _too_late(campaign: Campaign, people: Sequence[Person]) -> list[Act]:
    late = [each for each in people if each.forecast and each.forecast.is_late]
    late.sort(key=lambda each: -each.forecast.n_days_late if each.forecast else 0)
    if not late:
        return []
    worst = late[0].forecast
    names = [str(each.user) for each in late[:NAMED]]
    if len(late) > NAMED:
        names.append(counted(len(late) - NAMED, "other"))
    *but_last, last = names
    who = f"{', '.join(but_last)} and {last}" if but_last else last
    days = counted(worst.n_days_late, "day") if worst else ""
    return [
        Act(
            f"{who} will miss the deadline",
            f"At the pace of the last seven days, by up to {days}.",
            "Change the date…",
            reverse("campaigns:settings", args=[campaign.slug]),
        )
    ]
