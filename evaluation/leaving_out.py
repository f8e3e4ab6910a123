"""How reusable judgments are: runs are scored without what they, or their teams, alone found."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from math import isnan
from typing import Any, Self

import numpy as np

from cleverdon.measures.family import Best, Measure
from cleverdon.measures.inferred import estimates
from cleverdon.measures.inputs.placements import Placements
from cleverdon.measures.inputs.universe import Universe
from cleverdon.measures.scoring.scoring import score
from cleverdon.trec.arrays import Floats, Integers, Mask
from cleverdon.trec.words import counted
from evaluation.contributions import (
    Pair,
    brought_by_no_run,
    pairs_of,
    ranks_by_run,
    teams_of_contributors,
    versions_of,
)
from evaluation.core.reusability import (
    SEVERAL,
    Change,
    change,
    growth,
    left_out,
    only_groups,
    percent,
    risen,
)
from evaluation.models.scores import Evaluation, Score
from evaluation.placement_cache import against
from jobs import work
from jobs.models import Job
from pooling.models.batches import BatchQuerySet
from runs.models import Run

NOTHING_TO_LEAVE_OUT = "No measure of these scores says which of two runs is better."


@dataclass(frozen=True)
class Without:
    """A score before and after the documents of a group alone, `n_only` of them relevant, go.

    `rose` are the places by which the run rises.
    """

    n_only: int
    before: float | None
    after: float | None
    rose: int | None

    @property
    def percent(self) -> float | None:
        return percent(self.before, self.after)


@dataclass(frozen=True)
class LeftOut:
    """A run by one measure: without its own documents, and without its team's."""

    run: int
    contributed: bool
    own: Without
    team: Without

    @property
    def before(self) -> float | None:
        return self.own.before


@dataclass(frozen=True)
class MeasureLeftOut:
    """The runs by one measure; `sign` is 1 where more is better, else -1."""

    measure: str
    sign: int
    runs: Sequence[LeftOut]

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Self:
        runs = [
            LeftOut(**{**each, "own": Without(**each["own"]), "team": Without(**each["team"])})
            for each in stored["runs"]
        ]
        return cls(**{**stored, "runs": runs})

    @property
    def ranked(self) -> list[LeftOut]:
        """The runs, the best first, those without a value last."""
        return sorted(
            self.runs, key=lambda run: (run.before is None, -self.sign * (run.before or 0))
        )

    @property
    def changes(self) -> tuple[Change, Change]:
        """What leaving out does to the runs that contributed: each alone, each with its team."""
        pooled = [each for each in self.runs if each.contributed]
        return self._change(run.own for run in pooled), self._change(run.team for run in pooled)

    def _change(self, of: Iterable[Without]) -> Change:
        return change([(each.before, each.after, each.rose) for each in of], self.sign)


@dataclass(frozen=True)
class Growth:
    """Tau-b of the board of a version of the pool with that of the last, by measure."""

    version: str
    taus: Sequence[float | None]


@dataclass(frozen=True)
class Reusability:
    """What leaving out does by each measure with a best, and what each version of the pool did.

    `n_alone` are the relevant documents of one team alone.
    """

    n_relevant: int
    n_alone: int
    measures: Sequence[MeasureLeftOut]
    growth: Sequence[Growth]

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Self:
        measures = [MeasureLeftOut.from_json(each) for each in stored["measures"]]
        versions = [Growth(**each) for each in stored["growth"]]
        return cls(**{**stored, "measures": measures, "growth": versions})

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


@work.kind("leave runs and teams out", of=Evaluation)
def leave_out(job: Job) -> str:
    """Score each run without what it, or its team, alone brought into the pool."""
    evaluations = Evaluation.objects.select_related("qrels__pool", "without")
    evaluation = evaluations.get(pk=job.subject_id)
    scores = list(evaluation.scores.select_related("run").order_by("run__tag", "pk"))
    found = _reusability(evaluation, scores)
    if not found.measures:
        raise work.CannotFinish(NOTHING_TO_LEAVE_OUT)
    with work.writing(job):
        evaluation.reusability = found.to_json()
        evaluation.save(update_fields=["reusability"])
    return f"{counted(len(scores), 'run')} left out of {evaluation.scope.name}."


