"""The audit trail: who did what."""

from datetime import datetime
from typing import Any, Self

from django.db import models
from django.db.models import Case, F, Q, Value, When
from django.utils import timezone

from accounts.access import Refused
from accounts.append_only import AppendOnly
from accounts.models import User
from campaigns.models.campaign import Campaign
from campaigns.models.ordering import NAMES, containing


def check_not_archived(campaign: Campaign) -> None:
    if campaign.archived_at:
        raise Refused(
            f"{campaign} is archived, so nothing in it can be changed. "
            "An organizer can restore it in its settings."
        )


# Endings of kinds of event that change nothing, or that end the archiving.
ALLOWED_IN_ARCHIVE = (".downloaded", ".archived", ".restored", ".copied", ".viewed_as", ".refused")
# Each app adds its kinds of event in its `hooks.py`. The label follows the person's name.
EVENTS: list[type[models.TextChoices]] = []


def event_kinds() -> list[tuple[str, str]]:
    """Return every kind with its label. A function, so that a new kind needs no migration."""
    return [kind for kinds in EVENTS for kind in kinds.choices]


class AuditEventQuerySet(models.QuerySet["AuditEvent"]):
    def matching(self, words: str) -> Self:
        """Return those with each of the words in their kind, subject or actor."""
        rows = self
        for word in words.split():
            kinds = [kind for kind, label in event_kinds() if word.lower() in label.lower()]
            fields = ("subject", *(f"actor__{name}" for name in NAMES))
            rows = rows.filter(Q(kind__in=kinds) | containing(word, *fields))
        return rows

    def in_words(self) -> Self:
        """Annotate each with `what` was done, in words."""
        labels = [When(kind=kind, then=Value(label)) for kind, label in event_kinds()]
        return self.annotate(what=Case(*labels, default=F("kind")))


class AuditEvent(models.Model):
    """Who did what to what; written in the same transaction as the change, and append-only."""

    campaign = models.ForeignKey(
        Campaign,
        on_delete=models.CASCADE,
        null=True,
        help_text="None once the campaign has been deleted.",
    )
    actor = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    kind = models.CharField(max_length=40, choices=event_kinds)
    subject = models.CharField(max_length=200, blank=True)
    detail = models.JSONField(default=dict)
    at: models.DateTimeField[datetime, datetime] = models.DateTimeField(default=timezone.now)

    objects = AuditEventQuerySet.as_manager()

    class Meta:
        ordering = ["-pk"]
        indexes = [
            # The settings page shows the newest events of one campaign.
            models.Index(fields=["campaign", "-id"], name="audit_by_campaign")
        ]
        constraints = [AppendOnly(name="audit_events_stay")]

    def __str__(self) -> str:
        return f"{self.actor} {self.get_kind_display()} {self.subject}"

    @classmethod
    def record(
        cls,
        campaign: Campaign | None,
        actor: User,
        kind: models.TextChoices,
        subject: object,
        **detail: Any,
    ) -> "AuditEvent":
        """Record an act. As every act passes here, an archived campaign refuses it here."""
        if campaign and not kind.value.endswith(ALLOWED_IN_ARCHIVE):
            # Read again: it may have been archived since the page was opened.
            check_not_archived(Campaign.objects.get(pk=campaign.pk))
        return cls.objects.create(
            campaign=campaign, actor=actor, kind=kind, subject=str(subject)[:200], detail=detail
        )
