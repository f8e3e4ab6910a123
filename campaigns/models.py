"""The ground: people, campaigns, topics, documents, runs, the jobs that work on them, and who did what."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self
from zoneinfo import ZoneInfo

from django.contrib.auth.models import AbstractUser
from django.contrib.postgres.expressions import ArraySubquery
from django.core.validators import MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.crypto import get_random_string
from django.utils.safestring import SafeString
from markdown_it import MarkdownIt

from campaigns.core.grades import Scale

if TYPE_CHECKING:
    from datetime import datetime


MARKDOWN = MarkdownIt("js-default", {"html": False, "linkify": False})


def default_scale() -> list[dict[str, object]]:
    return [
        {
            "value": 0,
            "label": "not relevant",
            "description": "Nothing in it answers the topic.",
        },
        {
            "value": 1,
            "label": "partly relevant",
            "description": "On the topic, but answers only a part of it.",
        },
        {"value": 2, "label": "relevant", "description": "Answers the topic."},
        {
            "value": 3,
            "label": "highly relevant",
            "description": "One of the best answers there could be.",
        },
    ]


def invitation_token() -> str:
    return get_random_string(32)


class User(AbstractUser):
    """A person. Their roles are memberships, per campaign."""

    single_key_shortcuts = models.BooleanField("judge with single keys", default=True)

    def __str__(self) -> str:
        return self.get_full_name() or self.username


class Role(models.TextChoices):
    """What a person may be in a campaign; stored as written here."""

    ORGANIZER = "organizer"
    ASSESSOR = "assessor"
    PARTICIPANT = "participant"


class CampaignQuerySet(models.QuerySet["Campaign"]):
    def of(self, user: User) -> Self:
        """Return the campaigns this person has a role in, newest first."""
        return self.filter(membership__user=user).distinct().order_by("-created_at")


class Campaign(models.Model):
    """One evaluation exercise, with its topics, documents, runs, pool and judgments."""

    class Visibility(models.TextChoices):
        """Who sees scores; stored as written here."""

        ORGANIZERS = "organizers", "organizers only"
        OWNERS = "owners", "participants see their own runs"
        PUBLIC = "public", "everyone in the campaign sees every run"

    name = models.CharField(max_length=120)
    slug = models.SlugField(max_length=60, unique=True)
    guidelines = models.TextField(
        "guidelines for assessors", blank=True, help_text="Markdown."
    )
    scale_grades = models.JSONField("scale of grades", default=default_scale)
    level = models.PositiveSmallIntegerField(
        "relevant from grade",
        default=1,
        help_text="The lowest grade that counts as relevant.",
    )
    has_fixed_scale = models.BooleanField(
        default=False,
        help_text="Judging has begun: grades keep their values, labels may be reworded.",
    )
    run_depth = models.PositiveIntegerField(
        "documents per topic in a run", default=1000, validators=[MinValueValidator(1)]
    )
    seconds_per_judgment = models.PositiveSmallIntegerField(
        default=30,
        validators=[MinValueValidator(1)],
        help_text="Used to turn a pool's size into hours.",
    )
    time_zone = models.CharField(max_length=64, default="UTC")
    submission_opens_at = models.DateTimeField(null=True, blank=True)
    submission_closes_at = models.DateTimeField(null=True, blank=True)
    judging_opens_at = models.DateTimeField(null=True, blank=True)
    judging_closes_at = models.DateTimeField(null=True, blank=True)
    visibility = models.CharField(
        "who sees scores",
        max_length=10,
        choices=Visibility.choices,
        default=Visibility.ORGANIZERS,
    )
    has_whole_collection = models.BooleanField(
        default=False,
        help_text="The imported documents are the whole collection, so a docno outside it is unknown.",
    )
    notice = models.TextField(
        blank=True, help_text="Shown on every page of the campaign."
    )
    seed = models.BigIntegerField(
        help_text="Every order and sample of this campaign is derived from it."
    )
    created_at = models.DateTimeField(default=timezone.now)

    objects = CampaignQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(submission_closes_at__isnull=True)
                | Q(submission_opens_at__isnull=True)
                | Q(submission_closes_at__gt=F("submission_opens_at")),
                name="submission_closes_after_it_opens",
            ),
            models.CheckConstraint(
                condition=Q(judging_closes_at__isnull=True)
                | Q(judging_opens_at__isnull=True)
                | Q(judging_closes_at__gt=F("judging_opens_at")),
                name="judging_closes_after_it_opens",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def scale(self) -> Scale:
        return Scale.from_json({"grades": self.scale_grades, "level": self.level})

    @property
    def guidelines_html(self) -> SafeString:
        """The guidelines as HTML; raw HTML in them is shown, not obeyed."""
        return SafeString(MARKDOWN.render(self.guidelines))

    @property
    def zone(self) -> ZoneInfo:
        return ZoneInfo(self.time_zone)


class Team(models.Model):
    """A group of participants that submits runs together."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE)
    name = models.CharField(max_length=60)

    class Meta:
        ordering = ["name"]
        constraints = [
            models.UniqueConstraint(
                fields=["campaign", "name"], name="one_team_per_name"
            )
        ]

    def __str__(self) -> str:
        return self.name


