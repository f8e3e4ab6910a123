"""The runs that contribute to batches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

import numpy as np
from django.db import models

from campaigns.models.ordering import natural
from cleverdon.pools.lists import RunFacts
from pooling.core.statistics import shares
from pooling.models.batches import Batch, BatchQuerySet
from runs.models import Run

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cleverdon.trec.arrays import Floats, Integers


def facts_of(runs: Iterable[Run]) -> list[RunFacts]:
    return [RunFacts(run.pk, run.sha256, run.tag, run.team_id, run.priority or 0) for run in runs]


class ContributorQuerySet(models.QuerySet["Contributor"]):
    def no_longer_valid(self) -> Self:
        """Return those whose run has become invalid, withdrawn or disqualified."""
        return self.in_order().exclude(run__state=Run.State.VALID)

    def in_order(self) -> Self:
        return self.select_related("run__team", "run__campaign").order_by(natural("run__tag"), "pk")


def shares_of(contributors: Sequence[Contributor]) -> Floats:
    """Return `shares` of all contributors of a built batch: shape [n_runs, n_runs]."""
    if not all(each.shared for each in contributors):  # it is not built
        return np.zeros((len(contributors), len(contributors)))
    ids = np.array([each.run_id for each in contributors])
    places = np.searchsorted(np.sort(ids), ids)
    common = np.array([in_common(each.shared)[places] for each in contributors])
    return shares([each.n_contributed for each in contributors], common)


def in_common(shared: bytes | memoryview) -> Integers:
    """Return how many documents a run has in common with each, in the order of their ids."""
    return np.frombuffer(shared, dtype="<i4").astype(np.int64)


class Contributor(models.Model):
    """A run that contributes to a batch, with the hash of its file."""

    batch = models.ForeignKey(Batch, on_delete=models.CASCADE, related_name="contributors")
    run = models.ForeignKey(Run, on_delete=models.PROTECT)
    run_sha256 = models.CharField(max_length=64)
    is_read = models.BooleanField(
        default=False, help_text="Whether the batch has a document of it, to be judged or not."
    )
    n_contributed = models.PositiveIntegerField(
        default=0, help_text="Documents to be judged that the batch has by this run."
    )
    n_unique = models.PositiveIntegerField(
        default=0, help_text="Those of them that no other contributing run has."
    )
    shared = models.BinaryField(
        default=bytes,
        help_text="Those in common with each contributing run, itself included, in the order of "
        "their ids: whole numbers of four bytes.",
    )

    objects = ContributorQuerySet.as_manager()

    class Meta:
        ordering = ["run__tag"]
        constraints = [
            models.UniqueConstraint(fields=["batch", "run"], name="one_contribution_per_run")
        ]

    def __str__(self) -> str:
        return str(self.run)

    @property
    def is_valid(self) -> bool:
        """Whether the run may be in a new batch."""
        return self.run.state == Run.State.VALID


def with_contributors(batches: BatchQuerySet) -> BatchQuerySet:
    """Return the batches with their runs and people, for a page about one."""
    rows = batches.select_related("campaign", "pool", "created_by", "frozen_by")
    runs = Contributor.objects.in_order().defer("run__report", "run__description")
    return rows.prefetch_related(models.Prefetch("contributors", runs))
