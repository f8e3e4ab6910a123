"""Jobs as rows: what a worker does later, and its progress."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeVar

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.crypto import get_random_string

from accounts.models import User
from accounts.public_id import a_public_id
from cleverdon.trec.versions import version
from jobs.core import JOB_TRANSITIONS, Transitions, sources

if TYPE_CHECKING:
    from datetime import timedelta

    from campaigns.models.campaign import Campaign


Model_co = TypeVar("Model_co", bound=models.Model, covariant=True)


class StateQuerySet(models.QuerySet[Model_co]):
    """Rows whose `state` follows `transitions`."""

    transitions: ClassVar[Transitions]

    def move(self, state: str, **changes: Any) -> int:
        """Change the state, and other columns, of rows whose state allows it; return how many.

        It is one statement: of two callers that move a row at the same time, one gets 0.
        """
        origins = sources(self.transitions, state)
        return self.filter(state__in=origins).update(state=state, **changes)


class JobQuerySet(StateQuerySet["Job"]):
    transitions = JOB_TRANSITIONS

    def unfinished(self) -> Self:
        return self.filter(state__in=[Job.State.WAITING, Job.State.RUNNING])

    def silent(self, age: timedelta) -> Self:
        """Return the unfinished jobs without a heartbeat for that long, by the database's clock.

        A heartbeat from the future was written before the clock was set back.
        """
        past, future = Now() - age, Now() + age
        return self.unfinished().filter(Q(heartbeat_at__lt=past) | Q(heartbeat_at__gt=future))

    def held(self, job: Job) -> Self:
        """Return the job if it still runs under the token of this claim."""
        return self.filter(pk=job.pk, token=job.token, state=Job.State.RUNNING)

    def recent(self, campaign: Campaign) -> Self:
        return self.filter(campaign=campaign).select_related("created_by").order_by("-pk")

    def listed(self) -> Self:
        return self.exclude(kind__in=unlisted_kinds)

    def about(self, kind: str, subject_id: int) -> Job | None:
        return self.filter(kind=kind, subject_id=subject_id).order_by("-pk").first()


# What each kind of job does, like "build the pool". Filled by `jobs.work.kind`.
job_labels: dict[str, str] = {}
# What each kind of job works on, unless that is the campaign. Filled by `jobs.work.kind`.
job_subjects: dict[str, type[models.Model]] = {}
# Kinds that pages ask for by themselves, left out of lists of jobs. Filled by `jobs.work.kind`.
unlisted_kinds: set[str] = set()


def job_path(job: Job, _: str) -> str:
    return f"jobs/{job.campaign_id}/{get_random_string(12)}/file"


class Job(models.Model):
    """Work to be done later. The row is authoritative; the queue carries its id and may lose it."""

    class State(models.TextChoices):
        """The states of a job, as stored; see `jobs.core` for their order."""

        WAITING = "waiting"
        RUNNING = "running"
        DONE = "done"
        FAILED = "failed"
        REFUSED = "refused"  # for its file: trying again cannot help

    public_id = a_public_id()
    campaign = models.ForeignKey("campaigns.Campaign", on_delete=models.CASCADE)
    kind = models.CharField(
        max_length=40, help_text="The name of a kind that an app registered; see `jobs.kind`."
    )
    subject_id = models.BigIntegerField(
        help_text="The run, campaign, pool or evaluation worked on."
    )
    about = models.CharField(
        max_length=255,
        blank=True,
        help_text="The name of the file worked on, the parts of a campaign that are copied, "
        "or the state of the scores that a report is on.",
    )
    options = models.JSONField(
        default=dict, blank=True, help_text="What was asked besides; each kind has its own."
    )
    file = models.FileField(upload_to=job_path, max_length=255, blank=True)
    state = models.CharField(max_length=7, choices=State.choices, default=State.WAITING)
    progress = models.BigIntegerField(default=0)
    total = models.BigIntegerField(default=0)
    attempts = models.PositiveSmallIntegerField(default=0)
    token = models.PositiveIntegerField(
        default=0,
        help_text="Changed by every claim and every loss; "
        "only the worker that knows the present one may write.",
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
    heartbeat_at = models.DateTimeField(db_default=Now(), help_text="By the database's clock.")
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
        """What the job does, like "build the pool"."""
        return job_labels.get(self.kind, self.kind)

    @property
    def percent(self) -> int:
        if self.state == self.State.DONE:
            return 100
        return min(99, 100 * self.progress // self.total) if self.total else 0

    @property
    def stage(self) -> str:
        """The version of what a page shows of it."""
        return version(self.pk, self.state, self.percent, self.outcome)

    @property
    def is_finished(self) -> bool:
        return self.state not in {self.State.WAITING, self.State.RUNNING}
