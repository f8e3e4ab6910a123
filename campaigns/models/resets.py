"""Links by which a member of a campaign sets a new password."""

import hashlib
from datetime import datetime, timedelta
from typing import Self

from django.db import models
from django.utils import timezone
from django.utils.crypto import get_random_string

from accounts.models import User
from campaigns.models.campaign import Campaign

RESET_HOURS = 24


def hash_of(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def reset_expiry() -> datetime:
    return timezone.now() + timedelta(hours=RESET_HOURS)


class PasswordResetQuerySet(models.QuerySet["PasswordReset"]):
    def unused(self, person: User) -> Self:
        return self.filter(user=person, used_at=None, withdrawn_at=None)

    def by_token(self, token: str) -> Self:
        links = self.filter(token_hash=hash_of(token))
        return links.select_related("campaign", "user", "created_by")


class PasswordReset(models.Model):
    """A link by which a member sets a new password, once. Its token itself is not stored."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE)
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="resets")
    token_hash = models.CharField(max_length=64, unique=True, help_text="SHA-256.")
    password_mark = models.CharField(
        max_length=64,
        help_text="Of the password it replaces: after another change the link is no longer valid.",
    )
    created_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)
    expires_at: models.DateTimeField[datetime, datetime] = models.DateTimeField(
        default=reset_expiry
    )
    used_at = models.DateTimeField(null=True, blank=True)
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    objects = PasswordResetQuerySet.as_manager()

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["user"],
                condition=models.Q(used_at=None, withdrawn_at=None),
                name="one_unused_reset_link_per_person",
            )
        ]

    def __str__(self) -> str:
        return f"reset link for {self.user}"

    @staticmethod
    def new_token() -> str:
        return get_random_string(40)

    @property
    def state(self) -> str:
        """Whether it can be used ("open"), or why not ("used", "withdrawn", "expired")."""
        if self.used_at:
            return "used"
        if self.withdrawn_at:
            return "withdrawn"
        return "open" if timezone.now() < self.expires_at else "expired"
