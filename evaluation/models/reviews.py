"""What was known of a pool after judging, whenever somebody asked."""

from __future__ import annotations

from typing import Any

from django.db import models
from django.utils import timezone

from accounts.models import User
from campaigns.models.campaign import Campaign
from pooling.models.pools import Pool


class Review(models.Model):
    """How complete a pool's judgments were; never changed."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="+")
    pool = models.ForeignKey(Pool, on_delete=models.CASCADE, related_name="+")
    created_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)
    found: models.JSONField[Any, Any] = models.JSONField(
        null=True, help_text="What `completeness` found, once it is computed."
    )

    def __str__(self) -> str:
        return str(self.pool)
