"""Questions of assessors to the organizers and their answers, and notes on topics."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from django.db import models
from django.db.models import Exists, OuterRef, Q, Subquery, Value, Window
from django.db.models.functions import Coalesce, Lead
from django.utils import timezone

from accounts.models import BY_NAME, User
from assess.models.assigning import Assignment
from collection.models.texts import Topic
from questions.core import Note, NoteRecord, QuestionRecord

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from campaigns.models.campaign import Campaign


class QuestionQuerySet(models.QuerySet["Question"]):
    def in_campaign(self, campaign: Campaign) -> Self:
        return self.filter(topic__campaign=campaign)

    def with_answer(self) -> Self:
        """Annotate each with `answer_id`, that of its newest answer, if any."""
        newest = Answering.objects.filter(question=OuterRef("pk")).order_by("-pk")
        return self.annotate(answer_id=Subquery(newest.values("pk")[:1]))

    def in_state(self, state: str) -> Self:
        """Return those, `with_answer`, in one of the `STATES`; all for another one."""
        return self.filter(STATES[state]) if state in STATES else self

    def readable_to(self, reader: User, campaign: Campaign) -> Self:
        """Return, `with_answer`, an assessor's own questions, and those answered to them too."""
        assigned = (
            Assignment.objects.counting().live().filter(topic=OuterRef("topic"), assessor=reader)
        )
        rows = self.in_campaign(campaign).with_answer().filter(withdrawn_at=None)
        to_all = _answered_to(Answering.Audience.CAMPAIGN)
        to_topic = _answered_to(Answering.Audience.TOPIC)
        return rows.filter(Q(asker=reader) | to_all | (to_topic & Exists(assigned)))

    def about_or_to_all(self, topic: Topic) -> Self:
        """Return those, `with_answer`, about a topic or answered to the whole campaign."""
        return self.filter(Q(topic=topic) | _answered_to(Answering.Audience.CAMPAIGN))

    def with_news_for(self, reader: User) -> Self:
        """Annotate those `with_answer` with `is_new`: answered, and not seen by the reader."""
        seen = AnswerSeen.objects.filter(answer=OuterRef("answer_id"), reader=reader)
        is_new = Q(answer_id__isnull=False) & ~Exists(seen)
        return self.annotate(is_new=models.ExpressionWrapper(is_new, models.BooleanField()))

    def n_open(self, campaigns: Iterable[Campaign]) -> dict[int, int]:
        """Return by campaign id how many questions are open, where there are any."""
        waiting = self.with_answer().filter(STATES["open"], topic__campaign__in=campaigns)
        rows = waiting.order_by().values_list("topic__campaign")
        return dict(rows.annotate(n=models.Count("pk")))

    def records(self, campaign: Campaign) -> Iterator[QuestionRecord]:
        """Yield the questions of a campaign in order, one row per answer, the newest last."""
        next_at = Window(Lead("answers__at"), partition_by="pk", order_by="answers__pk")
        columns = (
            "pk",
            "topic__number",
            "docno",
            "asker__username",
            "asked_at",
            "text",
            "withdrawn_at",
            Coalesce("answers__text", Value("", models.TextField())),
            Coalesce("answers__audience", Value("")),
            Coalesce("answers__by__username", Value("")),
            "answers__at",
            next_at,
        )
        rows = self.in_campaign(campaign).order_by("pk", "answers__pk")
        return map(QuestionRecord._make, rows.values_list(*columns).iterator())


def _answered_to(audience: Answering.Audience) -> Exists:
    """Whether the newest answer, of those `with_answer`, is for this audience."""
    return Exists(Answering.objects.filter(pk=OuterRef("answer_id"), audience=audience))


# How questions are filtered, `with_answer`.
STATES = {
    "open": Q(answer_id=None, withdrawn_at=None),
    "answered": Q(answer_id__isnull=False),
    "withdrawn": Q(withdrawn_at__isnull=False),
}


class Question(models.Model):
    """A question about a topic or one of its documents; the `client_id` keeps it unique."""

    client_id = models.UUIDField(unique=True)
    topic = models.ForeignKey(Topic, on_delete=models.PROTECT, related_name="questions")
    docno = models.CharField(
        max_length=255, blank=True, help_text="Empty if it is about the topic."
    )
    asker = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    text = models.TextField()
    asked_at = models.DateTimeField(default=timezone.now)
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    objects = QuestionQuerySet.as_manager()

    # What `with_answer` and `with_news_for` add.
    answer_id: int | None = None
    is_new: bool

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(condition=~Q(text=""), name="question_asks_something")
        ]

    def __str__(self) -> str:
        return f"{self.asker} on topic {self.topic}"

    @property
    def state(self) -> str:
        """One of `STATES`; `with_answer`."""
        if self.withdrawn_at:
            return "withdrawn"
        return "answered" if self.answer_id else "open"


class Answering(models.Model):
    """An organizer's answer to a question. The newest is shown; earlier ones stay on record."""

    class Audience(models.TextChoices):
        """Who reads it; only the asker and organizers see who asked."""

        ASKER = "asker", "the asker"
        TOPIC = "topic", "every assessor of the topic"
        CAMPAIGN = "campaign", "every assessor of the campaign"

    question = models.ForeignKey(Question, on_delete=models.PROTECT, related_name="answers")
    text = models.TextField()
    audience = models.CharField(max_length=8, choices=Audience.choices, default=Audience.ASKER)
    by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.by} to {self.question}"


class AnswerSeen(models.Model):
    """Who has seen which answer; to others it is new."""

    answer = models.ForeignKey(Answering, on_delete=models.CASCADE)
    reader = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["answer", "reader"], name="seen_once")]

    def __str__(self) -> str:
        return f"{self.reader} has seen {self.answer}"


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

    @property
    def told(self) -> dict[str, object]:
        """What programs are told of it, with the version that its next one names."""
        return {**self.note._asdict(), "note_version": self.version}