def _reusability(evaluation: Evaluation, scores: Sequence[Score]) -> Reusability:
    runs, batches = [each.run for each in scores], evaluation.qrels.batches
    at = [n for n, each in enumerate(evaluation.parsed) if each.family.best is not Best.NONE]
    measures = [evaluation.parsed[n] for n in at]
    signs = [-1 if each.family.best is Best.LOWEST else 1 for each in measures]
    judged, placed = against(evaluation, runs)
    rescored = partial(_aggregates, evaluation, measures)
    before = np.array([each.aggregates for each in scores])[:, at]
    is_relevant = judged.grades >= evaluation.qrels.level
    ways, n_alone = list[list[list[Without]]](), 0
    for groups, only in _groups(batches, runs, pairs_of(judged)):
        relevant = Counter(only[is_relevant].tolist())
        n_alone = relevant.total() - relevant.pop(SEVERAL, 0)  # in the end the teams'
        n_only = [relevant[group] for group in groups.tolist()]
        after = left_out(placed, judged, only=only, groups=groups, before=before, score=rescored)
        of_measures = zip(before.T, after.T, signs, strict=True)
        ways.append([_without(n_only, groups, *each) for each in of_measures])
    contributors, ids = teams_of_contributors(batches), [run.pk for run in runs]
    contributed = [run in contributors for run in ids]
    return Reusability(
        int(is_relevant.sum()),
        n_alone,
        [
            MeasureLeftOut(str(each), sign, list(map(LeftOut, ids, contributed, *pair)))
            for each, sign, *pair in zip(measures, signs, *ways, strict=True)
        ],
        _growth(evaluation, placed, judged, measures, signs),
    )


def _without(
    n_only: Sequence[int], groups: Integers, before: Floats, after: Floats, sign: int
) -> list[Without]:
    rose = risen(before, after, groups, sign)
    return list(map(Without, n_only, _known(before), _known(after), rose))


def _growth(
    evaluation: Evaluation,
    placed: Sequence[Placements],
    judged: Universe,
    measures: Sequence[Measure],
    signs: Sequence[int],
) -> list[Growth]:
    """Return tau-b by measure of the board of each version of the pool but the last.

    There is none by what estimates from a sample: the version before was of another population.
    """
    versions = _versions(evaluation.qrels.batches, pairs_of(judged))
    rescored = partial(_aggregates, evaluation, measures)
    taus = growth(placed, judged, list(versions.values()), score=rescored, signs=signs)
    known = [not (evaluation.is_sample and estimates(each)) for each in measures]
    return [
        Growth(name, [tau if is_so else None for tau, is_so in zip(row, known, strict=True)])
        for name, row in zip(versions, taus, strict=True)
    ]


def _groups(
    batches: BatchQuerySet, runs: Sequence[Run], pairs: Sequence[Pair]
) -> list[tuple[Integers, Integers]]:
    """Return the group of each run, and the one that contributed each pair alone.

    Each run is a group, then each team.
    """
    teams, ranks = teams_of_contributors(batches), ranks_by_run(batches)
    others = brought_by_no_run(batches)
    held = [ranks.get(pair, {}) if pair not in others else {} for pair in pairs]
    own = np.array([run.pk for run in runs]), np.array([run.team_id for run in runs])
    only = only_groups(held), only_groups([teams[run] for run in each] for each in held)
    return list(zip(own, only, strict=True))


def _aggregates(
    evaluation: Evaluation,
    measures: Sequence[Measure],
    placed: Sequence[Placements],
    judged: Universe,
) -> Floats:
    level, rules = evaluation.qrels.level, evaluation.rules
    scores = score(placed, judged, measures, level=level, rules=rules)
    return scores.aggregate(evaluation.scope.topic_set).values


def _versions(batches: BatchQuerySet, pairs: Sequence[Pair]) -> dict[str, Mask]:
    """Return the versions of the pool but the last, by name, and which pairs each has."""
    earlier = list(versions_of(batches).items())[:-1]
    return {name: np.array([pair in had for pair in pairs]) for name, had in earlier}


def _known(values: Floats) -> list[float | None]:
    return [None if isnan(each) else each for each in values.tolist()]
