"""The pairs of all runs of an evaluation, as a worker has compared them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

import numpy as np
from django.contrib.postgres.fields import ArrayField
from django.db import models

from cleverdon.significance.pairs import AllPairs
from evaluation.models.scores import Evaluation, doubles

if TYPE_CHECKING:
    from collections.abc import Iterable


class Pairs(models.Model):
    """The pairs of all runs of an evaluation by a measure; without places there are none.

    `content` holds p of each pair as doubles: of the first of `scores`, which are ids, with each
    that follows, then of the second.
    """

    evaluation = models.ForeignKey(Evaluation, on_delete=models.CASCADE, related_name="pairs")
    measure = models.CharField(max_length=80)
    scores = ArrayField(models.BigIntegerField())
    content = models.BinaryField()
    limit = models.FloatField(help_text="As of `AllPairs`.")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["evaluation", "measure"], name="compared_once")
        ]

    def __str__(self) -> str:
        return f"pairs by {self.measure}, {self.evaluation}"

    @classmethod
    def of(cls, evaluation: Evaluation, measure: str, scores: list[int], pairs: AllPairs) -> Self:
        p = pairs.p[np.triu_indices(len(scores), 1)].astype("<f8").tobytes()
        stored = {"scores": scores, "content": p, "limit": pairs.limit}
        return cls(evaluation=evaluation, measure=measure, **stored)

    def among(self, scores: Iterable[int]) -> AllPairs:
        """Return the pairs of some scores, in this order."""
        n, at = len(self.scores), {pk: n for n, pk in enumerate(self.scores)}
        p = np.ones((n, n))
        one, other = np.triu_indices(n, 1)
        p[one, other] = p[other, one] = doubles(self.content, -1)
        return AllPairs(p, self.limit).of([at[pk] for pk in scores])
