"""A campaign and its settings."""

from datetime import UTC, date, datetime
from typing import Any, Self
from zoneinfo import ZoneInfo

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.safestring import SafeString

from accounts.models import User
from campaigns.core.criteria import Criterion, criteria_of, first_of_kinds, scale_of
from campaigns.core.grades import Grade, Scale
from campaigns.core.guidelines import MAX_CHARACTERS
from campaigns.models.moments import zone_name
from cleverdon.trec.versions import version

# Controls per hundred documents.
MOST_CONTROLS = 20
FROM_TO = "Choose a date from 1970 to 2199."


def default_criteria() -> list[dict[str, Any]]:
    """Return relevance alone, in four grades."""
    grades = (
        Grade(0, "not relevant", "Nothing in it answers the topic."),
        Grade(1, "partly relevant", "On the topic, but answers only a part of it."),
        Grade(2, "relevant", "Answers the topic."),
        Grade(3, "highly relevant", "One of the best answers there could be."),
    )
    return [Criterion("relevance", "How relevant is it?", grades, level=1).to_json()]


# Pages cannot show dates outside the years 1 to 9999, which other zones can reach.
DATES = [
    MinValueValidator(datetime(1970, 1, 1, tzinfo=UTC), message=FROM_TO),
    MaxValueValidator(datetime(2199, 12, 31, tzinfo=UTC), message=FROM_TO),
]


class SharedRule(models.TextChoices):
    """How the grades of a shared document become its official one; stored as written here."""

    MEDIAN = "median", "the median grade, the lower of two"
    MAJORITY = "majority", "the most frequent grade, the lowest of several"
    HIGHER_MAJORITY = "majority-highest", "the most frequent grade, the highest of several"
    DECIDED_MAJORITY = (
        "majority-adjudicated",
        "the most frequent grade; of several none until an adjudicator decides",
    )
    MAXIMUM = "maximum", "the highest grade"


class CampaignQuerySet(models.QuerySet["Campaign"]):
    def of(self, user: User) -> Self:
        """Return the campaigns this person has a role in, newest first."""
        return self.filter(membership__user=user).distinct().order_by("-pk")

    def public(self) -> Self:
        """Return the campaigns of which something is released to everybody now, newest first."""
        now = {"releases__from_at__lte": timezone.now(), "releases__ended_at": None}
        return self.filter(releases__audience="everybody", **now).distinct().order_by("-pk")


