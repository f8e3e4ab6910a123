"""The words that assessors mark for themselves in the documents of a topic."""

from __future__ import annotations

from typing import Self

from django.db import models
from django.db.models.functions import Lower

from accounts.models import User
from collection.models.texts import Topic
from desk.core.own_words import MARKS, Marked, OwnWord


class TopicWordQuerySet(models.QuerySet["TopicWord"]):
    def of(self, person: User, topic_id: int) -> Self:
        return self.filter(assessor=person, topic=topic_id)

    def marked(self, person: User, topic_id: int) -> Marked:
        rows = list(self.of(person, topic_id).order_by("pk"))
        own = (OwnWord(row.text, row.mark) for row in rows if row.kind == TopicWord.Kind.OWN)
        off = (row.text for row in rows if row.kind == TopicWord.Kind.OFF)
        return Marked(tuple(own), tuple(off))


class TopicWord(models.Model):
    """A word that an assessor added to those of a topic, or one of the topic's switched off.

    Only they see it. It stays theirs when the topic is handed over or taken back.
    """

    class Kind(models.TextChoices):
        OWN = "own", "a word of their own"
        OFF = "off", "a word of the topic, switched off"

    assessor = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    topic = models.ForeignKey(Topic, on_delete=models.CASCADE, related_name="+")
    kind = models.CharField(max_length=3, choices=Kind.choices)
    text = models.CharField(max_length=120)
    mark = models.PositiveSmallIntegerField(
        default=MARKS[0], help_text="Which color and line it has: 1 to 5."
    )

    objects = TopicWordQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                "assessor", "topic", "kind", Lower("text"), name="one_word_per_topic"
            )
        ]

    def __str__(self) -> str:
        return self.text
