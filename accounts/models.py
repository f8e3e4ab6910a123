"""The people who sign in, whatever their roles."""

from django.contrib.auth.models import AbstractUser
from django.db import models


class User(AbstractUser):
    """A person. Their roles are memberships, per campaign."""

    single_key_shortcuts = models.BooleanField("judge with single keys", default=True)

    def __str__(self) -> str:
        return self.get_full_name() or self.username
