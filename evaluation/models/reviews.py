"""What was known of a pool after judging, and what was advised, whenever somebody asked."""

from __future__ import annotations

from typing import Any

from django.db import models
from django.utils import timezone

from accounts.models import User
from campaigns.models.campaign import Campaign
from pooling.models.pools import Pool


class Review(models.Model):
    """How complete a pool's judgments were, and which topics to stop, by a rule; never changed."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="+")
    pool = models.ForeignKey(Pool, on_delete=models.CASCADE, related_name="+")
    rule = models.CharField(max_length=20, help_text="By its name in `pooling.core.stopping`.")
    n = models.PositiveIntegerField(help_text="The number that the rule takes; 0 if it takes none.")
    created_by = models.ForeignKey(
        User, on_delete=models.PROTECT, related_name="+", help_text="Who was advised."
    )
    created_at = models.DateTimeField(default=timezone.now)
    found: models.JSONField[Any, Any] = models.JSONField(
        null=True, help_text="What `reviewing` found, once it is computed."
    )

    def __str__(self) -> str:
        return f"{self.pool}, {self.rule}"
