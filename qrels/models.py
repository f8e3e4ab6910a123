"""Published qrels, and files of qrels on their way to become a version."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.crypto import get_random_string
from django.utils.functional import cached_property

from accounts.models import User
from accounts.public_id import a_public_id
from campaigns.models.campaign import Campaign
from cleverdon.trec.qrels import JudgedPairs, read_qrels
from jobs.models import StateQuerySet
from pooling.models.batches import Batch, BatchQuerySet
from pooling.models.entries import PoolEntry, PoolEntryQuerySet
from pooling.models.pools import Pool
from qrels.core import IMPORT_TRANSITIONS, QrelsFacts
from qrels.rows import OFFICIAL, QrelsQuerySet

if TYPE_CHECKING:
    from collections.abc import Sequence


def qrels_path(qrels: Qrels, _: str) -> str:
    return f"qrels/{qrels.campaign_id}/{get_random_string(12)}/qrels.{qrels.number}.txt"


def judgments_path(qrels: Qrels, _: str) -> str:
    return f"qrels/{qrels.campaign_id}/{get_random_string(12)}/judgments.{qrels.number}.csv.gz"


def import_path(upload: QrelsImport, _: str) -> str:
    return f"qrels/{upload.campaign_id}/{get_random_string(12)}/imported"


class Qrels(models.Model):
    """One grade per (topic, docno), as a numbered file that never changes."""

    class GradeRule(models.TextChoices):
        """How several judgments become one grade; stored as written here."""

        PRIMARY = "primary", "primary assessor"
        MEDIAN = "median", "primary assessor; of shared topics the median, the lower of two"
        MAJORITY = (
            "majority",
            "primary assessor; of shared topics the grade given most often, the lowest of several",
        )
        HIGHER_MAJORITY = (
            "majority-highest",
            "primary assessor; of shared topics the grade given most often, the highest of several",
        )
        DECIDED_MAJORITY = (
            "majority-adjudicated",
            "primary assessor; of shared topics the grade given most often; ties are adjudicated",
        )
        MAXIMUM = "maximum", "primary assessor; of shared topics the highest grade"

    campaign = models.ForeignKey(Campaign, on_delete=models.PROTECT)
    pool = models.ForeignKey(
        Pool, on_delete=models.PROTECT, null=True, help_text="None for imported qrels."
    )
    pool_version = models.PositiveIntegerField(
        default=0, help_text="Of the pool when published; 0 for imported qrels."
    )
    number = models.PositiveIntegerField()
    round = models.PositiveSmallIntegerField(
        default=1, help_text="Of the campaign; the current one when published or imported."
    )
    basis = models.CharField(
        max_length=40, blank=True, help_text="Which grades it has; empty for imported qrels."
    )
    rule = models.CharField(
        max_length=20,
        choices=GradeRule.choices,
        blank=True,
        help_text="Of official grades; empty for all others.",
    )
    basis_words = models.TextField(
        blank=True, help_text="Which grades it has, in words; empty where a rule says it."
    )
    estimated = models.JSONField(
        null=True, help_text="What was estimated beside its grades; none of official ones."
    )
    source = models.TextField(
        blank=True, help_text="Where imported qrels are from; empty for one's own."
    )
    file_name = models.CharField(max_length=255, blank=True)
    level = models.PositiveIntegerField(
        help_text="The lowest grade that counts as relevant; chosen at publication, never changed."
    )
    file = models.FileField(upload_to=qrels_path, max_length=200)
    sha256 = models.CharField(max_length=64)
    judgments = models.FileField(
        upload_to=judgments_path,
        max_length=200,
        blank=True,
        help_text="All judgments when published, as CSV in gzip; none if imported.",
    )
    judgments_sha256 = models.CharField(
        max_length=64, blank=True, help_text="Of the CSV, not of the gzip file."
    )
    n_topics = models.PositiveIntegerField()
    n_judgments = models.PositiveIntegerField()
    by_grade = models.JSONField(default=dict, help_text="How many judgments each grade has.")
    n_relevant = models.PositiveIntegerField()
    n_carried = models.PositiveIntegerField(
        default=0,
        help_text="Judgments that were not made here: existing ones, and those of duplicates.",
    )
    n_unjudged = models.PositiveIntegerField(
        default=0, help_text="Pool entries without an official grade when published."
    )
    n_cannot_judge = models.PositiveIntegerField(
        default=0, help_text="Those of them that could not be judged."
    )
    n_adjudicated = models.PositiveIntegerField(
        default=0, help_text="Grades that an adjudicator decided, as assessors differed."
    )
    n_corrected = models.PositiveIntegerField(
        default=0, help_text="Grades that an organizer put in place of others, with a reason."
    )
    n_undrawn = models.PositiveIntegerField(
        default=0, help_text="Documents of the pool's population that its samples did not draw."
    )
    n_earlier = models.PositiveIntegerField(
        default=0,
        help_text="Grades given on a text or statement that had been replaced when published.",
    )
    published_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    published_at = models.DateTimeField(default=timezone.now)
    withdrawn_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+", null=True)
    withdrawn_at = models.DateTimeField(null=True)
    why_withdrawn = models.TextField(blank=True)

    objects = QrelsQuerySet.as_manager()

    class Meta:
        ordering = ["-number"]
        constraints = [
            models.UniqueConstraint(fields=["campaign", "number"], name="one_qrels_per_number"),
            models.CheckConstraint(
                condition=Q(pool=None, basis="", rule="", judgments="", judgments_sha256="")
                & ~Q(source="")
                | Q(pool__isnull=False, source="")
                & (
                    Q(basis=OFFICIAL, basis_words="") & ~Q(rule="")
                    | Q(rule="") & ~Q(basis__in=["", OFFICIAL]) & ~Q(basis_words="")
                )
                & ~Q(judgments="")
                & ~Q(judgments_sha256=""),
                name="qrels_are_made_by_a_rule_or_imported",
            ),
            models.CheckConstraint(condition=Q(level__gt=0), name="a_level_is_a_grade_above_0"),
            models.CheckConstraint(
                condition=Q(withdrawn_at=None, withdrawn_by=None)
                | Q(withdrawn_at__isnull=False, withdrawn_by__isnull=False),
                name="withdrawn_qrels_have_a_date_and_a_person",
            ),
        ]

    def __str__(self) -> str:
        return f"qrels v{self.number}{f' ({self.basis})' if self.is_other else ''}"

    @property
    def rule_in_words(self) -> str:
        """How its grades came about: "primary assessor; 12 adjudicated, 1 corrected"."""
        settled = {"adjudicated": self.n_adjudicated, "corrected": self.n_corrected}
        parts = [f"{n:,} {what}" for what, n in settled.items() if n]
        by = self.basis_words or self.get_rule_display()
        return "; ".join(filter(None, [by, ", ".join(parts)]))

    def pairs(self) -> JudgedPairs:
        with self.file.open("rb") as file:
            return read_qrels(file.file)

    def grades(self) -> dict[str, dict[str, int]]:
        """Return the grades by topic and docno."""
        return self.pairs().by_topic()

    @property
    def batches(self) -> BatchQuerySet:
        """The batches of the pool that it rests on; none for imported qrels."""
        return Batch.objects.filter(pool=self.pool_id, version__lte=self.pool_version)

    @property
    def pooled(self) -> PoolEntryQuerySet:
        """The pool that it rests on."""
        return PoolEntry.objects.with_grades().filter(batch__in=self.batches)

    @property
    def is_sample(self) -> bool:
        """Whether some of the population of its pool was not drawn."""
        return self.n_undrawn > 0

    @property
    def is_imported(self) -> bool:
        return self.pool_id is None

    @property
    def is_other(self) -> bool:
        """Whether its grades are other ones than the official."""
        return self.basis not in {"", OFFICIAL}

    @property
    def program(self) -> dict[str, Any]:
        """The program whose labels it has, and how many they are; empty without one."""
        its: dict[str, Any] = (self.estimated or {}).get("program", {})
        return its

    @cached_property
    def maker_team(self) -> int | None:
        """Return the id of the team that made the program whose labels it has; None without one."""
        its = self.campaign.programs.filter(name=self.program["name"]) if self.program else None
        return its.values_list("team", flat=True).first() if its else None

    @property
    def unit(self) -> str:
        """What it has of each document: a judgment, or a grade where some are a program's."""
        return "grade" if self.program else "judgment"

    @property
    def is_withdrawn(self) -> bool:
        return self.withdrawn_at is not None

    @property
    def withdrawal(self) -> str:
        """When and why it was withdrawn, as files state it; "" for a version in use."""
        if self.withdrawn_at is None:
            return ""
        day = self.campaign.day_of(self.withdrawn_at)
        return f"{day.isoformat()}: {self.why_withdrawn}"

    @property
    def n_pooled(self) -> int:
        return self.n_judgments + self.n_unjudged

    @property
    def n_open(self) -> int:
        """Pool entries that were still to be decided when published."""
        return max(0, self.n_unjudged - self.n_cannot_judge)

    @property
    def is_preliminary(self) -> bool:
        return self.n_open > 0

    @property
    def marks(self) -> list[str]:
        """The marks in the names of its files."""
        marks = {
            "imported": self.is_imported,
            "withdrawn": self.is_withdrawn,
            "preliminary": self.is_preliminary,
            "sample": self.is_sample,
            self.basis: self.is_other,
        }
        return [mark for mark, is_so in marks.items() if is_so]

    @property
    def grade_counts(self) -> Sequence[tuple[int, int]]:
        """Each grade with its number of judgments, the lowest first."""
        return sorted((int(grade), count) for grade, count in self.by_grade.items())


