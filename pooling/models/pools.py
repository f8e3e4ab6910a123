"""The pool of a campaign: all documents to judge, batch by batch."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import models

from campaigns.models.campaign import Campaign
from cleverdon.trec.words import counted

if TYPE_CHECKING:
    from pooling.models.batches import Batch

LOW = 5  # documents of a topic that are left to judge when an adaptive pool takes the next ones
KEPT = "SELECT * FROM pooling_pool WHERE campaign_id = %s FOR KEY SHARE"


class PoolQuerySet(models.QuerySet["Pool"]):
    def of(self, campaign: Campaign) -> Pool | None:
        return self.filter(campaign=campaign).first()

    def kept(self, campaign_id: int) -> Pool | None:
        """Return the campaign's pool, locked against deletion by others."""
        return next(iter(self.raw(KEPT, [campaign_id])), None)


class Pool(models.Model):
    """The documents of a campaign's frozen batches; it changes only by growing.

    There is none until the first batch is frozen. Version n consists of the batches 1 to n.
    """

    campaign = models.OneToOneField(Campaign, on_delete=models.CASCADE)
    seed = models.BigIntegerField(help_text="The orders served to assessors are derived from it.")
    version = models.PositiveIntegerField(default=0, help_text="The number of its batches.")
    n_entries = models.PositiveIntegerField(default=0)
    sha256 = models.CharField(max_length=64, help_text="Of the hashes of its batches, in order.")

    growth_fault = models.TextField(
        blank=True, help_text="Why it could not grow by itself when that was last tried."
    )

    objects = PoolQuerySet.as_manager()

    def __str__(self) -> str:
        return f"pool v{self.version}, {counted(self.n_entries, 'document')}"

    def sha256_at(self, version: int) -> str:
        """Return the hash of one of its versions."""
        sha256 = ""
        for each in self.batches.filter(version__lte=version).order_by("version"):
            sha256 = each.pool_sha256(sha256)
        return sha256

    @property
    def last_batch(self) -> Batch:
        """The batch that made it what it is; the only one that can be taken back."""
        return self.batches.get(version=self.version)
