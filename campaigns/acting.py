"""How an act in a campaign is carried out: as a whole, in a transaction that keeps the campaign.

Rows are locked in the order that docs/architecture.md states, under "Locks"; the campaign that stays comes first.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from campaigns.models.campaign import Campaign
from jobs.acting import acting

Values = ParamSpec("Values")
Outcome = TypeVar("Outcome")


def in_campaign(service: Callable[Values, Outcome]) -> Callable[Values, Outcome]:
    """Carry out a service as an act in the campaign of the first row it is given."""

    @wraps(service)
    def act(*arguments: Values.args, **values: Values.kwargs) -> Outcome:
        with acting(next(filter(None, map(campaign_of, values.values())))):
            return service(*arguments, **values)

    return act


def campaign_of(row: Any) -> int | None:
    """Return the key of a row's campaign, if need be by its topic or assignment."""
    if isinstance(row, Campaign):
        return row.pk
    if found := getattr(row, "campaign_id", None):
        return int(found)
    about = getattr(row, "topic", None) or getattr(row, "assignment", None)
    return campaign_of(about) if about else None