class QrelsImportQuerySet(StateQuerySet["QrelsImport"]):
    transitions = IMPORT_TRANSITIONS

    def pending(self) -> Self:
        return self.exclude(state__in=["imported", "discarded"])


class QrelsImport(models.Model):
    """An uploaded file of qrels, which a worker reads and an organizer imports or discards."""

    class State(models.TextChoices):
        """The states of `IMPORT_TRANSITIONS`, stored as written here."""

        READING = "reading"
        REFUSED = "refused"
        READ = "read"
        IMPORTED = "imported"
        DISCARDED = "discarded"

    public_id = a_public_id()
    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE)
    file = models.FileField(upload_to=import_path, max_length=200)
    file_name = models.CharField(max_length=255)
    source = models.TextField()
    state = models.CharField(max_length=9, choices=State.choices, default=State.READING)
    fault = models.TextField(blank=True, help_text="Why it cannot be imported.")
    content = models.FileField(
        upload_to=import_path,
        max_length=200,
        blank=True,
        help_text="The file, unpacked if it was gzip: what a version holds.",
    )
    sha256 = models.CharField(max_length=64, blank=True)
    report = models.JSONField(null=True, help_text="What it holds.")
    qrels = models.OneToOneField(
        Qrels, on_delete=models.PROTECT, null=True, related_name="imported_from"
    )
    created_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)

    objects = QrelsImportQuerySet.as_manager()

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return self.file_name

    @property
    def facts(self) -> QrelsFacts | None:
        """What the file holds; None until it has been read."""
        report: dict[str, Any] | None = self.report
        return QrelsFacts(**report["facts"]) if report else None
