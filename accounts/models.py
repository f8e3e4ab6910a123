"""The people who sign in, the changes of their accounts, and attempts to sign in."""

from collections.abc import Iterable
from typing import Any

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.db.models.functions import Lower
from django.utils import timezone

from accounts.append_only import AppendOnly
from accounts.keys import keys_of

# People are listed by the names that are shown.
BY_NAME = ("first_name", "last_name", "username")


class User(AbstractUser):
    """A person. Their roles are memberships, per campaign."""

    class TextSize(models.IntegerChoices):
        """Steps of the size of a document's text."""

        SMALLEST = -2, "very small"
        SMALL = -1, "small"
        MEDIUM = 0, "medium"
        LARGE = 1, "large"
        LARGEST = 2, "very large"

    class LineWidth(models.TextChoices):
        NARROW = "narrow", "narrow"
        MEDIUM = "medium", "medium"
        WIDE = "wide", "wide"

    class Typeface(models.TextChoices):
        SERIF = "serif", "serif"
        SANS = "sans", "sans serif"

    single_key_shortcuts = models.BooleanField("judge with single keys", default=True)
    chosen_keys = models.JSONField("keys of judging", default=dict, blank=True)
    reading_size = models.SmallIntegerField(
        "text size", choices=TextSize.choices, default=TextSize.MEDIUM
    )
    reading_width = models.CharField(
        "line width", max_length=6, choices=LineWidth.choices, default=LineWidth.MEDIUM
    )
    reading_face = models.CharField(
        "typeface", max_length=5, choices=Typeface.choices, default=Typeface.SERIF
    )

    # By campaign, while a page is made: each check on it asks for roles. None: they are read anew.
    memberships_known: dict[int, list[Any]] | None = None

    class Meta(AbstractUser.Meta):
        constraints = [models.UniqueConstraint(Lower("username"), name="one_person_per_username")]

    def __str__(self) -> str:
        return self.get_full_name() or self.username

    @property
    def initials(self) -> str:
        """The first letters of the first and the last word of the name."""
        words = str(self).split()
        return f"{words[0][:1]}{words[-1][:1]}".upper() if len(words) > 1 else str(self)[:2].upper()

    @property
    def keys(self) -> dict[str, str]:
        """The key of each act of judging, by its name."""
        return keys_of(self.chosen_keys)

    @property
    def label(self) -> str:
        """The full name and the username, where two people may have the same name."""
        name = self.get_full_name()
        return f"{name} ({self.username})" if name else self.username


def labels(usernames: Iterable[str]) -> dict[str, str]:
    """Return people's labels by username."""
    people = User.objects.filter(username__in=set(usernames))
    return {each.username: each.label for each in people}


class AccountEvent(models.Model):
    """A change of an account; written in the same transaction, and append-only."""

    class Kind(models.TextChoices):
        """The stored values must never change."""

        CHANGED = "account.changed", "changed"
        CHANGED_BY = "account.changed_by", "changed by"
        PASSWORD_CHANGED = "password.changed", "changed the password"
        PASSWORD_SET = "password.set", "a new password was set by"
        RESET_MADE = "reset.made", "a link to reset the password was made by"
        PASSWORD_RESET = "password.reset", "set a new password by a link"
        TOKEN_MADE = "token.made", "made the access token"
        TOKEN_REVOKED = "token.revoked", "an access token was revoked:"
        PSEUDONYMIZED = "account.pseudonymized", "the names were taken from the account"

    user = models.ForeignKey(User, on_delete=models.PROTECT)
    kind = models.CharField(max_length=25, choices=Kind.choices)
    subject = models.CharField(max_length=200, blank=True)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["-pk"]
        constraints = [AppendOnly(name="account_events_stay")]

    def __str__(self) -> str:
        return f"{self.user} {self.get_kind_display()}"


class SignInAttempt(models.Model):
    """A failed attempt to sign in, counted for a quarter of an hour."""

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
