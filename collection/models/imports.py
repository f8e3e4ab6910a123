"""Files of topics and documents."""

from __future__ import annotations

from typing import Any, Self

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.crypto import get_random_string

from accounts.models import User
from accounts.public_id import a_public_id
from campaigns.models.campaign import Campaign
from cleverdon.trec.versions import version
from cleverdon.trec.words import counted
from collection.core.lifecycle import IMPORT_TRANSITIONS
from jobs.models import StateQuerySet


class ImportQuerySet(StateQuerySet["Import"]):
    transitions = IMPORT_TRANSITIONS

    def recent(self, campaign: Campaign, kind: str) -> Self:
        rows = self.filter(campaign=campaign, kind=kind)
        return rows.select_related("created_by").order_by("-pk")

    def waiting(self, campaign: Campaign, kind: str) -> Self:
        """Return those of which something is still to be done, the first one first."""
        states = Import.State
        ended = states.IMPORTED, states.UNDOING, states.UNDONE, states.DISCARDED
        return self.filter(campaign=campaign, kind=kind).exclude(state__in=ended).order_by("pk")

    def locked(self, row: Import) -> Import:
        rows = self.select_for_update(of=("self",), no_key=True)
        return rows.select_related("campaign").get(pk=row.pk)


def import_path(row: Import, _: str) -> str:
    return f"imports/{row.campaign_id}/{get_random_string(12)}/file"


class Import(models.Model):
    """A file of topics or documents: read, shown, and imported once somebody confirms it."""

    class Kind(models.TextChoices):
        """What is in the file. Stored values."""

        TOPICS = "topics"
        DOCUMENTS = "documents"

    class State(models.TextChoices):
        """The states; `core.lifecycle` says which may follow which. Stored values."""

        READING = "reading"
        READY = "ready"
        UNREADABLE = "unreadable"
        IMPORTING = "importing"
        INTERRUPTED = "interrupted"
        IMPORTED = "imported"
        UNDOING = "undoing"
        UNDONE = "undone"
        DISCARDED = "discarded"

    public_id = a_public_id()
    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE)
    kind = models.CharField(max_length=9, choices=Kind.choices)
    state = models.CharField(max_length=11, choices=State.choices, default=State.READING)
    file = models.FileField(upload_to=import_path, max_length=200)
    file_name = models.CharField(max_length=255)
    n_bytes = models.BigIntegerField()
    sha256 = models.CharField(max_length=64, blank=True)
    completes_collection = models.BooleanField(
        default=False,
        help_text="Once all such files are imported, the documents are the whole collection.",
    )
    is_html = models.BooleanField(
        default=False, help_text="Texts that do not say what they are are HTML."
    )
    takes_versions = models.BooleanField(
        default=False,
        help_text="Texts that are in the frozen pool may change: they become new versions.",
    )
    preview: models.JSONField[dict[str, Any], dict[str, Any]] = models.JSONField(
        default=dict, help_text="What it would do, as found when it was read."
    )
    outcome = models.TextField(blank=True, help_text="What came of it, or what is wrong with it.")
    created_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)
    confirmed_by = models.ForeignKey(
        User, on_delete=models.PROTECT, related_name="+", null=True, blank=True
    )
    imported_at = models.DateTimeField(null=True, blank=True)

    objects = ImportQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(confirmed_by__isnull=False)
                | Q(state__in=["reading", "ready", "unreadable", "discarded"]),
                name="what_is_imported_was_confirmed",
            )
        ]

    def __str__(self) -> str:
        return self.file_name

    @property
    def is_busy(self) -> bool:
        return self.state in {self.State.READING, self.State.IMPORTING, self.State.UNDOING}

    @property
    def previewed(self) -> str:
        """The version of the preview."""
        names = ("n_new", "n_changed", "n_unchanged", "n_fixed", "replaced")
        return version(*map(self.preview.get, names))

    def counted(self, n: int) -> str:
        return counted(n, self.kind.removesuffix("s"))
