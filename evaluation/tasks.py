"""Scoring in workers: a task divides the runs into batches, and a task scores each batch."""

import time
from collections.abc import Iterable
from contextlib import suppress
from functools import partial

import numpy as np
from celery import shared_task
from django.utils import timezone

from accounts.access import NotThere
from assess.models.assigning import Assignment
from assess.models.official import OfficialGrade
from campaigns.models.campaign import Campaign
from campaigns.models.rounds import topics_in
from cleverdon.measures.scoring.scores import Scores
from cleverdon.measures.scoring.scoring import score
from cleverdon.trec.arrays import Floats, Mask
from cleverdon.trec.ranking import DEFAULT_RULES
from cleverdon.trec.words import counted
from evaluation import throttle
from evaluation.core.preliminary import update
from evaluation.core.standing import FEWEST_TOPICS, compared
from evaluation.core.study import studied
from evaluation.figures.pictured import Pictured
from evaluation.models.pairs import Pairs
from evaluation.models.preliminary import UNSEEN, Preliminary
from evaluation.models.scores import Evaluation, Score, packed
from evaluation.placement_cache import against, together
from jobs import broker, work
from jobs.acting import acting
from jobs.models import Job
from pooling.models.pools import Pool
from runs.models import Run

RUNS_PER_TASK = 32
NOTHING_TO_STUDY = (
    f"A study needs {FEWEST_TOPICS} topics that count for every run, and two runs that differ by a "
    "measure that is a mean over topics."
)


@work.kind("score the runs", of=Evaluation)
def score_runs(job: Job) -> str | None:
    """Queue the runs without a score in batches; the last of them publishes the leaderboard."""
    evaluation = _evaluation(job)
    scored = evaluation.scores.values("run")
    left = evaluation.runs.exclude(pk__in=scored).order_by("pk")
    waiting = list(left.values_list("pk", flat=True))
    work.report(job, evaluation.scores.count(), evaluation.runs.count())
    if not waiting:
        return _published(evaluation)
    for start in range(0, len(waiting), RUNS_PER_TASK):
        batch = waiting[start : start + RUNS_PER_TASK]
        # If Redis is away, the job is found silent and queued again.
        broker.send(score_batch, job.pk, job.token, batch)
    return None


def _evaluation(job: Job) -> Evaluation:
    evaluations = Evaluation.objects.select_related("qrels__pool", "without")
    return evaluations.get(pk=job.subject_id)


@shared_task
def score_batch(job_id: int, token: int, run_ids: list[int]) -> None:
    work.part(job_id, token, partial(_score_batch, run_ids))


def _score_batch(run_ids: list[int], job: Job) -> str | None:
    """Score a batch of runs; scoring one twice writes the same row."""
    evaluation = _evaluation(job)
    runs = list(Run.objects.filter(pk__in=run_ids).order_by("pk"))
    scores = _scores(evaluation, runs)
    with work.writing(job):
        _save(evaluation, runs, scores)
        # The batches write one after the other, so exactly one of them is the last.
        n_scored = evaluation.scores.count()
        work.report(job, n_scored)
        return _published(evaluation) if n_scored == evaluation.runs.count() else None


def _scores(evaluation: Evaluation, runs: list[Run]) -> Scores:
    """Score runs against the part of the pool that has a grade in the qrels."""
    qrels, rules = evaluation.qrels, evaluation.rules
    universe, placed = against(evaluation, runs)
    return score(placed, universe, evaluation.parsed, level=qrels.level, rules=rules)


def _save(evaluation: Evaluation, runs: Iterable[Run], scores: Scores) -> None:
    aggregates, topics = scores.aggregate(evaluation.scope.topic_set), np.array(scores.topics)
    rows = [
        Score(
            evaluation=evaluation,
            run=run,
            content=packed(scores.values[number]),
            aggregates=aggregates.values[number].tolist(),
            n_topics=int(aggregates.n_topics[number]),
            missing_topics=topics[scores.n_retrieved[number] == 0].tolist(),
            uncounted_topics=topics[~aggregates.counted[number]].tolist(),
        )
        for number, run in enumerate(runs)
    ]
    Score.objects.bulk_create(
        rows,
        update_conflicts=True,
        unique_fields=["evaluation", "run"],
        update_fields=["content", "aggregates", "n_topics", "missing_topics", "uncounted_topics"],
    )


def _published(evaluation: Evaluation) -> str:
    """Publish the leaderboard and return the outcome of its job. A second call has no effect."""
    unfinished = Evaluation.objects.filter(pk=evaluation.pk, finished_at__isnull=True)
    if unfinished.update(finished_at=timezone.now()):
        campaign, user = evaluation.campaign, evaluation.created_by
        work.request(campaign=campaign, kind=place_runs, subject_id=evaluation.pk, user=user)
    runs, n_topics = counted(evaluation.scores.count(), "run"), len(evaluation.topics)
    return f"{runs} scored on {counted(n_topics, 'topic')} of {evaluation.scope.name}."


