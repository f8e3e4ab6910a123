"""What forecasts of pools are counted from: the first documents of all valid runs, numbered."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.crypto import get_random_string

from campaigns.models.campaign import Campaign
from cleverdon.trec.mapped import DamagedFile
from jobs.storage import Missing, local_path
from pooling.core.forecast import NumberedRuns
from pooling.models.pools import Pool
from runs.models import Run

if TYPE_CHECKING:
    from collections.abc import Iterable


def forecast_path(forecast: Forecast, _: str) -> str:
    return f"forecasts/{forecast.campaign_id}-{get_random_string(12)}"


class ForecastQuerySet(models.QuerySet["Forecast"]):
    def current_of(self, campaign: Campaign, existing: Iterable[str]) -> Forecast | None:
        """Return what is computed, if nothing of what its key is made of has changed since.

        A file that is gone or damaged is nothing computed.
        """
        row = self.filter(campaign=campaign, key=forecast_key(campaign, existing)).first()
        if row is None:
            return None
        try:
            row.numbered = NumberedRuns.open(local_path(row.file))
        except (DamagedFile, FileNotFoundError, Missing):
            return None
        return row


def forecast_key(campaign: Campaign, existing: Iterable[str]) -> str:
    """Return the key of the campaign's valid runs, topics and pool, and of existing judgments.

    `existing` are their hashes.
    """
    runs = Run.objects.filter(campaign=campaign).valid().order_by("pk")
    topics = campaign.topic_set.order_by("number").values_list("number", flat=True)
    pool = Pool.objects.of(campaign)
    parts: list[Any] = [*runs.values_list("pk", "sha256"), *topics, pool.sha256 if pool else ""]
    parts += existing
    return hashlib.sha256(repr(parts).encode()).hexdigest()


class Forecast(models.Model):
    """The numbered documents of the campaign's valid runs: any choice of them is counted at once.

    A cache, made again when runs, topics or the pool have changed.
    """

    campaign = models.OneToOneField(Campaign, on_delete=models.CASCADE)
    key = models.CharField(
        max_length=64, blank=True, help_text="Of what it was computed from; empty before."
    )
    run_ids = ArrayField(models.BigIntegerField(), default=list, help_text="As they are numbered.")
    existing = ArrayField(
        models.CharField(max_length=64),
        default=list,
        help_text="Hashes of the existing judgments whose documents are marked, in order.",
    )
    file = models.FileField(upload_to=forecast_path, max_length=200, blank=True)

    numbered: NumberedRuns  # of a current one

    objects = ForecastQuerySet.as_manager()

    def __str__(self) -> str:
        return f"forecast of {self.campaign}"

    def places_of(self, run_ids: Iterable[int]) -> list[int]:
        """Return the places of runs as they are numbered."""
        places = {pk: place for place, pk in enumerate(self.run_ids)}
        return [places[pk] for pk in run_ids]

    def without(self, existing: str | None) -> list[int]:
        """Return the numbers of the known sets that a batch with these judgments leaves out."""
        return [0, self.existing.index(existing) + 1] if existing in self.existing else [0]
