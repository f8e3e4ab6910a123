"""The ranking study: runs are scored by other assessors' grades of what was judged twice."""

from collections.abc import Sequence
from functools import partial

from agreement.core.kept import opinions
from cleverdon.measures.family import Measure
from cleverdon.measures.inputs.placements import Placements
from cleverdon.measures.inputs.universe import Universe
from cleverdon.measures.scoring.scoring import score
from cleverdon.trec.arrays import Grades
from cleverdon.trec.words import counted
from evaluation.contributions import pairs_of
from evaluation.core.disagreement import PROGRAM
from evaluation.core.variations import Twice, labelled
from evaluation.core.varied import Scored, boards_of, says_better, varied
from evaluation.models.scores import Evaluation
from evaluation.placement_cache import against
from jobs import work
from jobs.models import Job
from qrels.services.kept_judgments import unpacked

NOTHING_TWICE = "No document of these scores was judged by two assessors, or labelled by a program."
NOTHING_TO_COMPARE = (
    "No measure of these scores is a mean over topics that says which of two runs is better."
)


@work.kind("rank by other assessors", of=Evaluation)
def vary_assessors(job: Job) -> str:
    """Compute what disagreement between the assessors does to the ranking."""
    evaluations = Evaluation.objects.select_related("qrels__pool", "without")
    evaluation = evaluations.get(pk=job.subject_id)
    scores = list(evaluation.scores.select_related("run").order_by("run__tag", "pk"))
    judged, placed = against(evaluation, [each.run for each in scores])
    twice = judged_twice(evaluation, judged)
    programs = labels_of_programs(evaluation, judged)
    if not twice and not programs:
        raise work.CannotFinish(NOTHING_TWICE)
    measures = [each for each in evaluation.parsed if says_better(each)]
    found = varied(
        judged,
        twice,
        measures,
        [each.run.tag for each in scores],
        scored=partial(_boards, evaluation, measures, placed),
        pairs={
            each.measure: each.among(score.pk for score in scores)
            for each in evaluation.pairs.all()
        },
        tell=partial(work.report, job),
        programs=programs,
    )
    if not found.measures:
        raise work.CannotFinish(NOTHING_TO_COMPARE)
    with work.writing(job):
        evaluation.disagreement = found.to_json()
        evaluation.save(update_fields=["disagreement"])
    documents, topics = counted(found.n_twice, "document"), counted(found.n_topics, "topic")
    return f"{documents} judged twice, on {topics} of {evaluation.scope.name}."


def judged_twice(evaluation: Evaluation, judged: Universe) -> list[Twice]:
    """Return the documents of a universe with two independent grades in the kept judgments."""
    entries = {pair: n for n, pair in enumerate(pairs_of(judged))}
    return [
        Twice(at, int(judged.topic_of[at]), each.grades, each.adjudicated)
        for each in opinions(unpacked(evaluation.qrels.judgments))
        if (at := entries.get((each.topic, each.docno))) is not None and judged.grades[at] >= 0
    ]


def labels_of_programs(evaluation: Evaluation, judged: Universe) -> dict[str, Grades]:
    """Return the grades of each program that labelled what people judged, by its variant's name."""
    pairs, found = pairs_of(judged), dict[str, Grades]()
    for program in evaluation.campaign.programs.order_by("name"):
        grades = labelled(judged.grades, pairs, program.labels.grades())
        if grades is not None:
            found[f"{PROGRAM}{program}"] = grades
    return found


def _boards(
    evaluation: Evaluation,
    measures: Sequence[Measure],
    placed: Sequence[Placements],
    judged: Universe,
) -> list[Scored]:
    level, rules = evaluation.qrels.level, evaluation.rules
    return boards_of(
        score(placed, judged, measures, level=level, rules=rules), evaluation.scope.topic_set
    )
