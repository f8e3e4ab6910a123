"""What the apps above know of runs: how much others have in common with each, and where its scores are. They register it."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from accounts.models import User
from campaigns.models import Campaign, Run
from pictures.picture import Picture


class Overlap(NamedTuple):
    """How much of what a run brought to the pool other runs brought too, in percent, and a strip of them."""

    percent: int
    strip: Picture


class Link(NamedTuple):
    """A page about a run."""

    words: str
    address: str


Overlaps = Callable[[Campaign], Mapping[int, Overlap]]
Links = Callable[[User, Run], list[Link]]

_overlaps: list[Overlaps] = []
_links: list[Links] = []


def register_overlaps(of_campaign: Overlaps) -> None:
    """Say, from an app's `ready`, how much of each run, by its id, others have too."""
    _overlaps.append(of_campaign)


def register_links(of_run: Links) -> None:
    """Say, from an app's `ready`, which pages about a run a person may open."""
    _links.append(of_run)


def overlaps_of(campaign: Campaign) -> dict[int, Overlap]:
    """Return the overlap of each run in the pool, by its id, for organizers: it rests on everybody's runs."""
    return {pk: overlap for of_campaign in _overlaps for pk, overlap in of_campaign(campaign).items()}  # fmt: skip


def links_of(user: User, run: Run) -> list[Link]:
    return [link for of_run in _links for link in of_run(user, run)]
