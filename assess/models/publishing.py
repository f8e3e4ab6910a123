"""Published qrels."""

from __future__ import annotations

from django.db import models
from django.utils import timezone
from django.utils.crypto import get_random_string

from accounts.models import User
from campaigns.models import Campaign
from pooling.models import Pool


def qrels_path(qrels: Qrels, _: str) -> str:
    return f"qrels/{qrels.campaign_id}/{get_random_string(12)}/qrels.{qrels.number}.txt"


class Qrels(models.Model):
    """The published judgments, one grade per (topic, docno): a numbered file that never changes."""

    class Rule(models.TextChoices):
        """How several judgments become one grade; stored as written here."""

        PRIMARY = "primary", "primary assessor"

    campaign = models.ForeignKey(Campaign, on_delete=models.PROTECT)
    pool = models.ForeignKey(Pool, on_delete=models.PROTECT)
    number = models.PositiveIntegerField()
    rule = models.CharField(max_length=10, choices=Rule.choices, default=Rule.PRIMARY)
    level = models.PositiveSmallIntegerField()
    file = models.FileField(upload_to=qrels_path, max_length=200)
    sha256 = models.CharField(max_length=64)
    n_topics = models.PositiveIntegerField()
    n_judgments = models.PositiveIntegerField()
    n_relevant = models.PositiveIntegerField()
    n_unjudged = models.PositiveIntegerField(
        help_text="Pool entries without an official grade when published."
    )
    published_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    published_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["-number"]
        constraints = [
            models.UniqueConstraint(
                fields=["campaign", "number"], name="one_qrels_per_number"
            )
        ]

    def __str__(self) -> str:
        return f"qrels v{self.number}"
