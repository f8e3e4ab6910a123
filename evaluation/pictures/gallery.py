"""The gallery of a board: its pictures by name, each with what it rests on."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import NamedTuple

from accounts.access import can
from campaigns.access.campaign import Campaigns
from campaigns.access.roles import Person
from campaigns.models.campaign import Campaign
from cleverdon.pictures.picture import Picture
from cleverdon.trec.words import counted
from evaluation.core.standing import INTERVALS, flips
from evaluation.figures.board import BoardFigures, caption
from evaluation.figures.pictured import Pictured
from evaluation.models.scores import Score
from evaluation.pictures.runs import MOST_CURVES, Gallery, interpolated, intervals, measures, pairs
from evaluation.pictures.topics import difficulty, gain, topics_by_runs, unique

USUAL_CURVES = 3
Draw = Callable[[Gallery], Picture | None]


class Exhibit(NamedTuple):
    """A picture of the gallery: its title, and whether its numbers are those of the measure."""

    title: str
    draw: Draw
    by_measure: bool = True


# By their names in files.
EXHIBITS: Mapping[str, Exhibit] = {
    "intervals": Exhibit("Runs with their intervals", intervals),
    "topics": Exhibit("Topics by difficulty", difficulty),
    "measures": Exhibit("Two measures", measures),
    "interpolated": Exhibit("Interpolated precision", interpolated, by_measure=False),
    "map": Exhibit("Every run on every topic", topics_by_runs),
    "pairs": Exhibit("Pairs of runs", pairs),
    "unique": Exhibit("Relevant documents of one team alone", unique, by_measure=False),
    "gain": Exhibit("Relevant documents found by judging", gain, by_measure=False),
}


def usual(figures: BoardFigures, own: frozenset[int]) -> list[Score]:
    """Return the runs whose curves are drawn where none are chosen: the best and one's own."""
    best, rest = figures.scores[:USUAL_CURVES], figures.scores[USUAL_CURVES:]
    return [*best, *(each for each in rest if each.run.team_id in own)][:MOST_CURVES]


def whole(figures: BoardFigures, own: frozenset[int] = frozenset()) -> Gallery:
    """Return all runs, with the curves of the best, as files have them."""
    other, curves = next(iter(figures.others), figures.by), usual(figures, own)
    return Gallery(figures, other, curves, Pictured.of(figures.evaluation), own)


def offered(user: Person, campaign: Campaign) -> list[str]:
    """Return the names of the pictures that a person may see: what judging found is organizers'."""
    return [n for n in EXHIBITS if n != "gain" or can(Campaigns.organize, user, campaign)]


def drawn(gallery: Gallery, names: Iterable[str] = EXHIBITS) -> dict[str, Picture]:
    """Draw those of the pictures for which there are numbers, each with what it rests on."""
    figures = gallery.figures
    plain = caption(figures.evaluation, counted(len(figures.scores), "run"))
    how = {
        "intervals": f" {INTERVALS}" if any(figures.ends) else "",
        "pairs": f" {_flipped(figures)}",
    }
    return {
        name: replace(
            picture,
            title=each.title,
            caption=(figures.caption if each.by_measure else plain) + how.get(name, ""),
        )
        for name in names
        if (each := EXHIBITS.get(name)) and (picture := each.draw(gallery))
    }


def _flipped(figures: BoardFigures) -> str:
    n = figures.n_common
    return (
        "Two-sided p, corrected for all pairs: signs of differences flipped on the "
        f"{counted(n, 'topic')} that count for every run, {flips(n)}; max-T with step-down."
    )
