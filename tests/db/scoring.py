"""Two runs and the grades of their documents; scoring them as workers would."""

import numpy as np
import pytrec_eval

from accounts.access import Refused
from evaluation import services, tasks
from evaluation.models.scores import Evaluation, packed
from jobs.models import Job
from qrels.models import Qrels
from qrels.services.publishing import publish_qrels
from runs.models import Run
from tests import make

ONE = {"1": "d1 d2 d3 d4", "2": "d4 d1"}
TWO = {"1": "d4 d3 d6"}
GRADES = {"1": {"d1": 2, "d2": 0, "d3": 1, "d4": 0}, "2": {"d1": 3, "d4": 0}}


def trec_evals(run: Run, qrels: dict[str, dict[str, int]], *names: str) -> dict[str, dict]:
    """What trec_eval gives for the file of a run, by topic."""
    given: dict[str, dict[str, float]] = {}
    for line in make.content(run.file).decode().splitlines():
        topic, _, docno, _, value, _ = line.split()
        given.setdefault(topic, {})[docno] = float(value)
    return pytrec_eval.RelevanceEvaluator(qrels, set(names)).evaluate(given)


def published(olga, campaign) -> Qrels:
    """The grades as they are now, published unless they are already."""
    try:
        return publish_qrels(user=olga, campaign=campaign)
    except Refused as refusal:
        if "again" not in str(refusal):
            raise
        return Qrels.objects.newest(campaign)


def score(olga, campaign, sent, **asked) -> Evaluation:
    """Score against the grades as they are now."""
    return scored(olga, published(olga, campaign), sent, **asked)


def scored(olga, qrels: Qrels, sent, measures=(), rules="trec_eval-9", **parts) -> Evaluation:
    asked = make.scope(qrels, **parts)
    evaluation = services.request_evaluation(user=olga, measures=measures, rules=rules, **asked)
    job = Job.objects.get(kind="score_runs", subject_id=evaluation.pk)
    tasks.score_runs(job.pk)
    while sent:
        task, arguments = sent.pop(0)
        task(*arguments)
    evaluation.refresh_from_db()
    return evaluation


def scored_apart(olga, campaign, sent, n_topics: int) -> Evaluation:
    """Two runs, the first better by AP on each of these topics, of which one does not count."""
    made = score(olga, campaign, sent)
    made.topics = [*made.topics[:1], *(f"t{n}" for n in range(1, n_topics))]
    made.save()
    for n, each in enumerate(made.scores.order_by("run__tag")):
        values = np.random.default_rng(n).random((n_topics, len(made.measures))) / 10
        values[:, made.measures.index("AP")] += 1 - n
        values[3] = np.nan
        each.content, each.uncounted_topics = packed(values), ["t3"]
        each.save()
    return made
