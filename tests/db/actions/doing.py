"""An action: what a service is given, the event it records, who does it, and who is refused."""

import inspect
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

from accounts.models import User
from assess.models.assigning import Assignment
from campaigns.models.campaign import Campaign
from qrels.models import Qrels
from qrels.services import publishing
from runs.models import Run
from tests import make
from tests.worlds import once

NOTHING = "There is nothing here."
STRANGERS = {"sam": NOTHING, "otto": NOTHING}
ONLY_ORGANIZERS = "Only organizers of Test campaign may do this."
ORGANIZERS = {**STRANGERS, "ada": ONLY_ORGANIZERS, "pat": ONLY_ORGANIZERS}
Given = dict[str, Any]


def plainly(**values: Any) -> Callable[[Campaign], Given]:
    """What a service is given that needs nothing but a campaign; a file is new each time, as one
    that was read is at its end.
    """
    return lambda campaign: {"campaign": campaign, **deepcopy(values)}


@dataclass(frozen=True)
class Action:
    """`event` is its kind and its subject. `given` brings a campaign to where the action can be
    done, and returns what the service is given besides who acts.
    """

    service: Callable[..., Any]
    event: str | None
    given: Callable[[Campaign], Given] = lambda campaign: {"campaign": campaign}
    by: str = "olga"
    refused: dict[str, str] = field(default_factory=lambda: ORGANIZERS)
    of: str = ""  # tells two actions of one service apart

    @property
    def name(self) -> str:
        return f"{self.service.__name__} of {self.of}" if self.of else self.service.__name__

    def ready(self, campaign: Campaign) -> Callable[[User], Any]:
        given = self.given(campaign)
        who = "user" if "user" in inspect.signature(self.service).parameters else "assessor"
        return lambda user: self.service(**{who: user}, **given)


def person(name: str) -> User:
    return User.objects.get(username=name)


@once
def run(campaign: Campaign) -> Run:
    return make.run(campaign, person("pat"), {"1": "d1 d2", "2": "d3"})


@once
def assigned(campaign: Campaign) -> Assignment:
    make.frozen_pool(campaign, [run(campaign)])
    return make.assignment(campaign.topic_set.get(number="1"), person("ada"))


@once
def judged(campaign: Campaign) -> Assignment:
    assignment = assigned(campaign)
    make.judgment(assignment, "d1", 2)
    return assignment


@once
def published(campaign: Campaign) -> Qrels:
    judged(campaign)
    return publishing.publish_qrels(user=person("olga"), campaign=campaign)