class Campaign(models.Model):
    """One evaluation exercise, with its topics, documents, runs, pool and judgments."""

    name = models.CharField(max_length=120)
    slug = models.SlugField(max_length=60, unique=True)
    description = models.TextField(
        max_length=MAX_CHARACTERS,
        blank=True,
        help_text="What the campaign is about, for everybody who can open its overview.",
    )
    guidelines = models.TextField(
        "guidelines for assessors", max_length=MAX_CHARACTERS, blank=True, help_text="Markdown."
    )
    rendered_guidelines = models.TextField(
        blank=True,
        editable=False,
        help_text="HTML, made when the guidelines are saved: every page of judging shows it.",
    )
    shows_guidelines = models.BooleanField("participants read the guidelines too", default=False)
    criteria = models.JSONField(
        "grades and criteria",
        default=default_criteria,
        help_text=(
            "What is asked of an item. The answer to the first criterion of its kind is the grade; "
            "the first one about documents has the level, from which grade they are relevant."
        ),
    )
    has_fixed_scale = models.BooleanField(
        default=False,
        help_text=(
            "A document has been graded: values and labels of the grades stay, "
            "descriptions may be corrected."
        ),
    )
    takes_evidence = models.BooleanField(
        "assessors can mark passages as evidence",
        default=False,
        help_text="Passages that they select in a document are kept with its grade.",
    )
    evidence_from = models.SmallIntegerField(
        "evidence from grade",
        null=True,
        blank=True,
        help_text=("Ask for a passage from this grade up; empty for never. Assessors can skip it."),
    )
    shared_rule = models.CharField(
        "official grade of a shared topic's document",
        max_length=20,
        choices=SharedRule.choices,
        default=SharedRule.MEDIAN,
        help_text="How several assessors' grades of one document become the grade that counts.",
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
    topics_open_at = models.DateTimeField(
        "topics are shown from",
        null=True,
        blank=True,
        validators=DATES,
        help_text="Until then participants see no topic and submit no run.",
    )
    round = models.PositiveSmallIntegerField(
        default=1,
        editable=False,
        help_text="The current one, which runs and batches join; its dates of submission follow.",
    )
    submission_opens_at = models.DateTimeField(null=True, blank=True, validators=DATES)
    submission_closes_at = models.DateTimeField(null=True, blank=True, validators=DATES)
    judging_opens_at = models.DateTimeField(null=True, blank=True, validators=DATES)
    judging_closes_at = models.DateTimeField(null=True, blank=True, validators=DATES)
    has_whole_collection = models.BooleanField(
        default=False,
        help_text=(
            "The imported documents are the whole collection, so a docno outside it is unknown."
        ),
    )
    notice = models.TextField(blank=True, help_text="Shown on every page of the campaign.")
    refuses_conflicts = models.BooleanField(
        "nobody judges whose team has a run in the pool",
        default=False,
        help_text="If off, the plan gives such assessors a topic only if nobody else can take it.",
    )
    serves_duplicates_together = models.BooleanField(
        "duplicates are served next to each other",
        default=False,
        help_text=(
            "Exact and near ones, as they were found last. "
            "Applies to topics you assign from now on, and to batches that join the pool."
        ),
    )
    least_view_ms = models.PositiveSmallIntegerField(
        "milliseconds before a document can be graded",
        default=250,
        validators=[MaxValueValidator(10_000)],
        help_text=(
            "Earlier keys are ignored and the assessor is told, "
            "so that nobody grades an unseen document."
        ),
    )
    known_percent = models.PositiveSmallIntegerField(
        "known grades per 100 documents",
        default=0,
        validators=[MaxValueValidator(MOST_CONTROLS)],
        help_text=(
            "Documents whose grade is known, once these grades are imported, mixed in blind. "
            "Rounded per topic; at 2, a topic with fewer than 25 documents gets none. "
            "Applies to topics you assign from now on. Shared topics get none."
        ),
    )
    repeat_percent = models.PositiveSmallIntegerField(
        "repeats per 100 documents",
        default=0,
        validators=[MaxValueValidator(MOST_CONTROLS)],
        help_text=(
            "The same document again, as if new, at least 20 later (in short topics a third of the "
            "topic). Applies to topics you assign from now on. "
            "Shared topics and those with fewer than 10 documents get none."
        ),
    )
    seed = models.BigIntegerField(
        help_text="Every order and sample of this campaign is derived from it."
    )
    created_at = models.DateTimeField(default=timezone.now)
    archived_at = models.DateTimeField(
        null=True, blank=True, editable=False, help_text="Since then the campaign is read-only."
    )

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
    def has_rounds(self) -> bool:
        """Whether there are several; else no page speaks of rounds, and no `Round` is stored."""
        return self.round > 1

    @property
    def scale(self) -> Scale:
        """The grades of documents."""
        return scale_of(self.criteria)

    @property
    def level(self) -> int:
        """The lowest grade of a document that counts as relevant."""
        return self.scale.level

    @property
    def every_criterion(self) -> tuple[Criterion, ...]:
        """The criteria, that of the grades of documents first, those no longer asked too."""
        return criteria_of(self.criteria)

    @property
    def graded_by(self) -> dict[str, Criterion]:
        """By kind of item, the criterion whose answer is the grade."""
        return first_of_kinds(self.every_criterion)

    @property
    def asked_further(self) -> list[Criterion]:
        """What is asked beside the grade."""
        first, every = self.graded_by.values(), self.every_criterion
        return [each for each in every if not each.is_retired and each not in first]

    def criteria_about(self, kind: str) -> tuple[Criterion, ...]:
        """Return the criteria for items of a kind, those no longer asked too."""
        return tuple(each for each in self.every_criterion if each.kind == kind)

    @property
    def asked_version(self) -> str:
        """The version of what an answer is checked against."""
        asked = [each for each in self.every_criterion if not each.is_retired]
        return version([(each.name, each.fixed, each.from_grade, each.kind) for each in asked])

    @property
    def guidelines_html(self) -> SafeString:
        """The guidelines as HTML; raw HTML in them is shown as text."""
        return SafeString(self.rendered_guidelines)

    @property
    def zone(self) -> ZoneInfo:
        return ZoneInfo(self.time_zone)

    def day_of(self, at: datetime) -> date:
        return at.astimezone(self.zone).date()

    @property
    def last_day_of_judging(self) -> date | None:
        at = self.judging_closes_at
        return self.day_of(at) if at else None

    @property
    def zone_name(self) -> str:
        return zone_name(self.zone)