class MembershipQuerySet(models.QuerySet["Membership"]):
    def for_people(self, campaign: Campaign) -> Self:
        """Return the campaign's memberships, each with the person's `other_roles` there: a possible conflict."""
        others = Membership.objects.filter(
            campaign=campaign, user=models.OuterRef("user")
        )
        others = others.exclude(role=models.OuterRef("role")).order_by("role")
        members = self.filter(campaign=campaign).select_related("user", "team")
        return members.annotate(other_roles=ArraySubquery(others.values("role")))


class Membership(models.Model):
    """A person's role in a campaign; a participant's comes through a team."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE)
    user = models.ForeignKey(User, on_delete=models.CASCADE)
    role = models.CharField(max_length=11, choices=Role.choices)
    team = models.ForeignKey(Team, on_delete=models.PROTECT, null=True, blank=True)
    joined_at = models.DateTimeField(default=timezone.now)

    objects = MembershipQuerySet.as_manager()

    class Meta:
        ordering = ["role", "user__username"]
        constraints = [
            models.UniqueConstraint(
                fields=["campaign", "user", "role"], name="one_membership_per_role"
            ),
            models.CheckConstraint(
                condition=Q(role=Role.PARTICIPANT, team__isnull=False)
                | (~Q(role=Role.PARTICIPANT) & Q(team__isnull=True)),
                name="participants_and_only_they_have_a_team",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user}, {self.role} of {self.campaign}"


class Invitation(models.Model):
    """A link that gives whoever follows it a role in a campaign."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE)
    role = models.CharField(max_length=11, choices=Role.choices)
    team = models.ForeignKey(Team, on_delete=models.CASCADE, null=True, blank=True)
    token = models.CharField(max_length=32, unique=True, default=invitation_token)
    created_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField()

    class Meta:
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return f"invitation to {self.campaign} as {self.role}"

    @property
    def is_open(self) -> bool:
        return timezone.now() < self.expires_at


class Topic(models.Model):
    """A statement of need."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE)
    number = models.CharField(max_length=60, db_collation="C")
    title = models.TextField()
    description = models.TextField(blank=True)
    narrative = models.TextField(blank=True)

    class Meta:
        ordering = ["number"]  # byte order, as trec_eval prints topics
        constraints = [
            models.UniqueConstraint(
                fields=["campaign", "number"], name="one_topic_per_number"
            )
        ]

    def __str__(self) -> str:
        return self.number


class Document(models.Model):
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


class RunQuerySet(models.QuerySet["Run"]):
    def valid(self) -> Self:
        return self.filter(state=Run.State.VALID)

    def unsettled(self) -> Self:
        return self.filter(state__in=[Run.State.WAITING, Run.State.CHECKING])

    def visible_to(self, user: User, campaign: Campaign) -> Self:
        """Return the campaign's runs an organizer sees (all) or a participant sees (their team's)."""
        runs = self.filter(campaign=campaign).select_related("team", "submitted_by")
        memberships = Membership.objects.filter(campaign=campaign, user=user)
        if memberships.filter(role=Role.ORGANIZER).exists():
            return runs
        return runs.filter(team__membership__in=memberships)


def run_path(run: Run, _: str) -> str:
    return f"runs/{run.campaign_id}/{get_random_string(12)}/{run.tag}"


class Run(models.Model):
    """One system's ranking for all topics: the file as it came, its check report, its columnar form."""

    class State(models.TextChoices):
        """Where a run is in its life; see `core.lifecycle`. Stored as written here."""

        WAITING = "waiting"
        CHECKING = "checking"
        VALID = "valid"
        INVALID = "invalid"
        WITHDRAWN = "withdrawn"

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE)
    team = models.ForeignKey(Team, on_delete=models.PROTECT)
    submitted_by = models.ForeignKey(User, on_delete=models.PROTECT)
    submitted_at = models.DateTimeField(default=timezone.now)
    tag = models.CharField("run tag", max_length=20, db_collation="C")
    description = models.TextField(blank=True)
    is_manual = models.BooleanField("a person intervened", default=False)
    state = models.CharField(max_length=9, choices=State.choices, default=State.WAITING)
    file = models.FileField(upload_to=run_path, max_length=200)
    file_name = models.CharField(max_length=255)
    n_bytes = models.BigIntegerField()
    sha256 = models.CharField(max_length=64, blank=True)
    columns = models.FileField(upload_to=run_path, max_length=200, blank=True)
    report = models.JSONField(null=True, blank=True)

    objects = RunQuerySet.as_manager()

    class Meta:
        ordering = ["-submitted_at"]
        constraints = [
            # A rejected or withdrawn run frees its tag for the corrected file.
            models.UniqueConstraint(
                fields=["campaign", "tag"],
                condition=~Q(state__in=["invalid", "withdrawn"]),
                name="one_live_run_per_tag",
            ),
        ]

    def __str__(self) -> str:
        return self.tag


