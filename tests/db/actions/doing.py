"""An action: how a campaign comes to where it can be done, how it is done, and who is refused."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from accounts.models import User
from assess.models.assigning import Assignment
from campaigns.models.campaign import Campaign
from qrels.models import Qrels
from qrels.services import publishing
from runs.models import Run
from tests import make

NOTHING = "There is nothing here."
STRANGERS = {"sam": NOTHING, "otto": NOTHING}
ONLY_ORGANIZERS = "Only organizers of Test campaign may do this."
ORGANIZERS = {**STRANGERS, "ada": ONLY_ORGANIZERS, "pat": ONLY_ORGANIZERS}
Do = Callable[[User], Any]


@dataclass(frozen=True)
class Action:
    """`ready` brings a campaign to where the action can be done, and returns how; `event` is (kind,
    subject).
    """

    ready: Callable[[Campaign], Do]
    event: tuple[str, str] | None
    by: str = "olga"
    refused: dict[str, str] = field(default_factory=lambda: ORGANIZERS)


def person(name: str) -> User:
    return User.objects.get(username=name)


def run(campaign: Campaign) -> Run:
    return make.run(campaign, person("pat"), {"1": "d1 d2", "2": "d3"})


def assigned(campaign: Campaign) -> Assignment:
    make.frozen_pool(campaign, [run(campaign)])
    return make.assignment(campaign.topic_set.get(number="1"), person("ada"))


def judged(campaign: Campaign) -> Assignment:
    assignment = assigned(campaign)
    make.judgment(assignment, "d1", 2)
    return assignment


def published(campaign: Campaign) -> Qrels:
    judged(campaign)
    return publishing.publish_qrels(user=person("olga"), campaign=campaign)


def plainly(service: Callable[..., Any], **values: Any) -> Callable[[Campaign], Do]:
    """An action that needs nothing but a campaign."""
    return lambda campaign: lambda user: service(user=user, campaign=campaign, **values)


def partial_user(service: Callable[..., Any], **values: Any) -> Do:
    return lambda user: service(user=user, **values)
