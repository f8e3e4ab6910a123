"""How fast the assessors of a campaign have judged, from the events of their judgments."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

from django.db.models import Aggregate, Count, F, FloatField, Max, Min, Q
from django.db.models.functions import TruncDate

from assess.core.pace import DAY, SHOWN, Pace, last_days
from assess.models.judging import Judgment, JudgmentEvent

if TYPE_CHECKING:
    from datetime import date, datetime

    from accounts.models import User
    from assess.models.assigning import AssignmentQuerySet
    from campaigns.models import Campaign

AUTHOR = "judgment__assessor"


class Median(Aggregate):
    """The middle value, or the mean of the two in the middle."""

    template = "PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY %(expressions)s)"
    output_field = FloatField()


def paces(
    campaign: Campaign, now: datetime, person: User | None = None
) -> dict[int, Pace]:
    """Return the pace of whoever has judged in a campaign, or of one person, by id. Days are those of the campaign's zone."""
    acts = JudgmentEvent.objects.filter(by=None, to_state__in=Judgment.DECIDED_STATES)
    acts = acts.filter(assignment__topic__campaign=campaign).order_by()
    if person:
        acts = acts.filter(judgment__assessor=person)
    is_timed = Q(active_ms__gt=0)
    found = acts.values(author=F(AUTHOR)).annotate(
        n_timed=Count("pk", filter=is_timed),
        ms=Median("active_ms", filter=is_timed),
        first_at=Min("at"),
        last_at=Max("at"),
    )
    today = now.astimezone(campaign.zone).date()
    recent = acts.filter(at__gte=now - (SHOWN + 1) * DAY)
    days: dict[int, dict[date, int]] = defaultdict(dict)
    by_day = recent.values_list(AUTHOR, TruncDate("at", tzinfo=campaign.zone))
    for author, day, n in by_day.annotate(n=Count("pk")):
        days[author][day] = n
    return {
        row["author"]: Pace(
            last_days(days[row["author"]], today),
            row["n_timed"],
            None if row["ms"] is None else row["ms"] / 1000,
            row["first_at"].astimezone(campaign.zone).date(),
            row["last_at"],
        )
        for row in found
    }


def last_judged(assignments: AssignmentQuerySet, person: User) -> dict[int, datetime]:
    """Return when a person decided or put off a document last, by assignment."""
    acts = JudgmentEvent.objects.filter(assignment__in=assignments.order_by(), by=None)
    rows: Any = acts.filter(judgment__assessor=person).order_by()
    return dict(rows.values_list("assignment").annotate(at=Max("at")))