class JobQuerySet(models.QuerySet["Job"]):
    def unfinished(self) -> Self:
        return self.filter(state__in=[Job.State.WAITING, Job.State.RUNNING])

    def recent(self, campaign: Campaign) -> Self:
        return (
            self.filter(campaign=campaign)
            .select_related("created_by")
            .order_by("-created_at")
        )

    def about(self, kind: str, subject_id: int) -> Job | None:
        return self.filter(kind=kind, subject_id=subject_id).order_by("-pk").first()


def job_path(job: Job, name: str) -> str:
    return f"jobs/{job.campaign_id}/{get_random_string(12)}/{name[-80:]}"


class Job(models.Model):
    """Something a worker does later. The row is the promise; the queue only says "look"."""

    class Kind(models.TextChoices):
        """What is to be done; the value names the task, as `jobs.TASKS` says."""

        CHECK_RUN = "check_run", "check a run"
        IMPORT_DOCUMENTS = "import_documents", "import documents"
        BUILD_POOL = "build_pool", "build the pool"
        SCORE_RUNS = "score_runs", "score the runs"

    class State(models.TextChoices):
        """Where a job is in its life; see `core.lifecycle`. Stored as written here."""

        WAITING = "waiting"
        RUNNING = "running"
        DONE = "done"
        FAILED = "failed"

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE)
    kind = models.CharField(max_length=20, choices=Kind.choices)
    subject_id = models.BigIntegerField(
        help_text="The run, campaign, pool or evaluation worked on."
    )
    file = models.FileField(upload_to=job_path, max_length=255, blank=True)
    state = models.CharField(max_length=7, choices=State.choices, default=State.WAITING)
    progress = models.BigIntegerField(default=0)
    total = models.BigIntegerField(default=0)
    attempts = models.PositiveSmallIntegerField(default=0)
    outcome = models.TextField(
        blank=True, help_text="What came of it, or why it failed, in one sentence."
    )
    created_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)
    started_at = models.DateTimeField(null=True, blank=True)
    heartbeat_at = models.DateTimeField(default=timezone.now)
    finished_at = models.DateTimeField(null=True, blank=True)

    objects = JobQuerySet.as_manager()

    class Meta:
        indexes = [
            models.Index(
                fields=["created_at"],
                condition=Q(state__in=["waiting", "running"]),
                name="unfinished_jobs",
            ),
            models.Index(fields=["kind", "subject_id"], name="jobs_by_subject"),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} ({self.state})"

    @property
    def percent(self) -> int:
        if self.state == self.State.DONE:
            return 100
        return min(99, 100 * self.progress // self.total) if self.total else 0

    @property
    def is_finished(self) -> bool:
        return self.state in {self.State.DONE, self.State.FAILED}


class AuditEvent(models.Model):
    """Who did what to what; written in the same transaction as the deed."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE)
    actor = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    verb = models.CharField(max_length=40)
    subject = models.CharField(max_length=200, blank=True)
    detail = models.JSONField(default=dict)
    at: models.DateTimeField[datetime, datetime] = models.DateTimeField(
        default=timezone.now
    )

    class Meta:
        ordering = ["-at", "-pk"]
        indexes = [models.Index(fields=["campaign", "-at"], name="audit_by_campaign")]

    def __str__(self) -> str:
        return f"{self.actor} {self.verb} {self.subject}"

    @classmethod
    def record(
        cls,
        campaign: Campaign,
        actor: User,
        verb: str,
        subject: object = "",
        **detail: Any,
    ) -> None:
        cls.objects.create(
            campaign=campaign,
            actor=actor,
            verb=verb,
            subject=str(subject)[:200],
            detail=detail,
        )
