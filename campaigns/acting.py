"""Acts in a campaign: in one transaction, for which the campaign stays.

The order of locks is in docs/architecture.md, "Locks"; the campaign that stays comes first.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from campaigns.models.campaign import Campaign
from jobs.acting import acting

Values = ParamSpec("Values")
Outcome = TypeVar("Outcome")


def in_campaign(service: Callable[Values, Outcome]) -> Callable[Values, Outcome]:
    """Have a service act in the campaign of the first row among its arguments."""

    @wraps(service)
    def act(*arguments: Values.args, **values: Values.kwargs) -> Outcome:
        with acting(next(filter(None, map(campaign_of, values.values())))):
            return service(*arguments, **values)

    return act


def campaign_of(row: Any) -> int | None:
    """Return the id of a row's campaign, perhaps through its topic or assignment."""
    if isinstance(row, Campaign):
        return row.pk
    if campaign_id := getattr(row, "campaign_id", None):
        return int(campaign_id)
    about = getattr(row, "topic", None) or getattr(row, "assignment", None)
    return campaign_of(about) if about else None
