"""What the apps above know of runs: how much others have in common with each, and where its scores are. They register it."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from accounts.models import User
from campaigns.models.campaign import Campaign
from pictures.picture import Picture
from runs.models import Run


class Overlap(NamedTuple):
    """How much of what a run brought to the pool other runs brought too, in percent, and a strip of them."""

    percent: int
    strip: Picture


class Link(NamedTuple):
    """A page about a run."""

    words: str
    address: str


class Scores(NamedTuple):
    """The main measure of the board that a person sees, and what that board is against.

    By its id, each run has its value, with the address of its scores.
    """

    measure: str
    against: str
    by_run: Mapping[int, Link]


NO_SCORES = Scores("", "", {})
Overlaps = Callable[[Campaign], Mapping[int, Overlap]]
Links = Callable[[User, Run], list[Link]]
ScoresOf = Callable[[User, Campaign], Scores]

_overlaps: list[Overlaps] = []
_links: list[Links] = []
_scores: list[ScoresOf] = []


def register_overlaps(of_campaign: Overlaps) -> None:
    """Say, from an app's `hooks`, how much of each run, by its id, others have too."""
    _overlaps.append(of_campaign)


def register_links(of_run: Links) -> None:
    """Say, from an app's `hooks`, which pages about a run a person may open."""
    _links.append(of_run)


def register_scores(of_campaign: ScoresOf) -> None:
    """Say, from an app's `hooks`, what the runs that a person sees have by the main measure."""
    _scores.append(of_campaign)


def overlaps_of(campaign: Campaign) -> dict[int, Overlap]:
    """Return the overlap of each run in the pool, by its id, for organizers: it rests on everybody's runs."""
    return {
        pk: overlap for of_campaign in _overlaps for pk, overlap in of_campaign(campaign).items()
    }


def links_of(user: User, run: Run) -> list[Link]:
    return [link for of_run in _links for link in of_run(user, run)]


def scores_of(user: User, campaign: Campaign) -> Scores:
    return next((of_campaign(user, campaign) for of_campaign in _scores), NO_SCORES)
