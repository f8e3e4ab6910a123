"""What organizers have released: to whom, and from when."""

from collections.abc import Collection
from typing import Self

from django.db import models
from django.db.models import Q
from django.utils import timezone

from campaigns.models.campaign import Campaign
from campaigns.models.people import Role


class ReleaseQuerySet(models.QuerySet["Release"]):
    def in_force(self) -> Self:
        return self.filter(from_at__lte=timezone.now())

    def to(self, user_roles: Collection[str]) -> Self:
        audiences = [Release.Audience.EVERYBODY]
        if Role.PARTICIPANT in user_roles:
            audiences.append(Release.Audience.PARTICIPANTS)
        return self.filter(audience__in=audiences).order_by("-from_at", "-audience")


class Release(models.Model):
    """What participants, or everybody, may see from a moment on; the rest only organizers see."""

    class What(models.TextChoices):
        """What can be released. Stored values."""

        SCORES = "scores"
        QRELS = "qrels"
        POOL = "pool"
        TOPICS = "topics"
        RUNS = "runs"
        AGREEMENT = "agreement"

    class Audience(models.TextChoices):
        """To whom; participants are part of everybody. Stored values."""

        PARTICIPANTS = "participants", "the teams"
        EVERYBODY = "everybody"

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="releases")
    what = models.CharField(max_length=10, choices=What.choices)
    audience = models.CharField(max_length=12, choices=Audience.choices)
    from_at = models.DateTimeField(default=timezone.now, help_text="It may lie in the future.")
    subject_id = models.BigIntegerField(
        null=True, help_text="Which evaluation, or which version of the qrels."
    )

    objects = ReleaseQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["campaign", "what", "audience"], name="one_release_to_an_audience"
            ),
            models.CheckConstraint(
                condition=Q(what__in=["scores", "qrels"], subject_id__isnull=False)
                | Q(what__in=["pool", "topics", "runs", "agreement"], subject_id=None),
                name="scores_and_qrels_are_released_by_name",
            ),
            models.CheckConstraint(
                condition=~Q(what="topics", audience="participants"),
                name="participants_have_the_topics_by_their_date",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_what_display().lower()} to {self.get_audience_display().lower()}"

    @property
    def is_in_force(self) -> bool:
        return self.from_at <= timezone.now()

    def is_for(self, user_roles: Collection[str]) -> bool:
        """Whether it was made for people with these roles, now or later."""
        is_public = self.audience == self.Audience.EVERYBODY
        return is_public or Role.PARTICIPANT in user_roles


def in_force(campaign: Campaign, user_roles: Collection[str], what: str) -> list[Release]:
    """Return the releases of something to these roles, the latest first.

    In Python, as a page reads a campaign's releases only once.
    """
    releases = [
        each
        for each in campaign.releases.all()
        if each.what == what and each.is_in_force and each.is_for(user_roles)
    ]
    return sorted(releases, key=lambda each: (each.from_at, each.audience), reverse=True)
