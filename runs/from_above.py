"""What apps above tell this one, which may not import them. Each registers it in its `hooks.py`."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from accounts.hook import Hook
from accounts.models import User
from campaigns.models.campaign import Campaign
from cleverdon.pictures.markup import Drawn
from runs.models import Run


class Overlap(NamedTuple):
    """How much of what a run brought to the pool others brought too, in percent, and as a strip."""

    percent: int
    draw: Callable[[], Drawn]

    @property
    def strip(self) -> Drawn:
        """Draw it, which a page does for the runs that it shows."""
        return self.draw()


class Link(NamedTuple):
    """A page about a run; of a score, its value."""

    words: str
    address: str
    value: float | None = None


class BoardScores(NamedTuple):
    """The main measure of the board that a person sees, and what that board is against.

    By its id, each run has its value, with the address of its scores.
    """

    measure: str
    against: str
    by_run: Mapping[int, Link]


NO_SCORES = BoardScores("", "", {})

OVERLAPS: Hook[[Campaign], Mapping[int, Overlap]] = Hook()
LINKS: Hook[[User, Run], list[Link]] = Hook()
SCORES: Hook[[User, Campaign], BoardScores] = Hook()


def overlaps_of(campaign: Campaign) -> Mapping[int, Overlap]:
    """Return the overlap of each pooled run, by its id, for organizers: it rests on all runs."""
    [overlaps] = OVERLAPS(campaign)
    return overlaps


def links_of(user: User, run: Run) -> list[Link]:
    """Return the pages about a run that a person may open."""
    return [link for links in LINKS(user, run) for link in links]


def scores_of(user: User, campaign: Campaign) -> BoardScores:
    [scores] = SCORES(user, campaign)
    return scores
