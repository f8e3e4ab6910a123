"""What organizers have released: to whom, and from when."""

from collections.abc import Collection
from typing import Self

from django.db import models
from django.db.models import F, Q
from django.utils import timezone

from campaigns.models.campaign import Campaign
from campaigns.models.people import Role


class ReleaseQuerySet(models.QuerySet["Release"]):
    def standing(self) -> Self:
        """Return those neither replaced nor taken back, in force or to come."""
        return self.filter(ended_at=None)

    def in_force(self) -> Self:
        return self.standing().filter(from_at__lte=timezone.now())

    def seen_before(self, what: str, audience: str) -> Self:
        """Return what an audience saw of something before what it sees now, the last first."""
        was_seen = self.filter(what=what, audience=audience, ended_at__gt=F("from_at"))
        return was_seen.order_by("-ended_at", "-pk")

    def to(self, user_roles: Collection[str]) -> Self:
        audiences = [Release.Audience.EVERYBODY]
        if Role.PARTICIPANT in user_roles:
            audiences.append(Release.Audience.PARTICIPANTS)
        return self.filter(audience__in=audiences).order_by("-from_at", "-audience")


class Release(models.Model):
    """What participants, or everybody, may see from a moment on; the rest only organizers see.

    It names what it shows: by its subject or, of runs and topics, one by one (`Run.releases`,
    `Topic.releases`). What comes later is not in it.
    """

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
    ended_at = models.DateTimeField(
        null=True, help_text="When it was replaced or taken back; what was shown stays on record."
    )
    subject_id = models.BigIntegerField(
        null=True,
        help_text="Of scores the evaluation, of qrels and agreement the version of the qrels, of "
        "the pool its version, of runs and topics the round; none for those of all rounds.",
    )

    objects = ReleaseQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["campaign", "what", "audience"],
                condition=Q(ended_at=None),
                name="one_release_to_an_audience",
            ),
            models.CheckConstraint(
                condition=Q(what__in=["topics", "runs"]) | Q(subject_id__isnull=False),
                name="what_is_released_has_a_name",
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
        return self.ended_at is None and self.from_at <= timezone.now()

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
