"""The hours of assessors, from the events of judging."""

from typing import Any, NamedTuple

from django.db import connection

from accounts.models import User
from assess.models.judging import Judgment
from assess.models.pacing import kept_of_many
from campaigns.models.campaign import Campaign
from desk.core.hours import Hours, Worked

# Whole seconds are added up, so that all sums of them agree. What was set aside was work as well,
# and controls are of the kind of the assignment that they are mixed into: an assessor is shown it.
WORKED = """
    WITH act AS (
        SELECT judgment.assessor_id AS assessor, judgment.id AS judgment, assignment.kind,
            (event.pressed_at AT TIME ZONE %(zone)s)::date AS day, sum(event.active_ms) AS ms,
            bool_or(event.to_state = ANY(%(decided)s)) AS decides
        FROM assess_judgmentevent event
        JOIN assess_judgment judgment ON judgment.id = event.judgment_id
        JOIN assess_assignment assignment ON assignment.id = event.assignment_id
        JOIN collection_topic topic ON topic.id = judgment.topic_id
        WHERE topic.campaign_id = %(campaign)s AND event.by_id IS NULL
        GROUP BY judgment.id, assignment.kind, day
    ), told AS (
        SELECT *, sum(ms) OVER its AS whole,
            day = min(day) FILTER (WHERE decides) OVER its AS is_first
        FROM act WINDOW its AS (PARTITION BY judgment)
    )
    SELECT assessor, day, kind, round(sum(ms) / 1000)::bigint,
        count(*) FILTER (WHERE is_first), count(*) FILTER (WHERE is_first AND whole = 0)
    FROM told GROUP BY assessor, day, kind ORDER BY day, assessor, kind
"""


class PersonsHours(NamedTuple):
    user: User
    its: Hours


def worked(campaign: Campaign, person: User | None = None) -> list[Worked]:
    """Return what everybody, or one person, did by day of the campaign's zone and by kind.

    Of many judgments it is as of some minutes ago.
    """
    rows = kept_of_many(campaign, f"hours:{campaign.time_zone}", lambda: _worked(campaign))
    return [row for row in rows if person is None or row.assessor == person.pk]


def _worked(campaign: Campaign) -> list[Worked]:
    values: dict[str, Any] = {
        "campaign": campaign.pk,
        "zone": campaign.time_zone,
        "decided": list(Judgment.DECIDED_STATES),
    }
    with connection.cursor() as cursor:
        cursor.execute(WORKED, values)
        return [Worked._make(row) for row in cursor.fetchall()]


def named(rows: list[Hours]) -> list[PersonsHours]:
    """Return hours with the people whose they are, in the order given."""
    people = User.objects.in_bulk({row.assessor for row in rows})
    return [PersonsHours(people[row.assessor], row) for row in rows]
