"""Topics and documents, and the texts that they had before."""

from typing import Any

from django.db import models
from django.utils import timezone

from accounts.models import User
from campaigns.core.ordering import MAX_LENGTH, natural_key
from campaigns.models.campaign import Campaign


class SortKey(models.CharField[str, str]):
    """The natural order of a row's number, kept with it whichever way it is written."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"max_length": MAX_LENGTH, "db_collation": "C", "editable": False, **options})  # fmt: skip

    def pre_save(self, model_instance: models.Model, add: bool) -> str:
        """Compute the key: Django calls this for `save` and `bulk_create` alike."""
        key = natural_key(model_instance.number)  # type: ignore[attr-defined]
        setattr(model_instance, self.attname, key)
        return key


class Versioned(models.Model):
    """A text that is counted: another text under the same name is a new version, and the earlier one is kept."""

    version = models.PositiveIntegerField(
        default=1, db_default=1, help_text="Counted from 1, anew for each text."
    )
    last_version = models.PositiveIntegerField(
        default=1,
        db_default=1,
        help_text="The highest version there has been: after an undo no other text gets its number.",
    )

    class Meta:
        abstract = True


class Earlier(models.Model):
    """What an earlier version said, and who replaced it when."""

    version = models.PositiveIntegerField()
    title = models.TextField(blank=True)
    replaced_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    replaced_at = models.DateTimeField(default=timezone.now)

    class Meta:
        abstract = True


class Topic(Versioned):
    """A statement of an information need."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE)
    number = models.CharField(max_length=60, db_collation="C")
    sort_key = SortKey()
    title = models.TextField()
    description = models.TextField(blank=True)
    narrative = models.TextField(blank=True)

    class Meta:
        # Natural order: 2 before 10. Files in trec_eval's layout sort by the bytes of `number` instead.
        ordering = ["sort_key", "number"]
        constraints = [
            models.UniqueConstraint(
                fields=["campaign", "number"], name="one_topic_per_number"
            )
        ]

    def __str__(self) -> str:
        return self.number


class TopicVersion(Earlier):
    """An earlier version of a topic's statement."""

    topic = models.ForeignKey(Topic, on_delete=models.CASCADE, related_name="earlier")
    description = models.TextField(blank=True)
    narrative = models.TextField(blank=True)

    class Meta:
        ordering = ["-version"]
        constraints = [
            models.UniqueConstraint(
                fields=["topic", "version"], name="one_text_per_version_of_a_topic"
            )
        ]

    def __str__(self) -> str:
        return f"topic {self.topic}, version {self.version}"


class Document(Versioned):
    """The unit judged and ranked. The docno never changes."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE)
    docno = models.CharField(max_length=255, db_collation="C")
    title = models.TextField(blank=True)
    text = models.TextField(blank=True)
    url = models.TextField(blank=True)
    language = models.CharField(max_length=35, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["campaign", "docno"], name="one_document_per_docno"
            )
        ]

    def __str__(self) -> str:
        return self.docno


class DocumentVersion(Earlier):
    """An earlier version of a document."""

    document = models.ForeignKey(
        Document, on_delete=models.CASCADE, related_name="earlier"
    )
    text = models.TextField(blank=True)
    url = models.TextField(blank=True)
    language = models.CharField(max_length=35, blank=True)

    class Meta:
        ordering = ["-version"]
        constraints = [
            models.UniqueConstraint(
                fields=["document", "version"],
                name="one_text_per_version_of_a_document",
            )
        ]

    def __str__(self) -> str:
        return f"{self.document}, version {self.version}"
