"""Access tokens, by which a program acts for a person, what it was answered, files in pieces."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import Any, Self

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.crypto import get_random_string

from accounts.models import User
from accounts.public_id import a_public_id
from api.core.metadata import values_of
from campaigns.models.campaign import Campaign
from campaigns.models.moments import dated
from jobs.storage import size_of

MOST_DAYS = 365


class Scope(models.TextChoices):
    """What a token may do. The stored values must never change."""

    READ = "read"
    SUBMIT = "submit"
    JUDGE = "judge"
    ORGANIZE = "organize"


class AccessTokenQuerySet(models.QuerySet["AccessToken"]):
    def live(self) -> Self:
        return self.filter(revoked_at=None, ends_at__gt=timezone.now())

    def over(self) -> Self:
        return self.exclude(revoked_at=None, ends_at__gt=timezone.now())

    def newest(self, user: User) -> Self:
        """Return those of a person as their page lists them."""
        tokens = self.filter(user=user).select_related("campaign", "revoked_by")
        return tokens.order_by("-made_at", "-pk")


class AccessToken(models.Model):
    """What a program signs in with, for one person and some of what they may do.

    The token itself is not stored. SHA-256 of it is enough: nobody guesses 178 bits of chance,
    however quick the hash, and a slow one would be paid for at every request.
    """

    class Why(models.TextChoices):
        """Why it was revoked. The stored values must never change."""

        BY_HAND = "by hand", ""
        PASSWORD = "password", "because the password was changed"
        LEFT = "left", "because this person left the campaign"
        CLOSED = "closed", "because the account was closed"

    user = models.ForeignKey(User, on_delete=models.PROTECT, related_name="access_tokens")
    name = models.CharField(max_length=60)
    scopes = ArrayField(models.CharField(max_length=8, choices=Scope.choices))
    campaign = models.ForeignKey(
        Campaign,
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        help_text="The only one that it is for; None: all campaigns of the person.",
    )
    token_hash = models.CharField(max_length=64, unique=True, help_text="SHA-256.")
    client_id = models.UUIDField(unique=True, help_text="Of the form: sent twice, it makes one.")
    made_at: models.DateTimeField[datetime, datetime] = models.DateTimeField(default=timezone.now)
    ends_at: models.DateTimeField[datetime, datetime] = models.DateTimeField()
    used_at = models.DateTimeField(null=True, blank=True, help_text="To the minute.")
    revoked_at = models.DateTimeField(null=True, blank=True)
    revoked_by = models.ForeignKey(
        User, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    why = models.CharField(max_length=8, choices=Why.choices, blank=True)

    objects = AccessTokenQuerySet.as_manager()

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(scopes__len__gt=0, scopes__contained_by=Scope.values),
                name="a_token_has_scopes",
            ),
            models.CheckConstraint(
                condition=Q(ends_at__gt=F("made_at"))
                & Q(ends_at__lte=F("made_at") + timedelta(days=MOST_DAYS)),
                name="a_token_ends_within_a_year",
            ),
            models.CheckConstraint(
                condition=Q(revoked_at=None, revoked_by=None, why="")
                | (Q(revoked_at__isnull=False) & ~Q(why="")),
                name="a_revoked_token_says_why",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def state(self) -> str:
        if self.revoked_at:
            return "revoked"
        return "valid" if timezone.now() < self.ends_at else "ended"

    @property
    def how_revoked(self) -> str:
        """When it was revoked, by whom, and why if not by hand; "" for one that is not."""
        if not self.revoked_at:
            return ""
        by = self.revoked_by.label if self.revoked_by else "the people who run this site"
        told = f"revoked on {dated(self.revoked_at, UTC)} UTC by {by}"
        return ", ".join(filter(None, (told, self.get_why_display())))

    @property
    def allows(self) -> list[str]:
        """What it may do; every token may read."""
        return [each for each in Scope.values if each == Scope.READ or each in self.scopes]


class Answer(models.Model):
    """The answer to an act that a program named with a key, to give it again."""

    user = models.ForeignKey(User, on_delete=models.CASCADE)
    # What it tells is of the campaign, and is forgotten with it.
    campaign = models.ForeignKey(Campaign, null=True, on_delete=models.CASCADE)
    key = models.CharField(max_length=200)
    sent = models.CharField(
        max_length=64, help_text="The hash of the address and of what was sent."
    )
    status = models.PositiveSmallIntegerField(default=0)
    body = models.TextField(blank=True, help_text="JSON, its members in order; empty for none.")
    location = models.CharField(max_length=500, blank=True)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "key"], name="answered_once")]

    def __str__(self) -> str:
        return self.key

    @property
    def is_given(self) -> bool:
        return self.status > 0

    def give(self, status: int, body: Any, location: str) -> None:
        self.status, self.location = status, location
        self.body = "" if body is None else json.dumps(body)

    def tells_of(self, campaign: Any) -> None:
        """Note the campaign that it is of, unless it was deleted just now."""
        if self.pk and isinstance(campaign, Campaign):
            self.campaign = Campaign.objects.filter(pk=campaign.pk).first()

    @property
    def told(self) -> Any:
        """What its body says, as JSON is read."""
        return json.loads(self.body) if self.body else None


class UploadQuerySet(models.QuerySet["Upload"]):
    def live(self) -> Self:
        return self.filter(ends_at__gt=timezone.now())

    def over(self) -> Self:
        return self.filter(ends_at__lte=timezone.now())

    def own(self, user: Any, campaign: Campaign) -> Self:
        """Return those of a person: nobody else sees or takes them."""
        return self.filter(user=user, campaign=campaign).select_related("campaign")


def upload_path(upload: Upload, _: str) -> str:
    return f"uploads/{upload.campaign_id}/{get_random_string(12)}/file"


class Upload(models.Model):
    """A file that arrives in pieces, kept until an act takes it or its time is over."""

    public_id = a_public_id()
    user = models.ForeignKey(User, on_delete=models.CASCADE)
    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE)
    file = models.FileField(upload_to=upload_path, max_length=200)
    file_name = models.CharField(max_length=255)
    metadata = models.TextField(blank=True, help_text="As it was sent.")
    n_bytes = models.BigIntegerField(help_text="Of the whole file.")
    n_stored = models.BigIntegerField(
        default=0, help_text="That are on the disk; what the file has beyond was never confirmed."
    )
    begun_at: models.DateTimeField[datetime, datetime] = models.DateTimeField(default=timezone.now)
    ends_at: models.DateTimeField[datetime, datetime] = models.DateTimeField()

    objects = UploadQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(n_stored__gte=0, n_stored__lte=F("n_bytes")),
                name="no_more_arrives_than_was_announced",
            )
        ]

    def __str__(self) -> str:
        return self.file_name

    @property
    def n_here(self) -> int:
        """How many bytes need not be sent again: fewer than stored after a restored backup."""
        return min(self.n_stored, size_of(self.file))

    @property
    def announced(self) -> str:
        """The SHA-256 of the whole file in hexadecimal, "" unless its client said it."""
        return values_of(self.metadata).get("sha256", "")

    @property
    def is_whole(self) -> bool:
        return self.n_here == self.n_bytes

    @property
    def is_over(self) -> bool:
        return self.ends_at <= timezone.now()
