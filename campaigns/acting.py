"""Acts in a campaign: in one transaction, for which the campaign stays.

The order of locks is in docs/architecture.md, "Locks"; the campaign that stays comes first.
"""

from collections.abc import Callable
from functools import partial, wraps
from inspect import signature
from typing import Any, TypeVar, cast

from accounts.access import check
from campaigns.models.campaign import Campaign
from jobs.acting import acting

Service = TypeVar("Service", bound=Callable[..., Any])


def act(verb: Callable[[Any, Any], None]) -> Callable[[Service], Service]:
    """Have a service act in a campaign, for somebody who may do this.

    Its first argument is the person, its second one the thing that the verb is asked of.
    """
    return partial(_acting, verb)


def in_campaign(service: Service) -> Service:
    """Have a service act in a campaign, as with `act`; it asks itself whether somebody may."""
    return _acting(lambda *_: None, service)


def _acting(verb: Callable[[Any, Any], None], service: Service) -> Service:
    person, thing, *_ = signature(service).parameters

    @wraps(service)
    def act(**values: Any) -> Any:
        its = values[thing]
        with acting(its.pk if isinstance(its, Campaign) else row_in_campaign(its).campaign_id):
            check(verb, values[person], its)
            return service(**values)

    act.verb = verb  # type: ignore[attr-defined]
    return cast("Service", act)


def row_in_campaign(thing: Any) -> Any:
    """Return a row itself, or its topic, whichever has the campaign."""
    return thing if hasattr(thing, "campaign_id") else thing.topic
