"""Notes of assessors on topics."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from django.db import models
from django.utils import timezone

from accounts.models import BY_NAME, User
from collection.models.texts import Topic
from questions.core.notes import Note, NoteRecord

if TYPE_CHECKING:
    from collections.abc import Iterator

    from campaigns.models.campaign import Campaign


class TopicNoteQuerySet(models.QuerySet["TopicNote"]):
    def of(self, topic: Topic, author: User) -> TopicNote:
        """Return somebody's note on a topic, or an empty one that is not stored."""
        note = self.filter(topic=topic, author=author).first()
        return note or TopicNote(topic=topic, author=author)

    def written(self) -> Self:
        """Return the notes that are not empty."""
        return self.exclude(text="", difficulty="", remark="")

    def on(self, topic: Topic) -> Self:
        by_name = (f"author__{name}" for name in BY_NAME)
        return self.written().filter(topic=topic).select_related("author").order_by(*by_name)

    def records(self, campaign: Campaign) -> Iterator[NoteRecord]:
        """Yield the notes of a campaign by topic, the oldest first."""
        rows = self.written().filter(topic__campaign=campaign).order_by("topic__number", "pk")
        columns = ("topic__number", "author__username", "difficulty", "remark", "text", "version")
        return map(NoteRecord._make, rows.values_list(*columns, "changed_at").iterator())


class TopicNote(models.Model):
    """How an assessor reads a topic and how hard they find it, for them and the organizers.

    It stays its author's when the topic is handed over.
    """

    class Difficulty(models.TextChoices):
        EASY = "easy"
        MIDDLING = "middling"
        HARD = "hard"

    topic = models.ForeignKey(Topic, on_delete=models.PROTECT, related_name="notes")
    author = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    text = models.TextField(blank=True)
    difficulty = models.CharField(max_length=8, choices=Difficulty.choices, blank=True)
    remark = models.CharField(
        max_length=300, blank=True, help_text="What makes it so hard or easy."
    )
    version = models.PositiveIntegerField(
        default=0,
        help_text="How often it was changed. A page sends its own, so nothing is lost unseen.",
    )
    changed_at = models.DateTimeField(default=timezone.now)

    objects = TopicNoteQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["topic", "author"], name="one_note_per_topic_and_author"
            )
        ]

    def __str__(self) -> str:
        return f"{self.author} on topic {self.topic}"

    @property
    def note(self) -> Note:
        return Note(self.text, self.difficulty, self.remark)
