"""How fast the assessors of a campaign have judged, from the events of their judgments."""

from __future__ import annotations

from collections import defaultdict
from statistics import median
from typing import TYPE_CHECKING, Any

from django.contrib.postgres.aggregates import ArrayAgg
from django.db.models import Count, Max, Q
from django.db.models.functions import TruncDate

from assess.core.pace import Pace, last_days
from assess.models.judging import Judgment, JudgmentEvent

if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import date, datetime

    from accounts.models import User
    from assess.models.assigning import AssignmentQuerySet
    from campaigns.models import Campaign

AUTHOR = "judgment__assessor"


def paces(
    campaign: Campaign,
    now: datetime,
    person: User | None = None,
    *,
    with_times: bool = True,
) -> dict[int, Pace]:
    """Return the pace of whoever has judged in a campaign, or of one person, by id. Days are those of the campaign's zone.

    Without times, which cost most, nothing is known of how long a document takes.
    """
    acts = JudgmentEvent.objects.filter(by=None, to_state__in=Judgment.DECIDED_STATES)
    acts = acts.filter(assignment__topic__campaign=campaign).order_by()
    if person:
        acts = acts.filter(judgment__assessor=person)
    days: dict[int, dict[date, int]] = defaultdict(dict)
    last_at: dict[int, datetime] = {}
    times: dict[int, list[int]] = defaultdict(list)
    by_day = acts.values_list(AUTHOR, TruncDate("at", tzinfo=campaign.zone))
    rows: Any = by_day.annotate(n=Count("pk"), last_at=Max("at"))
    if with_times:
        rows = rows.annotate(ms=ArrayAgg("active_ms", filter=Q(active_ms__gt=0)))
    for author, day, n, at, *timed in rows:
        days[author][day] = n
        last_at[author] = max(at, last_at.get(author, at))
        for each in timed:
            times[author] += each or []
    today = now.astimezone(campaign.zone).date()
    found = {}
    for author, counts in days.items():
        recent, first_on = last_days(counts, today), min(counts)
        seconds = median(times[author]) / 1000 if times[author] else None
        found[author] = Pace(recent, len(times[author]), seconds, first_on, last_at[author])  # fmt: skip
    return found


def who_judged(since: datetime, pairs: Collection[tuple[int, int]]) -> set[tuple[int, int]]:  # fmt: skip
    """Return which of these pairs of a campaign and an assessor, by their ids, have a judgment since then."""
    if not pairs:
        return set()
    campaigns, people = zip(*pairs, strict=True)
    acts = JudgmentEvent.objects.filter(
        by=None,
        to_state__in=Judgment.DECIDED_STATES,
        at__gt=since,
        judgment__assessor__in=set(people),
        assignment__topic__campaign__in=set(campaigns),
    )
    found = acts.order_by().values_list("assignment__topic__campaign", AUTHOR)
    return set(found.distinct())


def last_judged(assignments: AssignmentQuerySet, person: User) -> dict[int, datetime]:
    """Return when a person decided or put off a document last, by assignment."""
    acts = JudgmentEvent.objects.filter(assignment__in=assignments.order_by(), by=None)
    rows: Any = acts.filter(judgment__assessor=person).order_by()
    return dict(rows.values_list("assignment").annotate(at=Max("at")))
