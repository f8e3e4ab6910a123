"""How long the documents of a topic take, for organizers."""

from typing import NamedTuple

from accounts.models import BY_NAME, User
from assess.core.pace import Dwell
from assess.models.assigning import Assignment
from assess.models.pacing import dwells


class Row(NamedTuple):
    """Whose documents of what they are, and how long they took."""

    who: str
    of: str
    dwell: Dwell


def rows_of(assignment: Assignment) -> list[Row]:
    """Return how long each assessor of the topic takes on it, all of them together, and its present one on all topics."""
    topic, assessor = assignment.topic, assignment.assessor
    found = dwells(topic.campaign)
    here = {pk: dwell for (pk, its), dwell in found.of_both.items() if its == topic.pk}
    people = User.objects.filter(pk__in=here).order_by(*BY_NAME)
    rows = [Row(str(user), "this topic", here[user.pk]) for user in people]
    if len(rows) > 1:
        rows.append(Row("All", "this topic", found.of_topics[topic.pk]))
    if assessor.pk in found.of_assessors:
        rows.append(Row(str(assessor), "all topics", found.of_assessors[assessor.pk]))
    return rows
