"""What runs retrieved for the topics of an evaluation, read from stored files."""

from collections.abc import Sequence

from cleverdon.measures.inputs.placements import place
from cleverdon.measures.inputs.residual import residual_run
from cleverdon.measures.inputs.universe import Universe
from evaluation.core.retrieved import Finders, Found, Ranked, finders, found_by, ranked_documents
from evaluation.models.scores import Evaluation, Score
from evaluation.placement_cache import against, are_placed, graded_by
from runs.models import Run


def found_of(score: Score, numbers: Sequence[str] | None = None) -> dict[str, Found]:
    """Count what a run found, by topic, on all topics or some."""
    evaluation = score.evaluation
    judged, (placed,) = against(evaluation, [score.run], numbers)
    counts = found_by(placed, judged, evaluation.qrels.level, evaluation.rules)
    return dict(zip(judged.topics, counts, strict=True))


def judged_on(evaluation: Evaluation, number: str) -> Universe:
    """Return the judgments of one topic of an evaluation."""
    graded = graded_by(evaluation.qrels, evaluation.without)
    return graded.of_topics(graded.numbers_of([number]))


def ranking_of(score: Score, number: str, *, with_grades: bool) -> list[Ranked]:
    """Return the documents of a run on a topic in the scorer's order.

    With grades they are those that were scored: the residual collection lacks documents, which
    would tell a reader without grades what was judged before.
    """
    evaluation, without = score.evaluation, score.evaluation.without
    run = score.run.ranked().of_topic(number).under(evaluation.rules)
    if with_grades and without is not None:
        run = residual_run(run, graded_by(without, None))
    return ranked_documents(run, judged_on(evaluation, number) if with_grades else None)


def first_documents(score: Score, numbers: Sequence[str], n: int) -> dict[str, list[Ranked]]:
    """Return the first documents of a run on these topics, as they were scored."""
    evaluation, without = score.evaluation, score.evaluation.without
    ranked, graded = score.run.ranked(), graded_by(evaluation.qrels, without)
    seen = graded_by(without, None) if without else None
    found = {}
    for number in set(numbers) & set(graded.topics):
        run = ranked.of_topic(number).under(evaluation.rules)
        run = residual_run(run, seen) if seen else run
        found[number] = ranked_documents(run, graded.of_topics(graded.numbers_of([number])))[:n]
    return found


def finders_on(evaluation: Evaluation, runs: Sequence[Run], number: str) -> list[Finders]:
    """Return the relevant documents of a topic with their ranks in the runs.

    Where a pool has grown since they were placed, which may be every half minute, only the topic's
    part of each run is read. Not for a residual collection, in which ranks are others.
    """
    rules, pool = evaluation.rules, evaluation.qrels.pool
    if pool and are_placed(runs, pool, rules):
        judged, placed = against(evaluation, runs, [number])
    else:
        judged = judged_on(evaluation, number)
        of_topic = (run.ranked().of_topic(number).under(rules) for run in runs)
        placed = [place(each, judged, rules) for each in of_topic]
    return finders(placed, judged, evaluation.qrels.level)
