"""The people who sign in, whatever their roles, and the attempts to do so."""

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.utils import timezone


class User(AbstractUser):
    """A person. Their roles are memberships, per campaign."""

    single_key_shortcuts = models.BooleanField("judge with single keys", default=True)

    def __str__(self) -> str:
        return self.get_full_name() or self.username


class SignInAttempt(models.Model):
    """An attempt to sign in that has not succeeded; kept for a quarter of an hour, to be counted."""

    account = models.CharField(
        max_length=64, help_text="SHA-256 of the name typed, which may be nobody's."
    )
    address = models.CharField(max_length=45, blank=True)
    at = models.DateTimeField(default=timezone.now, db_index=True)

    class Meta:
        indexes = [
            models.Index(fields=["account", "-at"], name="attempts_by_account"),
            models.Index(fields=["address", "-at"], name="attempts_by_address"),
        ]

    def __str__(self) -> str:
        return f"attempt at {self.at:%Y-%m-%d %H:%M}"
