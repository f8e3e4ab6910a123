"""Jobs for the workers, and the audit trail."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from django.db import models
from django.db.models import Case, F, Q, Value, When
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.crypto import get_random_string

from accounts.access import Refused
from accounts.models import User
from campaigns.core.lifecycle import JOB_TRANSITIONS
from campaigns.models.campaign import Campaign
from campaigns.models.states import StateQuerySet

if TYPE_CHECKING:
    from datetime import datetime, timedelta


class JobQuerySet(StateQuerySet["Job"]):
    transitions = JOB_TRANSITIONS

    def unfinished(self) -> Self:
        return self.filter(state__in=[Job.State.WAITING, Job.State.RUNNING])

    def silent(self, age: timedelta) -> Self:
        """Return the unfinished jobs without a heartbeat for so long, by the database's clock.

        One from the future was written before the clock was set back, and says nothing either.
        """
        past, future = Now() - age, Now() + age
        return self.unfinished().filter(
            Q(heartbeat_at__lt=past) | Q(heartbeat_at__gt=future)
        )

    def held(self, job: Job) -> Self:
        """Return the job, if it still runs under the token of this claim of it."""
        return self.filter(pk=job.pk, token=job.token, state=Job.State.RUNNING)

    def recent(self, campaign: Campaign) -> Self:
        return (
            self.filter(campaign=campaign).select_related("created_by").order_by("-pk")
        )

    def listed(self) -> Self:
        return self.exclude(kind__in=unlisted_kinds)

    def about(self, kind: str, subject_id: int) -> Job | None:
        return self.filter(kind=kind, subject_id=subject_id).order_by("-pk").first()


# What each kind of job does, in words: "build the pool". Filled by `jobs.kind`.
job_labels: dict[str, str] = {}
# Kinds that pages ask for by themselves, left out of lists of jobs. Filled by `jobs.kind`.
unlisted_kinds: set[str] = set()


def job_path(job: Job, _: str) -> str:
    return f"jobs/{job.campaign_id}/{get_random_string(12)}/file"


class Job(models.Model):
    """Something a worker does later. The row counts; the queue only carries its id, and may lose it."""

    class State(models.TextChoices):
        """The states of a job; `core.lifecycle` says which may follow which. Stored as written here."""

        WAITING = "waiting"
        RUNNING = "running"
        DONE = "done"
        FAILED = "failed"
        REFUSED = (
            "refused"  # the file is not what it should be: to try again cannot help
        )

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE)
    kind = models.CharField(
        max_length=40,
        help_text="The name of a kind that an app registered; see `jobs.kind`.",
    )
    subject_id = models.BigIntegerField(
        help_text="The run, campaign, pool or evaluation worked on."
    )
    about = models.CharField(
        max_length=255,
        blank=True,
        help_text="The name of the file worked on, or the parts of a campaign that are copied.",
    )
    file = models.FileField(upload_to=job_path, max_length=255, blank=True)
    state = models.CharField(max_length=7, choices=State.choices, default=State.WAITING)
    progress = models.BigIntegerField(default=0)
    total = models.BigIntegerField(default=0)
    attempts = models.PositiveSmallIntegerField(default=0)
    token = models.PositiveIntegerField(
        default=0,
        help_text="Changed by every claim and every loss; only the worker that knows the present one may write.",
    )
    is_divided = models.BooleanField(
        default=False, help_text="Its parts are in the queue, each a task of its own."
    )
    n_silent = models.PositiveSmallIntegerField(
        default=0, help_text="How often in turn it was found without a heartbeat."
    )
    outcome = models.TextField(
        blank=True, help_text="What came of it, or why it failed, in one sentence."
    )
    created_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)
    started_at = models.DateTimeField(null=True, blank=True)
    heartbeat_at = models.DateTimeField(
        db_default=Now(), help_text="By the database's clock."
    )
    finished_at = models.DateTimeField(null=True, blank=True)

    objects = JobQuerySet.as_manager()

    class Meta:
        indexes = [
            models.Index(
                fields=["heartbeat_at"],
                condition=Q(state__in=["waiting", "running"]),
                name="unfinished_jobs",
            ),
            models.Index(fields=["kind", "subject_id"], name="jobs_by_subject"),
        ]

    def __str__(self) -> str:
        return f"{self.label} ({self.state})"

    @property
    def label(self) -> str:
        """What the job does, in words: "build the pool"."""
        return job_labels.get(self.kind, self.kind)

    @property
    def percent(self) -> int:
        if self.state == self.State.DONE:
            return 100
        return min(99, 100 * self.progress // self.total) if self.total else 0

    @property
    def is_finished(self) -> bool:
        return self.state not in {self.State.WAITING, self.State.RUNNING}


def check_not_archived(campaign: Campaign) -> None:
    if campaign.archived_at:
        raise Refused(
            f"{campaign} is archived, so nothing in it can be changed. An organizer can restore it in its settings."
        )


# How the kinds of event end that change nothing here, or that take the campaign back.
ALLOWED_IN_ARCHIVE = (".downloaded", ".archived", ".restored", ".copied")
_event_kinds: list[tuple[str, str]] = []


def register_events(kinds: type[models.TextChoices]) -> None:
    """Add an app's kinds of audit event, from its `ready`; the label follows the person's name: "submitted a run"."""
    _event_kinds.extend(kinds.choices)


def event_kinds() -> list[tuple[str, str]]:
    """Return every registered kind with its label. A function, so that a new kind needs no migration."""
    return _event_kinds


class AuditEventQuerySet(models.QuerySet["AuditEvent"]):
    def matching(self, words: str) -> Self:
        """Return those in whose kind, subject or actor each of the words occurs."""
        found = self
        for word in words.split():
            kinds = [kind for kind, label in event_kinds() if word.lower() in label.lower()]  # fmt: skip
            anywhere = Q(subject__icontains=word) | Q(kind__in=kinds)
            for where in ("username", "first_name", "last_name"):
                anywhere |= Q(**{f"actor__{where}__icontains": word})
            found = found.filter(anywhere)
        return found

    def in_words(self) -> Self:
        """Annotate each with `what` was done, as pages say it."""
        labels = [When(kind=kind, then=Value(label)) for kind, label in event_kinds()]
        return self.annotate(what=Case(*labels, default=F("kind")))


class AuditEvent(models.Model):
    """Who did what to what; written in the same transaction as the change."""

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
    at: models.DateTimeField[datetime, datetime] = models.DateTimeField(
        default=timezone.now
    )

    objects = AuditEventQuerySet.as_manager()

    class Meta:
        ordering = ["-pk"]
        indexes = [
            # The settings page shows the newest events of one campaign.
            models.Index(fields=["campaign", "-id"], name="audit_by_campaign")
        ]

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
    ) -> AuditEvent:
        """Write down an act. Every act passes here, so it is here that an archived campaign refuses it."""
        if campaign and not kind.value.endswith(ALLOWED_IN_ARCHIVE):
            # Read anew: it may have been archived since the page was opened.
            check_not_archived(Campaign.objects.get(pk=campaign.pk))
        return cls.objects.create(
            campaign=campaign,
            actor=actor,
            kind=kind,
            subject=str(subject)[:200],
            detail=detail,
        )
