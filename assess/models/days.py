"""How many documents were decided by assignment and day, kept in the transaction of each act."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import connection, models

from accounts.models import User
from assess.core.purposes import CONTROLS, COUNTING
from assess.models.assigning import Assignment
from assess.models.judging import Judgment

if TYPE_CHECKING:
    from campaigns.models.campaign import Campaign

# All rows of a campaign, from its events: as the acts have counted them one by one.
RECOUNT = """
    DELETE FROM assess_judgedday day USING assess_assignment assignment, collection_topic topic
    WHERE assignment.id = day.assignment_id AND topic.id = assignment.topic_id
        AND topic.campaign_id = %(campaign)s;
    INSERT INTO assess_judgedday
        (assignment_id, assessor_id, day, n_decided, n_graded, n_controls, last_at)
    SELECT assignment_id, assessor_id, (pressed_at AT TIME ZONE %(zone)s)::date,
        count(*) FILTER (WHERE is_first AND purpose = ANY(%(counting)s)),
        count(*) FILTER (WHERE is_first AND purpose = ANY(%(counting)s) AND to_state = %(graded)s),
        count(*) FILTER (WHERE is_first AND purpose = ANY(%(controls)s)),
        max(pressed_at)
    FROM (
        SELECT event.assignment_id, judgment.assessor_id, judgment.purpose, event.pressed_at,
            event.to_state, row_number() OVER (PARTITION BY judgment.id ORDER BY event.id) = 1
                AS is_first
        FROM assess_judgmentevent event
        JOIN assess_judgment judgment ON judgment.id = event.judgment_id
        JOIN collection_topic topic ON topic.id = judgment.topic_id
        WHERE topic.campaign_id = %(campaign)s AND event.by_id IS NULL
            AND event.to_state = ANY(%(decided)s)
            AND judgment.purpose = ANY(%(counting)s || %(controls)s)
    ) AS act
    GROUP BY 1, 2, 3
"""


class JudgedDay(models.Model):
    """What an assessor decided on a day of the campaign's zone, in one assignment.

    A document is counted once, on the day of its first decision, whatever becomes of that.
    """

    assignment = models.ForeignKey(Assignment, on_delete=models.CASCADE, related_name="days")
    assessor = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    day = models.DateField()
    n_decided = models.PositiveIntegerField(help_text="Documents that count.")
    n_graded = models.PositiveIntegerField(help_text="Of these, those that got a grade.")
    n_controls = models.PositiveIntegerField(help_text="Controls, beside those that count.")
    last_at = models.DateTimeField(help_text="When the last decision was made, also once more.")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["assignment", "assessor", "day"], name="one_count_per_day"
            )
        ]

    def __str__(self) -> str:
        return f"{self.assignment}, {self.day}: {self.n_decided}"


def recount(campaign: Campaign) -> None:
    """Count all days of a campaign again, as after a change of its zone."""
    values: dict[str, int | str | list[str]] = {
        "campaign": campaign.pk,
        "zone": str(campaign.zone),
        "decided": list(Judgment.DECIDED_STATES),
        "graded": Judgment.State.JUDGED,
        "counting": list(COUNTING),
        "controls": list(CONTROLS),
    }
    with connection.cursor() as cursor:
        cursor.execute(RECOUNT, values)
