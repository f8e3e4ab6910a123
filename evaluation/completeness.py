"""How completely a pool is judged, and which topics may stop: a worker reviews it."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Self

import numpy as np
from django.db.models import Count

from assess.models.judging import Judgment
from assess.models.official import OfficialGrade
from cleverdon.measures.inputs.strata import Sample
from cleverdon.measures.inputs.universe import Universe
from cleverdon.trec.arrays import Mask
from cleverdon.trec.words import counted
from evaluation.contributions import pairs_of, ranks_by_run, teams_of_contributors
from evaluation.core.preliminary import graded
from evaluation.models.reviews import Review
from evaluation.placement_cache import sampled, universe_of
from jobs import work
from jobs.models import Job
from pooling.core.completeness import Missing, found_by_rank, is_dry, stops_at_nist
from pooling.models.entries import PoolEntry
from pooling.models.populations import n_undrawn, population

GONE = "Nobody waits for this review any more."


@dataclass(frozen=True)
class Completeness:
    """What is known of a pool: `n_left` are to be judged, `n_undrawn` a sample left out.

    `n_relevant` are judged so; `by_rank`, of `found_by_rank`, and `missing` count each of a sample
    for those of its stratum. `dry` and `nist` are the topics with something left where `is_dry` and
    `stops_at_nist` hold.
    """

    n_pooled: int
    n_judged: int
    n_left: int
    n_undrawn: int
    n_relevant: int
    by_rank: Sequence[float]
    missing: Missing
    dry: Sequence[str]
    nist: Sequence[str]

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Self:
        return cls(**{**stored, "missing": Missing(*stored["missing"])})

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


@work.kind("review the judging of the pool")
def review_pool(job: Job) -> str:
    """See how completely a pool is judged, and which topics may stop."""
    review = Review.objects.select_related("pool", "campaign").filter(pk=job.subject_id).first()
    if review is None:
        return GONE
    found = _review(review)
    with work.writing(job):
        if not Review.objects.filter(pk=review.pk).update(found=found.to_json()):
            return GONE
    return f"{found.n_judged:,} of {counted(found.n_pooled, 'document')} judged."


def _review(review: Review) -> Completeness:
    """Return what is known of a pool by the official grades as they are now."""
    pool, batches = review.pool, review.pool.batches.all()
    pooled = universe_of(pool)
    official = OfficialGrade.objects.grades(pool.campaign, pooled.topics)
    judged, left = graded(pooled, official), _n_left(review)
    n_left_out = n_undrawn(batches)
    whole = sampled(population(batches), official) if n_left_out else judged
    held, weights = _relevant(review, whole)
    orders = {topic: each for topic, each in _orders(review, official).items() if left[topic] > 0}
    return Completeness(
        n_pooled=len(pooled.grades),
        n_judged=int((judged.grades >= 0).sum()),
        n_left=sum(max(n, 0) for n in left.values()),
        n_undrawn=n_left_out,
        n_relevant=len(held),
        by_rank=found_by_rank([min(each.values()) for each in held], weights).tolist(),
        missing=Missing.of(list(map(len, held)), len(teams_of_contributors(batches)), weights),
        dry=[topic for topic, relevant in orders.items() if is_dry(relevant)],
        nist=[topic for topic, relevant in orders.items() if stops_at_nist(relevant)],
    )


def _relevant(review: Review, judged: Universe) -> tuple[list[dict[int, int]], list[float]]:
    """Return the ranks by run of each relevant document, and how many it stands for.

    What people named has no run, and so tells nothing of how far runs reach.
    """
    batches, level = review.pool.batches.all(), review.campaign.level
    weights = Sample.of(judged).weights if judged.detail else np.ones(len(judged.grades))
    ranks, is_relevant = ranks_by_run(batches), judged.grades >= level
    rows = zip(pairs_of(judged), weights.tolist(), is_relevant.tolist(), strict=True)
    found = [(ranks[pair], weight) for pair, weight, each in rows if each and ranks[pair]]
    return [held for held, _ in found], [weight for _, weight in found]


def _n_left(review: Review) -> dict[str, int]:
    """Return how many documents of each topic are to be judged, and nobody has decided."""
    decided = Judgment.objects.official().current().decided()
    decided = decided.filter(topic__campaign=review.campaign).order_by()
    n_decided = decided.values_list("topic__number").annotate(n=Count("item", distinct=True))
    entries = PoolEntry.objects.in_pool(review.pool).order_by()
    n_pooled = Counter(dict(entries.values_list("topic__number").annotate(n=Count("pk"))))
    n_pooled.subtract(dict(n_decided))
    return n_pooled


def _orders(review: Review, official: dict[str, dict[str, int]]) -> dict[str, Mask]:
    """Return by topic whether its judgments, in the order given, are relevant by official grade."""
    level, given = review.campaign.level, Judgment.objects.official().graded()
    given = given.filter(topic__campaign=review.campaign)
    orders: dict[str, dict[str, bool]] = defaultdict(dict)
    for topic, key in given.order_by("changed_at", "pk").values_list("topic__number", "item__key"):
        if key in official.get(topic, ()):
            orders[topic].setdefault(key, official[topic][key] >= level)
    return {topic: np.array(list(each.values())) for topic, each in orders.items()}
