"""The events of judgments."""

from __future__ import annotations

from itertools import compress
from typing import TYPE_CHECKING, Self

from django.db import models
from django.db.models import Exists, F, Q
from django.utils import timezone

from accounts.append_only import AppendOnly
from accounts.models import User
from assess.core.answers import Act, without_grade
from assess.core.passages import bare
from assess.core.purposes import COUNTING, PRACTICE
from assess.models.assigning import Assignment
from assess.models.judging import Judgment, grade_in
from campaigns.models.campaign import Campaign

if TYPE_CHECKING:
    from collections.abc import Collection
    from uuid import UUID


class JudgmentEventQuerySet(models.QuerySet["JudgmentEvent"]):
    def of(self, campaign: Campaign) -> Self:
        return self.served().filter(judgment__topic__campaign=campaign)

    def recorded(self, client_ids: Collection[UUID]) -> Self:
        """Return the events with these client ids, with what tells whether an act `is_of` one."""
        return self.filter(client_id__in=client_ids).select_related("judgment__item")

    def served(self) -> Self:
        """Return the events of assigned topics, of controls too, without practice."""
        return self.exclude(judgment__purpose=PRACTICE)

    def counting(self) -> Self:
        return self.filter(judgment__purpose__in=COUNTING)

    def criteria_answered(self, campaign: Campaign, names: Collection[str]) -> set[str]:
        """Return which of these criteria any answer was ever given to, in practice too."""
        events = self.filter(assignment__topic__campaign=campaign).order_by()
        ordered = sorted(names)
        found = [Exists(events.filter(to_answers__has_key=name)) for name in ordered]
        answered = Campaign.objects.filter(pk=campaign.pk).values_list(*found).get()
        return set(compress(ordered, answered))

    def about_present_documents(self, campaign: Campaign) -> Self:
        """Return the events whose assessor saw the document as it is now."""
        present = models.F("judgment__item__document__version")
        return self.of(campaign).filter(document_version=present)

    def about_present_topics(self, campaign: Campaign) -> Self:
        """Return the events whose assessor saw the topic as it is now."""
        shown = models.F("judgment__topic__version")
        return self.of(campaign).filter(topic_version=shown)


class JudgmentEvent(models.Model):
    """A change of a judgment; append-only, and enough to tell what the judgment was after it.

    Its `client_id`, made in the browser, ensures that it is recorded only once.
    """

    class Method(models.TextChoices):
        """How it was entered; stored as written here."""

        KEY = "key"
        CLICK = "click"
        OTHER = "other"

    judgment = models.ForeignKey(Judgment, on_delete=models.PROTECT, related_name="events")
    assignment = models.ForeignKey(Assignment, on_delete=models.PROTECT, related_name="events")
    client_id = models.UUIDField(unique=True)
    by = models.ForeignKey(
        User,
        on_delete=models.PROTECT,
        null=True,
        related_name="+",
        help_text="The organizer who reopened it; empty where the assessor did it.",
    )
    from_state = models.CharField(max_length=12)
    from_answers = models.JSONField(default=dict, blank=True)
    from_grade = grade_in("from_answers")
    to_state = models.CharField(max_length=12)
    to_answers = models.JSONField(default=dict, blank=True)
    to_grade = grade_in("to_answers")
    reason = models.CharField(max_length=10, blank=True)
    comment = models.TextField(blank=True, help_text="The comment after it.")
    passages = models.JSONField(default=list, blank=True)
    document_version = models.PositiveIntegerField(
        default=1, help_text="The version on the screen; 0 if it was missing."
    )
    topic_version = models.PositiveIntegerField(default=1)
    change = models.PositiveIntegerField(
        help_text="Which change of its assignment this was, as `Judgment.change`."
    )
    method = models.CharField(max_length=5, choices=Method.choices, default=Method.OTHER)
    active_ms = models.PositiveIntegerField(
        default=0,
        help_text="Time its document was on the screen since the act on it before, "
        "up to a minute after any input.",
    )
    away_ms = models.PositiveIntegerField(
        default=0, help_text="The rest of the time: the page out of view, or nobody there."
    )
    first_viewed_at = models.DateTimeField(
        null=True, help_text="When its document was first on the screen for this act."
    )
    pressed_at = models.DateTimeField(
        default=timezone.now,
        help_text="When it was done, which may be hours before it reached the server.",
    )
    at = models.DateTimeField(default=timezone.now, help_text="When it reached the server.")

    objects = JudgmentEventQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]
        constraints = [
            AppendOnly(name="judgment_events_stay"),
            models.CheckConstraint(
                condition=Q(pressed_at__lte=F("at")), name="pressed_before_it_was_recorded"
            ),
            models.CheckConstraint(
                condition=Q(first_viewed_at=None) | Q(first_viewed_at__lte=F("pressed_at")),
                name="viewed_before_it_was_pressed",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.judgment}: {self.from_state} → {self.to_state}"

    @property
    def ratings(self) -> dict[str, int]:
        return without_grade(self.to_answers)

    def is_of(self, act: Act) -> bool:
        """Whether it recorded what an act says; what the act leaves out was kept."""
        given, sent = act.answer, act.answer.answers
        if (act.docno, given.state, given.reason) != (
            self.judgment.item.key,
            self.to_state,
            self.reason,
        ):
            return False
        if any(sent.get(name, value) != value for name, value in self.to_answers.items()):
            return False
        marked = {(before, bare(text)) for _, _, before, text in self.passages}
        if given.passages is not None and marked != {
            (each.before, bare(each.text)) for each in given.passages
        }:
            return False
        return given.comment in {None, self.comment} or self._left_out_comment(act)

    def _left_out_comment(self, act: Act) -> bool:
        """Whether an act on what had changed only repeated the comment that its page showed."""
        its, shown = self.judgment, act.seen.change
        if not its.pk or shown is None:
            return False
        is_kept = self.comment == its.comment_at(self.change - 1)
        return is_kept and act.answer.comment == its.comment_at(shown)