@work.kind("compare the runs", of=Evaluation)
def place_runs(job: Job) -> str:
    """Compute how the runs of an evaluation stand, all their pairs, and what its pictures show."""
    evaluation = _evaluation(job)
    scores, values, takes_part = _by_topic(evaluation)
    ids = [each.pk for each in scores]
    rows: list[Pairs] = []
    for each in scores:
        each.standings = []
    for n, measure in enumerate(evaluation.parsed):
        work.report(job, n, len(evaluation.measures))
        standings, pairs = compared(values[:, :, n], takes_part, measure)
        rows += [Pairs.of(evaluation, str(measure), ids, pairs)] if pairs else []
        for each, own in zip(scores, standings, strict=True):
            each.standings.append(own)
    evaluation.pictured = Pictured.found(evaluation).to_json()
    with work.writing(job):
        Score.objects.bulk_update(scores, ["standings"], batch_size=500)
        evaluation.pairs.all().delete()
        Pairs.objects.bulk_create(rows)
        evaluation.save(update_fields=["pictured"])
    return f"{counted(len(scores), 'run')} compared with each other on {evaluation.scope.name}."


def _by_topic(evaluation: Evaluation) -> tuple[list[Score], Floats, Mask]:
    """Return the scores, their values [runs x topics x measures], and which topics count."""
    scores = list(evaluation.scores.order_by("run__tag", "pk"))
    values = np.stack([each.by_topic() for each in scores])
    left_out = np.array([each.is_left_out(evaluation.topics) for each in scores])
    return scores, values, ~left_out


@work.kind("study the measures and topics", of=Evaluation)
def study(job: Job) -> str:
    """Compute what the measures and topics of an evaluation can tell."""
    evaluation = _evaluation(job)
    _, values, takes_part = _by_topic(evaluation)
    found = studied(values, takes_part, evaluation.parsed)
    if not found.measures:
        raise work.CannotFinish(NOTHING_TO_STUDY)
    with work.writing(job):
        evaluation.study = found.to_json()
        evaluation.save(update_fields=["study"])
    return f"{counted(len(found.measures), 'measure')} studied on {evaluation.scope.name}."


def ask_for_refresh(campaign_id: int) -> None:
    """Queue a refresh of the preliminary board; if that fails, the one of the next minute helps."""
    if throttle.is_first(campaign_id):
        broker.send(refresh_preliminary, campaign_id, seconds=throttle.EXPIRY_SECONDS)


@shared_task
def refresh_all_preliminary() -> None:
    """Catch up with judgments whose announcement was lost, in a task for each campaign."""
    pools = Pool.objects.order_by("campaign")
    for campaign_id in pools.values_list("campaign", flat=True):
        ask_for_refresh(campaign_id)


@shared_task
def refresh_preliminary(campaign_id: int) -> None:
    """Bring the preliminary board up to date."""
    throttle.begin(campaign_id)
    start = time.monotonic()
    _refresh(campaign_id)
    throttle.end(campaign_id, time.monotonic() - start)


def _refresh(campaign_id: int) -> None:
    """Score the topics of the round judged since the last refresh, for all its runs."""
    with suppress(NotThere), acting(campaign_id):
        pool = Pool.objects.kept(campaign_id)
        runs = _of_the_round(pool.campaign) if pool else []
        if pool is None or not runs:
            return
        universe, placements = together(runs, pool, DEFAULT_RULES)
        board = Preliminary.objects.locked(pool, runs, universe.topics)
        changes = Assignment.objects.changes(pool)
        in_round = set(topics_in(pool.campaign, pool.campaign.round))
        # Topics of other rounds stay as before the first time; one taken out returns to that.
        seen = [changes.get(each, 0) if each in in_round else UNSEEN for each in board.topics]
        stale = np.flatnonzero(np.array(seen) != board.seen)
        if len(stale):
            topics = in_round.intersection(board.topics[topic] for topic in stale)
            official = OfficialGrade.objects.grades(pool.campaign, topics)
            again = partial(update, measures=board.parsed, level=board.level)
            board.take(again(board.so_far(), placements, universe, official, stale))
            board.seen, board.refreshed_at = seen, timezone.now()
            board.version += 1
            board.save()


def _of_the_round(campaign: Campaign) -> list[Run]:
    """Return the valid runs of the current round."""
    return list(Run.objects.of_round(campaign, campaign.round).valid().order_by("pk"))
