"""The gallery of a board: its pictures by name, each with what it rests on."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import NamedTuple

from cleverdon.pictures.picture import Picture
from cleverdon.trec.words import counted
from evaluation.core.standing import INTERVALS, flips
from evaluation.figures.board import BoardFigures, caption
from evaluation.pictures.runs import Gallery, interpolated, intervals, measures, pairs
from evaluation.pictures.topics import difficulty, gain, topics_by_runs, unique

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
