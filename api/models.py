"""Access tokens, by which a program acts for a person, and what it was answered."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import Any, Self

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q
from django.utils import timezone

from accounts.models import User
from campaigns.models.campaign import Campaign
from campaigns.models.moments import dated
from campaigns.models.resets import hash_of

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

    def by_secret(self, secret: str) -> Self:
        tokens = self.filter(token_hash=hash_of(secret))
        return tokens.select_related("user", "campaign", "revoked_by")

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

    @property
    def told(self) -> Any:
        """What its body says, as JSON is read."""
        return json.loads(self.body) if self.body else None
