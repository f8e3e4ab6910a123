"""The roles people have in campaigns, their teams, and the links that give a role."""

from __future__ import annotations

from typing import Self

from django.contrib.postgres.expressions import ArraySubquery
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.crypto import get_random_string

from accounts.models import User
from campaigns.models.campaign import Campaign


def invitation_token() -> str:
    return get_random_string(32)


class Role(models.TextChoices):
    """The roles in a campaign; stored as written here."""

    ORGANIZER = "organizer"
    ASSESSOR = "assessor"
    PARTICIPANT = "participant"


class Team(models.Model):
    """A group of participants that submits runs together."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE)
    name = models.CharField(max_length=60)
    is_baseline = models.BooleanField(
        default=False,
        help_text="Not a team of participants: the organizers' own runs are under this name.",
    )
    submission_closes_at = models.DateTimeField(
        "extended deadline",
        null=True,
        blank=True,
        help_text="Counts for this team if it is later than the campaign's.",
    )

    class Meta:
        ordering = ["name"]
        constraints = [
            models.UniqueConstraint(
                fields=["campaign", "name"], name="one_team_per_name"
            )
        ]

    def __str__(self) -> str:
        return self.name


class MembershipQuerySet(models.QuerySet["Membership"]):
    def for_people(self, campaign: Campaign) -> Self:
        """Return the campaign's memberships, each with the person's `other_roles` in it: a possible conflict of interest."""
        others = Membership.objects.filter(
            campaign=campaign, user=models.OuterRef("user")
        )
        others = others.exclude(role=models.OuterRef("role")).order_by("role")
        members = self.filter(campaign=campaign).select_related("user", "team")
        return members.annotate(other_roles=ArraySubquery(others.values("role")))


class Membership(models.Model):
    """A person's role in a campaign; a participant's comes through a team."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE)
    user = models.ForeignKey(User, on_delete=models.CASCADE)
    role = models.CharField(max_length=11, choices=Role.choices)
    team = models.ForeignKey(Team, on_delete=models.PROTECT, null=True, blank=True)
    joined_at = models.DateTimeField(default=timezone.now)
    max_documents = models.PositiveIntegerField(
        null=True,
        blank=True,
        help_text="The most documents that automatic assignment gives to this assessor.",
    )

    objects = MembershipQuerySet.as_manager()

    class Meta:
        ordering = ["role", "user__username"]
        constraints = [
            models.UniqueConstraint(
                fields=["campaign", "user", "role"], name="one_membership_per_role"
            ),
            models.CheckConstraint(
                condition=Q(role=Role.PARTICIPANT, team__isnull=False)
                | (~Q(role=Role.PARTICIPANT) & Q(team__isnull=True)),
                name="participants_and_only_they_have_a_team",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user}, {self.role} of {self.campaign}"


class Invitation(models.Model):
    """A link that gives whoever follows it a role in a campaign."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE)
    role = models.CharField(max_length=11, choices=Role.choices)
    team = models.ForeignKey(Team, on_delete=models.CASCADE, null=True, blank=True)
    token = models.CharField(max_length=32, unique=True, default=invitation_token)
    created_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField()

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"invitation to {self.campaign} as {self.role}"

    @property
    def is_open(self) -> bool:
        return timezone.now() < self.expires_at
