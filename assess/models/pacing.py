"""How fast the assessors of a campaign have judged: from the counts of days, and from events."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from django.core.cache import cache
from django.db import connection
from django.db.models import F, Max, Sum

from assess.core.pace import Dwell, Pace, last_days
from assess.core.purposes import CONTROLS, COUNTING
from assess.models.assigning import Assignment
from assess.models.days import JudgedDay
from assess.models.history import JudgmentEvent
from assess.models.judging import Judgment

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping
    from datetime import date, datetime

    from accounts.models import User
    from assess.models.assigning import AssignmentQuerySet
    from campaigns.models.campaign import Campaign

# A document has the time of all that its assessor did to it, of which something was a decision.
DWELLS = """
    SELECT assessor, topic, count(*), percentile_cont(0.5) WITHIN GROUP (ORDER BY ms) / 1000
    FROM (
        SELECT judgment.assessor_id AS assessor, judgment.topic_id AS topic,
            sum(event.active_ms) AS ms
        FROM assess_judgmentevent event
        JOIN assess_judgment judgment ON judgment.id = event.judgment_id
        JOIN collection_topic topic ON topic.id = judgment.topic_id
        WHERE topic.campaign_id = %(campaign)s AND event.by_id IS NULL
            AND judgment.purpose = ANY(%(purposes)s)
            AND judgment.assessor_id = coalesce(%(person)s, judgment.assessor_id)
        GROUP BY judgment.id
        HAVING sum(event.active_ms) > 0 AND bool_or(event.to_state = ANY(%(decided)s))
    ) AS timed
    GROUP BY GROUPING SETS ((assessor), (topic), (assessor, topic))
"""


class Dwells(NamedTuple):
    """How long documents take by assessor, by topic, and by both; keys are ids."""

    of_assessors: Mapping[int, Dwell]
    of_topics: Mapping[int, Dwell]
    of_both: Mapping[tuple[int, int], Dwell]


UNTIMED = Dwells({}, {}, {})
MANY, MANY_SECONDS = 20_000, 300
Made = TypeVar("Made")


def dwells(campaign: Campaign, person: User | None = None) -> Dwells:
    """Return how long documents took everybody, or one person; to one person controls count too.

    Medians over many judgments change slowly, and are computed anew every few minutes.
    """
    if person:
        return _dwells(campaign, person)
    return kept_of_many(campaign, "dwells", lambda: _dwells(campaign))


def kept_of_many(campaign: Campaign, name: str, made: Callable[[], Made]) -> Made:
    """Return what is made of all judgments; where they are many it is kept for some minutes."""
    acts = Assignment.objects.in_campaign(campaign).aggregate(n=Sum("n_changes"))
    if (acts["n"] or 0) < MANY:
        return made()
    key = f"{name}:{campaign.pk}"
    kept: Made | None = cache.get(key)
    if kept is None:
        cache.set(key, kept := made(), MANY_SECONDS)
    return kept


def _dwells(campaign: Campaign, person: User | None = None) -> Dwells:
    of_assessors, of_topics, of_both = {}, {}, {}
    values: dict[str, Any] = {
        "campaign": campaign.pk,
        "person": person.pk if person else None,
        "decided": list(Judgment.DECIDED_STATES),
        "purposes": [*COUNTING, *(CONTROLS if person else ())],
    }
    with connection.cursor() as cursor:
        cursor.execute(DWELLS, values)
        for assessor, topic, n, seconds in cursor.fetchall():
            if topic is None:
                of_assessors[assessor] = Dwell(n, seconds)
            elif assessor is None:
                of_topics[topic] = Dwell(n, seconds)
            else:
                of_both[assessor, topic] = Dwell(n, seconds)
    return Dwells(of_assessors, of_topics, of_both)


def paces(
    campaign: Campaign, now: datetime, person: User | None = None, times: Dwells = UNTIMED
) -> dict[int, Pace]:
    """Return by id the pace of those who have judged, or of one person; days are the campaign's.

    One person's pace includes controls: they are shown it, and must not learn which those were.
    A document belongs to the day of its first decision, however much later that reached the
    server. `times` say how long a document takes.
    """
    kept = JudgedDay.objects.filter(assignment__topic__campaign=campaign)
    n = Sum("n_decided")
    if person:
        kept, n = kept.filter(assessor=person), Sum(F("n_decided") + F("n_controls"))
    days: dict[int, dict[date, int]] = defaultdict(dict)
    last_at: dict[int, datetime] = {}
    rows: Any = kept.values_list("assessor", "day").annotate(n=n, last=Max("last_at"))
    for author, day, n_decided, at in rows:
        if n_decided:
            days[author][day] = n_decided
        last_at[author] = max(at, last_at.get(author, at))
    today = campaign.day_of(now)
    found = {}
    for author, counts in days.items():
        dwell = times.of_assessors.get(author, Dwell())
        found[author] = Pace(last_days(counts, today), dwell, min(counts), last_at[author])
    return found


def shared_pace(campaign: Campaign, now: datetime, queues: Collection[int] | None = None) -> Pace:
    """Return the pace at which shared documents get judgments, of all queues or of these.

    A changed grade is not another judgment, nor one after another answer.
    """
    of_queues = {} if queues is None else {"assignment__queue__in": queues}
    kept = JudgedDay.objects.filter(
        assignment__topic__campaign=campaign, assignment__queue__isnull=False, **of_queues
    )
    rows: Any = kept.values_list("day").annotate(n=Sum("n_graded"))
    counts = {day: n for day, n in rows if n}
    today = campaign.day_of(now)
    return Pace(last_days(counts, today), first_on=min(counts, default=None))


def who_judged(since: datetime, pairs: Collection[tuple[int, int]]) -> set[tuple[int, int]]:
    """Return which of these pairs of campaign and assessor ids have a judgment since then."""
    if not pairs:
        return set()
    campaigns, people = zip(*pairs, strict=True)
    kept = JudgedDay.objects.filter(
        last_at__gt=since, assessor__in=set(people), assignment__topic__campaign__in=set(campaigns)
    )
    return set(kept.values_list("assignment__topic__campaign", "assessor").distinct())


def last_judged(assignments: AssignmentQuerySet, person: User) -> dict[int, datetime]:
    """Return when a person decided or put off a document last, by assignment."""
    acts = JudgmentEvent.objects.filter(assignment__in=assignments.order_by(), by=None)
    rows: Any = acts.filter(judgment__assessor=person).order_by()
    return dict(rows.values_list("assignment").annotate(at=Max("pressed_at")))
