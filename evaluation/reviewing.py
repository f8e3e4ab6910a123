"""What workers find out about a pool after judging: how complete it is, how reusable its qrels."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import partial
from math import isnan
from typing import Any

import numpy as np
from django.db.models import Count

from assess.core.purposes import OFFICIAL
from assess.models.judging import Judgment
from assess.models.official import OfficialGrade
from cleverdon.measures.family import Best, Measure
from cleverdon.measures.inferred import estimates
from cleverdon.measures.inputs.placements import Placements
from cleverdon.measures.inputs.strata import Sample
from cleverdon.measures.inputs.universe import Universe
from cleverdon.measures.scoring.scoring import score
from cleverdon.trec.arrays import Floats, Integers, Mask
from cleverdon.trec.docnos import decoded
from cleverdon.trec.words import counted
from evaluation.contributions import (
    Pair,
    brought_by_no_run,
    ranks_by_run,
    teams_of_contributors,
    versions_of,
)
from evaluation.core.preliminary import graded
from evaluation.core.reusability import SEVERAL, growth, left_out, only_groups, risen
from evaluation.models.reviews import Review
from evaluation.models.scores import Evaluation, Score
from evaluation.placement_cache import against, sampled, universe_of
from jobs import work
from jobs.models import Job
from pooling.core.completeness import Missing, found_by_rank, is_dry, stops_at_nist
from pooling.models.batches import BatchQuerySet
from pooling.models.entries import PoolEntry
from pooling.models.populations import n_undrawn, population
from runs.models import Run

WAYS = ("run", "team")  # what is left out
NOTHING_TO_LEAVE_OUT = "No measure of these scores says which of two runs is better."
Row = dict[str, Any]


@work.kind("leave runs and teams out")
def leave_out(job: Job) -> str:
    """Score each run without what it, or its team, alone brought into the pool."""
    evaluations = Evaluation.objects.select_related("qrels__pool", "without")
    evaluation = evaluations.get(pk=job.subject_id)
    scores = list(evaluation.scores.select_related("run").order_by("run__tag", "pk"))
    found = _reusability(evaluation, scores)
    if not found["measures"]:
        raise work.CannotFinish(NOTHING_TO_LEAVE_OUT)
    with work.writing(job):
        evaluation.reusability = found
        evaluation.save(update_fields=["reusability"])
    return f"{counted(len(scores), 'run')} left out of {evaluation.scope.name}."


def _reusability(evaluation: Evaluation, scores: Sequence[Score]) -> Row:
    """Return what leaving out does to these runs, in their order, by each measure with a best.

    `n_only` are by `WAYS` the relevant documents of each run's group alone, `n_alone` those of all
    groups; `growth` has tau-b by measure for each version of the pool but the last.
    """
    runs, batches = [each.run for each in scores], evaluation.qrels.batches
    at = [n for n, each in enumerate(evaluation.parsed) if each.family.best is not Best.NONE]
    measures = [evaluation.parsed[n] for n in at]
    signs = [-1 if each.family.best is Best.LOWEST else 1 for each in measures]
    judged, placed = against(evaluation, runs)
    rescored = partial(_aggregates, evaluation, measures)
    before = np.array([each.aggregates for each in scores])[:, at]
    is_relevant = judged.grades >= evaluation.qrels.level
    n_only, n_alone = {}, {}
    rows: list[Row] = [
        {"measure": str(each), "sign": sign, "before": _known(column)}
        for each, sign, column in zip(measures, signs, before.T, strict=True)
    ]
    for way, (groups, only) in _groups(batches, runs, _pairs(judged)).items():
        own = Counter(only[is_relevant].tolist())
        n_alone[way] = own.total() - own.pop(SEVERAL, 0)
        n_only[way] = [own[group] for group in groups.tolist()]
        after = left_out(placed, judged, only=only, groups=groups, before=before, score=rescored)
        for n, (row, sign) in enumerate(zip(rows, signs, strict=True)):
            rose = risen(before[:, n], after[:, n], groups, sign)
            row[way] = {"after": _known(after[:, n]), "rose": rose}
    contributors = teams_of_contributors(batches)
    return {
        "runs": [run.pk for run in runs],
        "contributed": [run.pk in contributors for run in runs],
        "n_relevant": int(is_relevant.sum()),
        "n_only": n_only,
        "n_alone": n_alone,
        "measures": rows,
        "growth": _growth(evaluation, placed, judged, measures, signs),
    }


def _growth(
    evaluation: Evaluation,
    placed: Sequence[Placements],
    judged: Universe,
    measures: Sequence[Measure],
    signs: Sequence[int],
) -> list[tuple[str, list[float | None]]]:
    """Return tau-b by measure of the board of each version of the pool but the last.

    There is none by what estimates from a sample: the version before was of another population.
    """
    versions = _versions(evaluation.qrels.batches, _pairs(judged))
    rescored = partial(_aggregates, evaluation, measures)
    taus = growth(placed, judged, list(versions.values()), score=rescored, signs=signs)
    known = [not (evaluation.is_sample and estimates(each)) for each in measures]
    return [
        (name, [tau if is_so else None for tau, is_so in zip(row, known, strict=True)])
        for name, row in zip(versions, taus, strict=True)
    ]


def _groups(
    batches: BatchQuerySet, runs: Sequence[Run], pairs: Sequence[Pair]
) -> dict[str, tuple[Integers, Integers]]:
    """Return by `WAYS` the group of each run, and the one that contributed each pair alone."""
    teams, ranks = teams_of_contributors(batches), ranks_by_run(batches)
    others = brought_by_no_run(batches)
    held = [ranks.get(pair, {}) if pair not in others else {} for pair in pairs]
    own = np.array([run.pk for run in runs]), np.array([run.team_id for run in runs])
    only = only_groups(held), only_groups([teams[run] for run in each] for each in held)
    return dict(zip(WAYS, zip(own, only, strict=True), strict=True))


def _aggregates(
    evaluation: Evaluation,
    measures: Sequence[Measure],
    placed: Sequence[Placements],
    judged: Universe,
) -> Floats:
    level, rules = evaluation.qrels.level, evaluation.rules
    scores = score(placed, judged, measures, level=level, rules=rules)
    return scores.aggregate(evaluation.scope.topic_set).values


def _pairs(universe: Universe) -> list[Pair]:
    """Return the topic and docno of each entry."""
    topics = (universe.topics[n] for n in universe.topic_of.tolist())
    return list(zip(topics, decoded(universe.docnos.tolist()), strict=True))


def _versions(batches: BatchQuerySet, pairs: Sequence[Pair]) -> dict[str, Mask]:
    """Return the versions of the pool but the last, by name, and which pairs each has."""
    earlier = list(versions_of(batches).items())[:-1]
    return {name: np.array([pair in had for pair in pairs]) for name, had in earlier}


def _known(values: Floats) -> list[float | None]:
    return [None if isnan(each) else each for each in values.tolist()]


GONE = "Nobody waits for this review any more."


@work.kind("review the judging of the pool")
def review_pool(job: Job) -> str:
    """See how completely a pool is judged, and which topics may stop."""
    review = Review.objects.select_related("pool", "campaign").filter(pk=job.subject_id).first()
    if review is None:
        return GONE
    found = _review(review)
    with work.writing(job):
        if not Review.objects.filter(pk=review.pk).update(found=found):
            return GONE
    return f"{found['n_judged']:,} of {counted(found['n_pooled'], 'document')} judged."


def _review(review: Review) -> Row:
    """Return what is known of a pool by the official grades as they are now.

    `n_left` are to be judged, `n_undrawn` those that a sample left out. `n_relevant` are judged
    so; `by_rank`, of `found_by_rank`, and `missing`, of `Missing`, count each of a sample for those
    of its stratum. `dry` and `nist` are the topics with something left where `is_dry` and
    `stops_at_nist` hold.
    """
    pool, batches = review.pool, review.pool.batches.all()
    pooled = universe_of(pool)
    official = OfficialGrade.objects.grades(pool.campaign, pooled.topics)
    judged, left = graded(pooled, official), _n_left(review)
    n_left_out = n_undrawn(batches)
    whole = sampled(population(batches), official) if n_left_out else judged
    held, weights = _relevant(review, whole)
    orders = {topic: each for topic, each in _orders(review, official).items() if left[topic] > 0}
    return {
        "n_pooled": len(pooled.grades),
        "n_judged": int((judged.grades >= 0).sum()),
        "n_left": sum(max(n, 0) for n in left.values()),
        "n_undrawn": n_left_out,
        "n_relevant": len(held),
        "by_rank": found_by_rank([min(each.values()) for each in held], weights).tolist(),
        "missing": Missing.of(list(map(len, held)), len(teams_of_contributors(batches)), weights),
        "dry": [topic for topic, relevant in orders.items() if is_dry(relevant)],
        "nist": [topic for topic, relevant in orders.items() if stops_at_nist(relevant)],
    }


def _relevant(review: Review, judged: Universe) -> tuple[list[dict[int, int]], list[float]]:
    """Return the ranks by run of each relevant document, and how many it stands for.

    What people named has no run, and so tells nothing of how far runs reach.
    """
    batches, level = review.pool.batches.all(), review.campaign.level
    weights = Sample.of(judged).weights if judged.detail else np.ones(len(judged.grades))
    ranks, is_relevant = ranks_by_run(batches), judged.grades >= level
    rows = zip(_pairs(judged), weights.tolist(), is_relevant.tolist(), strict=True)
    found = [(ranks[pair], weight) for pair, weight, each in rows if each and ranks[pair]]
    return [held for held, _ in found], [weight for _, weight in found]


def _n_left(review: Review) -> dict[str, int]:
    """Return how many documents of each topic are to be judged, and nobody has decided."""
    decided = Judgment.objects.counting().current().decided()
    decided = decided.filter(topic__campaign=review.campaign, purpose__in=OFFICIAL).order_by()
    n_decided = decided.values_list("topic__number").annotate(n=Count("item", distinct=True))
    entries = PoolEntry.objects.in_pool(review.pool).order_by()
    n_pooled = Counter(dict(entries.values_list("topic__number").annotate(n=Count("pk"))))
    n_pooled.subtract(dict(n_decided))
    return n_pooled


def _orders(review: Review, official: dict[str, dict[str, int]]) -> dict[str, Mask]:
    """Return by topic whether its judgments, in the order given, are relevant by official grade."""
    level, given = review.campaign.level, Judgment.objects.counting().current().graded()
    given = given.filter(topic__campaign=review.campaign, purpose__in=OFFICIAL)
    orders: dict[str, dict[str, bool]] = defaultdict(dict)
    for topic, key in given.order_by("changed_at", "pk").values_list("topic__number", "item__key"):
        if key in official.get(topic, ()):
            orders[topic].setdefault(key, official[topic][key] >= level)
    return {topic: np.array(list(each.values())) for topic, each in orders.items()}
