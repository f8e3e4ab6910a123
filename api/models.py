"""What programs were answered."""

from typing import Any

from django.db import models
from django.utils import timezone

from accounts.models import User


class Answer(models.Model):
    """The answer to an act that a program named with a key, to give it again."""

    user = models.ForeignKey(User, on_delete=models.CASCADE)
    key = models.CharField(max_length=200)
    sent = models.CharField(
        max_length=64, help_text="The hash of the address and of what was sent."
    )
    status = models.PositiveSmallIntegerField(default=0)
    body = models.JSONField(null=True)
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
        self.status, self.body, self.location = status, body, location
