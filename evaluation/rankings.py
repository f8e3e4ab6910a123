"""What runs retrieved for the topics of an evaluation, read from stored files."""

from collections.abc import Sequence

import numpy as np

from evaluation.core.retrieved import Found, Ranked, found_by, ranked_documents
from evaluation.models.scores import Evaluation, Score
from evaluation.placement_cache import against, graded_by, placements_of, universe_of
from jobs.storage import local_path
from measures.inputs.placements import Placements, place
from measures.inputs.residual import residual_run
from measures.inputs.universe import Universe
from runs.models import Run
from trec.runs.run import RankedRun
from trec.runs.stored import open_columns


def found_of(score: Score) -> dict[str, Found]:
    """Count what a run found, by topic."""
    evaluation = score.evaluation
    universe, (placed,) = against(evaluation, [score.run])
    counts = found_by(placed, universe, evaluation.qrels.level, evaluation.rules)
    return dict(zip(universe.topics, counts, strict=True))


def ranking_of(evaluation: Evaluation, run: Run, number: str, *, with_grades: bool) -> list[Ranked]:
    """Return the documents of a run on a topic in the scorer's order.

    With grades they are those that were scored: the residual collection lacks documents, which
    would tell a reader without grades what was judged before.
    """
    if with_grades:
        return ranked_documents(_scored(evaluation, run, number), judged_on(evaluation, number))
    return ranked_documents(_ranking(evaluation, run, number), None)


def _ranking(evaluation: Evaluation, run: Run, number: str) -> RankedRun:
    return open_columns(local_path(run.columns)).of_topic(number).under(evaluation.rules)


def _scored(evaluation: Evaluation, run: Run, number: str) -> RankedRun:
    """Return the ranking of a run without what the evaluation leaves out."""
    ranking, without = _ranking(evaluation, run, number), evaluation.without
    return residual_run(ranking, graded_by(without, None)) if without else ranking


def judged_on(evaluation: Evaluation, number: str) -> Universe:
    """Return the judgments of one topic of an evaluation."""
    graded = graded_by(evaluation.qrels, evaluation.without)
    return graded.of_topics(graded.numbers_of([number]))


def placed_on(evaluation: Evaluation, runs: Sequence[Run], number: str) -> list[Placements]:
    """Return the placements of each run in `judged_on`.

    Where stored ones do not hold, only this topic is read of each run.
    """
    judged, pool, rules = judged_on(evaluation, number), evaluation.qrels.pool, evaluation.rules
    if pool is None or evaluation.without is not None:
        return [place(_scored(evaluation, run, number), judged, rules) for run in runs]
    pooled = universe_of(pool)
    topic = pooled.numbers_of([number])
    here = pooled.of_topics(topic)
    kept = np.zeros(len(here.grades), dtype=np.bool_)
    kept[here.look_up(judged)[0]] = True
    placed = placements_of(runs, pool, rules)
    return [each.of_topics(topic, pooled).within(here, kept) for each in placed]
