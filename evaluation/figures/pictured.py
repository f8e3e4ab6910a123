"""What pictures show by no measure of an evaluation, which a worker finds and stores."""

import csv
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Self

import numpy as np

from cleverdon.measures.names import parse
from cleverdon.measures.scoring.scoring import score
from cleverdon.trec.arrays import Floats, Integers
from cleverdon.trec.cells import restored
from evaluation.contributions import brought_by_no_run
from evaluation.core.pictured import found_alone, gain_curve, thinned
from evaluation.figures.board import BoardFigures
from evaluation.models.scores import Evaluation, Score
from evaluation.placement_cache import against
from pooling.models.entries import PoolEntry
from qrels.services.kept_judgments import unpacked
from runs.models import Run

MOST_POINTS = 400  # of a line
RUNS_AT_ONCE = 32
RECALLS = tuple(n / 10 for n in range(11))


@dataclass(frozen=True)
class Gain:
    """Relevant documents `found` once so many were `judged`; half of them by `half` judgments."""

    judged: Sequence[int]
    found: Sequence[int]
    half: int

    @classmethod
    def of(cls, found: Integers) -> Self:
        """Return some of the points of `relevant_by_judgment`."""
        at = thinned(len(found), MOST_POINTS)
        half = int(np.searchsorted(found, found[-1] / 2)) + 1
        return cls([n + 1 for n in at], found[at].tolist(), half)


@dataclass(frozen=True)
class Pictured:
    """What is stored: `unique_relevant` by team, the most first, and a curve by a score's id.

    `alone` is None without a pool, `gain` without judgments.
    """

    n_relevant: int
    alone: Sequence[tuple[str, int]] | None
    gain: Gain | None
    curves: Mapping[str, Sequence[float]]

    @classmethod
    def of(cls, evaluation: Evaluation) -> Self:
        """Return what is stored or, before the runs have been compared, found now."""
        stored = evaluation.pictured
        if not stored:
            return cls.found(evaluation)
        return cls(**{**stored, "gain": stored["gain"] and Gain(**stored["gain"])})

    @classmethod
    def found(cls, evaluation: Evaluation) -> Self:
        figures = BoardFigures.of(evaluation, evaluation.measures[0])
        alone, found = unique_relevant(figures), relevant_by_judgment(figures)
        return cls(
            len(figures.relevant),
            None if alone is None else alone.most_common(),
            None if found is None or len(found) < 2 else Gain.of(found),
            {
                str(score.pk): curve
                for at in range(0, len(figures.scores), RUNS_AT_ONCE)
                for score, curve in _curves(evaluation, figures.scores[at : at + RUNS_AT_ONCE])
            },
        )

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def _curves(evaluation: Evaluation, scores: Sequence[Score]) -> Iterator[tuple[Score, list[float]]]:
    """Yield the curve of each run that has one."""
    found = curves(evaluation, [each.run for each in scores])
    for each, curve in zip(scores, found, strict=True):
        if not np.isnan(curve).any():
            yield each, curve.tolist()


def curves(evaluation: Evaluation, runs: Sequence[Run]) -> Floats:
    """Return interpolated precision at `RECALLS`, [runs x points].

    It is the mean over the topics that the evaluation counts.
    """
    measures = [parse(f"IPrec@{recall:g}") for recall in RECALLS]
    universe, placed = against(evaluation, runs)
    level, rules = evaluation.qrels.level, evaluation.rules
    scores = score(placed, universe, measures, level=level, rules=rules)
    found: Floats = scores.aggregate(evaluation.scope.topic_set).values
    return found


def unique_relevant(figures: BoardFigures) -> Counter[str] | None:
    """Count by team the relevant documents that no other team contributed; None without a pool."""
    qrels = figures.evaluation.qrels
    if qrels.pool is None:
        return None
    run_of = Run.objects.filter(contributor__batch__in=qrels.batches)
    teams = {
        run: (team, name) for run, team, name in run_of.values_list("pk", "team", "team__name")
    }
    alone = found_alone({teams[run][0] for run in runs} for runs in _finders(figures).values())
    return Counter({name: alone[team] for team, name in teams.values()})


def _finders(figures: BoardFigures) -> dict[tuple[str, str], list[int]]:
    """Return the ids of the runs that contributed each relevant document, of all batches."""
    batches = figures.evaluation.qrels.batches
    entries, others = PoolEntry.objects.filter(batch__in=batches), brought_by_no_run(batches)
    found: dict[tuple[str, str], list[int]] = {}
    for topic, key, runs in entries.values_list("topic__number", "item__key", "run_ids"):
        if (topic, key) in figures.relevant and (topic, key) not in others:
            found.setdefault((topic, key), []).extend(runs)
    return found


def relevant_by_judgment(figures: BoardFigures) -> Integers | None:
    """Return how many relevant documents each judgment had found, in the order of time.

    None for imported qrels, which have no judgments.
    """
    qrels, graded = figures.evaluation.qrels, figures.grades
    if not qrels.judgments:
        return None
    rows = csv.DictReader(unpacked(qrels.judgments))
    counting = (
        (restored(row["topic"]), restored(row["docno"]), row["changed_at"])
        for row in rows
        if row["kind"] in {"primary", "shared"}
        and row["state"] == "judged"
        and not row["set_aside_at"]
    )
    judged = (each for each in counting if each[1] in graded.get(each[0], ()))
    return gain_curve(judged, figures.relevant)
