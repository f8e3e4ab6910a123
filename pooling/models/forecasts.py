"""Forecasts: the sizes of pools that are not built."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import numpy as np
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils import timezone

from campaigns.models.campaign import Campaign
from pooling.core.statistics import PoolSizes
from trec.words import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from runs.models import Run

MAX_DEPTH = 100


class ForecastQuerySet(models.QuerySet["Forecast"]):
    def of(self, campaign: Campaign, runs: Sequence[Run], topics: Sequence[str]) -> Forecast | None:
        return self.filter(campaign=campaign, key=forecast_key(runs, topics)).first()


def forecast_key(runs: Sequence[Run], topics: Sequence[str]) -> str:
    """Return the key of a choice of runs for these topics: a stored run never changes."""
    files = sorted(f"{run.sha256} {run.pk}" for run in runs)
    inputs = "\n".join([str(MAX_DEPTH), *files, "", *sorted(topics)])
    return hashlib.sha256(inputs.encode()).hexdigest()


class Forecast(models.Model):
    """The sizes of the pools of these runs, at every depth; computed once for each choice."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE)
    key = models.CharField(max_length=64, help_text="Identifies the runs and topics.")
    run_ids = ArrayField(models.BigIntegerField())
    topics = ArrayField(models.CharField(max_length=60), help_text="In byte order.")
    by_topic = ArrayField(
        ArrayField(models.PositiveIntegerField()),
        default=list,
        help_text="For each topic the documents at depths 1, 2, 3 …",
    )
    created_at = models.DateTimeField(default=timezone.now)
    computed_at = models.DateTimeField(null=True, blank=True)

    objects = ForecastQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["campaign", "key"], name="one_forecast_per_choice")
        ]

    def __str__(self) -> str:
        return f"{counted(len(self.run_ids), 'run')}, {counted(len(self.topics), 'topic')}"

    @property
    def is_computed(self) -> bool:
        return self.computed_at is not None

    @property
    def sizes(self) -> PoolSizes:
        shape = len(self.topics), MAX_DEPTH
        by_topic = np.array(self.by_topic, dtype=np.int64).reshape(shape)
        return PoolSizes(tuple(self.topics), by_topic)
