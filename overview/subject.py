"""An evaluation as its report sees it: figures, pictures, and what captions say they rest on."""

from dataclasses import dataclass
from functools import cached_property
from math import isnan
from statistics import fmean

from campaigns.models.campaign import Campaign
from cleverdon.pictures.picture import Picture
from evaluation.core.topics import best_median_worst
from evaluation.figures.board import BoardFigures
from evaluation.models.scores import Evaluation
from evaluation.pictures.gallery import drawn, whole
from overview.core.report import Figure


@dataclass(frozen=True)
class Subject:
    """An evaluation by its first measure, and what several sections need of it."""

    evaluation: Evaluation

    @property
    def campaign(self) -> Campaign:
        return self.evaluation.campaign

    @property
    def against(self) -> str:
        return ", ".join([self.evaluation.scope.name, *self.evaluation.marks])

    @cached_property
    def figures(self) -> BoardFigures:
        return BoardFigures.of(self.evaluation, self.evaluation.measures[0])

    @cached_property
    def drawn(self) -> dict[str, Picture]:
        return drawn(whole(self.figures))

    @cached_property
    def spread(self) -> dict[str, list[str]]:
        """The best, the median and the worst of all runs on each topic, as they are written."""
        column = self.figures.column
        found = best_median_worst(self.figures.values[:, :, None], [column.sign])
        return {name: [column.text(v) for v in each[:, 0]] for name, each in found.items()}

    def caption(self, about: str) -> str:
        """Return what a table shows, and what it rests on."""
        return f"{about} {self.figures.caption}{self.judged}"

    @property
    def judged(self) -> str:
        """The mean share judged over all runs as a sentence, if it is measured."""
        share = next((each for each in self.figures.columns if each.is_share), None)
        values = self.figures.aggregates(share.name) if share else []
        known = [each for each in values if not isnan(each)]
        return f" Mean {share.name} {share.text(fmean(known))}." if share and known else ""

    def figure(self, name: str) -> list[Figure]:
        """Return a picture as a figure, if there is anything to draw."""
        picture = self.drawn.get(name)
        if picture is None:
            return []
        return [Figure(name, f"{picture.sentence} {picture.caption}{self.judged}", picture)]
