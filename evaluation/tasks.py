"""What workers do later to score: one task shares the runs out, one per batch scores them, the last one finishes."""

from functools import partial

from celery import shared_task
from django.utils import timezone

from campaigns import jobs
from campaigns.core.columns import open_columns
from campaigns.core.qrels import read_qrels
from campaigns.models import Job, Run
from campaigns.storage import local_path
from evaluation.core.aggregate import aggregate
from evaluation.core.measures import parse
from evaluation.core.measures.family import Measure
from evaluation.core.placements import Universe, place
from evaluation.core.scoring import score_placed
from evaluation.models import Evaluation, Score

RUNS_PER_TASK = 8


@shared_task
def score_runs(job_id: int) -> None:
    jobs.run(job_id, _share_out)


def _share_out(job: Job) -> None:
    """Send the runs that have no score yet to the workers, a batch a task."""
    evaluation = Evaluation.objects.select_related("qrels").get(pk=job.subject_id)
    if not evaluation.topics:
        evaluation.topics = list(_universe(evaluation).topics)
        evaluation.save(update_fields=["topics"])
    scored = evaluation.scores.values("run")
    waiting = list(
        evaluation.runs.exclude(pk__in=scored)
        .order_by("pk")
        .values_list("pk", flat=True)
    )
    jobs.report(job, evaluation.scores.count(), evaluation.runs.count())
    for start in range(0, len(waiting), RUNS_PER_TASK):
        score_batch.delay(job.pk, waiting[start : start + RUNS_PER_TASK])
    if not waiting:
        finish.delay(job.pk)


@shared_task
def score_batch(job_id: int, run_ids: list[int]) -> None:
    jobs.part(job_id, partial(_score_batch, run_ids))


def _score_batch(run_ids: list[int], job: Job) -> None:
    """Score some runs; scoring one twice writes the same row."""
    evaluation = Evaluation.objects.select_related("qrels").get(pk=job.subject_id)
    universe = _universe(evaluation)
    measures = [parse(name) for name in evaluation.measures]
    for run in Run.objects.filter(pk__in=run_ids).order_by("pk"):
        _score(evaluation, run, universe, measures)
        jobs.report(job, evaluation.scores.count())
    if evaluation.scores.count() == evaluation.runs.count():
        finish.delay(job.pk)


@shared_task
def finish(job_id: int) -> None:
    jobs.part(job_id, _finish)


def _finish(job: Job) -> None:
    """Make the leaderboard official. The last two batches may both call for it; once is enough."""
    now = timezone.now()
    Evaluation.objects.filter(pk=job.subject_id, finished_at__isnull=True).update(
        finished_at=now
    )
    evaluation = Evaluation.objects.select_related("qrels").get(pk=job.subject_id)
    n_runs = evaluation.scores.count()
    jobs.finish(
        job,
        Job.State.DONE,
        f"{n_runs} runs scored on {len(evaluation.topics)} topics of {evaluation.qrels}.",
    )


def _universe(evaluation: Evaluation) -> Universe:
    with evaluation.qrels.file.open("rb") as file:
        return Universe.from_qrels(read_qrels(file.file))


def _score(
    evaluation: Evaluation, run: Run, universe: Universe, measures: list[Measure]
) -> None:
    """Place a run among the judged documents and keep its values, per topic and aggregated."""
    placements = place(open_columns(local_path(run.columns)), universe)
    by_topic = score_placed(
        placements, universe, measures, level=evaluation.qrels.level
    )
    values = {
        "by_topic": by_topic.tolist(),
        "aggregates": aggregate(by_topic, measures).values.tolist(),
        "n_missing_topics": int((placements.n_retrieved == 0).sum()),
    }
    Score.objects.update_or_create(evaluation=evaluation, run=run, defaults=values)
